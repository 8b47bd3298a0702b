package worlds

import (
	"achilles/battery"
	"achilles/battery/opiaagets"
	"achilles/battery/shortcut"
	"achilles/sim/record"
)

type column = battery.Column[*generator]

// columns returns the columns of an item: those of the released coding, then further ones, and then one per shortcut. All are measured on
// the built world.
func columns() []column {
	return append(append(released(), further()...), shortcuts()...)
}

// released returns columns for the features of the released coding, with the same names, units and ranges, but measured on
// the built world.
func released() []column {
	var out []column
	numbers, texts := measuredNumbers(), measuredTexts()
	for _, f := range opiaagets.Schema() {
		if n, ok := numbers[f.Name]; ok {
			out = append(out, battery.Number(f.Name, f.Role, f.Unit, f.Range[0], f.Range[1], n.doc, n.of))
		} else if t, ok := texts[f.Name]; ok {
			out = append(out, battery.Text(f.Name, f.Role, t.doc, t.of))
		} // else it is the feature of a shortcut: the function shortcuts makes its column
	}
	return out
}

type number struct {
	doc string
	of  func(*generator) float64
}

type text struct {
	doc string
	of  func(*generator) string
}

func channel(i int) number {
	return number{"8-bit channel of the colour of what stands at the places", func(g *generator) float64 {
		r, gr, b, _ := g.sketch.paint.RGB()
		return float64([3]uint8{r, gr, b}[i])
	}}
}

func measuredNumbers() map[string]number {
	return map[string]number{
		"timeUnderOcclusion": {"ticks for which the reward cannot be seen on the way, in units of 50", func(g *generator) float64 { return float64(g.meter.Hidden) / TicksPerTime }},
		"numPositions":       {"places out of sight from the start besides the right one; 0 if that is in sight", func(g *generator) float64 { return float64(g.meter.Positions) }},
		"goalSize":           {"diameter of the reward", func(g *generator) float64 { return float64(g.sketch.world.Thing(0).Size) / 100 }},
		"goalDistance":       {"distance to where the reward ends, without diagonals", func(g *generator) float64 { return float64(g.meter.Manhattan * UnitsPerCell) }},
		"rightLeft":          {"side on which the reward ends, seen along the start heading: -1 left, 0 ahead or behind, 1 right", func(g *generator) float64 { return float64(g.meter.Side) }},
		"lava":               {"there is lava, which ends the episode", func(g *generator) float64 { return float64(is(g.meter.Lava)) }},
		"ramp":               {"there is no way to the reward without a ramp", func(g *generator) float64 { return float64(is(g.meter.Ramp)) }},
		"platform":           {"there is raised ground that one can step off and not back onto", func(g *generator) float64 { return float64(is(g.meter.Platform)) }},
		"occluder":           {"the reward is out of sight from the start when the actor may act", func(g *generator) float64 { return float64(is(g.meter.Occluder)) }},
		"transparent":        {"there is a wall that blocks the way but not sight", func(g *generator) float64 { return float64(is(g.meter.Transparent)) }},
		"lightsOut":          {"the lights go out for some time", func(g *generator) float64 { return float64(is(g.meter.Dark)) }},
		"bounce":             {"the reward is seen to move to another cell", func(g *generator) float64 { return float64(is(g.meter.Bounce)) }},
		"forcedChoice":       {"there are other places, and from none of them a way to the reward", func(g *generator) float64 { return float64(is(g.meter.Forced)) }},
		"requiresOP":         {"the item tests object permanence; otherwise it is a control", func(g *generator) float64 { return float64(is(g.meter.Occluder)) }},
		"goalVisible":        {"the reward is in sight when the actor may act", func(g *generator) float64 { return float64(is(!g.meter.Occluder)) }},
		"occluderRed":        channel(0),
		"occluderGreen":      channel(1),
		"occluderBlue":       channel(2),
	}
}

func measuredTexts() map[string]text {
	return map[string]text{
		"family": {"kind of task: cup, grid, cv (chick) or basic", func(g *generator) string { return families[g.sketch.family] }},
		"subsuite": {"part of the suite that such items belong to", func(g *generator) string {
			return [...]string{"RoomPractice", "AllocentricOP"}[is(g.sketch.occluder)]
		}},
		"ability": {"what the paper files such items under", func(g *generator) string {
			return [...]string{"3CupLikeTasks", "GridLikeTasks", "CVChickLikeTasks", "Navigation"}[g.sketch.family]
		}},
		"row":            {"row of the grid's hole: Close, Mid or Far; none elsewhere", func(g *generator) string { return g.sketch.hole(station.rowWord) }},
		"column":         {"column of the grid's hole: Inner or Outer; none elsewhere", func(g *generator) string { return g.sketch.hole(station.columnWord) }},
		"occluderColour": {"colour of what stands at the places", func(g *generator) string { return g.walls[g.sketch.wall] }},
	}
}

// further returns the columns of features that the released coding lacks, because only a built world has them.
func further() []column {
	return []column{
		battery.Number("pathLength", record.Demand, "arena units", 0, 120, "length of the cheapest legal way to the reward", func(g *generator) float64 { return float64(g.meter.Steps * UnitsPerCell) }),
		battery.Number("turns", record.Demand, "quarter turns", 0, 20, "turns on the cheapest way", func(g *generator) float64 { return float64(g.meter.Turns) }),
		battery.Number("delay", record.Condition, "ticks", 0, 200, "how long the actor is held once the reward has come to rest", func(g *generator) float64 { return float64(g.meter.Delay) }),
		battery.Number("places", record.Condition, "places", 1, 12, "places where a reward could be, the right one included", func(g *generator) float64 { return float64(g.meter.Places) }),
		battery.Number("displaced", record.Condition, "0 or 1", 0, 1, "the reward ends elsewhere than it was last seen before the actor may act", func(g *generator) float64 { return float64(is(g.meter.Displaced)) }),
		battery.Number("timeLimit", record.Condition, "ticks", 0, 500, "when the episode ends", func(g *generator) float64 { return float64(g.sketch.world.Rules().Limit) }),
		battery.Text("goalColour", record.Nuisance, "colour of the reward", func(g *generator) string { return goalColours[g.sketch.goal] }),
	}
}

// shortcuts returns one column per shortcut policy.
func shortcuts() []column {
	var out []column
	for i, p := range shortcut.Policies() {
		out = append(out, battery.Number(p.Name+"Passes", record.Shortcut, "0 or 1", 0, 1, "a policy that "+p.Doc+" passes", func(g *generator) float64 { return float64(is(g.passes[i])) }))
	}
	return out
}

// hole returns the word for the hole in which the reward ends, or "none" outside the grid.
func (s *sketch) hole(word func(station) string) string {
	for _, st := range s.stations {
		if s.family == grid && st.x == s.dx && st.y == s.dy {
			return word(st)
		}
	}
	return "none"
}

func (st station) rowWord() string { return [...]string{"Close", "Mid", "Far"}[st.row] }

func (st station) columnWord() string {
	if st.outer {
		return "Outer"
	}
	return "Inner"
}
