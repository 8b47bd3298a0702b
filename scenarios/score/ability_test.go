package score_test

import (
	"fmt"
	"math"
	"testing"

	"achilles/scenarios/score"
	"achilles/sim/longtest"
)

// takers is a scenario of subjects who are drawn from the prior of a layout, and who answer a generated C-test as the
// layout says.
const takers = `name = "takers"
[battery]
suite = "ctest"
coding = "generated"
items = 45
[battery.levels]
answers = [3, 5, 26]
[responses]
trajectories = false
[scale]
ability = %g
[[population]]
name = "taker"
count = %d
rule = [{ p = %q }]
[population.parameters]
a = "uniform(%g, %g)"
%s
[population.truth]
capability = { ability = "a/%[1]g" }
`

// TestAbilityIsCovered checks, for the layout algorithmic and its variants, abilities that are drawn from the prior and
// inferred blind from a generated test: the central 90 % intervals must hold the truth of 90 ± 3 % of all subjects. For
// the layout algorithmic, with 2500 subjects, the exact 95 % interval of the share must lie within these bounds; a
// right program fails on 3 seeds of 1000. For the variants, with 1000 subjects each, only the share itself must lie
// within the bounds; a right program fails on 2 seeds of 1000.
func TestAbilityIsCovered(t *testing.T) {
	longtest.Only(t, "takes minutes")
	for k, c := range []struct {
		layout, rule, parameter string
		low, high               float64
		subjects                int
	}{
		{"algorithmic", "mix(exp(0 - k/a), 1/answers, 1)", "", 0.5, 50, 2500},
		{"algorithmic-lapse", "mix(lapse, mix(exp(0 - k/a), 1/answers, 1), 1/answers)", `lapse = "beta(1, 9)"`, 0.5, 50, 1000},
		{"algorithmic-residual", "mix(pow(1 + v*k/a, 0 - 1/v), 1/answers, 1)", `v = "uniform(0.01, 1)"`, 0.5, 50, 1000},
		{"algorithmic-phrases", "mix(exp(0 - phrases/a), 1/answers, 1)", "", 0.25, 25, 1000},
	} {
		t.Run(c.layout, func(t *testing.T) {
			specs, profiles := measureBlind(t, fmt.Sprintf(takers, c.high, c.subjects, c.rule, c.low, c.high, c.parameter), c.layout, 501+uint64(k))
			inside, n, square := 0, 0, 0.0
			for _, p := range profiles {
				if p.Parameter != "ability" {
					continue
				}
				x := specs[p.Subject].Parameter["a"]
				n++
				square += (p.Mean - x) * (p.Mean - x)
				if p.Q5 <= x && x <= p.Q95 {
					inside++
				}
			}
			share, near := float64(inside)/float64(n), score.ClopperPearson(inside, n, 0.95)
			t.Logf("%d of %d abilities are inside: %.4f (%.4f to %.4f); RMSE %.2f of %g", inside, n, share, near[0], near[1], math.Sqrt(square/float64(n)), c.high)
			off := math.Abs(share - 0.9)
			if k == 0 {
				off = max(0.9-near[0], near[1]-0.9)
			}
			if n != c.subjects || off > 0.03 {
				t.Errorf("90 %% intervals hold %d of %d abilities", inside, n)
			}
		})
	}
}
