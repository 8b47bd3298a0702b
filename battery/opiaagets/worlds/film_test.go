package worlds_test

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"achilles/battery"
	"achilles/battery/batterytest"
	"achilles/battery/opiaagets/worlds"
	"achilles/gridworld"
	"achilles/gridworld/gridtest"
)

var update = flag.Bool("update", false, "rewrite golden files")

// films are items of every paradigm, with and without an occluder, whose worlds are small enough to be looked at.
func films() map[string]worlds.Point {
	point := func(family string, levels ...any) worlds.Point {
		fs := []battery.Factor{
			{Name: "family", Text: []string{family}}, {Name: "goalDistance", Number: []float64{16}},
			{Name: "goalSize", Number: []float64{2}}, {Name: "displaced", Number: []float64{0}},
		}
		for i := 0; i < len(levels); i += 2 {
			fs = append(fs, battery.Factor{Name: levels[i].(string), Number: []float64{levels[i+1].(float64)}})
		}
		return worlds.PointAt(fs...)
	}
	return map[string]worlds.Point{
		"cups":          point("cup", "occluder", 1.0, "timeUnderOcclusion", 0.4, "numPositions", 2.0, "rightLeft", -1.0, "platform", 1.0),
		"cups-control":  point("cup", "rightLeft", 1.0, "ramp", 1.0, "lava", 1.0, "transparent", 1.0),
		"grid":          point("grid", "occluder", 1.0, "timeUnderOcclusion", 0.4, "numPositions", 3.0, "rightLeft", 1.0, "lava", 1.0),
		"grid-control":  point("grid", "rightLeft", -1.0, "ramp", 1.0, "bounce", 1.0),
		"chick":         point("cv", "occluder", 1.0, "timeUnderOcclusion", 0.4, "numPositions", 1.0, "rightLeft", 1.0, "lava", 1.0, "platform", 1.0, "transparent", 1.0, "goalDistance", 24.0),
		"chick-unseen":  point("cv", "occluder", 1.0, "timeUnderOcclusion", 0.5, "numPositions", 0.0, "displaced", 1.0, "bounce", 1.0, "rightLeft", -1.0, "lava", 1.0, "goalDistance", 24.0),
		"chick-control": point("cv", "timeUnderOcclusion", 0.2, "rightLeft", 1.0, "lava", 1.0, "platform", 1.0, "goalDistance", 24.0),
		"basic":         point("basic", "occluder", 1.0, "timeUnderOcclusion", 0.4, "numPositions", 1.0, "rightLeft", 0.0, "ramp", 1.0, "platform", 1.0),
		"basic-control": point("basic", "rightLeft", 1.0, "lava", 1.0),
	}
}

// TestFilms: the film of every item holds, and is the one that was looked at. The -update flag writes them anew.
func TestFilms(t *testing.T) {
	g := worlds.NewGenerator()
	for name, p := range films() {
		it, err := g.Item(1, 1, p)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		file := "testdata/" + name + ".txt"
		got := film(t, it, g)
		if *update {
			if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if got != string(want) {
			t.Errorf("%s: the item is\n%swant\n%s", name, got, want)
		}
	}
	gridtest.Films(t, os.DirFS("testdata"), "*.txt")
}

// film is the film strip of what the full-information actor of an item sees and does.
func film(t *testing.T, it battery.Item, g worlds.Generator) string {
	t.Helper()
	w := open(t, it)
	var s strings.Builder
	fmt.Fprintf(&s, "// %s, %s. %s\n// Places %v.\n%s\nfilm\n>\nis frozen\nsees 0\n", it.Paradigm, it.Task, it.Brief, it.Trials[0].Places, it.Trials[0].World)
	cues := w.Cues()
	_, frozen := w.Windows()
	free, rest := frozen[0].To, cues[len(cues)-1].Tick
	f := strip{w: w, s: &s}
	f.stay("The reward has come to rest.", rest)
	f.stay("The actor may act.", free-rest)
	f.picture("view")
	f.act("The reward comes in sight.", g.Way()[:g.Sighting()])
	f.act("", g.Way()[g.Sighting():])
	f.picture("state")
	return s.String()
}

// A strip writes frames of an episode.
type strip struct {
	w *gridworld.World
	s *strings.Builder
}

func (f strip) stay(says string, n int) { f.act(says, make([]gridworld.Action, n)) }

func (f strip) act(says string, actions []gridworld.Action) {
	if len(actions) == 0 {
		return
	}
	f.s.WriteString(">")
	for _, a := range actions {
		fmt.Fprintf(f.s, " %s", a)
		f.w.Step(a)
	}
	f.s.WriteByte('\n')
	if says != "" {
		fmt.Fprintf(f.s, "// %s\n", says)
	}
	fmt.Fprintf(f.s, "actor %s %s\n", f.w.Actor().Pos, f.w.Actor().Heading)
	if f.w.Outcome() == gridworld.Finished {
		f.s.WriteString("is finished\ngain 1\n")
		return
	}
	var v gridworld.View
	f.w.View(gridworld.Viewer{}, &v)
	f.s.WriteString([]string{"sees nothing\n", "sees 0\n"}[len(v.Things)])
	if f.w.Dark() {
		f.s.WriteString("is dark\n")
	}
}

// picture draws the world with the characters of its own text, as film strips do; in a view what is not seen is '?'.
func (f strip) picture(kind string) {
	text, _, _ := strings.Cut(strings.SplitN(f.w.String(), "\nmap\n", 2)[1], "\n\n")
	rows := strings.Split(text, "\n")
	var v gridworld.View
	f.w.View(gridworld.Viewer{Watch: gridworld.Everywhere(), Overhead: kind == "state"}, &v)
	f.s.WriteString(kind + "\n")
	for i, row := range rows {
		for x := range len(row) {
			p := gridworld.Pos{X: x, Y: len(rows) - 1 - i}
			c := row[x]
			if !v.Seen.Has(p) {
				c = '?'
			}
			if thing := f.w.Thing(0); thing.State == gridworld.Ground && thing.Pos == p && len(v.Things) > 0 {
				c = '0'
			}
			if f.w.Actor().Pos == p {
				c = 'A'
			}
			f.s.WriteByte(c)
		}
		f.s.WriteByte('\n')
	}
	f.s.WriteByte('\n')
}

// TestGoldenBattery guards every value of one battery, on every machine.
func TestGoldenBattery(t *testing.T) {
	const file = "testdata/digest.golden"
	got := "worlds-300-1 " + batterytest.Digest(t, design(t, nil, 300, 1)) + "\n"
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("the digest is %swant %s(-update rewrites it; say in the commit what changed and why)", got, want)
	}
}
