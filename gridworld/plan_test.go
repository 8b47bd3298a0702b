package gridworld_test

import (
	"math"
	"testing"

	"achilles/gridworld"
	"achilles/gridworld/gridtest"
	"achilles/sim/rng"
)

// costs relaxes every step until nothing gets cheaper.
func costs(w *gridworld.World, m gridworld.Metric, seeds []gridworld.Seed) map[gridworld.Pos]int {
	cost := map[gridworld.Pos]int{}
	for _, s := range seeds {
		if old, ok := cost[s.Pos]; w.Inside(s.Pos) && w.At(s.Pos).Kind.Passable() && (!ok || s.Cost < old) {
			cost[s.Pos] = s.Cost
		}
	}
	straight, diagonal := m.Units()
	for better := true; better; {
		better = false
		for p := range gridtest.Cells(w) {
			for d := gridworld.North; d < gridworld.Directions; d++ {
				there, ok := cost[p.Add(d)]
				if !ok || !gridtest.CanStep(w, p, d) {
					continue
				}
				there += straight
				if d.Diagonal() {
					there += diagonal - straight
				}
				if here, ok := cost[p]; !ok || there < here {
					cost[p] = there
					better = true
				}
			}
		}
	}
	return cost
}

func TestCostFieldOracle(t *testing.T) {
	var f gridworld.CostField
	laws(t, "costs", 60, 9, func(t *testing.T, w *gridworld.World, r *rng.Rand) {
		m := gridworld.Metric(r.IntN(3))
		straight, _ := m.Units()
		var seeds []gridworld.Seed
		for range r.IntN(5) {
			seeds = append(seeds, gridworld.Seed{Pos: pos(r.IntN(w.Width()+1), r.IntN(w.Height())), Cost: r.IntN(4) * straight * r.IntN(2)})
		}
		f.Compute(w, m, seeds)
		want := costs(w, m, seeds)
		for p := range gridtest.Cells(w) {
			d, reached := want[p]
			if got, ok := f.Cost(p); ok != reached || got != d {
				t.Fatalf("cost from %s is %d (%t), the oracle says %d (%t)", p, got, ok, d, reached)
			}
			for d := gridworld.North; d < gridworld.Directions && reached; d++ {
				there, ok := want[p.Add(d)]
				units := [2]int{}
				units[0], units[1] = m.Units()
				descends := ok && gridtest.CanStep(w, p, d) && there+units[d&1] == want[p]
				if f.Descents(p).Has(d) != descends {
					t.Fatalf("%s from %s descends: %t, the oracle says %t", d, p, !descends, descends)
				}
			}
		}
	})
}

// Steps agree with the Field; StepsEuclid has the same number of steps and no more diagonals than any other way.
func TestMetrics(t *testing.T) {
	var f gridworld.Field
	var steps, tie, euclid gridworld.CostField
	laws(t, "metrics", 30, 12, func(t *testing.T, w *gridworld.World, r *rng.Rand) {
		goals := gridworld.BoardOf(pos(r.IntN(w.Width()), r.IntN(w.Height())))
		seeds := gridworld.Seeds(nil, &goals, 0)
		f.Toward(w, &goals)
		steps.Compute(w, gridworld.Steps, seeds)
		tie.Compute(w, gridworld.StepsEuclid, seeds)
		euclid.Compute(w, gridworld.Euclid, seeds)
		for p := range gridtest.Cells(w) {
			d, ok := f.Distance(p)
			s, sOK := steps.Cost(p)
			e, eOK := tie.Cost(p)
			u, uOK := euclid.Cost(p)
			if ok != sOK || ok != eOK || ok != uOK {
				t.Fatalf("the fields do not agree whether there is a way from %s", p)
			}
			unit, _ := gridworld.StepsEuclid.Units()
			if d != s || d != e/unit {
				t.Fatalf("from %s: %d steps, by cost %d, with fewest diagonals %d", p, d, s, e/unit)
			}
			// The shortest length is at most that of the way with the fewest steps, whose diagonals are e mod unit.
			if most := float64(d) + float64(e%unit)*(math.Sqrt2-1); gridworld.Euclid.Length(u) > most+1e-4 {
				t.Fatalf("from %s: length %g, but there is a way of %g", p, gridworld.Euclid.Length(u), most)
			}
		}
	})
	straight, diagonal := gridworld.Euclid.Units()
	if off := math.Abs(float64(diagonal)/float64(straight) - math.Sqrt2); off > 1e-7 {
		t.Errorf("the diagonal of Euclid is off by %g", off)
	}
}

// A state of the search below.
type state struct {
	at    gridworld.Pos
	phase gridworld.Phase
}

// The plan against a search through the worlds that Step makes, key, lock and barriers included.
func TestPlanOracle(t *testing.T) {
	var plan gridworld.Plan
	subgoals := map[gridworld.Subgoal]int{}
	for i := range 400 {
		r := rng.Stream(1, "plan", string(rune('a'+i%26)), string(rune('a'+i/26)))
		w, target := keyWorld(&r)
		plan.Toward(w, gridworld.Steps, target, gridworld.Costs{})
		want := searchWorlds(w, target)
		got, ok := plan.Cost(w.Phase(), w.Actor().Pos)
		if want < 0 == ok || ok && got != want {
			t.Fatalf("world %d: the plan costs %d (%t), the search %d\n%s", i, got, ok, want, w)
		}
		subgoals[plan.Subgoal(w.Phase(), w.Actor().Pos)]++
	}
	for _, g := range []gridworld.Subgoal{gridworld.NoWay, gridworld.ToGoal, gridworld.ToKey} {
		if subgoals[g] < 20 {
			t.Errorf("sub-goal %s in %d worlds only", g, subgoals[g])
		}
	}
}

