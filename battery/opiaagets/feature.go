package opiaagets

import (
	"slices"

	"achilles/battery"
	"achilles/sim/record"
)

// meta has the features of one instance in one coding.
type meta struct {
	family, subsuite, ability string
	row, column               string // hole of the grid paradigm; empty elsewhere
	occluderColour            colour

	time, positions, size, distance, side                     float64
	lava, ramp, platform, occluder                            float64
	transparent, lightsOut, bounce, forced, requires, visible float64
	lastSeen                                                  float64

	// The following are known in the corrected coding only.
	geometry
	places, rampAny, frozen, blackoutFrom, blackoutTo, steps, mark float64
	rewardColour                                                   string // empty: unknown
}

type column = battery.Column[*meta]

// released returns the columns of the paper's table, and corrected those and the ones that only the YAML files have.
func released() []column  { return slices.Concat(demands(), conditions(), labels()) }
func corrected() []column { return append(released(), geometries()...) }

func number(name string, role record.Role, unit string, low, high float64, doc string, of func(*meta) float64) column {
	return battery.Number(name, role, unit, low, high, doc, of)
}

// flag returns a column that is 1 if the sentence doc is true of the instance, and 0 otherwise.
func flag(name string, role record.Role, doc string, of func(*meta) float64) column {
	return number(name, role, "0 or 1", 0, 1, doc, of)
}

func label(name, doc string, of func(*meta) string) column {
	return battery.Text(name, record.Condition, doc, of)
}

func demands() []column {
	return []column{
		number("timeUnderOcclusion", record.Demand, "ordinal", 0, 4, "how long the reward stays hidden; 0 in controls", func(m *meta) float64 { return m.time }),
		number("numPositions", record.Demand, "places", 0, 11, "other places where the hidden reward could be; 0 in controls", func(m *meta) float64 { return m.positions }),
		number("goalSize", record.Demand, "arena units", 0.5, 5, "diameter of the reward", func(m *meta) float64 { return m.size }),
		number("goalDistance", record.Demand, "arena units", 0, 56, "distance to where the reward ends, without diagonals", func(m *meta) float64 { return m.distance }),
		number("rightLeft", record.Nuisance, "side", -1, 1, "side on which the reward ends: -1 left, 0 ahead, 1 right", func(m *meta) float64 { return m.side }),
		flag("lava", record.Demand, "there is lava, which ends the episode", func(m *meta) float64 { return m.lava }),
		flag("ramp", record.Demand, "a ramp must be climbed or descended", func(m *meta) float64 { return m.ramp }),
		flag("platform", record.Demand, "there is a platform that one can fall off", func(m *meta) float64 { return m.platform }),
		flag("occluder", record.Demand, "an occluder hides the reward at the choice point", func(m *meta) float64 { return m.occluder }),
		flag("transparent", record.Demand, "there is a wall that blocks the way but not sight", func(m *meta) float64 { return m.transparent }),
		flag("lightsOut", record.Demand, "the lights go out while the reward moves", func(m *meta) float64 { return m.lightsOut }),
		flag("bounce", record.Condition, "the reward moves by itself", func(m *meta) float64 { return m.bounce }),
	}
}

func conditions() []column {
	return []column{
		flag("forcedChoice", record.Condition, "a choice cannot be taken back", func(m *meta) float64 { return m.forced }),
		flag("requiresOP", record.Condition, "the item tests object permanence; otherwise it is a control", func(m *meta) float64 { return m.requires }),
		flag("goalVisible", record.Condition, "the reward is in sight at the choice point", func(m *meta) float64 { return m.visible }),
		number("occluderRed", record.Nuisance, "8-bit channel", 0, 255, "red of the occluding wall; missing where there is none", func(m *meta) float64 { return m.occluderColour.channel(0) }),
		number("occluderGreen", record.Nuisance, "8-bit channel", 0, 255, "green of the occluding wall; missing where there is none", func(m *meta) float64 { return m.occluderColour.channel(1) }),
		number("occluderBlue", record.Nuisance, "8-bit channel", 0, 255, "blue of the occluding wall; missing where there is none", func(m *meta) float64 { return m.occluderColour.channel(2) }),
		flag("lastSeenPasses", record.Shortcut, "the last-seen shortcut policy passes", func(m *meta) float64 { return m.lastSeen }),
	}
}

func labels() []column {
	orNone := func(s string) string {
		if s == "" {
			return none
		}
		return s
	}
	return []column{
		label("family", "kind of task: cup, grid, cv (chick) or basic", func(m *meta) string { return m.family }),
		label("subsuite", "part of the suite that the file lies in", func(m *meta) string { return m.subsuite }),
		label("ability", "what the paper files the instance under", func(m *meta) string { return m.ability }),
		label("row", "row of the grid's hole: Close, Mid or Far; none elsewhere", func(m *meta) string { return orNone(m.row) }),
		label("column", "column of the grid's hole: Inner or Outer; none elsewhere", func(m *meta) string { return orNone(m.column) }),
		label("occluderColour", "colour of the occluding wall; none where there is none", func(m *meta) string {
			if m.occluderColour.unknown {
				return ""
			}
			return m.occluderColour.label()
		}),
	}
}

// geometries returns the columns whose values only the YAML files have.
func geometries() []column {
	return []column{
		number("goalEuclid", record.Condition, "arena units", 0, 57, "straight distance to where the reward starts", func(m *meta) float64 { return m.euclid }),
		number("goalManhattan", record.Condition, "arena units", 0, 80, "distance to where the reward starts, without diagonals", func(m *meta) float64 { return m.manhattan }),
		number("goalFinalEuclid", record.Condition, "arena units", 0, 57, "straight distance to where the reward ends", func(m *meta) float64 { return m.finalEuclid }),
		number("headingSide", record.Nuisance, "side", -1, 1, "side on which the reward starts, seen along the start heading", func(m *meta) float64 { return m.headingSide }),
		number("places", record.Condition, "places", 1, 12, "places where a reward could be, the right one included, in controls too", func(m *meta) float64 { return m.places }),
		flag("rampAny", record.Condition, "there is a ramp, needed or not", func(m *meta) float64 { return m.rampAny }),
		number("frozenDelay", record.Condition, "steps", 0, 10, "how long the agent cannot move at the start", func(m *meta) float64 { return m.frozen }),
		number("blackoutFrom", record.Condition, "step", 0, 500, "when the lights go out; missing where they do not", func(m *meta) float64 { return m.blackoutFrom }),
		number("blackoutTo", record.Condition, "step", 0, 500, "when the lights return; missing where they do not go out", func(m *meta) float64 { return m.blackoutTo }),
		number("timeLimit", record.Condition, "steps", 0, 500, "when the episode ends", func(m *meta) float64 { return m.steps }),
		number("passMark", record.Condition, "reward", -0.5, 4, "reward from which the episode counts as passed", func(m *meta) float64 { return m.mark }),
		label("goalColour", "colour of the reward", func(m *meta) string { return m.rewardColour }),
	}
}
