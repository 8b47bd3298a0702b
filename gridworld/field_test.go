package gridworld_test

import (
	"testing"

	"achilles/gridworld"
	"achilles/gridworld/gridtest"
	"achilles/sim/rng"
)

func TestCanStepOracle(t *testing.T) {
	laws(t, "steps", 100, 9, func(t *testing.T, w *gridworld.World, r *rng.Rand) {
		for p := range gridtest.Cells(w) {
			for d := gridworld.North; d < gridworld.Directions; d++ {
				if got, want := w.CanStep(p, d), gridtest.CanStep(w, p, d); got != want {
					t.Fatalf("CanStep(%s, %s) is %t, the oracle says %t", p, d, got, want)
				}
			}
		}
		if w.CanStep(pos(-1, 0), gridworld.East) || w.CanStep(pos(0, w.Height()), gridworld.South) {
			t.Fatal("a step from outside is legal")
		}
	})
}

func TestReachable(t *testing.T) {
	laws(t, "reachable", 60, 9, func(t *testing.T, w *gridworld.World, r *rng.Rand) {
		from := pos(r.IntN(w.Width()), r.IntN(w.Height()))
		got := w.Reachable(from)
		for p := range gridtest.Cells(w) {
			goal := gridworld.BoardOf(p)
			_, want := gridtest.Distances(w, &goal, nil)[from]
			if got.Has(p) != (want || p == from) {
				t.Fatalf("%s reachable from %s: %t, the oracle says %t", p, from, got.Has(p), want)
			}
		}
	})
}

// anyGoals returns up to three random goal cells, and about every other time a set of cells to avoid (otherwise nil).
func anyGoals(w *gridworld.World, r *rng.Rand) (goals gridworld.Board, avoid *gridworld.Board) {
	for range r.IntN(4) {
		goals.Set(pos(r.IntN(w.Width()), r.IntN(w.Height())))
	}
	if r.IntN(2) == 0 {
		avoid = &gridworld.Board{}
		for range r.IntN(20) {
			avoid.Set(pos(r.IntN(w.Width()), r.IntN(w.Height())))
		}
	}
	return goals, avoid
}

func TestFieldOracle(t *testing.T) {
	var f gridworld.Field // one field for worlds of all sizes, to test its reuse
	laws(t, "field", 100, 16, func(t *testing.T, w *gridworld.World, r *rng.Rand) {
		goals, avoid := anyGoals(w, r)
		f.Avoid = avoid
		want := gridtest.Distances(w, &goals, avoid)
		if avoid == nil {
			avoid = &gridworld.Board{}
		}
		far := f.Toward(w, &goals)
		cells := f.Cells()
		if cells.Len() != len(want) {
			t.Fatalf("%d cells have a way, the oracle says %d", cells.Len(), len(want))
		}
		longest := 0
		for p, d := range want {
			longest = max(longest, d)
			if got, ok := f.Distance(p); !ok || got != d {
				t.Fatalf("distance from %s is %d (%t), the oracle says %d", p, got, ok, d)
			}
			checkDescents(t, w, &f, want, avoid, p)
		}
		if _, ok := f.Distance(pos(0, w.Height())); ok {
			t.Fatal("there is a way from outside the world")
		}
		if far != longest {
			t.Fatalf("the greatest distance is %d, the oracle says %d", far, longest)
		}
		checkUntil(t, w, &f, &goals, want, pos(r.IntN(w.Width()), r.IntN(w.Height())))
	})
}

func checkDescents(t *testing.T, w *gridworld.World, f *gridworld.Field, want map[gridworld.Pos]int, avoid *gridworld.Board, p gridworld.Pos) {
	for d := gridworld.North; d < gridworld.Directions; d++ {
		there, ok := want[p.Add(d)]
		cuts := d.Diagonal() && (avoid.Has(p.Add(d.Turn(1))) || avoid.Has(p.Add(d.Turn(-1))))
		descends := ok && there == want[p]-1 && gridtest.CanStep(w, p, d) && !cuts
		if f.Descents(p).Has(d) != descends {
			t.Fatalf("%s from %s at distance %d descends: %t, the oracle says %t", d, p, want[p], !descends, descends)
		}
	}
}

