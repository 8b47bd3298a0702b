package redteam_test

import (
	"fmt"
	"slices"
	"testing"

	"achilles/battery"
	"achilles/battery/batterytest"
	"achilles/battery/catalog"
	"achilles/battery/redteam"
	"achilles/gridworld"
	"achilles/sim/longtest"
	"achilles/sim/record"
	"achilles/sim/rng"
)

// tellTale returns a battery of rooms with two to five holes in a row, in which something gives the right one away: limit and held are the
// time limit and how long the actor is held, right the index of the hole of the reward.
func tellTale(t *testing.T, items int, tell func(r *rng.Rand, holes []gridworld.Pos, start gridworld.Pos) (right, limit, held int)) battery.Battery {
	t.Helper()
	b := battery.Battery{Suite: "told", Schema: []record.Feature{{Name: battery.HiddenFeature, Kind: record.Number}}, Measure: []record.Measure{{Name: "success", Family: record.Binary}}}
	r := rng.Stream(7, "redteam")
	for i := range items {
		w := gridworld.New(24, 14, gridworld.Rules{Limit: 1})
		start := gridworld.Pos{X: 4 + r.IntN(16), Y: 1}
		var holes []gridworld.Pos
		for k := range 2 + r.IntN(4) {
			holes = append(holes, gridworld.Pos{X: 1 + r.IntN(2) + 4*k, Y: 12})
		}
		right, limit, held := tell(&r, holes, start)
		w.Reset(24, 14, gridworld.Rules{Limit: limit})
		for _, p := range holes {
			w.Place(p, gridworld.Cell{Kind: gridworld.Hole})
		}
		w.SetActor(start, gridworld.North)
		w.Add(gridworld.Thing{Kind: gridworld.Reward, State: gridworld.Ground, Pos: holes[right], Size: 100, Value: 1, Final: true})
		w.Freeze(gridworld.Window{From: 0, To: held})
		b.Items.Append(&battery.Item{Name: fmt.Sprint("told-", i), Suite: "told", Paradigm: "told", Task: "told",
			Values: battery.ValuesOf([]battery.Column[int]{battery.Number(battery.HiddenFeature, record.Condition, "", 0, 1, "", func(int) float64 { return 1 })}, i),
			Trials: []battery.Trial{{World: battery.PackWorld(w), Places: holes}}})
	}
	return b
}

// leaking returns the names of the rows that show a leak.
func leaking(t *testing.T, b battery.Battery) (names []string) {
	t.Helper()
	_, rows, err := redteam.Rows(t.Context(), &b)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		if r.All.Leaks() {
			names = append(names, r.Name)
		}
	}
	return names
}

// TestRowsFindWhatTells checks that each row finds the leak that it is about, in rooms with nothing else that tells, and that no row finds
// one where nothing does. The rate of false alarms of the latter is below one in a thousand: a row would have to pass 10 % more than chance
// beyond its interval.
func TestRowsFindWhatTells(t *testing.T) {
	any := func(r *rng.Rand, holes []gridworld.Pos, _ gridworld.Pos) int { return r.IntN(len(holes)) }
	by := func(better func(a, b int) bool) func(*rng.Rand, []gridworld.Pos, gridworld.Pos) int {
		return func(_ *rng.Rand, holes []gridworld.Pos, start gridworld.Pos) int {
			best := 0
			for k, p := range holes {
				if better(p.Manhattan(start), holes[best].Manhattan(start)) {
					best = k
				}
			}
			return best
		}
	}
	for _, c := range []struct {
		name  string
		right func(*rng.Rand, []gridworld.Pos, gridworld.Pos) int
		limit func(away int) int
		held  func(away int) int
	}{
		{"", any, nil, nil},
		{"clock", any, func(away int) int { return 130 + 2*away }, nil},
		{"clock", any, nil, func(away int) int { return 50 - away }},
		{"order", func(*rng.Rand, []gridworld.Pos, gridworld.Pos) int { return 1 }, nil, nil},
		{"nearest", by(func(a, b int) bool { return a < b }), nil, nil},
		{"farthest", by(func(a, b int) bool { return a > b }), nil, nil},
	} {
		got := leaking(t, tellTale(t, 500, func(r *rng.Rand, holes []gridworld.Pos, start gridworld.Pos) (right, limit, held int) {
			right, limit, held = c.right(r, holes, start), 200, 50
			away := holes[right].Manhattan(start)
			if c.limit != nil {
				limit = c.limit(away)
			}
			if c.held != nil {
				held = c.held(away)
			}
			return right, limit, held
		}))
		if c.name == "" && got != nil || c.name != "" && (!slices.Contains(got, c.name) || !slices.Contains(got, "learner")) {
			t.Errorf("%q tells, and a leak is found by %q", c.name, got)
		}
	}
}

