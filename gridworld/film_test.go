package gridworld_test

import (
	"os"
	"strings"
	"testing"

	"achilles/gridworld/gridtest"
)

func TestFilms(t *testing.T) { gridtest.Films(t, os.DirFS("testdata"), "*.txt") }

// TestFilmFails checks that a film with a wrong claim fails, at the line of the claim.
func TestFilmFails(t *testing.T) {
	const head = "world 1\nmap\nA.g\n\nfilm\n"
	for _, c := range []struct{ name, frames, want string }{
		{"right", "> right\nevents turned\nsees 0\n> forward\nstate\n.A0\n\n> forward\nis finished\ngain 1\n", ""},
		{"no frame", "\n", "7: a film has at least one frame"},
		{"events", "> right\nevents moved\n", `7: events: got "turned", the strip says "moved"`},
		{"state", "> right\nstate\n.A0\n", `8: state: got "A.0", the strip says ".A0"`},
		{"short picture", "> right\nstate", `7: state: got "A.0", the strip says ""`},
		{"view", "> right\nview\nA.?\n", `8: view: got "A.0", the strip says "A.?"`},
		{"actor", ">\nactor 0,0 east\n", `7: actor: got "0,0 north", the strip says "0,0 east"`},
		{"thing", ">\nthing 0 1,0 ground\n", `7: thing: got "0 2,0 ground", the strip says "0 1,0 ground"`},
		{"no thing", ">\nthing 1 1,0 ground\n", `7: no thing "1"`},
		{"claim", ">\nis dark\n", "7: it is not so that: dark"},
		{"gain", ">\ngain 1\n", `7: gain: got "0", the strip says "1"`},
		{"action", "> jump\n", `6: no action "jump": want stay, forward`},
		{"line", ">\nand then\n", `7: no such line: "and then"`},
	} {
		got := strings.Join(gridtest.Film(head+c.frames), "; ")
		if !strings.HasPrefix(got, c.want) || c.want == "" && got != "" {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
