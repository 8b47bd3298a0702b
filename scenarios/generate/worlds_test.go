package generate_test

import (
	"context"
	"os"
	"regexp"
	"strings"
	"testing"

	"achilles/battery/worlds"
	"achilles/gridworld"
	"achilles/gridworld/policy"
	"achilles/scenarios/generate"
	"achilles/scenarios/scenario"
	"achilles/sim/record"
)

// TestGeneratedWorlds runs the scenario of docs/reference/worlds.md. It checks that the battery comes from TOML, and
// that one world for each item is published, after a comment line that says what subjects are told.
func TestGeneratedWorlds(t *testing.T) {
	text, err := os.ReadFile("../../docs/reference/worlds.md")
	if err != nil {
		t.Fatal(err)
	}
	block := regexp.MustCompile("(?s)```toml\n(.*?)```").FindStringSubmatch(string(text))
	if block == nil {
		t.Fatal("no scenario in the documentation")
	}
	s, err := scenario.Parse("docs/reference/worlds.md", "name = \"worlds\"\n"+block[1]+"\n[[agent]]\nname = \"a\"\nrule = [{ p = \"lastSeenPasses\" }]\n")
	if err != nil {
		t.Fatal(err)
	}
	session, err := generate.Run(context.Background(), s, generate.Config{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	public, _ := publish(t, session)
	d := read(t, public)
	all, err := record.Worlds(mapFS(public), &d.Manifest)
	if err != nil || len(all) != 400 || d.Items.Len() != 400 {
		t.Fatalf("%d worlds of %d items (%v)", len(all), d.Items.Len(), err)
	}
	limit, _ := d.Items.Column("timeLimit")
	for row, w := range all {
		v, err := gridworld.Parse(w.Text)
		if err != nil {
			t.Fatal(err)
		}
		if w.Item != d.Items.ID[row] || v.Rules().Limit != int(limit.Number[row]) {
			t.Errorf("world %d is that of another item", row)
		}
		if !strings.HasPrefix(w.Text, "// Touch the reward before tick ") || !strings.Contains(w.Text, "\n// places ") {
			t.Errorf("nothing is told about\n%s", w.Text)
		}
	}
}

// TestUnitsOfWorlds checks that bodies use the units of distance and time of the worlds.
func TestUnitsOfWorlds(t *testing.T) {
	u := policy.DefaultUnits()
	largest := 0.0
	for _, f := range worlds.OPIAAGETS().Factors() {
		if f.Name == "goalSize" {
			largest = f.Number[len(f.Number)-1]
		}
	}
	if u.PerCell != worlds.UnitsPerCell || u.TicksPerTime != worlds.TicksPerTime || u.Largest != largest {
		t.Errorf("bodies count in %+v", u)
	}
}