func checkUntil(t *testing.T, w *gridworld.World, f *gridworld.Field, goals *gridworld.Board, want map[gridworld.Pos]int, from gridworld.Pos) {
	d, reached := want[from]
	if got, ok := f.Until(w, goals, from); ok != reached || ok && got != d {
		t.Fatalf("Until %s: %d %t, the oracle says %d %t", from, got, ok, d, reached)
	}
	if n := descend(f, from); n != d {
		t.Fatalf("the way from %s has %d steps, not %d", from, n, d)
	}
}

// descend returns the number of steps from p along the field to where the field ends.
func descend(f *gridworld.Field, p gridworld.Pos) (n int) {
	for s := f.Descents(p); s != 0; s = f.Descents(p) {
		p = p.Add(s.First())
		n++
	}
	return n
}

// TestFieldOracleLarge checks fields against gridtest.Distances in the largest worlds, in which a row fills a machine
// word exactly.
func TestFieldOracleLarge(t *testing.T) {
	var f gridworld.Field
	for i, mode := range []gridworld.Mode{gridworld.Turning, gridworld.Eight, gridworld.Turning, gridworld.Eight} {
		r := rng.Stream(1, "large field", mode.String(), string(rune('a'+i)))
		w := scatter(gridworld.MaxSide, gridworld.MaxSide, 25, mode, &r)
		if i > 1 {
			w.Fill(pos(0, 60), pos(63, 63), gridworld.Cell{Kind: gridworld.Platform, Height: 1})
			w.Fill(pos(63, 59), pos(63, 59), gridworld.Cell{Kind: gridworld.Ramp})
		}
		goals := gridworld.BoardOf(pos(63, 63), pos(0, 0))
		want := gridtest.Distances(w, &goals, nil)
		f.Toward(w, &goals)
		cells := f.Cells()
		if cells.Len() != len(want) || len(want) < 1000 {
			t.Fatalf("%d cells have a way, the oracle says %d", cells.Len(), len(want))
		}
		for p, d := range want {
			if got, ok := f.Distance(p); !ok || got != d {
				t.Fatalf("world %d: distance from %s is %d (%t), the oracle says %d", i, p, got, ok, d)
			}
		}
	}
}

// TestFieldOracleNarrow checks fields against gridtest.Distances in worlds that are one to four cells wide or high.
func TestFieldOracleNarrow(t *testing.T) {
	var f gridworld.Field
	for i := range 400 {
		r := rng.Stream(1, "narrow", string(rune('a'+i%26)), string(rune('a'+i/26)))
		width, height := 1+r.IntN(64), 1+r.IntN(4)
		if r.IntN(2) == 0 {
			width, height = height, width
		}
		w := scatter(width, height, 10, gridworld.Mode(r.IntN(2)), &r)
		goals := gridworld.BoardOf(pos(r.IntN(width), r.IntN(height)), pos(width-1, height-1))
		want := gridtest.Distances(w, &goals, nil)
		f.Toward(w, &goals)
		for p := range gridtest.Cells(w) {
			d, reached := want[p]
			if got, ok := f.Distance(p); ok != reached || got != d {
				t.Fatalf("%d x %d: distance from %s is %d (%t), the oracle says %d (%t)\n%s", width, height, p, got, ok, d, reached, w)
			}
		}
	}
}

// TestPlansAreSymmetric checks that the plans in a transformed world are the transformed plans of the original.
func TestPlansAreSymmetric(t *testing.T) {
	var f, g gridworld.Field
	var turns, turned gridworld.TurnField
	laws(t, "symmetric plans", 15, 14, func(t *testing.T, w *gridworld.World, r *rng.Rand) {
		goal := pos(r.IntN(w.Width()), r.IntN(w.Height()))
		goals := gridworld.BoardOf(goal)
		f.Toward(w, &goals)
		if w.Rules().Move == gridworld.Turning {
			turns.Toward(w, &goals)
		}
		for s := range gridworld.Symmetry(gridworld.Symmetries) {
			v := w.Transform(s)
			there := gridworld.BoardOf(s.Pos(goal, w.Width(), w.Height()))
			g.Toward(v, &there)
			if v.Rules().Move == gridworld.Turning {
				turned.Toward(v, &there)
			}
			for p := range gridtest.Cells(w) {
				q := s.Pos(p, w.Width(), w.Height())
				if transformed(s, f.Descents(p)) != g.Descents(q) {
					t.Fatalf("symmetry %d: the best steps from %s are not those from %s", s, p, q)
				}
				for h := gridworld.North; h < gridworld.Directions && w.Rules().Move == gridworld.Turning; h += 2 {
					ahead, left, right := turns.Best(gridworld.Actor{Pos: p, Heading: h})
					if s&gridworld.Mirror != 0 {
						left, right = right, left
					}
					a, l, r := turned.Best(gridworld.Actor{Pos: q, Heading: s.Dir(h)})
					if a != ahead || l != left || r != right {
						t.Fatalf("symmetry %d: the best actions from %s %s are not those from %s", s, p, h, q)
					}
				}
			}
		}
	})
}

