package figure_test

import (
	"fmt"
	"strings"
	"testing"

	"achilles/infer/analysis"
	"achilles/render/figure"
)

// TestSubjectLosses: a layout is drawn before a model that predicts better, beside the baseline; of many subjects those at both ends.
func TestSubjectLosses(t *testing.T) {
	mse := func(x float64) analysis.Losses { return analysis.Losses{MSE: &x} }
	d := &analysis.Document{Prediction: map[string]analysis.Losses{"subject": mse(0.25), "factor": mse(0.1), "op": mse(0.2)}}
	for s := range 200 {
		for model, x := range map[string]float64{"subject": 0.25, "factor": 0.1, "op": 0.2 + float64(s)/1000} {
			d.Tables.SubjectLosses = append(d.Tables.SubjectLosses, analysis.SubjectLossRow{Subject: fmt.Sprint("s", s), Model: model, Splits: 15, Mean: x, Least: x - 0.01, Most: x + 0.01})
		}
	}
	for _, m := range []string{"subject", "factor", "op"} {
		d.Tables.Prediction = append(d.Tables.Prediction, analysis.GradeRow{Model: m})
	}
	e, err := (&figure.Material{Analysis: d}).Find("subjects")
	if err != nil {
		t.Fatal(err)
	}
	svg := string(e.Make().SVG(e.Title))
	for _, want := range []string{">op<", ">baseline: own success rate<", ">s0<", ">s49<", ">s150<", ">s199<"} {
		if !strings.Contains(svg, want) {
			t.Errorf("the figure lacks %s", want)
		}
	}
	for _, not := range []string{">factor<", ">s50<", ">s149<"} {
		if strings.Contains(svg, not) {
			t.Errorf("the figure has %s", not)
		}
	}
}
