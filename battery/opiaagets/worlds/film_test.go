package worlds_test

import (
	"flag"
	"os"
	"testing"

	"achilles/battery"
	"achilles/battery/batterytest"
	"achilles/battery/opiaagets/worlds"
	"achilles/gridworld/gridtest"
)

var update = flag.Bool("update", false, "rewrite golden files")

// films returns points, by name, of items of every paradigm, with and without an occluder, whose worlds are small enough to
// be checked by eye.
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

// TestFilms checks that the film of every item equals the film in testdata, which was checked by eye, and that all films are
// true of their worlds (gridtest.Films). The -update flag rewrites the films.
func TestFilms(t *testing.T) {
	g := worlds.NewGenerator()
	for name, p := range films() {
		it, err := g.Item(1, 1, p)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		file := "testdata/" + name + ".txt"
		got := batterytest.Strip(t, it, g.Way(), g.Sighting(), false)
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

// TestGoldenBattery checks that the digest of all items of one battery is the same on every machine and after every change.
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