func transformed(s gridworld.Symmetry, dirs gridworld.Dirs) (out gridworld.Dirs) {
	for d := gridworld.North; d < gridworld.Directions; d++ {
		if dirs.Has(d) {
			out |= 1 << s.Dir(d)
		}
	}
	return out
}

// TestFieldIsWalked checks that an actor that follows the field with Step arrives in as many ticks as the field says.
func TestFieldIsWalked(t *testing.T) {
	var f gridworld.Field
	walked := 0
	laws(t, "walk", 60, 16, func(t *testing.T, w *gridworld.World, r *rng.Rand) {
		if w.Rules().Move != gridworld.Eight || !w.Inside(w.Actor().Pos) {
			return
		}
		goal := pos(r.IntN(w.Width()), r.IntN(w.Height()))
		if w.At(goal).Kind.Absorbing() {
			return
		}
		goals := gridworld.BoardOf(goal)
		f.Toward(w, &goals)
		d, ok := f.Distance(w.Actor().Pos)
		if !ok {
			return
		}
		bare := bareCopy(w)
		for range d {
			bare.Step(gridworld.Go(f.Descents(bare.Actor().Pos).First()))
		}
		if bare.Actor().Pos != goal {
			t.Fatalf("after %d steps the walker is at %s, not at %s", d, bare.Actor().Pos, goal)
		}
		walked++
	})
	if walked < 20 {
		t.Errorf("only %d walks", walked)
	}
}

// bareCopy returns w without things, schedule and limit.
func bareCopy(w *gridworld.World) *gridworld.World {
	c := gridworld.New(w.Width(), w.Height(), gridworld.Rules{Move: w.Rules().Move})
	for p := range gridtest.Cells(w) {
		c.Place(p, w.At(p))
	}
	if w.Inside(w.Actor().Pos) {
		c.SetActor(w.Actor().Pos, w.Actor().Heading)
	}
	return c
}

// TestTurnFieldOracle checks TurnField against a search that tries every action with Step.
func TestTurnFieldOracle(t *testing.T) {
	var f gridworld.TurnField
	laws(t, "turns", 40, 7, func(t *testing.T, w *gridworld.World, r *rng.Rand) {
		if w.Rules().Move != gridworld.Turning {
			return
		}
		w = bareCopy(w)
		goals, _ := anyGoals(w, r)
		f.Toward(w, &goals)
		want := ticksByStep(w, &goals)
		for p := range gridtest.Cells(w) {
			for h := gridworld.North; h < gridworld.Directions; h += 2 {
				a := gridworld.Actor{Pos: p, Heading: h}
				got, ok := f.Cost(a)
				if w.At(p).Kind.Lethal() || !w.At(p).Kind.Passable() {
					continue
				}
				d, reached := want[a]
				if ok != reached || got != d {
					t.Fatalf("%v: %d ticks (%t), the oracle says %d (%t)", a, got, ok, d, reached)
				}
				if n, ok := f.Until(w, &goals, a); ok != reached || ok && n != d {
					t.Fatalf("Until %v: %d (%t), the oracle says %d (%t)", a, n, ok, d, reached)
				}
				f.Toward(w, &goals)
				checkBest(t, w, &f, want, a)
			}
		}
	})
}

func checkBest(t *testing.T, w *gridworld.World, f *gridworld.TurnField, want map[gridworld.Actor]int, a gridworld.Actor) {
	ahead, left, right := f.Best(a)
	d, ok := want[a]
	better := func(b gridworld.Actor) bool { e, there := want[b]; return ok && there && e == d-1 }
	step := gridworld.Actor{Pos: a.Pos.Add(a.Heading), Heading: a.Heading}
	if ahead != (better(step) && w.CanStep(a.Pos, a.Heading)) {
		t.Fatalf("%v: going forward is best: %t", a, ahead)
	}
	if turned := (gridworld.Actor{Pos: a.Pos, Heading: a.Heading.Turn(-2)}); left != better(turned) {
		t.Fatalf("%v: turning left is best: %t", a, left)
	}
	if turned := (gridworld.Actor{Pos: a.Pos, Heading: a.Heading.Turn(2)}); right != better(turned) {
		t.Fatalf("%v: turning right is best: %t", a, right)
	}
}

