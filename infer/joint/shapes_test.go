package joint_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"achilles/infer/joint"
	"achilles/infer/layout"
	"achilles/sim/longtest"
	"achilles/sim/record"
	"achilles/sim/rng"
)

// TestSmallTables fits shipped layouts of one ability, and aaio-items, with default settings to small tables that are drawn from their priors: no chain
// has a warning, 0.1 % of the draws of a layout diverge at most, and up to 200 values have R-hats of at most 1.01 and effective sample sizes of at least
// 2000. The mean of responses in a likelihood is 0.5. The seeds are fresh.
func TestSmallTables(t *testing.T) {
	longtest.Only(t, "takes an hour")
	const tables, mostDivergent = 5, 0.001
	for _, name := range []string{"rasch", "2pl", "3pl", "grm", "pcm", "gpcm", "growth", "lltm", "aaio-items"} {
		for _, shape := range [][2]int{{10, 5}, {12, 5}, {15, 10}, {30, 8}} {
			t.Run(fmt.Sprintf("%s/%dx%d", name, shape[0], shape[1]), func(t *testing.T) {
				divergent, draws := 0, 0
				for seed := uint64(506); seed < 506+tables; seed++ {
					d, n := fitSmall(t, strings.ReplaceAll(shippedText(t, name), "mean(success)", "0.5"), shape[0], shape[1], seed)
					divergent, draws = divergent+d, draws+n
				}
				if !(float64(divergent) <= float64(mostDivergent*float64(draws))) {
					t.Errorf("%d of %d draws diverged", divergent, draws)
				}
			})
		}
	}
}

// fitSmall fits one table of TestSmallTables, and returns the number of draws that diverged, and of all.
func fitSmall(t *testing.T, text string, subjects, items int, seed uint64) (divergent, draws int) {
	t.Helper()
	l := parse(t, text)
	r := rng.Stream(seed, "small")
	it := battery(items, nil)
	for _, m := range l.Metafeatures {
		it.Columns = append(it.Columns, within(m, items, &r))
	}
	var covariates []record.Column
	for _, m := range l.Covariates {
		covariates = append(covariates, within(m, subjects, &r))
	}
	family := record.Binary
	if l.Responses[0].Family == layout.Choice {
		family = record.Choice
	}
	j, err := l.BindJoint(it, ids("s", subjects), covariates, []record.Measure{{Name: "y", Family: family}})
	if err != nil {
		t.Fatal(err)
	}
	theta := make([]float64, j.Len())
	j.DrawPrior(&r, theta)
	responses, err := j.Simulate(theta, &r)
	if err != nil {
		t.Fatal(err)
	}
	p, err := joint.Fit(t.Context(), cells(t, j, responses), joint.Default(), seed)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range p.Chains {
		divergent += len(c.Divergent)
	}
	worst, least := 0.0, math.Inf(1)
	for _, s := range p.Summaries {
		worst, least = max(worst, s.RHat), min(least, s.ESSBulk, s.ESSTail)
	}
	if n := len(p.Summaries); n <= 200 && !(worst <= 1.01 && least >= 2000) {
		t.Errorf("seed %d: R-hat %.4f, ESS %.0f of %d values", seed, worst, least, n)
	}
	t.Logf("seed %d: R-hat %.4f, ESS %.0f, %d divergences, E-BFMI %.2f, %d gradients", seed, worst, least, divergent, p.Chains[0].EBFMI, p.Work.Gradients)
	for _, w := range p.Warnings {
		t.Errorf("seed %d: %s %s", seed, w.Parameter, w.Message)
	}
	return divergent, len(p.Draws) * len(p.Draws[0])
}

// within returns a column of n numbers in the range of a metafeature, of which 0 to 1 has 0 and 1 alone.
func within(m layout.Metafeature, n int, r *rng.Rand) record.Column {
	c := record.Column{Feature: record.Feature{Name: m.Column}}
	for range n {
		x := r.Float64()
		if m.Range == [2]float64{0, 1} {
			x = math.Round(x)
		}
		c.Number = append(c.Number, m.Range[0]+float64(x*(m.Range[1]-m.Range[0])))
	}
	return c
}
