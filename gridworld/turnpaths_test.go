package gridworld_test

import (
	"slices"
	"testing"

	"achilles/gridworld"
	"achilles/sim/rng"
)

// TestTurnPathsOracle checks TurnPaths against the TurnField of the same goals, asked for in several orders: the ticks, and the
// actions with either preference between turns.
func TestTurnPathsOracle(t *testing.T) {
	var f gridworld.TurnField
	var paths gridworld.TurnPaths
	reached := 0
	laws(t, "paths", 120, 9, func(t *testing.T, w *gridworld.World, r *rng.Rand) {
		if w.Rules().Move != gridworld.Turning {
			return
		}
		from := gridworld.Actor{Pos: pos(r.IntN(w.Width()), r.IntN(w.Height())), Heading: gridworld.Dir(2 * r.IntN(4))}
		if k := w.At(from.Pos).Kind; k.Lethal() || !k.Passable() {
			return // no actor can be there
		}
		paths.From(w, from)
		for range 4 {
			goals, _ := anyGoals(w, r)
			f.Toward(w, &goals)
			want, can := f.Cost(from)
			if ticks, ok := paths.To(&goals); ticks != want || ok != can {
				t.Fatalf("%v: %d ticks (%t), the field says %d (%t)", from, ticks, ok, want, can)
			}
			p := pos(r.IntN(w.Width()), r.IntN(w.Height()))
			cell := gridworld.BoardOf(p)
			f.Toward(w, &cell)
			want, can = f.Cost(from)
			if ticks, ok := paths.To(&cell); ticks != want || ok != can {
				t.Fatalf("%v: %d ticks to %v (%t), the field says %d (%t)", from, ticks, p, ok, want, can)
			}
			f.Toward(w, &goals)
			_, can = f.Cost(from)
			for _, right := range []bool{false, true} {
				path, ok := paths.Path(nil, &goals, right)
				if follow := follow(&f, from, right); ok != can || !slices.Equal(path, follow) {
					t.Fatalf("%v, right %t: %v (%t), by the field %v (%t)", from, right, path, ok, follow, can)
				}
				reached += len(path)
			}
		}
	})
	if reached < 1000 {
		t.Errorf("the paths have %d actions, so that the test shows too little", reached)
	}
}

// follow returns the actions of an actor that goes where a field leads, with a preference for turns to the right or left.
func follow(f *gridworld.TurnField, a gridworld.Actor, right bool) (path []gridworld.Action) {
	for {
		switch ahead, toLeft, toRight := f.Best(a); {
		case ahead:
			a.Pos = a.Pos.Add(a.Heading)
			path = append(path, gridworld.Forward)
		case toLeft && !(right && toRight):
			a.Heading = a.Heading.Turn(-2)
			path = append(path, gridworld.TurnLeft)
		case toRight:
			a.Heading = a.Heading.Turn(2)
			path = append(path, gridworld.TurnRight)
		default:
			return path
		}
	}
}
