package worlds

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"

	"achilles/battery"
	"achilles/battery/measure"
	"achilles/battery/opiaagets"
	"achilles/battery/shortcut"
	"achilles/gridworld"
	"achilles/sim/record"
)

// OwnSuite names the suite of worlds that somebody else made.
const OwnSuite = "own"

// An ownWorld is a world that somebody else made, measured.
type ownWorld struct {
	world  *gridworld.World
	reward int
	places []gridworld.Pos // where it says that a reward could lie
	way    measure.Way
	meter  measure.Meter
	bank   shortcut.Bank
	passes []bool
}

// Own returns a battery of the worlds whose texts are the levels of the factor world, in their order, with the names that are the levels of
// the factor name, if it is given. A world needs an actor, a time limit and a final reward. The cells in which a reward could lie
// are those of a comment above the world, // places X,Y X,Y (gridworld.Places); where no world has one, whatever depends on them is not measured.
func Own(ctx context.Context, r battery.Request) (battery.Battery, error) {
	var texts, names []string
	for _, f := range r.Levels {
		switch {
		case f.Name == "world" && f.Text != nil:
			texts = f.Text
		case f.Name == "name" && f.Text != nil:
			names = f.Text
		default:
			return battery.Battery{}, fmt.Errorf("factor %s: own worlds have the factors world, a list of worlds as text, and name, a list of as many names", f.Name)
		}
	}
	if texts == nil {
		return battery.Battery{}, errors.New("own worlds are named by levels: world = ['''world 1 …''']")
	}
	if names != nil && len(names) != len(texts) {
		return battery.Battery{}, fmt.Errorf("%d worlds and %d names: want one name per world", len(texts), len(names))
	}
	x := &ownWorld{}
	places := slices.ContainsFunc(texts, func(text string) bool { list, err := gridworld.Places(text); return err == nil && list != nil })
	columns := x.columns(places)
	b := battery.Battery{Suite: OwnSuite, Schema: battery.SchemaOf(columns), Measure: opiaagets.Measures()}
	seen := map[string]bool{}
	for i, text := range texts {
		if err := ctx.Err(); err != nil {
			return battery.Battery{}, err
		}
		name := fmt.Sprintf("world-%03d", i+1)
		if names != nil {
			name = names[i]
		}
		if seen[name] {
			return battery.Battery{}, fmt.Errorf("world %d: another world is called %s", i+1, name)
		}
		seen[name] = true
		if err := x.read(text); err != nil {
			return battery.Battery{}, fmt.Errorf("world %d, %s: %w", i+1, name, err)
		}
		b.Items.Append(&battery.Item{
			Name: name, Suite: OwnSuite, Paradigm: "world", Task: "world",
			Brief:  fmt.Sprintf("Touch the reward before tick %d.", x.world.Rules().Limit),
			Values: battery.ValuesOf(columns, x),
			Trials: []battery.Trial{{World: battery.PackWorld(x.world), Places: slices.Clone(x.places)}},
		})
	}
	return b, nil
}

// read reads and measures a world.
func (x *ownWorld) read(text string) (err error) {
	if x.world, err = gridworld.Parse(text); err != nil {
		return err
	}
	w := x.world
	x.reward = -1
	for i := range w.Len() {
		if t := w.Thing(i); x.reward < 0 && t.Final && t.Kind != gridworld.Key {
			x.reward = i
		}
	}
	switch {
	case w.Tick() != 0 || w.Outcome() != gridworld.Running:
		return errors.New("want a world at tick 0")
	case !w.Inside(w.Actor().Pos):
		return errors.New("want an actor: A in the map, or the line actor X,Y north")
	case w.Rules().Move != gridworld.Turning:
		return errors.New("want the line move turning: subjects take steps and turns")
	case w.Rules().Limit == 0:
		return errors.New("want a time limit: the line limit 250")
	case x.reward < 0:
		return errors.New("want a final reward: g in the map; without one nobody passes")
	}
	end := w.Thing(x.reward)
	for _, c := range w.Cues() { // where it lies when the schedule is over
		if c.Thing == x.reward {
			end.Pos = c.Pos
		}
	}
	if !x.way.Walk(w, end.Pos, false) {
		x.way.Actions, x.way.Steps, x.way.Turns, x.way.Cells = nil, 0, 0, nil
	}
	x.meter.Reward = x.reward
	if err := x.readPlaces(text, end.Pos); err != nil {
		return err
	}
	x.meter.Measure(w, x.places, &x.way)
	return nil
}

