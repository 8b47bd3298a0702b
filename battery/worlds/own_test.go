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

// TestOwnPlaces measures worlds that say where a reward could lie: one that hides it in the second of two holes, where it is last seen, one in which it
// moves on in the dark, and one without places.
func TestOwnPlaces(t *testing.T) {
	const hidden = "// places 1,4 5,4\nworld 1\nlimit 40\nlegend g hole + reward air final\nmap\n.H...g.\n.......\n.......\n.......\n...A...\n\ncue 2 thing 0 5,4 ground\nfreeze 0 6\n"
	moves := strings.Replace(hidden, "cue 2 thing 0 5,4 ground\n", "cue 2 thing 0 1,4 air\ndark 3 6\ncue 4 thing 0 5,4 ground\n", 1)
	const without = "world 1\nlimit 40\nmap\n..g..\n..A..\n"
	of := func(texts ...string) (battery.Battery, error) {
		return worlds.Own(t.Context(), battery.Request{Levels: []battery.Factor{{Name: "world", Text: texts}}})
	}
	b, err := of(hidden, moves, without)
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Check(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	for i, want := range []map[string]float64{
		{"numPositions": 1, "places": 2, "requiresOP": 1, "displaced": 0, "lastSeenPasses": 1, "alwaysRightPasses": 1, "alwaysLeftPasses": 0},
		{"numPositions": 1, "places": 2, "requiresOP": 1, "displaced": 1, "lastSeenPasses": 0, "alwaysRightPasses": 1},
		{"numPositions": 0, "places": 0, "requiresOP": 0, "lastSeenPasses": 0},
	} {
		for name, x := range want {
			f, ok := b.Feature(name)
			if got := b.Items.Values(i).At(f).Number; !ok || got != x {
				t.Errorf("%s: %s is %g, want %g", b.Items.Name(i), name, got, x)
			}
		}
	}
	if it := b.Items.At(0); len(it.Trials[0].Places) != 2 {
		t.Errorf("places %v", it.Trials[0].Places)
	}
	for from, want := range map[string]string{"1,4 5,4": "", "1,4 2,4": "the reward ends at 5,4, which is not among the places", "1,4 5,9": "place 5,9 lies outside", "1,4 5": `place "5" is not X,Y`, "5,4 5,4": "place 5,4 is listed twice"} {
		if _, err := of(strings.Replace(hidden, "1,4 5,4", from, 1)); want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("places %s: error %v, want %q", from, err, want)
		}
	}
	if _, err := of(strings.Replace(without, "world 1\n", "world 1\nmove eight\n", 1)); err == nil || !strings.Contains(err.Error(), "move turning") {
		t.Errorf("steps in eight directions: %v", err)
	}
}
