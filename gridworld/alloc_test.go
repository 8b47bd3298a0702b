package gridworld_test

import (
	"testing"

	"achilles/gridworld"
	"achilles/gridworld/gridtest"
	"achilles/sim/rng"
)

// TestNoAllocation checks that stepping, viewing and planning allocate nothing once their memory has grown.
func TestNoAllocation(t *testing.T) {
	laws(t, "allocation", 10, 12, func(t *testing.T, w *gridworld.World, r *rng.Rand) {
		var actions [64]gridworld.Action
		for i := range actions {
			actions[i] = likely(w, r)
		}
		goals := gridworld.BoardOf(pos(0, 0))
		avoid := gridworld.BoardOf(pos(0, w.Height()-1))
		var view gridworld.View
		field, turns := gridworld.Field{Avoid: &avoid}, gridworld.TurnField{}
		everywhere := gridworld.Everywhere()
		work := w.Clone()
		episode := func() {
			work.CopyFrom(w)
			for _, a := range actions {
				work.Step(a)
				work.View(gridworld.Viewer{HalfAngle: 60, Acuity: 300, Watch: everywhere}, &view)
			}
			field.Toward(work, &goals)
			descend(&field, pos(w.Width()-1, 0))
			if w.Rules().Move == gridworld.Turning {
				turns.Toward(work, &goals)
			}
		}
		episode()
		if n := testing.AllocsPerRun(3, episode); n != 0 {
			t.Fatalf("%g allocations an episode", n)
		}
	})
}

// TestBoard compares the operations of Board with the same operations on sets of positions (Go maps).
func TestBoard(t *testing.T) {
	r := rng.Stream(1, "board")
	for range 200 {
		set, other := map[gridworld.Pos]bool{}, map[gridworld.Pos]bool{}
		var b, c gridworld.Board
		for range r.IntN(40) {
			p, q := pos(r.IntN(64), r.IntN(64)), pos(r.IntN(64), r.IntN(64))
			b.Set(p)
			c.Set(q)
			set[p], other[q] = true, true
		}
		added, removed := b, b
		added.Add(&c)
		removed.Remove(&c)
		whole := gridworld.New(64, 64, gridworld.Rules{})
		n := 0
		for p := range gridtest.Cells(whole) {
			if b.Has(p) != set[p] || added.Has(p) != (set[p] || other[p]) || removed.Has(p) != (set[p] && !other[p]) {
				t.Fatalf("the boards are wrong at %s", p)
			}
		}
		for p := range b.All() {
			n++
			if !set[p] {
				t.Fatalf("All yields %s", p)
			}
		}
		if n != len(set) || b.Len() != n || b.Empty() != (n == 0) || b.Has(pos(-1, 0)) || b.Has(pos(0, 64)) {
			t.Fatalf("a board of %d cells has Len %d and yields %d", len(set), b.Len(), n)
		}
	}
}

// TestPanics checks that a caller's mistake causes a panic whose message names the package.
func TestPanics(t *testing.T) {
	w := gridworld.New(3, 3, gridworld.Rules{})
	w.Place(pos(1, 1), gridworld.Cell{Kind: gridworld.Wall})
	w.Place(pos(2, 2), gridworld.Cell{Kind: gridworld.Lava})
	for name, call := range map[string]func(){
		"size":            func() { gridworld.New(0, 3, gridworld.Rules{}) },
		"large":           func() { gridworld.New(3, 65, gridworld.Rules{}) },
		"rules":           func() { gridworld.New(3, 3, gridworld.Rules{Reach: -1}) },
		"at":              func() { w.At(pos(3, 0)) },
		"place":           func() { w.Place(pos(0, -1), gridworld.Cell{}) },
		"cell":            func() { w.Place(pos(0, 0), gridworld.Cell{Kind: gridworld.Platform}) },
		"kind":            func() { w.Place(pos(0, 0), gridworld.Cell{Kind: gridworld.Kinds}) },
		"actor in a wall": func() { w.SetActor(pos(1, 1), gridworld.North) },
		"actor in lava":   func() { w.SetActor(pos(2, 2), gridworld.North) },
		"actor's heading": func() { w.SetActor(pos(0, 0), gridworld.NorthEast) },
		"thing's size":    func() { w.Add(gridworld.Thing{}) },
		"thing in a wall": func() { w.Add(gridworld.Thing{Pos: pos(1, 1), Size: 1}) },
		"thing's name":    func() { w.Add(gridworld.Thing{Name: "A b", Size: 1}) },
		"carried reward":  func() { w.Add(gridworld.Thing{State: gridworld.Carried, Size: 1}) },
		"cue for nothing": func() { w.Script(gridworld.Cue{Tick: 1}) },
		"empty window":    func() { w.Darken(gridworld.Window{From: 2, To: 2}) },
		"negative window": func() { w.Freeze(gridworld.Window{From: -2, To: 2}) },
		"board":           func() { gridworld.BoardOf(pos(64, 0)) },
		"turn field": func() {
			new(gridworld.TurnField).Toward(gridworld.New(2, 2, gridworld.Rules{Move: gridworld.Eight}), &gridworld.Board{})
		},
		"cue for a past tick": func() {
			w := gridworld.New(2, 2, gridworld.Rules{})
			w.Add(gridworld.Thing{Size: 1})
			w.Step(gridworld.Stay)
			w.Script(gridworld.Cue{Tick: 1})
		},
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if s, ok := recover().(string); !ok || len(s) < 10 || s[:10] != "gridworld:" {
					t.Errorf("no panic that starts with gridworld:, but %v", s)
				}
			}()
			call()
		})
	}
}
