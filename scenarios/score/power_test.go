package score_test

import (
	"context"
	"math"
	"slices"
	"testing"

	"achilles/infer/compare"
	"achilles/infer/layout"
	"achilles/scenarios/generate"
	"achilles/scenarios/power"
	"achilles/scenarios/score"
	"achilles/sim/longtest"
	"achilles/sim/rng"
)

// TestPowerHolds compares what power predicts of agents with what a session, inferred blind and graded, says of them, jointly over
// ten seeds and two subjects of each agent type, by batteries so short that many types are wrong. If predictions hold, the real
// classification of a subject is as likely to be correct as each of the runs that power simulates: given that s of all runs+1 are
// correct, the real one is with probability s/(runs+1). The statistic is the sum over types of the squared standardised difference
// between the real number correct and its expectation; the test is exact, by 9,999 draws under the hypothesis, at level .01.
func TestPowerHolds(t *testing.T) {
	longtest.Only(t, "takes minutes")
	const runs, seeds = 4, 10
	keep := []string{"agent-01", "agent-05", "agent-02", "agent-03", "agent-06", "agent-14", "agent-15", "agent-16", "agent-20", "agent-26"}
	r := trialRun{scenario: "op-burden", settings: []string{"battery.coding=design", "battery.items=40"}, keep: keep}
	source := bank(t, "op")
	real, expected, variance := map[string]float64{}, map[string]float64{}, map[string]float64{}
	n := map[string]int{}
	var p []float64 // of every subject and seed with its type
	var kind []string
	for root := uint64(601); root < 601+seeds; root++ {
		s := r.open(t)
		session, err := generate.Run(context.Background(), s, generate.Config{Seed: root, Jobs: 2})
		if err != nil {
			t.Fatal(err)
		}
		subjects, err := power.Subjects(s, &session.Battery, root)
		if err != nil {
			t.Fatal(err)
		}
		subjects = slices.DeleteFunc(subjects, func(x power.Subject) bool { return !slices.Contains(keep, x.Name) })
		set, err := compare.Parse(*source)
		if err != nil {
			t.Fatal(err)
		}
		l, err := layout.Parse("op.toml", string(shippedFile(t, "layouts/op.toml")))
		if err != nil {
			t.Fatal(err)
		}
		c, err := power.NewClassifier(session, set, l)
		if err != nil {
			t.Fatal(err)
		}
		predicted, err := c.Predict(context.Background(), subjects, c.Items.Len(), runs, root, 2, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.reduce(session)
		rows := gradeSession(t, session, root).Verdicts.Rows
		for _, x := range predicted {
			i := slices.IndexFunc(rows, func(r score.VerdictRow) bool { return r.Name == x.Name })
			correct := x.Correct
			if rows[i].Right {
				real[x.Family]++
				correct++
			}
			q := float64(correct) / (runs + 1)
			expected[x.Family] += q
			variance[x.Family] += q * (1 - q)
			n[x.Family]++
			p, kind = append(p, q), append(kind, x.Family)
		}
	}
	statistic := func(of map[string]float64) (sum float64) {
		for _, f := range compare.Families() {
			if v := variance[f]; v > 0 {
				d := of[f] - expected[f]
				sum += d * d / v
			}
		}
		return sum
	}
	rng, more := rng.Stream(1, "power holds"), 1
	const draws = 9999
	for range draws {
		of := map[string]float64{}
		for i, q := range p {
			if rng.Bernoulli(q) {
				of[kind[i]]++
			}
		}
		if statistic(of) >= statistic(real)-1e-9 {
			more++
		}
	}
	for _, f := range compare.Families() {
		if n[f] > 0 {
			t.Logf("%-16s %2.0f of %d correct, predicted %4.1f ± %.1f", f, real[f], n[f], expected[f], math.Sqrt(variance[f]))
		}
	}
	level := float64(more) / (draws + 1)
	t.Logf("p = %.4f", level)
	if level < 0.01 {
		t.Errorf("power does not hold: p = %.4f", level)
	}
}
