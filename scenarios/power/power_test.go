package power_test

import (
	"math"
	"testing"

	"achilles/scenarios"
	"achilles/scenarios/power"
	"achilles/scenarios/scenario"
)

// open returns a shipped scenario with some keys changed.
func open(t testing.TB, name string, settings ...string) *scenario.Scenario {
	t.Helper()
	text, err := scenarios.FS.ReadFile(name + ".toml")
	if err != nil {
		t.Fatal(err)
	}
	source := string(text)
	for _, s := range settings {
		if source, err = scenario.Override("f", source, s); err != nil {
			t.Fatal(err)
		}
	}
	s, err := scenario.Parse(name+".toml", source)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// divergence returns the Kullback–Leibler divergence of Bernoulli(p) from Bernoulli(q), with 0 log 0 = 0.
func divergence(p, q float64) float64 {
	return term(p, q) + term(1-p, 1-q)
}

func term(p, q float64) float64 {
	switch {
	case p <= 0:
		return 0
	case q <= 0:
		return math.Inf(1)
	}
	return float64(p * (math.Log(p) - math.Log(q)))
}

// TestAgainstByHand checks a hand example: of the 588 items of the paper that test object permanence, a policy that
// goes to where it last saw the reward fails 24. A subject who passes all with probability 0.95 differs from a
// fraudster on these 24 only, which the fraudster passes with probability 0.4 at most.
func TestAgainstByHand(t *testing.T) {
	b, err := open(t, "op-burden").MakeBattery(t.Context(), 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	got, err := power.Against(&b, "lastSeenPasses")
	if want := 24 * divergence(0.95, 0.4); err != nil || math.Abs(got-want) > 1e-8 {
		t.Errorf("%v nats (%v), want %v", got, err, want)
	}
	if _, err := power.Against(&b, "searchPasses"); err == nil {
		t.Error("the released coding has no search")
	}
}
