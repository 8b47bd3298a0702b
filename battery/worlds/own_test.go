package worlds_test

import (
	"strings"
	"testing"

	"achilles/battery"
	"achilles/battery/worlds"
)

// TestOwn measures worlds that were made by hand: one with the reward behind a wall, one that cannot be solved.
func TestOwn(t *testing.T) {
	const behind = "world 1\nlimit 40\nmap\n..g..\n.###.\n..A..\n"
	const closed = "world 1\nlimit 40\nmap\n..#g.\n..##.\nA....\n.####\n"
	of := func(levels ...battery.Factor) (battery.Battery, error) {
		return worlds.Own(t.Context(), battery.Request{Levels: levels})
	}
	b, err := of(battery.Factor{Name: "world", Text: []string{behind, strings.Replace(closed, "A....", "A.#..", 1)}}, battery.Factor{Name: "name", Text: []string{"behind", "closed"}})
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Check(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	for i, want := range []map[string]float64{
		{"goalDistance": 2, "goalSize": 1, "occluder": 1, "solvable": 1, "pathLength": 6, "turns": 3, "rightLeft": 0, "timeLimit": 40},
		{"occluder": 1, "solvable": 0, "pathLength": 0, "rightLeft": 1, "goalDistance": 5},
	} {
		for name, x := range want {
			f, _ := b.Feature(name)
			if got := b.Items.Values(i).At(f).Number; got != x {
				t.Errorf("%s: %s is %g, want %g", b.Items.Name(i), name, got, x)
			}
		}
	}
	for want, levels := range map[string][]battery.Factor{
		"own worlds are named by levels":          nil,
		"factor k: own worlds have":               {{Name: "k", Number: []float64{1}}},
		"2 worlds and 1 names":                    {{Name: "world", Text: []string{behind, closed}}, {Name: "name", Text: []string{"a"}}},
		"another world is called a":               {{Name: "world", Text: []string{behind, behind}}, {Name: "name", Text: []string{"a", "a"}}},
		"world 1, world-001: want a time limit":   {{Name: "world", Text: []string{"world 1\nmap\nAg\n"}}},
		"world 1, world-001: want an actor":       {{Name: "world", Text: []string{"world 1\nlimit 9\nmap\n.g\n"}}},
		"world 1, world-001: want a final reward": {{Name: "world", Text: []string{"world 1\nlimit 9\nmap\nA.\n"}}},
		"world 1, world-001: line 1":              {{Name: "world", Text: []string{"welt"}}},
	} {
		if _, err := of(levels...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
