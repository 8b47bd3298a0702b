// Package agenttest has the conformance suites for the subjects of a scenario.
package agenttest

import (
	"math"
	"testing"

	"achilles/agents"
	"achilles/sim/expr"
)

// z is the largest deviation of a frequency that passes, in standard deviations: a correct agent fails one check in a
// million.
const z = 4.9

// Conform checks that an agent's probabilities are legal, that the same seed gives the same responses, that a response
// depends neither on the other items nor on their order, that responses follow the probabilities, and that the truth is
// well formed.
func Conform(t testing.TB, s agents.Spec, items agents.Items, scale map[string]float64) {
	t.Helper()
	if err := s.Truth.Check(scale); err != nil {
		t.Errorf("agent %s: truth: %v", s.Name, err)
	}
	a, err := agents.Compile(&s, items)
	if err != nil {
		t.Fatal(err)
	}
	for i, name := range items.Names {
		if p := a.P(i); !(p >= 0 && p <= 1) {
			t.Fatalf("agent %s, item %s: probability %v", s.Name, name, p)
		}
	}
	independent(t, s, a, items)
	frequencies(t, s.Name, a, len(items.Names))
}

// independent checks that the agent responds in the same way if only every other item is present, in reverse order.
func independent(t testing.TB, s agents.Spec, a *agents.ResponseModel, items agents.Items) {
	t.Helper()
	var rows []int
	for i := len(items.Names) - 1; i >= 0; i -= 2 {
		rows = append(rows, i)
	}
	again, err := agents.Compile(&s, pick(items, rows))
	if err != nil {
		t.Fatal(err)
	}
	for k, i := range rows {
		for rep := range 3 {
			if a.Succeeds(7, i, rep) != again.Succeeds(7, k, rep) {
				t.Fatalf("agent %s, item %s: the response depends on the other items", s.Name, items.Names[i])
			}
		}
	}
}

// frequencies compares the number of successes, in at least 4000 responses, with the sum of the probabilities.
func frequencies(t testing.TB, name string, a *agents.ResponseModel, n int) {
	t.Helper()
	mean, variance, got := 0.0, 0.0, 0.0
	for rep := range 1 + 4000/n {
		for i := range n {
			p := a.P(i)
			mean, variance = mean+p, variance+p*(1-p)
			if a.Succeeds(1, i, rep) {
				got++
			}
		}
	}
	if math.Abs(got-mean) > z*math.Sqrt(variance)+1e-9 {
		t.Errorf("agent %s succeeds %v times, and its probabilities sum to %.1f ± %.1f", name, got, mean, math.Sqrt(variance))
	}
}

// Honours checks the truth of a capability that is demanded by a feature of 0 or 1: the subject's mean probability of
// success on items with the feature, divided by that on items without the feature, must be the true level.
func Honours(t testing.TB, s agents.Spec, items agents.Items, capability, feature string) {
	t.Helper()
	a, err := agents.Compile(&s, items)
	if err != nil {
		t.Fatal(err)
	}
	c, ok := items.Column(feature)
	if !ok {
		t.Fatalf("no feature %s", feature)
	}
	var sum, n [2]float64
	for i := range items.Names {
		k := int(c.Number[i])
		sum[k] += a.P(i)
		n[k]++
	}
	ratio := (sum[1] / n[1]) / (sum[0] / n[0])
	if want := s.Truth.Capability[capability]; math.Abs(ratio-want) > 5e-4 {
		t.Errorf("agent %s passes items with %s %.4f times as often as others, and its truth %s is %v", s.Name, feature, ratio, capability, want)
	}
}

// pick returns the items of the given rows, in that order.
func pick(items agents.Items, rows []int) agents.Items {
	out := agents.Items{Known: items.Known, Column: func(name string) (expr.Column, bool) {
		c, ok := items.Column(name)
		return expr.Column{Number: picked(c.Number, rows), Text: picked(c.Text, rows), Missing: picked(c.Missing, rows)}, ok
	}}
	for _, r := range rows {
		out.Names = append(out.Names, items.Names[r])
	}
	return out
}

func picked[T any](x []T, rows []int) []T {
	if x == nil {
		return nil
	}
	out := make([]T, len(rows))
	for i, r := range rows {
		out[i] = x[r]
	}
	return out
}
