package gridworld_test

import (
	"math"
	"testing"

	"achilles/gridworld"
	"achilles/gridworld/gridtest"
	"achilles/sim/rng"
)

func TestSeesOracle(t *testing.T) {
	laws(t, "sight", 60, 9, func(t *testing.T, w *gridworld.World, r *rng.Rand) {
		for a := range gridtest.Cells(w) {
			for b := range gridtest.Cells(w) {
				got := w.Sees(a, b)
				if want := gridtest.Sees(w, a, b); got != want {
					t.Fatalf("Sees(%s, %s) is %t, the oracle says %t", a, b, got, want)
				}
				if w.Sees(b, a) != got {
					t.Fatalf("%s and %s do not see each other alike", a, b)
				}
			}
		}
		if w.Sees(pos(0, 0), pos(-1, 0)) || w.Sees(pos(0, w.Height()), pos(0, 0)) {
			t.Fatal("a place outside the world is in sight")
		}
	})
}

// TestSeesOracleLarge checks Sees for random, often distant pairs of cells in the largest worlds, against
// gridtest.Sees.
func TestSeesOracleLarge(t *testing.T) {
	r := rng.Stream(1, "large")
	seen := 0
	for range 20 {
		w := gridworld.New(64, 64, gridworld.Rules{})
		for range 60 {
			w.Place(pos(r.IntN(64), r.IntN(64)), gridworld.Cell{Kind: gridworld.Wall})
		}
		for range 25 {
			a, b := pos(r.IntN(64), r.IntN(64)), pos(r.IntN(64), r.IntN(64))
			got := w.Sees(a, b)
			if want := gridtest.Sees(w, a, b); got != want {
				t.Fatalf("Sees(%s, %s) is %t, the oracle says %t in\n%s", a, b, got, want, w)
			}
			if got {
				seen++
			}
		}
	}
	if seen < 100 || seen > 400 {
		t.Errorf("%d of 500 lines are free: the sample says little", seen)
	}
}

// TestFieldOfView checks the field of view against the arc tangent: every half-angle in a small world, some in the
// largest. A direction exactly on the edge, which occurs at multiples of 45 degrees, is in view.
func TestFieldOfView(t *testing.T) {
	for half := 1; half <= 180; half++ {
		checkFieldOfView(t, 15, half)
	}
	for _, half := range []int{1, 30, 44, 45, 46, 60, 89, 91, 120, 135, 179} {
		checkFieldOfView(t, gridworld.MaxSide, half)
	}
}

func checkFieldOfView(t *testing.T, n, half int) {
	w := gridworld.New(n, n, gridworld.Rules{Move: gridworld.Eight})
	var v gridworld.View
	for heading := gridworld.North; heading < gridworld.Directions; heading++ {
		at := pos(n/3, n/4)
		w.SetActor(at, heading)
		w.View(gridworld.Viewer{HalfAngle: half, Watch: gridworld.Everywhere()}, &v)
		for p := range gridtest.Cells(w) {
			dx, dy := float64(p.X-at.X), float64(p.Y-at.Y)
			off := math.Abs(math.Remainder(math.Atan2(dx, dy)-math.Pi/4*float64(heading), 2*math.Pi)) * 180 / math.Pi
			if want := p == at || off <= float64(half)+1e-9; v.Seen.Has(p) != want {
				t.Fatalf("heading %s, half-angle %d: (%g, %g) in view is %t, its angle is %g", heading, half, dx, dy, !want, off)
			}
		}
	}
}

// TestViewOracle checks what a viewer that looks in every direction sees, for each cell and thing, against
// gridtest.Sees.
func TestViewOracle(t *testing.T) {
	var v gridworld.View
	trapped := 0
	laws(t, "view", 80, 9, func(t *testing.T, w *gridworld.World, r *rng.Rand) {
		var watch gridworld.Board
		for p := range gridtest.Cells(w) {
			if r.IntN(4) > 0 {
				watch.Set(p)
			}
		}
		for range r.IntN(8) {
			w.Step(likely(w, r))
		}
		w.View(gridworld.Viewer{Watch: &watch}, &v)
		a := w.Actor().Pos
		blind := v.Dark || a == gridworld.Nowhere()
		for p := range gridtest.Cells(w) {
			want := !blind && watch.Has(p) && gridtest.Sees(w, a, p)
			if c, ok := v.Cell(p); ok != want || ok && c != w.At(p) || v.Seen.Has(p) != want {
				t.Fatalf("from %s, %s in view is %t, the oracle says %t", a, p, v.Seen.Has(p), want)
			}
		}
		seen := 0
		for i := range w.Len() {
			thing := w.Thing(i)
			if !blind && (thing.State == gridworld.Air || thing.State == gridworld.Ground && gridtest.Sees(w, a, thing.Pos)) {
				if seen >= len(v.Things) || v.Things[seen] != (gridworld.Sighting{Index: i, Thing: thing}) {
					t.Fatalf("thing %d is not in view as it should be: %v", i, v.Things)
				}
				seen++
			}
		}
		if seen != len(v.Things) {
			t.Fatalf("%d things in view, the oracle says %d", len(v.Things), seen)
		}
		if v.Trapped {
			trapped++
		}
	})
	if trapped == 0 {
		t.Error("nobody looked out of a hole")
	}
}

