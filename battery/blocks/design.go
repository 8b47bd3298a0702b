package blocks

import (
	"context"
	"fmt"
	"slices"

	"achilles/battery"
	"achilles/battery/opiaagets"
	"achilles/sim/rng"
)

// Suite names the suite of the items.
const Suite = "learning"

// TicksPerTime is the number of ticks in one unit of time.
const TicksPerTime = 50

// A paradigm is one kind of task. Its file has all that is its own.
type paradigm struct {
	name string
	plan func(*block) // draws the room and the trials of a block
}

func paradigms() []paradigm {
	return []paradigm{reversal(), aNotB(), radialMaze(), matching(), durations()}
}

// A factor is a factor of a design with its default levels, and the numbers that can be levels.
type factor struct {
	battery.Factor
	grain battery.Grain
	of    []string // the paradigms that have it; nil: all
	doc   string   // for the manual
}

func factors() []factor {
	var names []string
	for _, p := range paradigms() {
		names = append(names, p.name)
	}
	numbers := func(name, doc string, grain battery.Grain, of []string, levels ...float64) factor {
		return factor{battery.Factor{Name: name, Number: levels}, grain, of, doc}
	}
	return []factor{
		{Factor: battery.Factor{Name: "paradigm", Text: names}},
		numbers("pairs", "of reversal: pairs of wells whose trials alternate at random; 1 to 4", battery.Grain{1, 4, 1}, []string{"reversal"}, 2),
		numbers("run", "of reversal: trials of a pair until the other well is right, drawn each time", battery.Grain{1, 12, 1}, []string{"reversal"}, 4, 6, 8),
		numbers("reversals", "of reversal: how often the right well changes; 0 to 3", battery.Grain{0, 3, 1}, []string{"reversal"}, 1, 3),
		numbers("reaches", "of A not B: trials in which the reward is hidden in A", battery.Grain{1, 6, 1}, []string{"own-a-not-b"}, 1, 2, 4, 6),
		numbers("delay", "multiples of 0.02, 0.2 to 4", battery.Grain{0.2, 4, 0.02}, []string{"own-a-not-b", "matching"}, 0.5, 1, 2, 4),
		numbers("others", "other open wells in a test; 1 to 5", battery.Grain{1, 5, 1}, []string{"own-a-not-b", "matching"}, 1, 2, 3),
		numbers("interference", "of matching: wells to which the subject is sent between sample and test; 0 to 3", battery.Grain{0, 3, 1}, []string{"matching"}, 0, 1, 2),
		numbers("visits", "arms to which the subject is sent in a round; 1 to 4", battery.Grain{1, 4, 1}, []string{"own-radial-maze"}, 1, 2, 3),
		numbers("unbaited", "arms that never have a reward; 0 to 3", battery.Grain{0, 3, 1}, []string{"own-radial-maze"}, 0, 1, 3),
		numbers("rounds", "rounds of a block; 1 to 12", battery.Grain{1, 12, 1}, []string{"own-radial-maze", "matching", "own-durations"}, 4, 6),
		numbers("lasts", "of durations: for how long rewards of a colour last; multiples of 0.04, 0.8 to 2.6", battery.Grain{0.8, 2.6, 0.04}, []string{"own-durations"}, 0.8, 2.4),
	}
}

// Factors returns the factors of a design with their default levels; a level that is listed twice is used twice as often.
func Factors() (out []battery.Factor) {
	for _, f := range factors() {
		out = append(out, f.Factor)
	}
	return out
}

// Demands returns the features whose correlations must be small, for Battery.Correlate.
func Demands() []string { return []string{"delay", "goalDistance", "rightLeft"} }

