package gridworld_test

import (
	"fmt"
	"slices"
	"testing"

	"achilles/gridworld"
	"achilles/gridworld/gridtest"
	"achilles/sim/rng"
)

// pos returns the position (x, y).
func pos(x, y int) gridworld.Pos { return gridworld.Pos{X: x, Y: y} }

// laws runs check on n level and n uneven random worlds of each mode. A failure names the random stream.
func laws(t *testing.T, name string, n, side int, check func(t *testing.T, w *gridworld.World, r *rng.Rand)) {
	t.Helper()
	for i := range n {
		for _, mode := range []gridworld.Mode{gridworld.Turning, gridworld.Eight} {
			for _, level := range []bool{true, false} {
				path := fmt.Sprint(mode, " level=", level, " ", i)
				r := rng.Stream(1, name, path)
				w := gridtest.Random(&r, mode, side, level)
				check(t, w, &r)
				if t.Failed() {
					t.Fatalf("stream %q %q:\n%s", name, path, w)
				}
			}
		}
	}
}

func anyAction(r *rng.Rand) gridworld.Action {
	return gridworld.Action(r.IntN(gridworld.Actions + 2)) // two values more than there are actions
}

// likely returns a random action that exists in w's mode, at least half of the time a step.
func likely(w *gridworld.World, r *rng.Rand) gridworld.Action {
	if w.Rules().Move == gridworld.Eight {
		return gridworld.Go(gridworld.Dir(r.IntN(gridworld.Directions)))
	}
	return []gridworld.Action{gridworld.Forward, gridworld.Forward, gridworld.TurnLeft, gridworld.TurnRight}[r.IntN(4)]
}

func TestStepKeepsInvariants(t *testing.T) {
	ended := map[gridworld.Outcome]int{}
	happened := map[gridworld.EventKind]int{}
	laws(t, "invariants", 150, 12, func(t *testing.T, w *gridworld.World, r *rng.Rand) {
		if err := w.Check(); err != nil {
			t.Fatalf("before the first step: %v", err)
		}
		for range 60 {
			a := likely(w, r)
			if r.IntN(8) == 0 {
				a = anyAction(r)
			}
			before := w.Clone()
			for _, e := range w.Step(a) {
				happened[e.Kind]++
			}
			if err := w.Check(); err != nil {
				t.Fatalf("after %s: %v", a, err)
			}
			again := before.Clone()
			if again.Step(a); !again.Equal(w) {
				t.Fatalf("%s twice from the same state gives two states", a)
			}
			if before.Outcome() != gridworld.Running && !before.Equal(w) {
				t.Fatalf("%s changed a world whose episode was over", a)
			}
		}
		ended[w.Outcome()]++
	})
	for o := gridworld.Running; o <= gridworld.TimedOut; o++ {
		if ended[o] == 0 {
			t.Errorf("no episode ended as %s: the law is not tried there", o)
		}
	}
	for k := gridworld.Moved; k <= gridworld.Ended; k++ {
		if happened[k] == 0 {
			t.Errorf("no event %s: the law is not tried there", k)
		}
	}
}

// TestSymmetry checks that a transformed world behaves like the original: its events and views are the transformed
// ones.
func TestSymmetry(t *testing.T) {
	laws(t, "symmetry", 40, 10, func(t *testing.T, w *gridworld.World, r *rng.Rand) {
		viewer := gridworld.Viewer{HalfAngle: 30 * r.IntN(7), Acuity: 200 * r.IntN(4), Watch: gridworld.Everywhere()}
		width, height := w.Width(), w.Height()
		var copies [gridworld.Symmetries]*gridworld.World
		for s := range copies {
			copies[s] = w.Transform(gridworld.Symmetry(s))
		}
		for range 15 {
			a := likely(w, r)
			events := slices.Clone(w.Step(a))
			var v, sv gridworld.View
			w.View(viewer, &v)
			for i, c := range copies {
				s := gridworld.Symmetry(i)
				told := c.Step(s.Action(a))
				if len(told) != len(events) {
					t.Fatalf("symmetry %d: events %v, not %v", s, told, events)
				}
				for k, e := range events {
					// The order of the cells decides which of two locks is reported, so its place may differ; Nowhere
					// stays the same.
					if e.Kind != gridworld.Unlocked && e.Pos != gridworld.Nowhere() {
						e.Pos = s.Pos(e.Pos, width, height)
						if told[k] != e {
							t.Fatalf("symmetry %d: event %v, not %v", s, told[k], e)
						}
					}
				}
				if !c.Equal(w.Transform(s)) {
					t.Fatalf("symmetry %d of the state after %s is not the state after its symmetry", s, a)
				}
				c.View(viewer, &sv)
				sameView(t, s, w, &v, &sv)
			}
		}
	})
}

