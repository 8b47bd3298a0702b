package worlds

import (
	"cmp"
	"fmt"
	"slices"

	"achilles/battery"
	"achilles/battery/measure"
	"achilles/battery/opiaagets"
	"achilles/sim/record"
)

// MinDistance is the least goalDistance of O-PIAAGETS, in arena units: it leaves room for every obstacle.
const MinDistance = 16

// families returns the coding of the families of O-PIAAGETS.
func families(list ...paradigm) *Coding {
	names, _ := opiaagets.Colours()
	c := &Coding{
		suite: opiaagets.Suite, word: "worlds", stream: []string{"battery", opiaagets.Suite, "worlds"}, restarts: true, mirrors: true, paradigms: list, aside: 4, spare: 10,
		// Without an occluder numPositions is 0: these two are always correlated.
		demands: []string{"timeUnderOcclusion", "goalDistance", "goalSize", "rightLeft", "lava", "ramp", "platform", "transparent", "family", "numPositions"},
		columns: (*Coding).ofFamilies, blocks: (*Coding).byFamily,
	}
	c.factors = []factor{
		texts("family", c.names()...),
		flag("occluder", "", 0, 1),
		numbers("timeUnderOcclusion", "", battery.Grain{0, longestTime, 1.0 / TicksPerTime}, 0, 1, 2, 3, 4),
		numbers("numPositions", "", battery.Grain{0, 11, 1}, 0, 0, 0, 0, 0, 1, 2, 3, 5, 7, 11),
		numbers("goalSize", "", battery.Grain{0.5, 5, 0.01}, 0.5, 1, 1.5, 2, 2.5, 3, 4, 5),
		numbers("goalDistance", "", battery.Grain{MinDistance, 56, UnitsPerCell}, 16, 18, 20, 22, 24, 26, 28, 30, 32, 34, 36, 38, 40, 42, 44, 46, 48, 50, 52, 54, 56),
		numbers("rightLeft", "", battery.Grain{-1, 1, 1}, -1, -1, 0, 1, 1),
		flag("lava", "", 0, 1), flag("ramp", "", 0, 1), flag("platform", "", 0, 1), flag("transparent", "", 0, 1), flag("bounce", "", 0, 1), flag("displaced", "", 1),
		texts("occluderColour", append(names, "Random")...), // a colour drawn for each item
		texts("goalColour", goalColours[:]...),
	}
	return c
}

// LikeSuite returns levels with those of the factors added that make a design more like the suite: what is hidden moves on unseen in few items, so
// that going to where the reward was last seen passes nine of ten. Factors that levels has keep theirs.
func LikeSuite(levels []battery.Factor) []battery.Factor {
	for _, f := range []battery.Factor{{Name: "numPositions", Number: []float64{0, 0, 1, 2, 3, 5, 7, 11}}, {Name: "displaced", Number: []float64{0, 1}}} {
		if !slices.ContainsFunc(levels, func(l battery.Factor) bool { return l.Name == f.Name }) {
			levels = append(slices.Clone(levels), f)
		}
	}
	return levels
}

// byFamily returns one block with all families. In an item with an occluder the reward is hidden for some time. In the block's factors,
// numPositions has one level per item: first those of the design, equally often, for the items with an occluder, and then 0 for the
// other items.
func (c *Coding) byFamily(factors levels, items int) ([]block, error) {
	b := block{factors: slices.Clone(factors), items: items, stream: c.stream, why: "there is no arrangement of the levels"}
	at := func(name string) int {
		return slices.IndexFunc(factors, func(f battery.Factor) bool { return f.Name == name })
	}
	occluder, time, positions := at("occluder"), at("timeUnderOcclusion"), at("numPositions")
	if items == 0 {
		b.rule.Faults = func(l []int) int {
			if factors[occluder].Number[l[occluder]] == 0 {
				return l[positions] // without an occluder numPositions is always 0: one of its levels is enough
			}
			return is(factors[time].Number[l[time]] == 0)
		}
		return []block{b}, nil
	}
	hiding := uses(factors[occluder], items, func(x float64) bool { return x != 0 })
	if idle := uses(factors[time], items, func(x float64) bool { return x == 0 }); idle > items-hiding {
		return nil, fmt.Errorf("timeUnderOcclusion would be 0 in %d of %d items, but only %d have no occluder, and an occluder hides the reward for some time: leave 0 out of its levels", idle, items, items-hiding)
	}
	nested := make([]float64, items)
	for i := range hiding {
		nested[i] = factors[positions].Number[i%factors[positions].Levels()]
	}
	b.factors[positions] = battery.Factor{Name: "numPositions", Number: nested}
	b.rule.Alike = func(f, level int) int {
		switch f {
		case positions:
			return is(level < hiding)
		case occluder, time:
			return is(b.factors[f].Number[level] != 0)
		}
		return 0
	}
	b.rule.Faults = func(l []int) int {
		hides := b.rule.Alike(occluder, l[occluder])
		return is(hides != b.rule.Alike(positions, l[positions])) + is(hides > b.rule.Alike(time, l[time]))
	}
	return []block{b}, nil
}

