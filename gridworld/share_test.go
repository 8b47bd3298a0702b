package gridworld_test

import (
	"testing"

	"achilles/gridworld"
	"achilles/sim/rng"
)

// TestShare checks that a world that shares its cells is equal to the other, and that neither a change of its cells nor an episode in
// it, in which locks may open, changes the other.
func TestShare(t *testing.T) {
	opened := 0
	laws(t, "share", 60, 9, func(t *testing.T, w *gridworld.World, r *rng.Rand) {
		var shares gridworld.World
		shares.Reset(1+r.IntN(20), 1+r.IntN(20), gridworld.Rules{})
		shares.Share(w)
		before := w.Clone()
		copied := w.Clone()
		for i := range 60 {
			if !shares.Equal(copied) || shares.Check() != nil {
				t.Fatalf("after %d steps the world is\n%v\nand a copy\n%v", i, &shares, copied)
			}
			action := gridworld.Action(r.IntN(gridworld.Actions))
			shares.Step(action)
			copied.Step(action)
			if p := pos(r.IntN(w.Width()), r.IntN(w.Height())); r.IntN(10) == 0 && p != shares.Actor().Pos {
				shares.Place(p, gridworld.Cell{Kind: gridworld.Floor})
				copied.Place(p, gridworld.Cell{Kind: gridworld.Floor})
				opened++
			}
		}
		if !w.Equal(before) || w.Check() != nil {
			t.Fatalf("the other world was\n%v\nand is\n%v", before, w)
		}
		for y := range w.Height() {
			for x := range w.Width() {
				for d := range gridworld.Dir(gridworld.Directions) {
					if w.CanStep(pos(x, y), d) != before.CanStep(pos(x, y), d) {
						t.Fatalf("steps from %d,%d have changed", x, y)
					}
				}
			}
		}
		shares.Reset(2, 2, gridworld.Rules{})
		if !w.Equal(before) {
			t.Fatal("a reset changes the other world")
		}
	})
	if opened == 0 {
		t.Error("no cell was changed")
	}
}

// TestCuesStay checks that the cues of a world remain when others follow in the same memory. Copies of a world share them.
func TestCuesStay(t *testing.T) {
	var w gridworld.World
	var kept []*gridworld.World
	var texts []string
	for i := range 50 {
		w.Reset(5, 5, gridworld.Rules{})
		w.Add(gridworld.Thing{Kind: gridworld.Reward, Pos: pos(0, 0), Size: 100})
		for k := range 1 + i%3 {
			w.Script(gridworld.Cue{Tick: 5 - k, Pos: pos(i%5, i/10), State: gridworld.Air}, gridworld.Cue{Tick: 6 + i, Pos: pos(k, 1)})
			kept, texts = append(kept, w.Clone()), append(texts, w.String())
		}
	}
	for i, world := range kept {
		if world.String() != texts[i] {
			t.Fatalf("world %d was\n%s\nand is\n%s", i, texts[i], world)
		}
	}
}
