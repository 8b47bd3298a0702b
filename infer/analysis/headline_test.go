package analysis_test

import (
	"encoding/json"
	"testing"

	"achilles/infer/analysis"
)

// TestHeadline reads the headline of a small analysis, which was worked out by hand: the model with the least loss, the largest correlations
// by size, ties by name; the turn, and the labels that are not the items' names.
func TestHeadline(t *testing.T) {
	var d analysis.Document
	text := `{"prediction": {"subject": {"mse": 0.2, "mse_interval": [0.15, 0.25]}, "tree": {"mse": 0.1}, "boost": {"mse": 0.3}, "none": {}},
		"correlations": {"size": {"spearman": 0.25}, "lava": {"spearman": -0.5}, "colour": {}, "depth": {"spearman": 0.1}, "wall": {"spearman": -0.1}, "heat": {"spearman": 0.01, "shape": "inverted U", "turn": -2.5},
		"cold": {"spearman": 0, "shape": "U", "turn": 3}, "shape": {"eta": 0.25, "values": 5}, "name": {"eta": 0.9, "values": 6}, "kind": {"eta": 0.125, "values": 2}},
		"items": 10, "features": [{"name": "kind", "kind": "text"}, {"name": "heat", "kind": "number"}, {"name": "name", "kind": "text"}, {"name": "shape", "kind": "text"}, {"name": "cold", "kind": "number"}]}`
	if err := json.Unmarshal([]byte(text), &d); err != nil {
		t.Fatal(err)
	}
	for _, m := range []string{"subject", "tree", "boost", "none"} {
		d.Tables.Prediction = append(d.Tables.Prediction, analysis.GradeRow{Model: m})
	}
	want := "Best predicted by tree: MSE 0.100; baseline (each subject's success rate) 0.200 [0.150, 0.250]. Success correlates most with lava (−0.50), size (0.25), depth (0.10). Success is highest where heat is near −2.5 (inverted U). Success is lowest where cold is near 3 (U). Of labels, success differs most by shape (η 0.25)."
	if got := d.Headline(); got != want {
		t.Errorf("it says\n%s\nwant\n%s", got, want)
	}
	if got := new(analysis.Document).Headline(); got != "" {
		t.Errorf("of nothing it says %q", got)
	}
}