// ticksByStep returns the number of ticks to the nearest goal from every state. It carries out every action in every
// state with Step, and then shortens the numbers until nothing changes.
func ticksByStep(w *gridworld.World, goals *gridworld.Board) map[gridworld.Actor]int {
	cost := map[gridworld.Actor]int{}
	for p := range goals.All() {
		for h := gridworld.North; h < gridworld.Directions; h += 2 {
			if w.At(p).Kind.Passable() {
				cost[gridworld.Actor{Pos: p, Heading: h}] = 0
			}
		}
	}
	type edge struct{ from, to gridworld.Actor }
	var edges []edge
	trial := w.Clone()
	for p := range gridtest.Cells(w) {
		if k := w.At(p).Kind; !k.Passable() || k.Absorbing() {
			continue
		}
		for h := gridworld.North; h < gridworld.Directions; h += 2 {
			for _, a := range []gridworld.Action{gridworld.Forward, gridworld.TurnLeft, gridworld.TurnRight} {
				trial.CopyFrom(w)
				trial.SetActor(p, h)
				trial.Step(a)
				edges = append(edges, edge{gridworld.Actor{Pos: p, Heading: h}, trial.Actor()})
			}
		}
	}
	for better := true; better; {
		better = false
		for _, e := range edges {
			there, ok := cost[e.to]
			if here, known := cost[e.from]; ok && (!known || there+1 < here) {
				cost[e.from] = there + 1
				better = true
			}
		}
	}
	return cost
}

func TestTurnFieldByHand(t *testing.T) {
	w, err := gridworld.Parse("world 1\nmap\n.#.\n...\n")
	if err != nil {
		t.Fatal(err)
	}
	goals := gridworld.BoardOf(pos(2, 1))
	var f gridworld.TurnField
	f.Toward(w, &goals)
	for _, c := range []struct {
		heading gridworld.Dir
		ticks   int
		why     string
	}{
		{gridworld.South, 6, "down, left to the east, two ahead, left to the north, up"},
		{gridworld.East, 7, "a turn more: there is a wall to the east"},
		{gridworld.West, 7, "left to the south first"},
		{gridworld.North, 8, "two turns more"},
	} {
		if got, ok := f.Cost(gridworld.Actor{Pos: pos(0, 1), Heading: c.heading}); !ok || got != c.ticks {
			t.Errorf("%s: %d ticks, want %d: %s", c.heading, got, c.ticks, c.why)
		}
	}
}

// TestEntrancesOracle checks Entrances step by step.
func TestEntrancesOracle(t *testing.T) {
	laws(t, "entrances", 100, 9, func(t *testing.T, w *gridworld.World, r *rng.Rand) {
		goals, _ := anyGoals(w, r)
		got := w.Entrances(&goals)
		for p := range gridtest.Cells(w) {
			want := false
			for d := gridworld.North; d < gridworld.Directions; d++ {
				want = want || w.CanStep(p, d) && goals.Has(p.Add(d))
			}
			if got.Has(p) != want {
				t.Fatalf("%s: %t, step by step %t", p, got.Has(p), want)
			}
		}
	})
}

// TestLeadsOracle checks Leads against the cells that can be reached.
func TestLeadsOracle(t *testing.T) {
	leads, asked := 0, 0
	laws(t, "leads", 120, 3, func(t *testing.T, w *gridworld.World, r *rng.Rand) {
		for range 20 {
			from, to := pos(r.IntN(w.Width()), r.IntN(w.Height())), pos(r.IntN(w.Width()), r.IntN(w.Height()))
			reach := w.Reachable(from)
			got := w.Leads(from, to)
			if want := reach.Has(to); got != want {
				t.Fatalf("a way leads from %v to %v: %t, want %t", from, to, got, want)
			}
			if asked++; got && from != to {
				leads++
			}
		}
	})
	if leads < asked/20 || leads > asked*9/10 {
		t.Errorf("%d of %d ways lead there, so that the test shows too little", leads, asked)
	}
}
