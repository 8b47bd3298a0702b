package gridworld_test

import (
	"testing"

	"achilles/gridworld"
)

func TestGeometry(t *testing.T) {
	a, b := pos(1, 5), pos(4, 3)
	if a.Manhattan(b) != 5 || a.Chebyshev(b) != 3 || a.String() != "1,5" {
		t.Errorf("from %s to %s: Manhattan %d, Chebyshev %d", a, b, a.Manhattan(b), a.Chebyshev(b))
	}
	for d := gridworld.North; d < gridworld.Directions; d++ {
		if d.Opposite() != d.Turn(4) || d.Turn(-2).Turn(2) != d || a.Add(d).Add(d.Opposite()) != a || a.Chebyshev(a.Add(d)) != 1 {
			t.Errorf("%s: turns or steps do not undo each other", d)
		}
		if d.Diagonal() != (a.Manhattan(a.Add(d)) == 2) {
			t.Errorf("%s is diagonal: %t", d, d.Diagonal())
		}
	}
	if s := gridworld.Dirs(1<<gridworld.East | 1<<gridworld.West); s.First() != gridworld.East || s.Has(gridworld.North) {
		t.Errorf("the first direction of %b is %s", s, s.First())
	}
}

func TestColour(t *testing.T) {
	r, g, b, ok := gridworld.RGB(236, 195, 153).RGB()
	if r != 236 || g != 195 || b != 153 || !ok {
		t.Errorf("the components are %d %d %d %t", r, g, b, ok)
	}
	if _, _, _, ok := gridworld.None.RGB(); ok || gridworld.None == gridworld.RGB(0, 0, 0) {
		t.Error("no colour is black")
	}
	if got := gridworld.RGB(0, 10, 255).String() + " " + gridworld.None.String(); got != "0,10,255 none" {
		t.Errorf("the colours are written %s", got)
	}
}

// TestActions checks that every action has its own name, which ParseAction reads back, and that every action except
// Stay belongs to exactly one mode.
func TestActions(t *testing.T) {
	for a := range gridworld.Action(gridworld.Actions) {
		got, err := gridworld.ParseAction(a.String())
		if err != nil || got != a {
			t.Errorf("%s is read as %s: %v", a, got, err)
		}
		if both := gridworld.Turning.Legal(a) && gridworld.Eight.Legal(a); both != (a == gridworld.Stay) {
			t.Errorf("%s is legal in both modes: %t", a, both)
		}
		if !gridworld.Turning.Legal(a) && !gridworld.Eight.Legal(a) {
			t.Errorf("%s is legal in no mode", a)
		}
	}
	if none := gridworld.Action(gridworld.Actions); gridworld.Turning.Legal(none) || gridworld.Eight.Legal(none) {
		t.Error("an action that does not exist is legal")
	}
}

// TestKinds checks that Step and Sees treat every kind of cell as its properties say.
func TestKinds(t *testing.T) {
	for k := range gridworld.Kind(gridworld.Kinds) {
		w := gridworld.New(1, 3, gridworld.Rules{})
		cell := gridworld.Cell{Kind: k}
		if k == gridworld.Platform {
			cell.Height = 1
			w.Place(pos(0, 0), cell)
		}
		w.Place(pos(0, 1), cell)
		if k.Passable() != (w.CanStep(pos(0, 0), gridworld.North) || k == gridworld.Slide) {
			t.Errorf("%s is passable: %t", k, k.Passable())
		}
		if k.Passable() && k.Absorbing() == (w.CanStep(pos(0, 1), gridworld.North) || w.CanStep(pos(0, 1), gridworld.South)) {
			t.Errorf("%s is absorbing: %t", k, k.Absorbing())
		}
		if k.Opaque() == w.Sees(pos(0, 0), pos(0, 2)) {
			t.Errorf("%s is opaque: %t", k, k.Opaque())
		}
		w.SetActor(pos(0, 0), gridworld.North)
		w.Step(gridworld.Forward)
		if k.Lethal() != (w.Outcome() == gridworld.Died) {
			t.Errorf("%s is lethal: %t", k, k.Lethal())
		}
	}
}
