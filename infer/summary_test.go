package infer_test

import (
	"testing"

	"achilles/infer"
	"achilles/infer/misfit"
	judging "achilles/infer/table"
	"achilles/sim/table"
)

// TestSummaries checks the tables of small results by hand.
func TestSummaries(t *testing.T) {
	ids := &infer.Identifiability{
		Parameters: []infer.Identification{{Parameter: "a", Prior: "uniform(0, 1)", PriorSD: 0.289, PosteriorSD: 0.1, Contraction: 0.88, Identified: 3, Subjects: 4}},
		Unbounded:  []string{"b"},
		Strong:     []infer.PosteriorCorrelation{{A: "a", B: "b", R: -0.9, Subject: "s1", Strong: 2, Subjects: 4}},
	}
	c := &infer.Calibration{Replications: 20, Unresolved: 1, Quantities: []infer.CalibratedQuantity{{Name: "a", P: 0.5}}, Planted: []infer.PlantedError{{Name: "e", P: 1e-6, Power: 0.75, By: "a", Refits: 9}}}
	quantities, planted := c.Tables()
	mcse := new(float64)
	at := func(x float64) *float64 { return &x }
	three := []infer.Unit{
		{Parameter: "spread", Kind: infer.SharedUnit, Mean: at(0.4), SD: at(0.1), MCSE: mcse},
		{Parameter: "difficulty", Kind: "item", Unit: "i1", Mean: at(1), SD: at(0.2), MCSE: mcse}, {Parameter: "difficulty", Kind: "item", Unit: "i2", Mean: at(-1), SD: at(0.3), MCSE: mcse}, {Parameter: "difficulty", Kind: "item", Unit: "i3", Mean: at(0), SD: at(0.4), MCSE: mcse},
	}
	units, apart := infer.UnitRanges(three, nil), infer.UnitRanges(three, []judging.Finding{{Kind: judging.Disconnected, Count: 2}})
	heavy := infer.UnitRanges([]infer.Unit{{Parameter: "slope", Kind: "item", Unit: "i1", Q50: 3}, {Parameter: "slope", Kind: "item", Unit: "i2", Mean: at(2), SD: at(0.5), MCSE: mcse, Q50: 1.9}}, nil)
	d := infer.Diagnostics{Layout: "op", Fits: []infer.Fit{{Subject: "s1"}, {Subject: "s1", Misfit: &misfit.Result{}}, {Subject: "s2", Misfit: &misfit.Result{Failed: []misfit.Finding{{Statement: "it fails"}}}}}}
	for _, want := range []struct {
		table *table.Table
		rows  int
		row   int
		cells map[string]string
	}{
		{ids.Table(), 2, 0, map[string]string{"parameter": "a", "prior": "uniform(0, 1)", "contraction": "0.88", "identified": "3", "subjects": "4", "rmse": ""}},
		{ids.Table(), 2, 1, map[string]string{"parameter": "b", "prior": "", "prior_sd": "", "contraction": "", "identified": "", "subjects": ""}},
		{ids.Together(), 1, 0, map[string]string{"a": "a", "b": "b", "r": "-0.9", "subject": "s1", "strong": "2", "subjects": "4"}},
		{quantities, 1, 0, map[string]string{"quantity": "a", "p": "0.5"}},
		{planted, 1, 0, map[string]string{"error": "e", "p": "1e-06", "power": "0.75", "by": "a", "refits": "9"}},
		{units, 2, 0, map[string]string{"parameter": "spread", "kind": "shared", "n": "1", "mean": "0.4", "sd": "0.1", "lowest": "", "highest_unit": ""}},
		{units, 2, 1, map[string]string{"parameter": "difficulty", "n": "3", "mean": "", "lowest": "-1", "lowest_sd": "0.3", "lowest_unit": "i2", "highest": "1", "highest_unit": "i1"}},
		{apart, 2, 0, map[string]string{"parameter": "spread", "mean": "0.4"}},
		{apart, 2, 1, map[string]string{"parameter": "difficulty", "n": "3", "lowest": "", "lowest_unit": "", "highest": "", "highest_unit": ""}},
		{heavy, 1, 0, map[string]string{"lowest": "2", "lowest_sd": "0.5", "highest": "3", "highest_sd": "", "highest_unit": "i1"}},
		{d.Misfits(), 1, 0, map[string]string{"subject": "s2", "failed": "it fails"}},
	} {
		if err := want.table.Check(); err != nil || len(want.table.Rows) != want.rows {
			t.Errorf("%s: %v, %d rows", want.table.Name, err, len(want.table.Rows))
			continue
		}
		for column, text := range want.cells {
			if got := want.table.Value(want.row, column).Text(); got != text {
				t.Errorf("%s, row %d, %s: %q, want %q", want.table.Name, want.row, column, got, text)
			}
		}
	}
	if got, want := d.Misfits().Title, "Person misfit: layout op fails a fit check for 1 of 2 subjects"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if len(infer.UnitRanges(nil, nil).Rows) != 0 {
		t.Error("units of nothing")
	}
}
