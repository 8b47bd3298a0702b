package permanence

import (
	"context"
	"crypto/sha256"
	"fmt"
	"math"
	"slices"
	"strconv"

	"achilles/battery"
	"achilles/battery/opiaagets"
	"achilles/sim/rng"
)

// Suite names the suite of every item.
const Suite = "permanence"

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
	names := factors[byParadigm].Text
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

// A point is one combination of levels, which an item must have.
type point struct {
	paradigm
	occluder, congruent bool
	hidden              int // ticks for which the reward cannot be seen
	positions           int // number of wells, without the right one and without those that a box visits
	size                int // 100 times goalSize
	distance            int // in cells, without diagonals
	side                int // −1 left, 0 ahead, 1 right
	colour              int // index of goalColours
	// loads say how much of the paradigm's abilities the item asks for, in the order of loadBy; the first is 1 if it is all or
	// nothing, and those beyond loadBy are 0.
	loads [mostLoads]int
}

// mostLoads is the largest number of factors in a loadBy.
const mostLoads = 2

// pointsOf returns the points of the paradigm called name. i is its index among the paradigms of the design. With items
// 0 these are all possible combinations of levels.
func (c Coding) pointsOf(ctx context.Context, factors []battery.Factor, i int, name string, items int, root uint64) ([]point, error) {
	p := c.paradigms()[slices.IndexFunc(c.paradigms(), func(p paradigm) bool { return p.name == name })]
	own, err := ownFactors(p, factors)
	if err != nil {
		return nil, err
	}
	var levels [][]int
	if items == 0 {
		levels, err = battery.Cross(own)
		levels = slices.DeleteFunc(levels, func(l []int) bool { return pointAt(p, own, l).impossible() })
	} else {
		r := rng.Stream(root, "battery", Suite, name, strconv.Itoa(i))
		var ok bool
		rule := battery.Rule{
			Faults: func(l []int) int { return is(pointAt(p, own, l).impossible()) },
			Alike: func(f, level int) int { // impossible looks at these factors only
				if f == byCongruent || f == byPositions || f == bySize || f >= byLoad {
					return level
				}
				return 0
			},
		}
		if levels, ok = battery.BalanceWithin(ctx, r, own, items, rule); !ok && ctx.Err() != nil {
			err = ctx.Err()
		} else if !ok {
			err = fmt.Errorf("paradigm %s: there are not enough items of every level, since %s: give the factors more levels", name, p.never)
		}
	}
	var points []point
	for _, l := range levels {
		points = append(points, pointAt(p, own, l))
	}
	return points, err
}

// ownFactors returns the factors for one paradigm. The factor paradigm has only the level p, and factors that are loads of
// other paradigms have only the level 0. Some paradigms use only some levels of a factor.
func ownFactors(p paradigm, factors []battery.Factor) ([]battery.Factor, error) {
	own := slices.Clone(factors)
	own[byParadigm] = battery.Factor{Name: "paradigm", Text: []string{p.name}}
	for f := byLoad; f < len(own); f++ {
		if !slices.Contains(p.loadBy, f) {
			own[f] = battery.Factor{Name: own[f].Name, Number: []float64{0}}
		}
	}
	switch p.name {
	case "tubes", "tunnel":
		return own, only(&own[byPositions], func(x float64) bool { return x > 1 },
			"of two wells a tube or a tunnel can lead to one only: give it a level above 1, or leave out the paradigms tubes and tunnel")
	case "rotation":
		return own, only(&own[byMoves], func(x float64) bool { return whole(x)%2 == 1 },
			"a rotation by an even number of half turns changes nothing: give it an odd level, or leave out the paradigm rotation")
	case "aperture", "size": // half of each, so that neither the wide nor the narrow are right more often
		if f := &own[byCongruent]; slices.Contains(f.Number, 0) && slices.Contains(f.Number, 1) {
			*f = battery.Factor{Name: f.Name, Number: []float64{0, 1}}
		}
	}
	return own, nil
}

// only removes the levels of f that are not useful; the error says why they are not if none is left.
func only(f *battery.Factor, useful func(float64) bool, why string) error {
	f.Number = slices.DeleteFunc(slices.Clone(f.Number), func(x float64) bool { return !useful(x) })
	if len(f.Number) == 0 {
		return fmt.Errorf("factor %s: %s", f.Name, why)
	}
	return nil
}

func pointAt(p paradigm, factors []battery.Factor, levels []int) point {
	number := func(f int) float64 { return factors[f].Number[levels[f]] }
	loads := [mostLoads]int{1}
	for i, f := range p.loadBy {
		loads[i] = whole(number(f))
	}
	out := point{
		paradigm: p, loads: loads, occluder: number(byOccluder) != 0, congruent: number(byCongruent) != 0,
		hidden: whole(number(byTime) * TicksPerTime), positions: whole(number(byPositions)), size: whole(number(bySize) * 100),
		distance: whole(number(byDistance) / UnitsPerCell), side: whole(number(bySide)),
		colour: slices.Index(goalColours[:], factors[byColour].Text[levels[byColour]]),
	}
	if out.positions == 0 { // the loads say how many wells there are
		for _, n := range out.loads {
			out.positions += n
		}
	}
	return out
}

// impossible reports whether there can be no item with these levels. A test needs covers that end elsewhere than they
// began, but two covers that change places an even number of times do not. The straight tubes of congruent items are
// always entered from above, with gravity, so that their load is not 0. A reward that is no wider than a cell fits everywhere.
func (p point) impossible() bool {
	return p.name == "transposition" && !p.congruent && p.positions == 1 && p.loads[0]%2 == 0 ||
		p.name == "tubes" && p.congruent && p.loads[0] == 0 ||
		(p.name == "aperture" || p.name == "size") && !p.congruent && p.size <= widest
}

// widest is the size of a reward that is as wide as a cell, in hundredths.
const widest = 100 * UnitsPerCell

func whole(x float64) int { return int(math.Round(x)) }

func is(claim bool) int {
	if claim {
		return 1
	}
	return 0
}

// String returns the levels of p as text.
func (p point) String() string {
	return fmt.Sprintf("paradigm %s, loads %v, occluder %t, congruent %t, timeUnderOcclusion %g, numPositions %d, goalSize %g, goalDistance %d, rightLeft %d",
		p.name, p.loads, p.occluder, p.congruent, float64(p.hidden)/TicksPerTime, p.positions, float64(p.size)/100, p.distance*UnitsPerCell, p.side)
}
