package cli_test

import (
	"strings"
	"testing"
)

// TestMaximumLikelihood checks that what asks a fit understands one by maximum marginal likelihood, which has no draws of what the priors of items
// alone depend on.
func TestMaximumLikelihood(t *testing.T) {
	t.Chdir(t.TempDir())
	must(t, "import", repository(t)+"/docs/examples/matrix.csv", "--out", "r")
	if out := must(t, "infer", "r", "--layout", "rasch", "--engine", "mml", "--chains", "2"); !strings.Contains(out, "Marginal likelihood") || !strings.Contains(out, "BIC") {
		t.Errorf("infer prints\n%s", out)
	}
	estimates := must(t, "show", "r", "estimates", "--format", "csv")
	if !strings.HasPrefix(estimates, "parameter,kind,unit,estimate,se,bounds\n") || strings.Contains(estimates, "\nmu,") || !strings.Contains(estimates, "\nspread,shared,") {
		t.Errorf("estimates are\n%s", estimates)
	}
	for _, args := range [][]string{
		{"show", "r", "likelihood"}, {"score", "r"}, {"report", "r"}, {"next", "r"}, {"compare", "r", "model-1", "model-2"}, {"compare", "r", "--draws", "difficulty > 1"},
		{"design", "r", "--table", "curves"}, {"export", "r", "--out", "csv"}, {"export", "arviz", "r", "--out", "r.zarr"}, {"verify", "r"},
	} {
		must(t, args...)
	}
	if out := must(t, "layouts", "compare", "r", "inferred", "rasch", "--engine", "mml"); !strings.Contains(out, "AIC") {
		t.Errorf("layouts are compared by\n%s", out)
	}
}