// Design returns a battery of r.Items trials, as equally divided among the paradigms as possible; the last block of a paradigm may end early.
// Within a paradigm blocks use every level of a factor equally often, to within one. With r.Items 0 there is one block per combination of
// levels.
func Design(ctx context.Context, r battery.Request) (battery.Battery, error) {
	all := factors()
	levels, err := battery.WithLevels(Factors(), r.Levels, func(f int, x float64) error { return all[f].grain.Check(x) })
	if err != nil {
		return battery.Battery{}, err
	}
	b := battery.Battery{Suite: Suite, Schema: battery.SchemaOf(columns()), Measure: opiaagets.Measures()}
	m := maker{columns: columns()}
	names := levels[0].Text
	for i, name := range names {
		p := paradigms()[slices.IndexFunc(paradigms(), func(p paradigm) bool { return p.name == name })]
		var own []battery.Factor
		for k, f := range levels {
			if slices.Contains(all[k].of, name) {
				own = append(own, f)
			}
		}
		share := (r.Items + len(names) - 1 - i) / len(names)
		for k := 0; r.Items == 0 || share > 0; k++ {
			if err := ctx.Err(); err != nil {
				return b, err
			}
			x := &block{Rand: r.Stream("battery", Suite, name, fmt.Sprint(i), fmt.Sprint(k)), own: own, paradigm: p.name, number: m.blocks + 1}
			if r.Items == 0 {
				points, err := battery.Cross(own)
				if err != nil {
					return b, err
				}
				if k == len(points) {
					break
				}
				x.level = points[k]
			} else {
				x.level = dealt(r, name, i, own, k)
			}
			p.plan(x)
			if r.Items > 0 {
				x.trials = x.trials[:min(share, len(x.trials))]
				share -= len(x.trials)
			}
			if err := m.items(x, &b.Items); err != nil {
				return b, err
			}
			m.blocks++
		}
	}
	return b, nil
}

// dealt returns the levels, by index, of block k of a paradigm: those of each factor are dealt from a deck, which is shuffled anew when it has
// run out.
func dealt(r battery.Request, name string, i int, own []battery.Factor, k int) (level []int) {
	for _, f := range own {
		deck := r.Stream("battery", Suite, name, fmt.Sprint(i), "deck", f.Name, fmt.Sprint(k/f.Levels()))
		level = append(level, deck.Perm(f.Levels())[k%f.Levels()])
	}
	return level
}

// A block is a block that is being drawn.
type block struct {
	rng.Rand
	own      []battery.Factor
	level    []int // of the factors
	paradigm string
	number   int // from 1
	room     room
	trials   []trial
}

// of returns the level of a factor.
func (b *block) of(factor string) float64 {
	k := slices.IndexFunc(b.own, func(f battery.Factor) bool { return f.Name == factor })
	return b.own[k].Number[b.level[k]]
}

// whole returns the level of a factor of whole numbers.
func (b *block) whole(factor string) int { return int(b.of(factor)) }

// pick draws the level of a factor for one trial.
func (b *block) pick(factor string) float64 {
	k := slices.IndexFunc(b.own, func(f battery.Factor) bool { return f.Name == factor })
	return b.own[k].Number[b.IntN(b.own[k].Levels())]
}

// A trial is one trial of a block.
type trial struct {
	kind         string // such as test
	open         []int  // the wells that are open, in ascending order
	right        int    // the well that has the reward, one of them
	round, phase int
	pair         int     // of wells of which one is right
	delay        float64 // from when the reward is out of sight, or from the beginning, until the actor may act
	shown        bool    // the reward is shown in the air before it falls into the well
	test         bool
	visited      int // arms to which the subject was sent in this round before
	unbaited     int // open arms that never have a reward
	reward           // the one in the right well
	other        *other
	perishes     bool // the better of the two rewards is of the colour that perishes
}

// A reward is how one looks, and what it is worth.
type reward struct{ colour, value int }

// An other is a second reward, which is shown and hidden with the one in the right well.
type other struct {
	reward
	well  int
	lasts float64 // after this time it has perished; 0: never
	first bool    // it is the first of the two in the world's list
}

// shortly is the delay of trials in which memory is not asked for, in units of time.
const shortly = 0.1
