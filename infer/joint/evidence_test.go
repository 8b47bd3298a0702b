package joint_test

import (
	"context"
	"math"
	"testing"

	"achilles/infer/joint"
	"achilles/sim/num"
	"achilles/sim/record"
)

const smallRasch = `name = "small"
[capability]
ability = { prior = "normal(0, spread)" }
[item]
difficulty = { prior = "normal(0, 1)" }
[shared]
spread = { prior = "halfnormal(2)" }
[response.y]
p = "logistic(ability - difficulty)"
`

// TestEvidence compares the log marginal likelihood of four subjects and two items with a sum over a grid of the spread and both difficulties, of the
// product over subjects of a sum over abilities.
func TestEvidence(t *testing.T) {
	c := cells(t, bind(t, smallRasch, battery(2, nil), 4, record.Binary), []record.Response{
		{Subject: 0, Item: 0, Value: 1}, {Subject: 0, Item: 1, Value: 1}, {Subject: 1, Item: 0, Value: 1}, {Subject: 1, Item: 1},
		{Subject: 2, Item: 0}, {Subject: 2, Item: 1}, {Subject: 3, Item: 0, Value: 1}, {Subject: 3, Item: 1, Value: 1}})
	normal := func(x float64) float64 { return math.Exp(-x*x/2) / math.Sqrt(2*math.Pi) }
	const step = 0.25
	want := 0.0
	for s := 0.05; s < 9; s += 0.1 {
		for d := -5.0; d <= 5; d += step {
			for e := -5.0; e <= 5; e += step {
				var both, first, neither float64 // probabilities of the patterns that there are
				for z := -6.0; z <= 6; z += step {
					p, q, w := num.Logistic(z*s-d), num.Logistic(z*s-e), normal(z)*step
					both, first, neither = both+w*p*q, first+w*p*(1-q), neither+w*(1-p)*(1-q)
				}
				want += both * both * first * neither * normal(d) * step * normal(e) * step * normal(s/2) * 0.1
			}
		}
	}
	settings := joint.Default()
	p, err := joint.Fit(context.Background(), c, settings, 1, "test")
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%.4f ± %.4f, want %.4f", p.LogEvidence, p.LogEvidenceError, math.Log(want))
	if !(p.LogEvidenceError < 0.03) || math.Abs(p.LogEvidence-math.Log(want)) > 4*p.LogEvidenceError {
		t.Errorf("log evidence %.4f ± %.4f, want %.4f", p.LogEvidence, p.LogEvidenceError, math.Log(want))
	}
}