// TestNobodyPeeks checks that where choices count, no place of a test but those that are seen from the start shows from any other cell what lies in it: else whoever goes from place to
// place, looks into each and enters where the reward is would pass, and know nothing.
func TestNobodyPeeks(t *testing.T) {
	for _, s := range catalog.All() {
		for _, c := range s.Codings {
			if !c.Catches || s.Name != "permanence" && s.Name != "learning" {
				continue
			}
			b, err := c.Build(t.Context(), battery.Request{Items: 200, Root: 501, Jobs: 1})
			if err != nil {
				t.Fatal(err)
			}
			hidden, _ := b.Feature(battery.HiddenFeature)
			for i, it := range b.Items.All() {
				if b.Items.Values(i).At(hidden).Number != 1 {
					continue
				}
				w, err := it.Trials[0].Open()
				if err != nil {
					t.Fatal(err)
				}
				for k := range w.Width() * w.Height() {
					at := gridworld.Pos{X: k % w.Width(), Y: k / w.Width()}
					for _, p := range it.Trials[0].Places {
						if at != p && w.At(at).Kind.Passable() && w.Sees(at, p) && !w.Sees(w.Actor().Pos, p) {
							t.Fatalf("%s, item %d (%s): what lies at %v is seen from %v", c.Name, i, it.Task, p, at)
						}
					}
				}
			}
		}
	}
}

// TestTally checks the bound of a row against the score interval of Newcombe (1998): of 81 of 263, it begins at .2553.
func TestTally(t *testing.T) {
	x := redteam.Tally{Passed: 81, Of: 263, Chance: 26.3}
	if x.Least() < 0.2552 || x.Least() > 0.2554 || x.Leaks() {
		t.Errorf("the interval begins at %.4f, and 263 items are enough: %t", x.Least(), x.Leaks())
	}
	if x = (redteam.Tally{Passed: 100, Of: 400, Chance: 40}); !x.Leaks() { // begins at .210
		t.Errorf("100 of 400, where chance passes 40, is no leak: it begins at %.4f", x.Least())
	}
}

// TestGeneratedBatteriesDoNotTell checks that nobody passes generated items without looking, on fresh seeds.
func TestGeneratedBatteriesDoNotTell(t *testing.T) {
	roots := []uint64{501}
	if longtest.On() {
		roots = []uint64{501, 502, 503, 504, 505}
	}
	for _, s := range catalog.All() {
		for _, c := range s.Codings {
			if !c.Catches {
				continue
			}
			for _, root := range roots {
				b, err := c.Build(t.Context(), battery.Request{Items: 1600, Root: root, Jobs: 1})
				if err != nil {
					t.Fatal(err)
				}
				if got := leaking(t, b); got != nil {
					t.Errorf("%s, seed %d: passed without looking by %q", c.Name, root, got)
				}
			}
		}
	}
}

// TestIndex checks that a row goes by the index of a reward: a leak where the first of two is always the right one, and none where either
// may be.
func TestIndex(t *testing.T) {
	for _, always := range []bool{true, false} {
		r := rng.Stream(8, "redteam")
		b := tellTale(t, 500, func(_ *rng.Rand, holes []gridworld.Pos, _ gridworld.Pos) (right, limit, held int) {
			return r.IntN(len(holes)), 200, 50
		})
		for i := range b.Items.Len() {
			batterytest.Edit(&b.Items, i, func(it *battery.Item) {
				w, err := it.Trials[0].Open()
				if err != nil {
					t.Fatal(err)
				}
				real, places := w.Thing(0), it.Trials[0].Places
				other := real
				other.Final = false
				for other.Pos = places[r.IntN(len(places))]; other.Pos == real.Pos; other.Pos = places[r.IntN(len(places))] {
				}
				list := []gridworld.Thing{real, other}
				if !always && r.IntN(2) == 0 {
					list = []gridworld.Thing{other, real}
				}
				var room gridworld.World
				room.CopyLayout(w)
				room.SetActor(w.Actor().Pos, w.Actor().Heading)
				room.Freeze(gridworld.Window{From: 0, To: 50})
				for _, x := range list {
					room.Add(x)
				}
				it.Trials[0].World = battery.PackWorld(&room)
			})
		}
		if got := leaking(t, b); slices.Contains(got, "index") != always {
			t.Errorf("the first is always right: %t, and a leak is found by %q", always, got)
		}
	}
}

// TestReplays checks that a row repeats actions: where every room is the same, what passed one item passes all.
func TestReplays(t *testing.T) {
	text := "world 1\nmove turning\nlimit 60\nlegend H hole\nmap\n.H.H.\n.....\n.....\n.....\n\nactor 2,0 north\nthing 0 3,3 reward ground size 1 value 1 colour 0,255,0 final\nfreeze 0 %d\n"
	b := tellTale(t, 0, nil)
	for i := range 420 {
		b.Items.Append(&battery.Item{Name: fmt.Sprint("same-", i), Suite: "told", Paradigm: "told", Task: "told",
			Values: battery.ValuesOf([]battery.Column[int]{battery.Number(battery.HiddenFeature, record.Condition, "", 0, 1, "", func(int) float64 { return 1 })}, i),
			Trials: []battery.Trial{{World: batterytest.World(fmt.Sprintf(text, 1+i%30)), Places: []gridworld.Pos{{X: 1, Y: 3}, {X: 3, Y: 3}}}}})
	}
	if got := leaking(t, b); !slices.Contains(got, "replay") {
		t.Errorf("the same actions pass all, and a leak is found by %q", got)
	}
}
