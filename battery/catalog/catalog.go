// Package catalog lists every battery that a scenario can name.
package catalog

import (
	"context"

	"achilles/battery"
	"achilles/battery/blocks"
	"achilles/battery/ctest"
	"achilles/battery/opiaagets"
	"achilles/battery/worlds"
)

// A Suite is a battery suite. Each of its codings makes a battery.
type Suite struct {
	Name, Doc string
	Codings   []Coding
}

// A Coding is one way to make a battery of a suite.
type Coding struct {
	Name, Doc string
	Designed  bool // Build uses the levels and the number of items of its request; if not, it ignores them
	Build     func(context.Context, battery.Request) (battery.Battery, error)
	Demands   []string // features whose correlations show what a designed battery confounds (Battery.Correlate)
	Catches   bool     // made such that no shortcut passes more than MostPassed of the items that test object permanence
}

// MostPassed is the largest share of the items that test object permanence that a shortcut may pass. A shortcut that
// passes more could be taken for the capability.
const MostPassed = 0.75

// All returns every suite.
func All() []Suite {
	return []Suite{{
		Name: "opiaagets",
		Doc:  "O-PIAAGETS: object permanence with three cups, a grid of holes, chicks' occluders, and basic controls",
		Codings: []Coding{
			{Name: "released", Doc: "the 2188 instances of Burden et al. (2023) as their released table has them", Build: fixed(opiaagets.Released)},
			{Name: "corrected", Doc: "the same instances as their YAML files have them; 360 basic controls lack most values", Build: fixed(opiaagets.Corrected)},
			{Name: "design", Doc: "items over the same features with nothing confounded", Designed: true, Build: opiaagets.Design, Demands: worlds.OPIAAGETS().Demands()},
			{Name: "worlds", Doc: "generated grid worlds in which nothing is confounded, every feature measured", Designed: true, Build: worlds.OPIAAGETS().Design, Demands: worlds.OPIAAGETS().Demands(), Catches: true},
			{Name: "suite-worlds", Doc: "the same with levels more like those of the suite: going to where the reward was last seen passes nine of ten hidden items", Designed: true, Build: func(ctx context.Context, r battery.Request) (battery.Battery, error) {
				r.Levels = worlds.LikeSuite(r.Levels)
				return worlds.OPIAAGETS().Design(ctx, r)
			}, Demands: worlds.OPIAAGETS().Demands()},
		},
	}, {
		Name: worlds.Suite,
		Doc:  "object permanence as developmental psychology tests it: A not B, covers that move, tubes and tunnels",
		Codings: []Coding{
			{Name: "paradigms", Doc: "generated grid worlds in which no shortcut passes", Designed: true, Build: worlds.Displaced().Design, Demands: worlds.Displaced().Demands(), Catches: true},
			{Name: "comparative", Doc: "the same for barriers, openings, sizes of covers, numbers, and what perishes", Designed: true, Build: worlds.Comparative().Design, Demands: worlds.Comparative().Demands(), Catches: true},
			{Name: "physical", Doc: "the same for quantities, a reward behind something clear, what is gone or a decoy, and what causes what", Designed: true, Build: worlds.Physical().Design, Demands: worlds.Physical().Demands(), Catches: true},
			{Name: "radial", Doc: "the same for a radial maze: arms that are emptied, and arms that never have a reward", Designed: true, Build: worlds.Radial().Design, Demands: worlds.Radial().Demands(), Catches: true},
		},
	}, {
		Name: blocks.Suite,
		Doc:  "blocks of trials in which subjects go to places themselves, and what they did in one trial matters in the next",
		Codings: []Coding{
			{Name: "blocks", Doc: "reversal learning, A not B with reaches of one's own, a radial maze in rounds, delayed matching to sample, durations", Designed: true, Build: blocks.Design, Demands: blocks.Demands(), Catches: true},
		},
	}, {
		Name: worlds.OwnSuite,
		Doc:  "grid worlds of your own",
		Codings: []Coding{
			{Name: "worlds", Doc: "levels.world, a list of their texts, and levels.name, their names, with what is measured on each", Designed: true, Build: worlds.Own},
		},
	}, {
		Name: ctest.Suite,
		Doc:  "the C-test: series of letters to be continued, of known algorithmic complexity",
		Codings: []Coding{
			{Name: "published", Doc: "the 21 series of the test of 1997, to be answered by any letter", Build: fixed(func() battery.Battery { return ctest.Of(ctest.Published()) })},
			{Name: "published-options", Doc: "20 of them with the five options that were printed", Build: fixed(func() battery.Battery { return ctest.Of(ctest.PublishedOptions()) })},
			{Name: "generated", Doc: "new series with a unique simplest continuation; distractors from alternative rules", Designed: true, Build: ctest.Design, Demands: []string{"k", "phrases", "letters", "answers"}},
			{Name: "own", Doc: "series of your own, levels.series = [\"adgj\", \"abcd e\"], with their complexities", Designed: true, Build: ctest.Own},
		},
	}}
}

// ByName returns the suite of that name. The second result is false if there is none.
func ByName(name string) (Suite, bool) {
	for _, s := range All() {
		if s.Name == name {
			return s, true
		}
	}
	return Suite{}, false
}

// Coding returns the coding of that name. The second result is false if the suite has none.
func (s Suite) Coding(name string) (Coding, bool) {
	for _, c := range s.Codings {
		if c.Name == name {
			return c, true
		}
	}
	return Coding{}, false
}

func fixed(build func() battery.Battery) func(context.Context, battery.Request) (battery.Battery, error) {
	return func(context.Context, battery.Request) (battery.Battery, error) { return build(), nil }
}
