package agents_test

import (
	"slices"
	"testing"

	"achilles/agents"
)

// TestIdle checks which conditions hold on no trial, at the last trial and one before it.
func TestIdle(t *testing.T) {
	bodies := func(conditions ...string) *agents.Spec {
		s := &agents.Spec{Name: "a"}
		for _, c := range conditions {
			s.Body = append(s.Body, agents.Body{If: c})
		}
		return s
	}
	for _, c := range []struct {
		spec   *agents.Spec
		trials int
		want   []string
	}{
		{bodies("position > 60", ""), 60, []string{"position > 60"}},
		{bodies("position > 60", ""), 61, nil},
		{bodies("before == 3", ""), 60, []string{"before == 3"}},
		{bodies("before == 2", ""), 60, nil},
		{bodies("position > 10 && position < 11", `before == 2 && position == 1`, ""), 60, []string{"position > 10 && position < 11"}},
		{bodies("position > 60 && coin < 0.5", `family == "cup"`, "position >", ""), 60, nil}, // nobody can say, or it is an error
	} {
		if got := agents.Idle(c.spec, c.trials); !slices.Equal(got, c.want) {
			t.Errorf("%v of %d trials: %q, want %q", c.spec.Body, c.trials, got, c.want)
		}
	}
}
