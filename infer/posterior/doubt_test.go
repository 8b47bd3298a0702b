package posterior_test

import (
	"testing"

	"achilles/infer/posterior"
)

// TestCure checks that a warning says what may help: more draws where there are too few, else the other sampler, which is no
// help to draws that are its own.
func TestCure(t *testing.T) {
	for _, c := range []struct {
		engine posterior.Engine
		kind   posterior.Kind
		want   string
	}{
		{posterior.NUTS, posterior.ESS, "more --draws"},
		{posterior.NUTS, posterior.RHat, "more --draws"},
		{posterior.NUTS, posterior.Divergent, "--engine tempered"},
		{posterior.Tempered, posterior.Divergent, "more --draws"},
		{posterior.Tempered, posterior.EBFMI, "more --draws"},
	} {
		if got := posterior.Cure(c.engine, posterior.Doubt{Kind: c.kind}); got != c.want {
			t.Errorf("%s after engine %s: rerun with %s, want %s", c.kind, c.engine, got, c.want)
		}
	}
}