func sameView(t *testing.T, s gridworld.Symmetry, w *gridworld.World, v, sv *gridworld.View) {
	if v.Dark != sv.Dark || v.Frozen != sv.Frozen || v.Carrying != sv.Carrying || v.Trapped != sv.Trapped || len(v.Things) != len(sv.Things) {
		t.Fatalf("symmetry %d: the views differ: %+v and %+v", s, v, sv)
	}
	for i, thing := range v.Things {
		thing.Pos = s.Pos(thing.Pos, w.Width(), w.Height())
		if sv.Things[i] != thing {
			t.Fatalf("symmetry %d: sighting %v, not %v", s, sv.Things[i], thing)
		}
	}
	for p := range gridtest.Cells(w) {
		q := s.Pos(p, w.Width(), w.Height())
		if v.Seen.Has(p) != sv.Seen.Has(q) {
			t.Fatalf("symmetry %d: %s is seen, %s is not, or the other way round", s, p, q)
		}
	}
}

func TestSymmetriesAreAGroup(t *testing.T) {
	r := rng.Stream(1, "group")
	w := gridtest.Random(&r, gridworld.Eight, 7, false)
	for s := range gridworld.Symmetry(gridworld.Symmetries) {
		if got := s.Then(s.Inverse()); got != gridworld.Identity {
			t.Errorf("%d then its inverse is %d", s, got)
		}
		if !w.Transform(s).Transform(s.Inverse()).Equal(w) {
			t.Errorf("%d and its inverse do not give the world back", s)
		}
		for u := range gridworld.Symmetry(gridworld.Symmetries) {
			if !w.Transform(s).Transform(u).Equal(w.Transform(s.Then(u))) {
				t.Errorf("%d then %d is not %d", s, u, s.Then(u))
			}
			for d := gridworld.North; d < gridworld.Directions; d++ {
				if u.Dir(s.Dir(d)) != s.Then(u).Dir(d) {
					t.Errorf("%d then %d: direction %s", s, u, d)
				}
			}
		}
	}
	if gridworld.Clockwise.Dir(gridworld.North) != gridworld.East || gridworld.Mirror.Dir(gridworld.East) != gridworld.West {
		t.Error("a quarter turn clockwise makes north east, and the mirror east west")
	}
}

