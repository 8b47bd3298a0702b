package blocks

import (
	"crypto/sha256"
	"fmt"
	"slices"

	"achilles/battery"
	"achilles/battery/measure"
	"achilles/battery/shortcut"
	"achilles/gridworld"
	"achilles/sim/record"
)

// A maker makes the items of one block after another.
type maker struct {
	blocks  int // made before
	made    int
	columns []battery.Column[*maker]

	block  *block
	at     int // index of the present trial
	world  gridworld.World
	way    measure.Way
	meter  measure.Meter
	bank   shortcut.Bank
	passes []bool
}

func (m *maker) trial() *trial { return &m.block.trials[m.at] }

// items appends the items of a block.
func (m *maker) items(b *block, items *battery.Items) error {
	m.block = b
	for m.at = range b.trials {
		t := m.trial()
		b.room.build(&m.world, t)
		if !m.way.Walk(&m.world, b.room.wells[t.right], false) {
			return fmt.Errorf("block %d of %s, trial %d: no way leads to the reward", b.number, b.paradigm, m.at+1)
		}
		var places []gridworld.Pos
		for _, k := range t.open {
			places = append(places, b.room.wells[k])
		}
		m.meter.Reward = 0
		if t.other != nil {
			m.meter.Reward = is(t.other.first)
		}
		m.meter.Measure(&m.world, places, &m.way)
		m.bank.Policies = policies()
		m.passes = m.bank.Passes(m.passes[:0], shortcut.Case{World: &m.world, Places: places, Key: shortcut.Key(sha256.Sum256([]byte(m.world.String())))})
		m.made++
		_, frozen := m.world.Windows()
		aim := "the reward"
		if t.other != nil {
			aim = "the best reward that is left"
		}
		items.Append(&battery.Item{
			Name: fmt.Sprintf("learning-%06d", m.made), Suite: Suite, Paradigm: b.paradigm, Task: t.kind,
			Brief:  fmt.Sprintf("Touch %s before tick %d. Until tick %d you can look, but not move. Trial %d in this room.", aim, m.world.Rules().Limit, frozen[0].To, m.at+1),
			Values: battery.ValuesOf(m.columns, m),
			Trials: []battery.Trial{{World: battery.PackWorld(&m.world), Places: places}},
		})
	}
	return nil
}

// columns returns the features of an item.
func columns() []battery.Column[*maker] {
	demand, condition := record.Demand, record.Condition
	number := func(name string, role record.Role, unit string, high float64, doc string, of func(*maker) float64) battery.Column[*maker] {
		return battery.Number(name, role, unit, 0, high, doc, of)
	}
	flag := func(name, doc string, of func(*maker) bool) battery.Column[*maker] {
		return number(name, condition, "0 or 1", 1, doc, func(m *maker) float64 { return float64(is(of(m))) })
	}
	test := func(paradigm string) func(*maker) bool {
		return func(m *maker) bool { return m.block.paradigm == paradigm && m.trial().test }
	}
	out := []battery.Column[*maker]{
		number(battery.BlockFeature, condition, "block", battery.MaxItems, "the trials of a block are in one room, and are taken one after the other", func(m *maker) float64 { return float64(m.block.number) }),
		number("trial", condition, "trial", 200, "place of the trial in its block, from 1", func(m *maker) float64 { return float64(m.at + 1) }),
		number(battery.RoundFeature, condition, "round", 200, "round of the block, from 0", func(m *maker) float64 { return float64(m.trial().round) }),
		number(battery.PhaseFeature, condition, "phase", 3, "how often the right well has changed for good in the block; of durations, 1: the better reward has perished", func(m *maker) float64 { return float64(m.trial().phase) }),
		number(battery.PairFeature, condition, "pair", 3, "number of the pair of wells of which one is right, the same throughout the block, from 0", func(m *maker) float64 { return float64(m.trial().pair) }),
		number(battery.WellFeature, condition, "well", 8, "number of the right well, the same throughout the block, from 1", func(m *maker) float64 { return float64(m.trial().right + 1) }),
		number("timeUnderOcclusion", demand, "time", 6, "for how long a reward that was shown cannot be seen on the way; 0 where none is shown", func(m *maker) float64 {
			return float64(m.meter.Hidden) / TicksPerTime * float64(is(m.trial().shown))
		}),
		number("delay", demand, "time", 4, "from when the reward was last seen, or from the beginning, until the actor may act", func(m *maker) float64 { return m.trial().delay }),
		number("others", demand, "places", 7, "other open wells", func(m *maker) float64 { return float64(len(m.trial().open) - 1) }),
		number("visits", demand, "wells", 4, "wells to which the subject was sent before in this round", func(m *maker) float64 { return float64(m.trial().visited) }),
		number("unbaited", demand, "arms", 3, "open arms that never have a reward", func(m *maker) float64 { return float64(m.trial().unbaited) }),
		number("goalDistance", demand, "arena units", 80, "distance to the reward, without diagonals", func(m *maker) float64 { return float64(2 * m.meter.Manhattan) }),
		battery.Number("rightLeft", demand, "side", -1, 1, "side of the reward: -1 left, 0 ahead, 1 right", func(m *maker) float64 { return float64(m.meter.Side) }),
		flag("shown", "the reward is shown before it is hidden", func(m *maker) bool { return m.trial().shown }),
		flag("reversal", "a trial of reversal", test("reversal")),
		flag("habit", "the test of A not B", test("own-a-not-b")),
		flag("maze", "the test of a round of the radial maze", test("own-radial-maze")),
		flag("matching", "the test of a round of matching", test("matching")),
		flag("durations", "a trial in which it counts for how long rewards last", test("own-durations")),
		flag(battery.HiddenFeature, "a test: what is found or shown in the trial itself does not say where to go", func(m *maker) bool { return m.trial().test }),
		number("timeLimit", condition, "ticks", 500, "when the episode ends", func(m *maker) float64 { return float64(m.world.Rules().Limit) }),
	}
	for k, p := range policies() {
		out = append(out, battery.Number(p.Name+"Passes", record.Shortcut, "0 or 1", 0, 1, "a policy that "+p.Doc+" passes", func(m *maker) float64 { return float64(is(m.passes[k])) }))
	}
	for _, c := range cheats() {
		out = append(out, battery.Number(c.name+"Passes", record.Shortcut, "0 or 1", 0, 1, "a policy that "+c.doc+" passes", func(m *maker) float64 {
			return float64(is(c.goes(m.block, m.at) == m.trial().right))
		}))
	}
	return out
}

