package permanence_test

import (
	"flag"
	"os"
	"testing"

	"achilles/battery"
	"achilles/battery/batterytest"
	"achilles/battery/measure"
	"achilles/battery/permanence"
	"achilles/gridworld/gridtest"
)

var update = flag.Bool("update", false, "rewrite golden files")

// one returns an item of a paradigm in a small world. levels has names of other factors, each followed by its level.
func one(t testing.TB, paradigm string, root uint64, levels ...any) battery.Item {
	t.Helper()
	fs := []battery.Factor{{Name: "paradigm", Text: []string{paradigm}}}
	fixed := map[string]float64{
		"occluder": 1, "congruent": 0, "timeUnderOcclusion": 1, "numPositions": 2, "goalSize": 2, "goalDistance": 16, "rightLeft": 1, "hidings": 2, "moves": 1, "gravity": 1,
	}
	for i := 0; i < len(levels); i += 2 {
		fixed[levels[i].(string)] = levels[i+1].(float64)
	}
	for name, x := range fixed {
		fs = append(fs, battery.Factor{Name: name, Number: []float64{x}})
	}
	b, err := permanence.Design(fs, 1, root)
	if err != nil {
		t.Fatal(err)
	}
	return b.Items[0]
}

// TestFilms checks that the film of an item of every kind equals the film in testdata, which was checked by eye, and that
// all films are true of their worlds (gridtest.Films). The -update flag rewrites the films.
func TestFilms(t *testing.T) {
	for _, c := range []struct {
		name, paradigm string
		levels         []any
	}{
		{"a-not-b", "a-not-b", nil},
		{"transposition", "transposition", []any{"moves", 2.0}},
		{"displacement", "displacement", []any{"moves", 2.0}},
		{"rotation", "rotation", nil},
		{"tubes", "tubes", nil},
		{"tubes-free", "tubes", []any{"gravity", 0.0}},
		{"tunnel", "tunnel", nil},
		{"transposition-control", "transposition", []any{"occluder", 0.0}},
		{"displacement-congruent", "displacement", []any{"congruent", 1.0}},
		{"tunnel-congruent", "tunnel", []any{"congruent", 1.0}},
	} {
		it := one(t, c.paradigm, 1, c.levels...)
		w, err := it.Trials[0].Open()
		if err != nil {
			t.Fatal(err)
		}
		cues := w.Cues()
		to := cues[len(cues)-1].Pos
		for _, x := range cues {
			if x.Thing == 0 {
				to = x.Pos
			}
		}
		var way measure.Way
		way.Walk(w, to, false)
		file, got := "testdata/"+c.name+".txt", batterytest.Strip(t, it, way.Actions, way.Sighting, true)
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
			t.Errorf("%s: the item is\n%swant\n%s", c.name, got, want)
		}
	}
	gridtest.Films(t, os.DirFS("testdata"), "*.txt")
}