// uses returns the number of items of a balanced design whose level of factor f satisfies wanted.
func uses(f battery.Factor, items int, wanted func(float64) bool) int {
	n := 0
	for slot := range items {
		n += is(wanted(f.Number[slot%f.Levels()]))
	}
	return n
}

// ofFamilies returns the columns of the released coding, with the same names, units and ranges, but measured on the built world, then further
// ones, which the released coding lacks because only a built world has them, and then one per shortcut.
func (c *Coding) ofFamilies() (out []column) {
	known := append(c.ofWells(200), c.ofCourses()...)
	docs := map[string]string{
		"numPositions": "places out of sight from the start besides the right one; 0 if that is in sight",
		"rightLeft":    "side on which the reward ends, seen along the start heading: -1 left, 0 ahead or behind, 1 right",
		"family":       "kind of task: cup, grid, cv (chick) or basic",
		"places":       "places where a reward could be, the right one included",
	}
	add := func(name string) *record.Feature {
		k := slices.IndexFunc(known, func(x column) bool { return x.Name == name })
		if k < 0 || known[k].Role == record.Shortcut {
			return nil
		}
		out = append(out, known[k])
		f := &out[len(out)-1].Feature
		f.Doc = cmp.Or(docs[name], f.Doc)
		return f
	}
	for _, f := range opiaagets.Schema() {
		if own := add(f.Name); own != nil {
			own.Role, own.Unit, own.Range = f.Role, f.Unit, f.Range
		}
	}
	for _, name := range []string{"pathLength", "turns", "delay", "places", "displaced", "timeLimit", "goalColour"} {
		if f := add(name); name == "places" {
			f.Range = &[2]float64{1, 12}
		}
	}
	return append(out, c.ofShortcuts()...)
}

// ofCourses returns columns of what only courses have.
func (c *Coding) ofCourses() []column {
	channel := func(name string, i int) column {
		return battery.Number(name, record.Nuisance, "", 0, 255, "8-bit channel of the colour of what stands at the places", func(g *generator) float64 {
			red, green, blue, _ := g.draft.paint.RGB()
			return float64([3]uint8{red, green, blue}[i])
		})
	}
	label := func(name, doc string, of func(*draft) string) column {
		return battery.Text(name, record.Condition, doc, func(g *generator) string { return of(&g.draft) })
	}
	hole := func(word func(i int) string) func(*draft) string {
		return func(d *draft) string {
			if d.name != "grid" {
				return "none"
			}
			return word(d.right)
		}
	}
	return []column{
		claim("lava", "there is lava, which ends the episode", func(m *measure.Measurement) bool { return m.Lava }),
		claim("ramp", "there is no way to the reward without a ramp", func(m *measure.Measurement) bool { return m.Ramp }),
		claim("platform", "there is raised ground that one can step off and not back onto", func(m *measure.Measurement) bool { return m.Platform }),
		claim("transparent", "there is a wall that blocks the way but not sight", func(m *measure.Measurement) bool { return m.Transparent }),
		claim("bounce", "the reward is seen to move to another cell", func(m *measure.Measurement) bool { return m.Bounce }),
		claim("forcedChoice", "there are other places, and from none of them a way to the reward", func(m *measure.Measurement) bool { return m.Forced }),
		claim("goalVisible", "the reward is in sight when the actor may act", func(m *measure.Measurement) bool { return !m.Occluder }),
		channel("occluderRed", 0), channel("occluderGreen", 1), channel("occluderBlue", 2),
		label("subsuite", "part of the suite that such items belong to", func(d *draft) string { return [...]string{"RoomPractice", "AllocentricOP"}[is(d.occluder)] }),
		label("ability", "what the paper files such items under", func(d *draft) string { return d.files }),
		label("row", "row of the grid's hole: Close, Mid or Far; none elsewhere", hole(func(i int) string { return [...]string{"Close", "Mid", "Far"}[i/gridColumns] })),
		label("column", "column of the grid's hole: Inner or Outer; none elsewhere", hole(func(i int) string { return [...]string{"Outer", "Inner", "Inner", "Outer"}[i%gridColumns] })),
		label("occluderColour", "colour of what stands at the places", func(d *draft) string { return c.factor("occluderColour").Text[d.wall] }),
	}
}