// policies returns the shortcuts that look at what happens in the trial.
func policies() []shortcut.Policy { return shortcut.With("bestSeen") }

// A cheat is a way to choose by earlier trials alone, without what a paradigm asks for.
type cheat struct {
	name, doc string
	goes      func(b *block, at int) int // the well to which it goes in a trial
}

// cheats returns ways to choose that know in which well the reward was in every earlier trial.
func cheats() []cheat {
	return []cheat{
		{"again", "goes to where the reward was in the trial before, or to the nearest open well", func(b *block, at int) int {
			if at > 0 && slices.Contains(b.trials[at].open, b.trials[at-1].right) {
				return b.trials[at-1].right
			}
			return b.nearest(at, -1)
		}},
		{"elsewhere", "goes to the nearest open well but the one where the reward was in the trial before", func(b *block, at int) int {
			if at > 0 {
				return b.nearest(at, b.trials[at-1].right)
			}
			return b.nearest(at, -1)
		}},
		{"mostOften", "goes to where the reward was most often in the block, or to the nearest open well", func(b *block, at int) int {
			best, most := b.nearest(at, -1), 0
			for _, k := range b.trials[at].open {
				n := 0
				for _, t := range b.trials[:at] {
					n += is(t.right == k)
				}
				if n > most {
					best, most = k, n
				}
			}
			return best
		}},
		{"lasting", "goes for the reward of the colour that lasts, or to the nearest open well", func(b *block, at int) int { return b.better(at, func(t *trial) bool { return !t.perishes }) }},
		{"late", "goes for the better reward after the shorter time only, or to the nearest open well", func(b *block, at int) int {
			return b.better(at, func(t *trial) bool { return t.delay < b.of("lasts") })
		}},
	}
}

// better returns the well of the better of two rewards, where goes says so, or else that of the other; in trials without two rewards the nearest.
func (b *block) better(at int, goes func(*trial) bool) int {
	t := &b.trials[at]
	switch {
	case t.other == nil:
		return b.nearest(at, -1)
	case goes(t) == (t.value > t.other.value):
		return t.right
	}
	return t.other.well
}

// nearest returns the open well nearest to the start, the first of equally near ones, other than a certain one unless it is the only one.
func (b *block) nearest(at, other int) int {
	best := -1
	for _, k := range b.trials[at].open {
		if (k != other || len(b.trials[at].open) == 1) && (best < 0 || b.room.wells[k].Manhattan(b.room.start) < b.room.wells[best].Manhattan(b.room.start)) {
			best = k
		}
	}
	return best
}

func is(claim bool) int {
	if claim {
		return 1
	}
	return 0
}
