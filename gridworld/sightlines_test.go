package gridworld_test

import (
	"testing"

	"achilles/gridworld"
	"achilles/sim/rng"
)

// TestSightlines checks that views with and without Sightlines are the same, in worlds whose cells do not change, from everywhere, for
// one world after another, and that worlds that change are refused.
func TestSightlines(t *testing.T) {
	var lines gridworld.Sightlines
	views, refused := 0, 0
	laws(t, "sightlines", 100, 8, func(t *testing.T, w *gridworld.World, r *rng.Rand) {
		var watched gridworld.Board
		for range r.IntN(30) {
			watched.Set(gridworld.Pos{X: r.IntN(w.Width()), Y: r.IntN(w.Height())})
		}
		barriers, locks := w.Where(gridworld.Barrier), w.Where(gridworld.Lock)
		opens := !barriers.Empty() || !locks.Empty()
		if can := lines.Watch(w, &watched); can == opens {
			t.Fatalf("the world is accepted: %v", can)
		} else if !can {
			refused++
			return
		}
		var v, slow gridworld.View
		for range 40 {
			viewer := gridworld.Viewer{HalfAngle: 30 * r.IntN(7), Acuity: 200 * r.IntN(4), Watch: &watched, Overhead: r.IntN(10) == 0}
			w.View(viewer, &slow)
			viewer.Lines = &lines
			w.View(viewer, &v)
			if v.Seen != slow.Seen || len(v.Things) != len(slow.Things) {
				t.Fatalf("at tick %d, %+v: %v is seen, %v without sightlines", w.Tick(), w.Actor(), v.Seen, slow.Seen)
			}
			for y := range w.Height() {
				for x := range w.Width() {
					p := gridworld.Pos{X: x, Y: y}
					c, ok := v.Cell(p)
					if want, seen := slow.Cell(p); c != want || ok != seen {
						t.Fatalf("at %s: %v, %v, and without sightlines %v, %v", p, c, ok, want, seen)
					}
				}
			}
			if views++; r.IntN(3) > 0 {
				w.Step(likely(w, r))
			}
		}
	})
	if views < 3000 || refused < 10 {
		t.Errorf("only %d views, %d worlds refused", views, refused)
	}
	if w := gridworld.New(9, 9, gridworld.Rules{}); lines.Watch(w, gridworld.Everywhere()) {
		t.Error("81 cells are watched")
	}
}
