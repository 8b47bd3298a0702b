package analysis_test

import (
	"encoding/json"
	"testing"

	"achilles/infer/analysis"
)

// TestHeadline reads the headline of a small analysis, which was worked out by hand: the model with the least loss, the largest correlations
// by size, ties by name.
func TestHeadline(t *testing.T) {
	var d analysis.Document
	text := `{"prediction": {"subject": {"mse": 0.2, "mse_interval": [0.15, 0.25]}, "tree": {"mse": 0.1}, "boost": {"mse": 0.3}, "none": {}},
		"correlations": {"size": {"spearman": 0.25}, "lava": {"spearman": -0.5}, "colour": {}, "depth": {"spearman": 0.1}, "wall": {"spearman": -0.1}}}`
	if err := json.Unmarshal([]byte(text), &d); err != nil {
		t.Fatal(err)
	}
	for _, m := range []string{"subject", "tree", "boost", "none"} {
		d.Tables.Prediction = append(d.Tables.Prediction, analysis.GradeRow{Model: m})
	}
	want := "Best predicted by tree: MSE 0.100; baseline (each subject's success rate) 0.200 [0.150, 0.250]. Success correlates most with lava (−0.50), size (0.25), depth (0.10)."
	if got := d.Headline(); got != want {
		t.Errorf("it says\n%s\nwant\n%s", got, want)
	}
	if got := new(analysis.Document).Headline(); got != "" {
		t.Errorf("of nothing it says %q", got)
	}
}
