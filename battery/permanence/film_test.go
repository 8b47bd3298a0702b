package permanence_test

import (
	"flag"
	"maps"
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
func one(t testing.TB, c permanence.Coding, paradigm string, root uint64, levels ...any) battery.Item {
	t.Helper()
	fs := []battery.Factor{{Name: "paradigm", Text: []string{paradigm}}}
	fixed := map[string]float64{"occluder": 1, "congruent": 0, "timeUnderOcclusion": 1, "numPositions": 2, "goalSize": 2, "goalDistance": 16, "rightLeft": 1}
	own := map[string]float64{"hidings": 2, "moves": 1, "gravity": 1}
	switch c {
	case permanence.Radial:
		own = map[string]float64{"numPositions": 0, "visits": 2, "unbaited": 1}
	case permanence.Comparative:
		own = map[string]float64{"goalSize": 3, "retreat": 3, "number": 3}
	}
	maps.Copy(fixed, own)
	for i := 0; i < len(levels); i += 2 {
		fixed[levels[i].(string)] = levels[i+1].(float64)
	}
	for name, x := range fixed {
		fs = append(fs, battery.Factor{Name: name, Number: []float64{x}})
	}
	b, err := c.Design(t.Context(), battery.Request{Levels: fs, Items: 1, Root: root})
	if err != nil {
		t.Fatal(err)
	}
	return b.Items.At(0)
}

// TestFilms checks that the film of an item of every kind equals the film in testdata, which was checked by eye, and that
// all films are true of their worlds (gridtest.Films). The -update flag rewrites the films.
func TestFilms(t *testing.T) {
	for _, c := range []struct {
		name, paradigm string
		levels         []any
		coding         permanence.Coding
	}{
		{"a-not-b", "a-not-b", nil, permanence.Displaced},
		{"transposition", "transposition", []any{"moves", 2.0}, permanence.Displaced},
		{"displacement", "displacement", []any{"moves", 2.0}, permanence.Displaced},
		{"rotation", "rotation", nil, permanence.Displaced},
		{"tubes", "tubes", nil, permanence.Displaced},
		{"tubes-free", "tubes", []any{"gravity", 0.0}, permanence.Displaced},
		{"tunnel", "tunnel", nil, permanence.Displaced},
		{"transposition-control", "transposition", []any{"occluder", 0.0}, permanence.Displaced},
		{"displacement-congruent", "displacement", []any{"congruent", 1.0}, permanence.Displaced},
		{"tunnel-congruent", "tunnel", []any{"congruent", 1.0}, permanence.Displaced},
		{"detour", "detour", nil, permanence.Comparative},
		{"detour-cup", "detour", []any{"retreat", 4.0, "rightLeft", 0.0}, permanence.Comparative},
		{"detour-congruent", "detour", []any{"congruent", 1.0}, permanence.Comparative},
		{"aperture", "aperture", nil, permanence.Comparative},
		{"aperture-congruent", "aperture", []any{"congruent", 1.0}, permanence.Comparative},
		{"size", "size", nil, permanence.Comparative},
		{"size-congruent", "size", []any{"congruent", 1.0}, permanence.Comparative},
		{"number", "number", nil, permanence.Comparative},
		{"what-where-when", "what-where-when", nil, permanence.Comparative},
		{"what-where-when-control", "what-where-when", []any{"occluder", 0.0}, permanence.Comparative},
		{"radial-maze", "radial-maze", nil, permanence.Radial},
		{"radial-maze-congruent", "radial-maze", []any{"congruent", 1.0}, permanence.Radial},
		{"radial-maze-control", "radial-maze", []any{"occluder", 0.0}, permanence.Radial},
		{"number-control", "number", []any{"occluder", 0.0}, permanence.Comparative},
	} {
		it := one(t, c.coding, c.paradigm, 1, c.levels...)
		w, err := it.Trials[0].Open()
		if err != nil {
			t.Fatal(err)
		}
		cues := w.Cues()
		to := cues[len(cues)-1].Pos
		for _, x := range cues {
			if x.Thing == goal(w) {
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
