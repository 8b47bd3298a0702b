package compare_test

import (
	"context"
	"testing"

	"achilles/infer/compare"
	"achilles/infer/smc"
)

// twoSigns is a layout whose posterior has two equal modes: at −3 and 3 if half of the responses are successes.
const twoSigns = `
name = "signs"
[bias]
x = { prior = "normal(0, 5)" }
[response.success]
p = "logistic(x*x - 9)"
[classification]
family = "nonspecific"
`

// TestAscentsMendSmallPopulations checks that none of ten fits with small populations loses one of the two modes of
// twoSigns if there are ascents from draws of the prior, and that some fits lose one without ascents.
func TestAscentsMendSmallPopulations(t *testing.T) {
	it := items(200)
	b, err := compare.Parse(compare.Source{Text: compare.Text{File: "bank.toml", Text: "name = \"bank\"\n[[candidate]]\nfile = \"signs.toml\"\n[[candidate]]\nfile = \"constant.toml\"\n"},
		Rivals: []compare.Text{{File: "signs.toml", Text: twoSigns}, {File: "constant.toml", Text: constant}}})
	if err != nil {
		t.Fatal(err)
	}
	bound, err := b.Bind(it, measures)
	if err != nil {
		t.Fatal(err)
	}
	r := responses(it, 50, 50)
	lost := func(ascents int) (n int) {
		c := compare.Default()
		c.Missed.Draws = 100
		c.Full, c.Runs, c.TieRuns, c.Ascents = smc.Config{Walkers: 8, Steps: 2, Keep: 0.5}, 1, 1, ascents
		for root := range uint64(10) {
			fits, _, err := bound.Fit(context.Background(), r, c, root, "signs")
			if err != nil {
				t.Fatal(err)
			}
			positive := 0
			for _, draw := range fits[0].Draws {
				if draw[0] > 0 {
					positive++
				}
			}
			if positive == 0 || positive == len(fits[0].Draws) {
				n++
			}
		}
		return n
	}
	if n := lost(compare.Default().Ascents); n > 0 {
		t.Errorf("a mode is lost in %d of 10 fits", n)
	}
	if n := lost(0); n == 0 {
		t.Error("no mode is lost without ascents: the populations are not too small")
	}
}
