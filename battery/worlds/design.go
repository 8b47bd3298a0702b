package worlds

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"achilles/battery"
	"achilles/battery/opiaagets"
)

// Design returns a battery. With r.Items > 0 the battery has that many items, with wells divided as equally as possible among the
// paradigms. It is balanced, with wells in each paradigm: it uses the levels of a factor equally often, to within one, and
// correlations between factors are as small as the constraints between them allow. With r.Items 0 every possible combination of
// levels occurs once.
func (c *Coding) Design(ctx context.Context, r battery.Request) (battery.Battery, error) {
	factors, err := c.withLevels(r.Levels)
	if err != nil {
		return battery.Battery{}, err
	}
	all, err := c.plan(ctx, factors, r)
	b := battery.Battery{Suite: c.suite, Schema: c.Schema(), Measure: opiaagets.Measures()}
	if err == nil {
		b.Items, err = c.items(ctx, r, factors, all)
	}
	return b, err
}

// withLevels returns the factors of c, with their levels replaced by those in l.
func (c *Coding) withLevels(l []battery.Factor) (levels, error) {
	return battery.WithLevels(c.Factors(), l, func(f int, x float64) error { return c.factors[f].grain.Check(x) })
}

// items returns one item per point. They are made without regard to the others; an item whose world an earlier one has is
// made once more, without such worlds.
func (c *Coding) items(ctx context.Context, r battery.Request, factors levels, all []planned) (items battery.Items, err error) {
	fresh := func() *generator { return newGenerator(c, factors) }
	again := fresh()
	seen := map[digest]bool{}
	err = battery.InOrder(ctx, r.Jobs, battery.Ahead, len(all), fresh,
		func(g *generator, i int) attempt { return g.item(r, i, all[i], nil) },
		func(i int, a attempt) error {
			if seen[a.digest] {
				a = again.item(r, i, all[i], seen)
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

// A block is a part of a design that is balanced, or crossed, by itself.
type block struct {
	factors levels
	items   int          // 0: one per combination of levels
	rule    battery.Rule // which combinations are impossible
	stream  []string     // of random numbers
	why     string       // why levels have no arrangement
}

// A planned item is to have some levels, by index, of the factors of a block.
type planned struct {
	*block
	level []int
}

// plan returns what items a design has.
func (c *Coding) plan(ctx context.Context, factors levels, r battery.Request) (all []planned, err error) {
	blocks, err := c.blocks(c, factors, r.Items)
	if err != nil {
		return nil, err
	}
	for _, b := range blocks {
		var points [][]int
		if r.Items == 0 {
			if points, err = battery.Cross(b.factors); err != nil {
				return nil, err
			}
			points = slices.DeleteFunc(points, func(level []int) bool { return b.rule.Faults(level) > 0 })
		} else {
			ok := false
			if points, ok = battery.BalanceWithin(ctx, r.Stream(b.stream...), b.factors, b.items, b.rule); !ok && ctx.Err() != nil {
				return nil, ctx.Err()
			} else if !ok {
				return nil, fmt.Errorf("%s", b.why)
			}
		}
		for _, level := range points {
			all = append(all, planned{&b, level})
		}
	}
	return all, nil
}

// byParadigm returns a block per paradigm.
func (c *Coding) byParadigm(factors levels, items int) (blocks []block, err error) {
	names := factors[0].Text
	for i, name := range names {
		share := (items + len(names) - 1 - i) / len(names)
		if items > 0 && share == 0 {
			continue
		}
		p := c.paradigm(name)
		own, err := c.own(p, factors)
		if err != nil {
			return nil, err
		}
		blocks = append(blocks, block{
			factors: own, items: share, stream: []string{"battery", c.suite, name, strconv.Itoa(i)},
			why: fmt.Sprintf("paradigm %s: there are not enough items of every level, since %s: give the factors more levels", name, p.why),
			rule: battery.Rule{
				Faults: func(level []int) int {
					if p.never == nil {
						return 0
					}
					at := c.pointAt(own, level)
					return is(p.never(&at))
				},
				Alike: func(f, level int) int { // never looks at these factors only
					if n := own[f].Name; n == "congruent" || n == "numPositions" || n == "goalSize" || p.load(n) >= 0 {
						return level
					}
					return 0
				},
			}})
	}
	return blocks, nil
}

// own returns the factors for the items of p. The factor paradigm has only the level p, and factors that say how much of other
// abilities items ask for have only the level 0. Some paradigms use only some levels of a factor.
func (c *Coding) own(p *paradigm, factors levels) (levels, error) {
	own := slices.Clone(factors)
	own[0] = battery.Factor{Name: own[0].Name, Text: []string{p.family()}}
	for _, a := range c.abilities() {
		if name := a.factor.Name; name != "" && p.load(name) < 0 {
			*own.of(name) = battery.Factor{Name: name, Number: []float64{0}}
		}
	}
	if p.narrow == nil {
		return own, nil
	}
	return own, p.narrow(own)
}
