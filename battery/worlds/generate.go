package worlds

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strconv"

	"achilles/battery"
	"achilles/battery/measure"
	"achilles/battery/shortcut"
	"achilles/gridworld/policy"
	"achilles/sim/record"
	"achilles/sim/rng"
)

// maxTries is the largest number of candidates that are drawn for an item.
const maxTries = 2000

// A generator makes items. A generator is for one goroutine at a time.
type generator struct {
	draft   draft
	meter   measure.Meter
	way     measure.Way
	asks    asks
	bank    shortcut.Bank
	passes  []bool
	witness measure.Witness
	stands  []record.Went // by place: what it stands for
	columns []column
	text    []byte // of the world
}

func newGenerator(c *Coding, factors levels) *generator {
	d := draft{coding: c, rooms: map[layout]*rooms{}, paints: wallColours(), others: factors.of("numPositions").Number}
	d.wanted.within = func(p spot) bool { return max(p.X, -p.X) <= mostAside }
	if c.mirrors { // the actor sees 60 degrees to each side: tan 60° is 1.732
		d.wanted.within = func(p spot) bool { return 1000*max(p.X, -p.X) <= 1732*p.Y }
	}
	for _, x := range factors.of("goalDistance").Number {
		d.wanted.distances = append(d.wanted.distances, whole(x/UnitsPerCell))
	}
	for _, x := range factors.of("rightLeft").Number {
		d.wanted.sides = append(d.wanted.sides, whole(x))
		if c.mirrors {
			d.wanted.sides = append(d.wanted.sides, -whole(x))
		}
	}
	for _, x := range factors.of("goalSize").Number {
		d.sizes = append(d.sizes, whole(100*x))
	}
	return &generator{draft: d, bank: shortcut.Bank{Policies: c.shortcuts()}, columns: c.columns(c), asks: asks{abilities: c.abilities()}}
}

// A digest is the SHA-256 of a world's text.
type digest [sha256.Size]byte

// An attempt is an attempt at an item.
type attempt struct {
	battery.Item
	digest                // of the item's world
	tried  map[string]int // candidates that were rejected, by reason
	err    error
}

// item attempts item i of a battery, with the levels that are planned and a world whose digest is not in seen. It depends on nothing
// else but the root seed. The error has the levels and the most frequent reason why candidates were rejected.
func (g *generator) item(r battery.Request, i int, p planned, seen map[digest]bool) (a attempt) {
	d := &g.draft
	d.point = d.coding.pointAt(p.factors, p.level)
	earlier := 0
	d.Rand = g.stream(r, i, earlier)
	for range maxTries {
		why := g.try()
		if why == fits {
			g.text, _ = d.world.AppendText(g.text[:0])
			if a.digest = sha256.Sum256(g.text); !seen[a.digest] {
				a.Item = g.finish(i, a.digest)
				return a
			}
			if why = "the world of another item: ask for fewer items or more levels"; d.coding.restarts {
				earlier++
				d.Rand = g.stream(r, i, earlier)
			}
		}
		if a.tried == nil {
			a.tried = map[string]int{}
		}
		a.tried[why]++
	}
	worst := ""
	for why, n := range a.tried {
		if n > a.tried[worst] || n == a.tried[worst] && why < worst {
			worst = why
		}
	}
	a.err = fmt.Errorf("no new world in %d tries for %s; most often: %s", maxTries, p.described(p.level), worst)
	return a
}

// stream returns the random stream of item i. earlier is the number of its earlier worlds that other items have.
func (g *generator) stream(r battery.Request, i, earlier int) rng.Rand {
	c := g.draft.coding
	names := append(slices.Clip(c.stream), strconv.Itoa(i))
	if c.restarts {
		names = append(names, strconv.Itoa(earlier))
	}
	return r.Stream(names...)
}

// fits is no reason to reject a candidate.
const fits = ""

// try draws one candidate and measures it. It returns fits, or why it is rejected.
func (g *generator) try() string {
	d, m := &g.draft, &g.meter.Measurement
	if !d.drawn() {
		return "no room"
	}
	d.build()
	if !g.way.Walk(&d.world, d.at(d.end()), d.mirrored) {
		return "no way"
	}
	if !d.schedule(g.way.Leads(&d.world, d.cells)) {
		return "walk longer than the occlusion"
	}
	g.meter.Reward = d.order[0]
	g.meter.Measure(&d.world, d.cells, &g.way)
	positions := d.positions * is(d.occluder)
	switch {
	case !m.Finished:
		return "out of time"
	case m.Manhattan != d.distance || m.Side != d.side:
		return "wrong distance or side"
	case m.Occluder != d.occluder:
		return "wrong line of sight"
	case m.Positions != positions:
		return "wrong number of positions"
	case !d.occluder && m.Hidden != d.hidden:
		return "wrong time under occlusion"
	case !g.asks.find(d) || len(g.asks.abilities) > 0 && g.asks.steps != g.way.Steps:
		return "asks for other abilities"
	case d.agrees != nil:
		return d.agrees(d, m)
	}
	return fits
}

// finish returns the item of the present candidate.
func (g *generator) finish(i int, sum digest) battery.Item {
	d := &g.draft
	g.passes = g.bank.Passes(g.passes[:0], shortcut.Case{World: &d.world, Places: d.cells, Key: shortcut.Key(sum)})
	if g.stands = g.stands[:0]; len(g.asks.abilities) > 0 {
		g.stands = g.witness.Went(g.stands, &d.world, &g.asks.room)
	}
	task := d.kind()
	if d.task != nil {
		task = d.task(d, &g.meter.Measurement)
	}
	_, frozen := d.world.Windows()
	return battery.Item{
		Name: fmt.Sprintf("%s-%06d", d.coding.word, i+1), Suite: d.coding.suite, Paradigm: d.name, Task: task,
		Brief:  fmt.Sprintf("Touch the reward before tick %d. Until tick %d you can look, but not move.", d.limit(), frozen[0].To),
		Values: battery.ValuesOf(g.columns, g),
		Trials: []battery.Trial{{World: battery.PackWorld(&d.world), Places: slices.Clone(d.cells)}},
	}
}

// mistake returns the kind of place to which the mistake leads that the present candidate is about; "" if that is drawn.
func (g *generator) mistake() string {
	switch a := &g.asks; {
	case a.lacked < 0:
		return record.ToRight.String()
	case a.abilities[a.lacked].drawn:
		return ""
	case a.mistake == policy.NoPlace:
		return record.ToNone.String()
	default:
		return g.stands[a.mistake].String()
	}
}

// misleads says whether one of the wrong places in which the reward of the present candidate could lie stands for w.
func (g *generator) misleads(w record.Went) bool {
	return slices.ContainsFunc(g.asks.others, func(k int) bool { return g.stands[k] == w })
}