// TestResetForgets checks that a world made by Reset in the memory of another world equals a new one.
func TestResetForgets(t *testing.T) {
	laws(t, "reset", 60, 12, func(t *testing.T, w *gridworld.World, r *rng.Rand) {
		for range r.IntN(20) {
			w.Step(likely(w, r))
		}
		used := gridtest.Random(r, gridworld.Mode(r.IntN(2)), 20, false)
		for range r.IntN(20) {
			used.Step(likely(used, r))
		}
		used.CanStep(pos(0, 0), gridworld.North)
		used.Reset(w.Width(), w.Height(), w.Rules())
		for p := range gridtest.Cells(w) {
			used.Place(p, w.At(p))
		}
		layout := gridtest.Random(r, w.Rules().Move, 20, false)
		layout.CopyLayout(w)
		if !layout.Equal(used) || layout.Check() != nil {
			t.Fatalf("a layout is more than cells and rules: %v", layout.Check())
		}
		for _, v := range []*gridworld.World{layout, used.Clone()} {
			v.Add(gridworld.Thing{State: gridworld.Air, Size: 1})
			v.Script(gridworld.Cue{Tick: 1, State: gridworld.Hidden})
			if err := v.Check(); err != nil {
				t.Fatalf("a new world has a past: %v", err)
			}
		}
		bare := gridworld.New(w.Width(), w.Height(), w.Rules())
		for p := range gridtest.Cells(w) {
			bare.Place(p, w.At(p))
		}
		if !used.Equal(bare) || used.Check() != nil {
			t.Fatalf("a reset world is another: %v", used.Check())
		}
		goals := gridworld.BoardOf(pos(r.IntN(w.Width()), r.IntN(w.Height())))
		var f, g gridworld.Field
		f.Toward(used, &goals)
		g.Toward(bare, &goals)
		for p := range gridtest.Cells(w) {
			if f.Descents(p) != g.Descents(p) {
				t.Fatalf("planned in a reset world, the best steps from %s are %b, not %b", p, f.Descents(p), g.Descents(p))
			}
		}
	})
}

func TestCloneSharesNothing(t *testing.T) {
	laws(t, "clone", 40, 8, func(t *testing.T, w *gridworld.World, r *rng.Rand) {
		c, text := w.Clone(), w.String()
		reused := gridworld.New(64, 64, gridworld.Rules{Move: gridworld.Eight})
		reused.Fill(pos(0, 0), pos(63, 63), gridworld.Cell{Kind: gridworld.Ramp})
		reused.CanStep(pos(0, 0), gridworld.North)
		reused.CopyFrom(w)
		for range 20 {
			c.Step(likely(w, r))
		}
		c.Place(pos(0, 0), gridworld.Cell{Kind: gridworld.Platform, Height: 3})
		c.Add(gridworld.Thing{Size: 5})
		c.Script(gridworld.Cue{Tick: c.Tick() + 1, Thing: 0, State: gridworld.Hidden})
		c.Darken(gridworld.Window{From: 0, To: 1})
		c.Freeze(gridworld.Window{From: 0, To: 1})
		if w.String() != text {
			t.Fatal("a change of the clone changed the original")
		}
		if !reused.Equal(w) || reused.Check() != nil {
			t.Fatalf("a copy into used memory is another world: %v", reused.Check())
		}
		for p := range gridtest.Cells(w) {
			for d := gridworld.North; d < gridworld.Directions; d++ {
				if reused.CanStep(p, d) != w.CanStep(p, d) {
					t.Fatalf("a copy into used memory steps differently at %s %s", p, d)
				}
			}
		}
	})
}

// TestFill checks that filling a rectangle places every cell of it.
func TestFill(t *testing.T) {
	laws(t, "fill", 100, 9, func(t *testing.T, w *gridworld.World, r *rng.Rand) {
		w.SetActor(gridworld.Nowhere(), gridworld.North)
		placed := w.Clone()
		corner := func() gridworld.Pos { return pos(r.IntN(w.Width()), r.IntN(w.Height())) }
		for _, c := range []gridworld.Cell{{Kind: gridworld.Ramp, Facing: gridworld.East}, {}, {Kind: gridworld.Platform, Height: 3}, {Kind: gridworld.Lock}} {
			a, b := corner(), corner()
			w.Fill(a, b, c)
			for y := min(a.Y, b.Y); y <= max(a.Y, b.Y); y++ {
				for x := min(a.X, b.X); x <= max(a.X, b.X); x++ {
					placed.Place(pos(x, y), c)
				}
			}
			for p := range gridtest.Cells(w) {
				for d := gridworld.North; d < gridworld.Directions; d++ {
					if w.At(p) != placed.At(p) || w.CanStep(p, d) != placed.CanStep(p, d) {
						t.Fatalf("%s filled from %s to %s: %s differs", c.Kind, a, b, p)
					}
				}
			}
		}
	})
}
