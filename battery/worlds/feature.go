package worlds

import (
	"achilles/battery"
	"achilles/battery/measure"
	"achilles/sim/record"
)

// Schema returns the features of an item.
func (c *Coding) Schema() []record.Feature { return battery.SchemaOf(c.columns(c)) }

type column = battery.Column[*generator]

// ofWells returns the columns of wells. longest is the longest delay, in ticks.
func (c *Coding) ofWells(longest float64) []column {
	demand, condition := record.Demand, record.Condition
	out := []column{
		measured("timeUnderOcclusion", demand, "time", 4, "ticks for which the reward cannot be seen on the way, in units of 50", func(m *measure.Measurement) float64 { return float64(m.Hidden) / TicksPerTime }),
		measured("numPositions", demand, "positions", 7, "wells out of sight from the start besides the right one; 0 if that is in sight", func(m *measure.Measurement) float64 { return float64(m.Positions) }),
	}
	for i, a := range c.abilities() {
		out = append(out, battery.Number(a.name, demand, a.unit, 0, a.most, a.doc, func(g *generator) float64 { return float64(g.asks.loads[i]) }))
	}
	out = append(out,
		battery.Number("goalSize", demand, "size", 0.5, 5, "diameter of the reward", func(g *generator) float64 { return float64(g.draft.size) / 100 }),
		battery.Number("goalDistance", demand, "arena units", 16, 40, "distance to where the reward ends, without diagonals", func(g *generator) float64 { return float64(g.meter.Manhattan * UnitsPerCell) }),
		measured("pathLength", demand, "arena units", 120, "length of the cheapest legal way to the reward", func(m *measure.Measurement) float64 { return float64(m.Steps * UnitsPerCell) }),
		measured("turns", demand, "quarter turns", 20, "turns on the cheapest way", func(m *measure.Measurement) float64 { return float64(m.Turns) }),
		battery.Number("rightLeft", demand, "side", -1, 1, "side on which the reward ends, seen along the start heading: -1 left, 0 ahead, 1 right", func(g *generator) float64 { return float64(g.meter.Side) }),
		claim("occluder", "the reward is out of sight from the start when the actor may act", func(m *measure.Measurement) bool { return m.Occluder }),
		claim(battery.HiddenFeature, "the item tests object permanence; otherwise it is a control", func(m *measure.Measurement) bool { return m.Occluder }),
		battery.Number("congruent", condition, "0 or 1", 0, 1, "the mistake that the paradigm is about leads to the right place", func(g *generator) float64 { return float64(is(g.draft.congruent)) }),
		battery.Text("mistake", condition, "where that mistake leads, a word of `choice`; missing where to any of several", (*generator).mistake),
		battery.Number("lastSeenWrong", condition, "0 or 1", 0, 1, "the reward could lie where it was last seen, and does not", func(g *generator) float64 { return float64(is(g.misleads(record.ToLastSeen))) }),
		battery.Number("nearestWrong", condition, "0 or 1", 0, 1, "the same of the nearest place, if that is another", func(g *generator) float64 { return float64(is(g.misleads(record.ToNearest))) }),
		claim("displaced", "the reward ends elsewhere than it was last seen before the actor may act", func(m *measure.Measurement) bool { return m.Displaced }),
		claim("lightsOut", "the lights go out for some time", func(m *measure.Measurement) bool { return m.Dark }),
		measured("delay", condition, "ticks", longest, "how long the actor is held once the reward has come to rest", func(m *measure.Measurement) float64 { return float64(m.Delay) }),
		measured("places", condition, "places", 12, "wells, the right one included", func(m *measure.Measurement) float64 { return float64(m.Places) }),
		battery.Number("timeLimit", condition, "ticks", 0, 1000, "when the episode ends", func(g *generator) float64 { return float64(g.draft.limit()) }),
		battery.Text("family", condition, "the paradigm", func(g *generator) string { return g.draft.family() }),
		battery.Text("goalColour", record.Nuisance, "colour of the reward", func(g *generator) string { return goalColours[g.draft.colour] }),
	)
	return append(out, c.ofShortcuts()...)
}

// ofShortcuts returns one column per shortcut.
func (c *Coding) ofShortcuts() (out []column) {
	for i, p := range c.shortcuts() {
		out = append(out, battery.Number(p.Name+"Passes", record.Shortcut, "0 or 1", 0, 1, "a policy that "+p.Doc+" passes", func(g *generator) float64 { return float64(is(g.passes[i])) }))
	}
	return out
}

// measured returns a column whose values, from 0 to high, are computed from the measurement of the world.
func measured(name string, role record.Role, unit string, high float64, doc string, of func(*measure.Measurement) float64) column {
	return battery.Number(name, role, unit, 0, high, doc, func(g *generator) float64 { return of(&g.meter.Measurement) })
}

func claim(name, doc string, of func(*measure.Measurement) bool) column {
	return measured(name, record.Condition, "0 or 1", 1, doc, func(m *measure.Measurement) float64 { return float64(is(of(m))) })
}