// keyWorld returns a small level world with a key, a lock and barriers around a target, and an actor.
func keyWorld(r *rng.Rand) (*gridworld.World, gridworld.Pos) {
	for {
		w := gridworld.New(8, 7, gridworld.Rules{Move: gridworld.Eight, Reach: r.IntN(2)})
		for p := range gridtest.Cells(w) {
			switch n := r.IntN(20); {
			case n < 3:
				w.Place(p, gridworld.Cell{Kind: gridworld.Wall})
			case n < 6:
				w.Place(p, gridworld.Cell{Kind: gridworld.Barrier})
			case n == 6:
				w.Place(p, gridworld.Cell{Kind: gridworld.Hole})
			}
		}
		w.Place(pos(r.IntN(8), r.IntN(7)), gridworld.Cell{Kind: gridworld.Lock})
		var spots []gridworld.Pos
		for range 3 {
			p := pos(r.IntN(8), r.IntN(7))
			if w.At(p).Kind == gridworld.Floor {
				spots = append(spots, p)
			}
		}
		if len(spots) == 3 {
			w.SetActor(spots[0], gridworld.North)
			w.Add(gridworld.Thing{Kind: gridworld.Key, Pos: spots[1], Size: 1})
			w.Add(gridworld.Thing{Kind: gridworld.Shape, Pos: spots[2], Size: 1, Final: true})
			return w, spots[2]
		}
	}
}

// searchWorlds returns the fewest steps until the target is touched, or −1. Contact at the start, before any step, is
// played out by staying.
func searchWorlds(w *gridworld.World, target gridworld.Pos) int {
	settled := w.Clone()
	settled.Step(gridworld.Stay)
	if settled.Outcome() == gridworld.Finished {
		return 0
	}
	seen := map[state]bool{}
	front := []*gridworld.World{settled}
	for steps := 1; len(front) > 0; steps++ {
		var next []*gridworld.World
		for _, from := range front {
			for d := gridworld.North; d < gridworld.Directions; d++ {
				to := from.Clone()
				to.Step(gridworld.Go(d))
				if to.Outcome() == gridworld.Finished {
					return steps
				}
				if s := (state{to.Actor().Pos, to.Phase()}); !seen[s] {
					seen[s] = true
					next = append(next, to)
				}
			}
		}
		front = next
	}
	return -1
}

func TestPlanByHand(t *testing.T) {
	w, err := gridworld.Parse(`world 1
move eight
legend k floor + key
legend s floor + shape final
map
#########
#...B...#
#A.kX.s.#
#...B...#
#########
`)
	if err != nil {
		t.Fatal(err)
	}
	var p gridworld.Plan
	target := pos(6, 2)
	p.Toward(w, gridworld.Steps, target, gridworld.Costs{})
	for _, c := range []struct {
		phase gridworld.Phase
		at    gridworld.Pos
		cost  int
		first gridworld.Subgoal
		why   string
	}{
		{gridworld.Bare, pos(1, 2), 5, gridworld.ToKey, "two steps to the key, which touches the lock, three through it"},
		{gridworld.Carrying, pos(1, 3), 5, gridworld.ToLock, "two to a neighbour of the lock, three through it"},
		{gridworld.Open, pos(1, 2), 5, gridworld.ToGoal, "straight"},
		{gridworld.Bare, pos(7, 2), 1, gridworld.ToGoal, "on the target's side no key is needed"},
	} {
		got, ok := p.Cost(c.phase, c.at)
		if first := p.Subgoal(c.phase, c.at); !ok || got != c.cost || first != c.first {
			t.Errorf("%s at %s: %d %s, want %d %s: %s", c.phase, c.at, got, first, c.cost, c.first, c.why)
		}
	}
	p.Toward(w, gridworld.Steps, target, gridworld.Costs{Take: 10, Unlock: 100})
	if got, _ := p.Cost(gridworld.Bare, pos(1, 2)); got != 115 {
		t.Errorf("with costs for taking and unlocking: %d, want 115", got)
	}
	w.SetThing(0, gridworld.Thing{Kind: gridworld.Key, State: gridworld.Hidden, Pos: pos(3, 2), Size: 1})
	p.Toward(w, gridworld.Steps, target, gridworld.Costs{})
	if _, ok := p.Cost(gridworld.Bare, pos(1, 2)); ok || p.Subgoal(gridworld.Bare, pos(1, 2)) != gridworld.NoWay {
		t.Error("there is a way without a key")
	}
}

func TestStraightPath(t *testing.T) {
	w := gridworld.New(9, 9, gridworld.Rules{Move: gridworld.Eight})
	goals := gridworld.BoardOf(pos(8, 4))
	var f gridworld.Field
	f.Toward(w, &goals)
	// Eight columns and four rows: four diagonals, spread evenly along the line.
	straight := gridworld.StraightPath(nil, &f, pos(0, 0), pos(8, 4))
	if len(straight) != 9 {
		t.Errorf("a straight path of %d steps, want 8", len(straight)-1)
	}
	for x, p := range straight {
		if off := 2*p.Y - p.X; p.X != x || off < -1 || off > 1 {
			t.Errorf("step %d is at %s, off the line", x, p)
		}
	}
	if path := gridworld.Path(nil, &f, pos(0, 0)); len(path) != 9 {
		t.Errorf("a path of %d steps, want 8", len(path)-1)
	}
}
