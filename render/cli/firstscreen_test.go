package cli_test

import (
	"strings"
	"testing"
)

// TestFirstScreenWorstFirst checks that a result with many cautions takes no more than a screen of narrow lines, and that the subjects that
// are shown, where not all are, begin with those that were misclassified.
func TestFirstScreenWorstFirst(t *testing.T) {
	t.Chdir(t.TempDir())
	t.Setenv("COLUMNS", "60")
	printed := must(t, "run", "quickstart", "--set", "battery.sample=60", "--draws", "100", "--warmup", "50", "--no-predict")
	if n := strings.Count(printed, "\n"); n > 24+2 { // two lines say that there are no predictions
		t.Errorf("%d lines:\n%s", n, printed)
	}
	if !strings.Contains(printed, "omitted for width.\n") {
		t.Errorf("nothing says that columns are left out:\n%s", printed)
	}
	_, cut, ok := strings.Cut(printed, "worst first")
	_, wrong, named := strings.Cut(cut, "Caution: Misclassified: ")
	if !ok || !named {
		t.Fatalf("no rows were left out, or nothing is wrong:\n%s", printed)
	}
	wrong, _, _ = strings.Cut(wrong, ".")
	_, rows, _ := strings.Cut(printed, "\nsubject ")
	first := strings.Fields(strings.SplitN(rows, "\n", 3)[1])[0]
	if !strings.Contains(wrong, first) {
		t.Errorf("the first of the worst is %s, not one of %s:\n%s", first, wrong, printed)
	}
}
