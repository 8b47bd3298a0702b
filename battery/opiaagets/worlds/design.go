package worlds

import (
	"context"
	"fmt"
	"slices"

	"achilles/battery"
	"achilles/battery/opiaagets"
	"achilles/sim/rng"
)

// A Tally has the numbers of candidates that were drawn for a design.
type Tally struct {
	Items    int        // number of candidates that were kept
	Rejected []Rejected // one per reason that occurred
}

// Rejected is the number of candidates that were rejected for one reason.
type Rejected struct {
	Reason string
	Count  int
}

// Design returns a battery of worlds. A level that is listed twice is used twice as often. With r.Items > 0 the battery has
// that many items and is balanced: it uses the levels of a factor equally often, to within one, and correlations between
// factors are as small as the constraints between them allow. With r.Items 0 it has every possible combination of levels
// once. The tally has all candidates that were drawn, even if there is an error.
func Design(ctx context.Context, r battery.Request) (battery.Battery, Tally, error) {
	factors, err := withLevels(r.Levels)
	if err != nil {
		return battery.Battery{}, Tally{}, err
	}
	points, err := planOf(ctx, factors, r.Items, r.Root)
	if err != nil {
		return battery.Battery{}, Tally{}, err
	}
	all := columns()
	b := battery.Battery{Suite: opiaagets.Suite, Measure: opiaagets.Measures(), Schema: battery.SchemaOf(all)}
	fresh := func() *generator { return newGenerator(factors, all) }
	c := collector{root: r.Root, fresh: fresh, seen: make(map[digest]bool, len(points.levels))}
	err = battery.InOrder(ctx, r.Jobs, battery.Ahead, len(points.levels), fresh,
		func(g *generator, i int) attempt { return g.item(r.Root, i, 0, points.at(i)) },
		func(i int, first attempt) error {
			it, err := c.keep(i, &points, first)
			if err != nil {
				return fmt.Errorf("item %d: %w", i+1, err)
			}
			b.Items.Append(&it)
			return nil
		})
	if err != nil {
		return battery.Battery{}, c.tally(), err
	}
	return b, c.tally(), nil
}

// maxDuplicates is the largest number of attempts at an item, each of whose worlds was that of an earlier item.
const maxDuplicates = 400

// A collector collects the items of a battery in order, and replaces those whose worlds are duplicates.
type collector struct {
	root  uint64
	fresh func() *generator
	again *generator // makes the further attempts; nil before the first
	seen  map[digest]bool
	tried [reasonCount]int // numbers of candidates, by reason
}

// keep returns item i of a plan: the first attempt, or the first further one with a world that no earlier item has.
func (c *collector) keep(i int, all *plan, a attempt) (battery.Item, error) {
	for earlier := 1; ; earlier++ {
		for r, n := range a.tried {
			c.tried[r] += int(n)
		}
		if a.err != nil {
			return battery.Item{}, a.err
		}
		if !c.seen[a.digest] {
			c.seen[a.digest] = true
			return a.Item, nil
		}
		c.tried[fits]--
		c.tried[duplicate]++
		p := all.at(i)
		if earlier == maxDuplicates {
			return battery.Item{}, fmt.Errorf("in %d attempts every world was that of another item, for %s: ask for fewer items or more levels", maxDuplicates, &p)
		}
		if c.again == nil {
			c.again = c.fresh()
		}
		a = c.again.item(c.root, i, earlier, p)
	}
}

func (c *collector) tally() Tally {
	t := Tally{Items: c.tried[fits]}
	for r := fits + 1; r < reasonCount; r++ {
		if n := c.tried[r]; n > 0 {
			t.Rejected = append(t.Rejected, Rejected{r.String(), n})
		}
	}
	return t
}

// A plan has the points of a design.
type plan struct {
	factors []battery.Factor
	levels  [][]int // by point, the index of the level of each factor
	walls   []string
}

// planOf returns the plan of a design.
func planOf(ctx context.Context, factors []battery.Factor, items int, root uint64) (plan, error) {
	p := plan{factors: factors, walls: wallColours()}
	var err error
	if items == 0 {
		p.levels, err = crossed(factors)
	} else {
		p.factors, p.levels, err = balanced(ctx, factors, items, root)
	}
	return p, err
}

// at returns point i. Whoever makes item i asks for it, so that points are not made one after another.
func (p *plan) at(i int) point { return pointAt(p.factors, p.levels[i], p.walls) }

// crossed returns every combination of levels that is possible.
func crossed(factors []battery.Factor) ([][]int, error) {
	all, err := battery.Cross(factors)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(all, func(l []int) bool {
		if factors[byOccluder].Number[l[byOccluder]] == 0 {
			return l[byPositions] > 0 // without an occluder numPositions is always 0: one of its levels is enough
		}
		return factors[byTime].Number[l[byTime]] == 0
	}), nil
}

// balanced returns one combination of levels per item, and the factors to which their indices refer. In an item with an
// occluder the reward is hidden for some time. In the returned factors, numPositions has one level per item: first those of
// the design, equally often, for the items with an occluder, and then 0 for the other items.
func balanced(ctx context.Context, factors []battery.Factor, items int, root uint64) ([]battery.Factor, [][]int, error) {
	hiding := uses(factors[byOccluder], items, func(x float64) bool { return x != 0 })
	if idle := uses(factors[byTime], items, func(x float64) bool { return x == 0 }); idle > items-hiding {
		return nil, nil, fmt.Errorf("timeUnderOcclusion would be 0 in %d of %d items, but only %d have no occluder, and an occluder hides the reward for some time: leave 0 out of its levels", idle, items, items-hiding)
	}
	nested := slices.Clone(factors)
	positions := make([]float64, items)
	for i := range hiding {
		positions[i] = factors[byPositions].Number[i%factors[byPositions].Levels()]
	}
	nested[byPositions] = battery.Factor{Name: factors[byPositions].Name, Number: positions}
	alike := func(f, level int) int {
		switch f {
		case byPositions:
			return is(level < hiding)
		case byOccluder, byTime:
			return is(nested[f].Number[level] != 0)
		}
		return 0
	}
	faults := func(l []int) int {
		occluder := alike(byOccluder, l[byOccluder])
		return is(occluder != alike(byPositions, l[byPositions])) + is(occluder > alike(byTime, l[byTime]))
	}
	levels, ok := battery.BalanceWithin(ctx, rng.Stream(root, "battery", opiaagets.Suite, "worlds"), nested, items, battery.Rule{Faults: faults, Alike: alike})
	if !ok && ctx.Err() != nil {
		return nil, nil, ctx.Err()
	}
	if !ok {
		panic("worlds: the levels fit, and yet there is no arrangement of them")
	}
	return nested, levels, nil
}

// uses returns the number of items of a balanced design whose level of factor f satisfies wanted.
func uses(f battery.Factor, items int, wanted func(float64) bool) int {
	n := 0
	for slot := range items {
		n += is(wanted(f.Number[slot%f.Levels()]))
	}
	return n
}
