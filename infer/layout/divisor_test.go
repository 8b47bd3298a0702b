package layout_test

import (
	"fmt"
	"strings"
	"testing"

	"achilles/infer/layout"
)

// TestSmoothDivisor checks that a maximum of an inferred value and a number above τ·log 2 is no 0 to divide by, at temperatures τ of 0.02
// and 0.2, that one below it may be 0, and that minima are seen likewise.
func TestSmoothDivisor(t *testing.T) {
	for _, c := range []struct {
		temperature float64
		divisor     string
		refused     string
	}{
		{0.02, "max(ability, 0.1)", ""},
		{0.02, "max(ability, 0.01)", "anywhere from -0.00386"},
		{0.2, "max(ability, 0.1)", "anywhere from -0.0386"},
		{0.2, "max(ability, 0.14)", ""},
		{0.02, "min(ability, -0.1)", ""},
		{0.02, "min(ability, -0.01)", "it can be 0"},
		{0.02, "max(ability, 0.1, 0.05)", ""},
		{0.02, "min(ability, 0.1)", "it can be 0"},
	} {
		text := fmt.Sprintf("name = \"d\"\ndoc = \"d\"\ntemperature = %g\n[metafeature]\nk = { column = \"k\", range = [0, 30] }\n[capability]\nability = { prior = \"normal(10, 20)\" }\n"+
			"[response.success]\np = \"logistic(k/%s)\"\n", c.temperature, c.divisor)
		_, err := layout.Parse("d.toml", text)
		if c.refused == "" && err != nil || c.refused != "" && (err == nil || !strings.Contains(err.Error(), c.refused)) {
			t.Errorf("%s at %g: %v, want %q", c.divisor, c.temperature, err, c.refused)
		}
	}
}
