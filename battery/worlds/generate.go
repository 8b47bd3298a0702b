package worlds

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strconv"

	"achilles/battery"
	"achilles/battery/measure"
	"achilles/battery/shortcut"
	"achilles/sim/rng"
)

// maxTries is the largest number of candidates that are drawn for an item.
const maxTries = 2000

// A generator makes items. A generator is for one goroutine at a time.
type generator struct {
	draft  draft
	meter  measure.Meter
	way    measure.Way
	asks   asks
	bank   shortcut.Bank
	passes []bool
	schema []column
}

func newGenerator(c Coding, factors levels) *generator {
	d := draft{rows: map[string]*rooms{}}
	d.wanted.within = func(p spot) bool { return max(p.X, -p.X) <= mostAside }
	for _, x := range factors.of("goalDistance").Number {
		d.wanted.distances = append(d.wanted.distances, whole(x/UnitsPerCell))
	}
	for _, x := range factors.of("rightLeft").Number {
		d.wanted.sides = append(d.wanted.sides, whole(x))
	}
	for _, x := range factors.of("goalSize").Number {
		d.sizes = append(d.sizes, whole(100*x))
	}
	return &generator{draft: d, bank: shortcut.Bank{Policies: c.shortcuts()}, schema: c.columns(), asks: asks{abilities: c.abilities()}}
}

// An attempt is an attempt at an item.
type attempt struct {
	battery.Item
	digest [sha256.Size]byte // of the item's world
	err    error
}

// item attempts item i of a battery, with the levels of p and a world whose digest is not in seen. It depends on nothing
// else but root. The error names the point.
func (g *generator) item(root uint64, i int, p point, seen map[[sha256.Size]byte]bool) attempt {
	d := &g.draft
	d.point = p
	d.Rand = rng.Stream(root, "battery", Suite, "item", strconv.Itoa(i))
	for range maxTries {
		if !g.fits() {
			continue
		}
		text, _ := d.world.MarshalText()
		if sum := sha256.Sum256(text); !seen[sum] {
			return attempt{Item: g.finish(i, sum), digest: sum}
		}
	}
	return attempt{err: fmt.Errorf("no new world in %d tries for %s", maxTries, p)}
}

// fits draws one candidate, and reports whether all measurements agree with its point.
func (g *generator) fits() bool {
	d := &g.draft
	if !d.draw() {
		return false
	}
	d.build(d.limit())
	if !g.way.Walk(&d.world, d.at(d.wells[d.right].spot), false) || !d.schedule(g.way.Leads(d.places)) {
		return false
	}
	g.meter.Reward = d.order[0]
	g.meter.Measure(&d.world, d.places, &g.way)
	return d.fits(&g.meter.Measurement) && g.asks.find(d) && g.asks.steps == g.way.Steps && (d.paradigm.agrees == nil || d.paradigm.agrees(d, g.way.Steps))
}

// fits reports whether a measurement agrees with the point.
func (p *point) fits(m *measure.Measurement) bool {
	positions := p.positions
	if !p.occluder {
		positions = 0
	}
	return m.Finished && m.Manhattan == p.distance && m.Side == p.side && m.Occluder == p.occluder && m.Positions == positions && (p.occluder || m.Hidden == p.hidden)
}

func (g *generator) finish(i int, sum [sha256.Size]byte) battery.Item {
	d := &g.draft
	places := slices.Clone(d.places)
	g.passes = g.bank.Passes(g.passes[:0], shortcut.Case{World: &d.world, Places: places, Key: shortcut.Key(sum)})
	_, frozen := d.world.Windows()
	it := battery.Item{
		Name: fmt.Sprintf("permanence-%06d", i+1), Suite: Suite, Paradigm: d.name, Task: d.task(),
		Brief:  fmt.Sprintf("Touch the reward before tick %d. Until tick %d you can look, but not move.", d.limit(), frozen[0].To),
		Trials: []battery.Trial{{World: battery.PackWorld(&d.world), Places: places}},
	}
	it.Values = battery.ValuesOf(g.schema, g)
	return it
}
