package score

import (
	"math"

	"achilles/sim/record"
)

// ParseWeaknesses returns the names of the weaknesses in a text.
func ParseWeaknesses(text string) (names []string) {
	for _, w := range parseWeaknesses(text) {
		names = append(names, w.name)
	}
	return names
}

// WeaknessNames returns the names of all weaknesses.
func WeaknessNames() (names []string) {
	for _, n := range weaknessNames() {
		names = append(names, n.name)
	}
	return names
}

// Vigorish is exported because a test checks it by hand.
var Vigorish = vigorish

// SetMost sets the largest number of draws of a subject.
func (c *Chances) SetMost(n int) { c.most = n }

// Restore returns the scores that rows.json has.
func Restore(rows []byte) (*Scores, error) { return restore(rows) }

// Procrustean, Match and Slopes are exported because tests check them by hand.
var (
	Procrustean = procrustean
	Slopes      = slopes
	Match       = match
)

// Models grades the models of an analysis alone.
func Models(in Input) (*Scores, error) {
	s := &Scores{}
	return s, gradeModels(s, in)
}

// Misses grades the predictions of in alone, by opaque ids.
func Misses(in Input) (*Scores, error) {
	s := &Scores{}
	return s, gradeMisses(s, in, &key{})
}

// Decimals is exported because a test checks it by hand.
var Decimals = decimals

// SuccessRates is exported because a test checks it by hand.
var SuccessRates = successRates

// A TrueChance is the outcome of a response, with its probability of success under the truth; NaN if that is not known.
type TrueChance struct{ P, Value float64 }

// TrueChances returns those of all responses.
func TrueChances(in Input) (out []TrueChance, err error) {
	e, err := NewExplainer(in)
	if err != nil {
		return nil, err
	}
	c := &trueChances{e: e, drawn: newDrawnTruth(in)}
	for k, id := range in.Public.Subjects {
		if err := c.turnTo(id); err != nil {
			return nil, err
		}
		for _, r := range in.Public.Responses.Of(k) {
			if r.Unscored != 0 || in.Public.Manifest.Measures[r.Measure].Family != record.Binary {
				continue
			}
			p, ok := c.of(&r)
			if !ok {
				p = math.NaN()
			}
			out = append(out, TrueChance{p, r.Value})
		}
	}
	return out, nil
}
