package agents_test

import (
	"strings"
	"testing"

	"achilles/agents"
	"achilles/agents/embodied"
	"achilles/gridworld/policy"
	"achilles/sim/expr"
)

// TestBodiesByMoment checks which body takes an item at a moment, and what is said of bodies and rules that cannot.
func TestBodiesByMoment(t *testing.T) {
	items := agents.Items{Names: []string{"near", "far"}, Known: []string{"distance"}, Column: func(name string) (expr.Column, bool) {
		return expr.Column{Number: []float64{1, 9}}, name == "distance"
	}}
	bodies := func(list ...agents.Body) *agents.Spec { return &agents.Spec{Name: "a", Body: list} }
	able := agents.Body{}
	s := bodies(agents.Body{If: "position > 10 && distance > 5", Body: embodied.Body{Goal: policy.Left}}, agents.Body{If: "coin < 0.25", Body: embodied.Body{Goal: policy.Avoid}}, able)
	b, err := agents.Embody(s, items)
	if err != nil {
		t.Fatal(err)
	}
	if !b.ByMoment() || !b.Ordered() || !s.Body[0].Ordered() || s.Body[2].Ordered() {
		t.Error("the bodies do not depend on the moment")
	}
	left, avoid, reward := disposition(t, policy.Left), disposition(t, policy.Avoid), disposition(t, "")
	for _, c := range []struct {
		item, position int
		coin           float64
		want           embodied.Disposition
	}{
		{1, 11, 0.9, left}, {1, 10, 0.9, reward}, {0, 11, 0.9, reward}, {0, 11, 0.2, avoid}, {1, 11, 0.2, left}, {1, 1, 0.25, reward},
	} {
		if d, _, err := b.Taking(c.item, agents.Moment{Position: c.position, Coin: c.coin}); err != nil || *d != c.want {
			t.Errorf("item %d, position %d, coin %v: another body (%v)", c.item, c.position, c.coin, err)
		}
	}
	if b.ByOutcome() {
		t.Error("the bodies depend on outcomes")
	}
	// Win-stay, lose-shift: the first body goes on after it has passed, and takes over where the second has not.
	if b, err = agents.Embody(bodies(agents.Body{If: "passed == 1 && before == 1 || passed == 0 && before == 2", Body: embodied.Body{Goal: policy.Left}}, able), items); err != nil || !b.ByOutcome() {
		t.Fatal(err, b.ByOutcome())
	}
	for _, c := range []struct {
		passed       bool
		before, want int
	}{{true, 1, 1}, {false, 1, 2}, {true, 2, 2}, {false, 2, 1}} {
		if _, n, err := b.Taking(0, agents.Moment{Passed: c.passed, Before: c.before}); err != nil || n != c.want {
			t.Errorf("passed %t, before %d: body %d takes the item, want %d (%v)", c.passed, c.before, n, c.want, err)
		}
	}
	if _, err := agents.Embody(bodies(able, agents.Body{If: "position > 1"}), items); err == nil || !strings.Contains(err.Error(), "end with one that has no if") {
		t.Errorf("the error of a list without an end is %v", err)
	}
	if _, err := agents.Embody(bodies(agents.Body{If: "positoin > 1"}, able), items); err == nil || !strings.Contains(err.Error(), "unknown feature positoin") {
		t.Errorf("the error of a misspelt name is %v", err)
	}
	if _, err := agents.Compile(&agents.Spec{Name: "r", Rule: []agents.Rule{{P: "1/position"}}}, items); err == nil || !strings.Contains(err.Error(), "say it in a condition of a body") {
		t.Errorf("the error of a rule is %v", err)
	}
}

func disposition(t *testing.T, goal policy.Goal) embodied.Disposition {
	t.Helper()
	d, err := embodied.New(embodied.Body{Goal: goal})
	if err != nil {
		t.Fatal(err)
	}
	return *d
}