// readPlaces reads where a reward could lie, and finds which shortcuts pass. The reward ends at a cell.
func (x *ownWorld) readPlaces(text string, end gridworld.Pos) (err error) {
	x.passes = x.passes[:0]
	if x.places, err = gridworld.Places(text); err != nil || x.places == nil {
		return err
	}
	for _, p := range x.places {
		if !x.world.Inside(p) {
			return fmt.Errorf("place %s lies outside the world", p)
		}
	}
	if !slices.Contains(x.places, end) {
		return fmt.Errorf("the reward ends at %s, which is not among the places: name it, too", end)
	}
	x.passes = x.bank.Passes(x.passes, shortcut.Case{World: x.world, Places: x.places, Key: shortcut.Key(sha256.Sum256([]byte(x.world.String())))})
	return nil
}

// columns returns the features of an own world. places: some worlds have places.
func (x *ownWorld) columns(places bool) []battery.Column[*ownWorld] {
	type column = battery.Column[*ownWorld]
	measured := func(name string, role record.Role, unit string, high float64, doc string, of func(m *measure.Measurement) float64) column {
		return battery.Number(name, role, unit, 0, high, doc, func(x *ownWorld) float64 { return min(high, of(&x.meter.Measurement)) })
	}
	claim := func(name, doc string, of func(m *measure.Measurement) bool) column {
		return measured(name, record.Condition, "0 or 1", 1, doc, func(m *measure.Measurement) float64 { return float64(is(of(m))) })
	}
	out := []column{
		measured("goalDistance", record.Demand, "cells", 126, "distance to where the reward ends, without diagonals", func(m *measure.Measurement) float64 { return float64(m.Manhattan) }),
		battery.Number("goalSize", record.Demand, "size", 0.01, 100, "diameter of the reward", func(x *ownWorld) float64 { return float64(x.world.Thing(x.reward).Size) / 100 }),
		measured("timeUnderOcclusion", record.Demand, "time", 1000, "ticks for which the reward cannot be seen on the way, in units of 50", func(m *measure.Measurement) float64 { return float64(m.Hidden) / TicksPerTime }),
		measured("pathLength", record.Demand, "cells", 4096, "length of the cheapest legal way to the reward; 0 where there is none", func(m *measure.Measurement) float64 { return float64(m.Steps) }),
		measured("turns", record.Demand, "quarter turns", 8192, "turns on the cheapest way", func(m *measure.Measurement) float64 { return float64(m.Turns) }),
		battery.Number("rightLeft", record.Demand, "side", -1, 1, "side on which the reward ends, seen along the start heading: -1 left, 0 ahead or behind, 1 right", func(x *ownWorld) float64 { return float64(x.meter.Side) }),
		claim("solvable", "an actor that knows everything and waits until it may act reaches the reward in time", func(m *measure.Measurement) bool { return m.Finished }),
		claim("occluder", "the reward's end is out of sight from the start", func(m *measure.Measurement) bool { return m.Occluder }),
		claim("displaced", "the reward ends elsewhere than it was last seen before the actor may act", func(m *measure.Measurement) bool { return m.Displaced }),
		claim("lightsOut", "the lights go out for some time", func(m *measure.Measurement) bool { return m.Dark }),
		claim("lava", "there is lava", func(m *measure.Measurement) bool { return m.Lava }),
		claim("ramp", "no way avoids all ramps", func(m *measure.Measurement) bool { return m.Ramp }),
		claim("platform", "there is a ledge", func(m *measure.Measurement) bool { return m.Platform }),
		claim("transparent", "there is a clear wall", func(m *measure.Measurement) bool { return m.Transparent }),
		measured("delay", record.Condition, "ticks", 1<<20, "how long the actor is held once the reward has come to rest", func(m *measure.Measurement) float64 { return float64(m.Delay) }),
		battery.Number("timeLimit", record.Condition, "ticks", 1, 1<<30, "when the episode ends", func(x *ownWorld) float64 { return float64(x.world.Rules().Limit) }),
	}
	if !places {
		return out
	}
	out = append(out,
		measured("numPositions", record.Demand, "places", 255, "places out of sight from the start besides the right one; 0 if that is in sight", func(m *measure.Measurement) float64 { return float64(m.Positions) }),
		measured("places", record.Condition, "places", 256, "where a reward could lie, the right place included", func(m *measure.Measurement) float64 { return float64(m.Places) }),
		claim(battery.HiddenFeature, "the reward's end is out of sight from the start, as are other places", func(m *measure.Measurement) bool { return m.Positions > 0 }),
	)
	for i, p := range shortcut.Policies() {
		out = append(out, battery.Number(p.Name+"Passes", record.Shortcut, "0 or 1", 0, 1, "a policy that "+p.Doc+" passes", func(x *ownWorld) float64 {
			return float64(is(i < len(x.passes) && x.passes[i]))
		}))
	}
	return out
}
