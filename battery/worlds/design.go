package worlds

import (
	"context"
	"crypto/sha256"
	"fmt"
	"slices"
	"strconv"

	"achilles/battery"
	"achilles/battery/opiaagets"
	"achilles/sim/rng"
)

// TicksPerTime is the number of ticks in one unit of timeUnderOcclusion; UnitsPerCell is the width of a cell in arena
// units.
const (
	TicksPerTime = 50
	UnitsPerCell = 2
)

// longestTime is the longest timeUnderOcclusion.
const longestTime = 4

// Design returns a battery. With r.Items > 0 the battery has that many items, divided as equally as possible among the
// paradigms. Each paradigm is balanced: it uses the levels of a factor equally often, to within one, and correlations between
// factors are as small as the constraints between them allow. With r.Items 0 every paradigm has every possible combination of
// levels once.
func (c Coding) Design(ctx context.Context, r battery.Request) (battery.Battery, error) {
	factors, err := c.withLevels(r.Levels)
	if err != nil {
		return battery.Battery{}, err
	}
	b := battery.Battery{Suite: Suite, Schema: c.Schema(), Measure: opiaagets.Measures()}
	var all []point
	names := factors[0].Text
	for i, name := range names {
		share := (r.Items + len(names) - 1 - i) / len(names)
		if r.Items > 0 && share == 0 {
			continue
		}
		points, err := c.pointsOf(ctx, factors, i, name, share, r.Root)
		if err != nil {
			return b, err
		}
		all = append(all, points...)
	}
	b.Items, err = c.items(ctx, r, factors, all)
	return b, err
}

// items returns one item per point. They are made without regard to the others; an item whose world an earlier one has is
// made once more, without such worlds.
func (c Coding) items(ctx context.Context, r battery.Request, factors []battery.Factor, points []point) (items battery.Items, err error) {
	fresh := func() *generator { return newGenerator(c, factors) }
	again := fresh()
	seen := map[[sha256.Size]byte]bool{}
	err = battery.InOrder(ctx, r.Jobs, battery.Ahead, len(points), fresh,
		func(g *generator, i int) attempt { return g.item(r.Root, i, points[i], nil) },
		func(i int, a attempt) error {
			if seen[a.digest] {
				a = again.item(r.Root, i, points[i], seen)
			}
			if a.err != nil {
				return fmt.Errorf("item %d: %w", i+1, a.err)
			}
			seen[a.digest] = true
			items.Append(&a.Item)
			return nil
		})
	return items, err
}

// withLevels returns the default factors, with their levels replaced by those in l.
func (c Coding) withLevels(l []battery.Factor) ([]battery.Factor, error) {
	return battery.WithLevels(c.Factors(), l, func(f int, x float64) error { return c.factors()[f].grain.Check(x) })
}

// pointsOf returns the points of the paradigm called name. i is its index among the paradigms of the design. With items
// 0 these are all possible combinations of levels.
func (c Coding) pointsOf(ctx context.Context, factors levels, i int, name string, items int, root uint64) ([]point, error) {
	p := c.paradigms[slices.IndexFunc(c.paradigms, func(p paradigm) bool { return p.name == name })]
	own, err := p.levels(factors)
	if err != nil {
		return nil, err
	}
	impossible := func(level []int) bool {
		at := pointAt(p, own, level)
		return at.impossible()
	}
	var all [][]int
	if items == 0 {
		all, err = battery.Cross(own)
		all = slices.DeleteFunc(all, impossible)
	} else {
		r := rng.Stream(root, "battery", Suite, name, strconv.Itoa(i))
		rule := battery.Rule{
			Faults: func(level []int) int { return is(impossible(level)) },
			Alike: func(f, level int) int { // never looks at these factors only
				if n := own[f].Name; n == "congruent" || n == "numPositions" || n == "goalSize" || p.load(n) >= 0 {
					return level
				}
				return 0
			},
		}
		var ok bool
		if all, ok = battery.BalanceWithin(ctx, r, own, items, rule); !ok && ctx.Err() != nil {
			err = ctx.Err()
		} else if !ok {
			err = fmt.Errorf("paradigm %s: there are not enough items of every level, since %s: give the factors more levels", name, p.why)
		}
	}
	var points []point
	for _, level := range all {
		points = append(points, pointAt(p, own, level))
	}
	return points, err
}

// levels returns the factors for the items of p. The factor paradigm has only the level p, and the loads of other paradigms, which come
// behind the factors that all have, have only the level 0. Some paradigms use only some levels of a factor.
func (p *paradigm) levels(factors levels) (levels, error) {
	own := slices.Clone(factors)
	own[0] = battery.Factor{Name: own[0].Name, Text: []string{p.name}}
	for i, f := range own {
		if i > slices.IndexFunc(own, func(f battery.Factor) bool { return f.Name == "goalColour" }) && p.load(f.Name) < 0 {
			own[i] = battery.Factor{Name: f.Name, Number: []float64{0}}
		}
	}
	if p.narrow == nil {
		return own, nil
	}
	return own, p.narrow(own)
}