func TestViewTies(t *testing.T) {
	w := gridworld.New(5, 5, gridworld.Rules{})
	w.SetActor(pos(2, 2), gridworld.North)
	for _, c := range []struct {
		half  int
		cells int
		why   string
	}{
		{44, 1 + 2 + 2, "its own cell, two ahead and (±1, 2); the diagonals are at 45"},
		{45, 1 + 2 + 2 + 4, "the diagonals belong to it"},
		{89, 1 + 10, "the two rows ahead"},
		{90, 15, "and its own row"},
		{134, 15 + 2, "(±1, −1) are at 135, (±2, −1) at 117"},
		{135, 15 + 2 + 4, "both diagonals behind"},
		{0, 25, "all round"},
		{180, 25, "all round"},
	} {
		var v gridworld.View
		w.View(gridworld.Viewer{HalfAngle: c.half, Watch: gridworld.Everywhere()}, &v)
		if v.Seen.Len() != c.cells {
			t.Errorf("half-angle %d: %d cells, want %d: %s", c.half, v.Seen.Len(), c.cells, c.why)
		}
	}
}

func TestAcuity(t *testing.T) {
	w := gridworld.New(20, 20, gridworld.Rules{})
	w.SetActor(pos(0, 0), gridworld.North)
	for _, c := range []struct {
		size, acuity int
		at           gridworld.Pos
		seen         bool
		why          string
	}{
		{100, 500, pos(5, 0), true, "size 1, 5 cells a unit, at 5"},
		{100, 500, pos(3, 4), true, "Euclid: 3-4-5"},
		{100, 500, pos(6, 0), false, "beyond 5"},
		{50, 1000, pos(5, 0), true, "half the size, twice the acuity"},
		{50, 999, pos(5, 0), false, "just short of it"},
		{1, 0, pos(19, 19), true, "0 is any distance"},
		{1, 1, pos(0, 0), true, "one's own cell is at distance 0"},
	} {
		w := w.Clone()
		w.Add(gridworld.Thing{Pos: c.at, Size: c.size})
		var v gridworld.View
		w.View(gridworld.Viewer{Acuity: c.acuity}, &v)
		if (len(v.Things) == 1) != c.seen {
			t.Errorf("size %d, acuity %d, at %s: seen is %t: %s", c.size, c.acuity, c.at, !c.seen, c.why)
		}
	}
}

// TestViewSharesNothing checks that changing a view does not change the world, and that changing the world does not
// change the view.
func TestViewSharesNothing(t *testing.T) {
	laws(t, "alias", 30, 8, func(t *testing.T, w *gridworld.World, r *rng.Rand) {
		var v gridworld.View
		w.View(gridworld.Viewer{Overhead: true, Watch: gridworld.Everywhere()}, &v)
		text := w.String()
		for i := range v.Things {
			v.Things[i] = gridworld.Sighting{}
		}
		v.Seen = gridworld.Board{}
		if w.String() != text {
			t.Fatal("writing to a view changed the world")
		}
		w.View(gridworld.Viewer{Overhead: true, Watch: gridworld.Everywhere()}, &v)
		cell, _ := v.Cell(pos(0, 0))
		things := append([]gridworld.Sighting(nil), v.Things...)
		w.Place(pos(0, 0), gridworld.Cell{Kind: gridworld.Platform, Height: 3})
		for range 25 {
			w.Step(likely(w, r))
		}
		if c, _ := v.Cell(pos(0, 0)); c != cell {
			t.Fatal("a change of the world changed a view")
		}
		for i, s := range v.Things {
			if s != things[i] {
				t.Fatal("a change of the world changed a view")
			}
		}
	})
}

// TestGazeOracle checks that a gaze, asked in any order and again, says what Sees says.
func TestGazeOracle(t *testing.T) {
	var g gridworld.Gaze
	seen, asked := 0, 0
	laws(t, "gaze", 300, 3, func(t *testing.T, w *gridworld.World, r *rng.Rand) {
		from := pos(r.IntN(w.Width()), r.IntN(w.Height()))
		g.From(w, from)
		for range 2 * w.Width() * w.Height() {
			p := pos(r.IntN(w.Width()+2)-1, r.IntN(w.Height()+2)-1)
			got := g.Sees(p)
			if want := w.Sees(from, p); got != want {
				t.Fatalf("from %v %v is in sight: %t by the gaze, %t", from, p, got, want)
			}
			if asked++; got {
				seen++
			}
		}
	})
	if seen < 1000 || seen > asked-1000 {
		t.Errorf("%d of %d cells are in sight, so that the test shows too little", seen, asked)
	}
}

// TestGroundOracle checks what a world says of its ramps, its ledges and the kinds that occur against its cells, one by one.
func TestGroundOracle(t *testing.T) {
	ledges := 0
	laws(t, "ground", 80, 3, func(t *testing.T, w *gridworld.World, _ *rng.Rand) {
		occurs, ramps, ledge := map[gridworld.Kind]bool{}, gridworld.Board{}, false
		for y := range w.Height() {
			for x := range w.Width() {
				p := pos(x, y)
				c := w.At(p)
				occurs[c.Kind] = true
				if c.Kind.Sloped() {
					ramps.Set(p)
				}
				for d := gridworld.North; d < gridworld.Directions; d += 2 {
					if q := p.Add(d); w.Inside(q) {
						n := w.At(q)
						ledge = ledge || c.Kind.Passable() && n.Kind.Passable() && !c.Kind.Sloped() && !n.Kind.Sloped() && c.Height > 0 && n.Height == 0
					}
				}
			}
		}
		if w.Ramps() != ramps || w.HasLedge() != ledge {
			t.Fatalf("ramps %v, ledge %t; by the cells %v, %t", w.Ramps(), w.HasLedge(), ramps, ledge)
		}
		for k := range gridworld.Kind(gridworld.Kinds) {
			if w.Occurs(k) != occurs[k] {
				t.Fatalf("kind %s occurs: %t, by the cells %t", k, w.Occurs(k), occurs[k])
			}
		}
		if ledge {
			ledges++
		}
	})
	if ledges < 10 {
		t.Errorf("%d worlds have ledges, so that the test shows too little", ledges)
	}
}
