package analysis

import (
	"math"

	sheet "achilles/sim/table"
)

// A SearchRow is a way to train a model that was compared with others before the fit to all responses. What a kind of model has not, or has by
// default, is NaN.
type SearchRow struct {
	Model                          string
	Candidate                      int // from 1
	Dimensions, Layer, Step, Slope float64
	Loss                           float64
	Chosen                         string // chosen, or ""
}

// searches returns what the settings let models choose among; nil if these have no values of their own.
func (a *Analysis) searches() (rows []SearchRow) {
	if p := &a.Settings.Prediction; len(p.Dimensions)+len(p.Layers)+len(p.Steps) == 0 {
		return nil
	}
	own := func(x float64) float64 {
		if x == 0 {
			return math.NaN()
		}
		return x
	}
	for i := range a.Traits {
		for k, c := range a.Traits[i].Tried {
			r := SearchRow{a.Traits[i].Model, k + 1, own(float64(c.Dimensions)), own(float64(c.Layer)), own(c.Step), own(c.Slope), c.Loss, ""}
			if c.Chosen {
				r.Chosen = "chosen"
			}
			rows = append(rows, r)
		}
	}
	return rows
}

var searchesAre = sheet.Table{Name: "searches", Title: "Search for dimension, layers and step of models with abilities", Key: []string{"model", "candidate"},
	Foot: []string{"Loss: mean over the fifth of the training responses that was kept apart, of the fit to all responses. –: the model has none, or its usual one. The second hidden layer has half of the units."}}

var searchColumns = []column[SearchRow]{
	col(sheet.Column{Name: "model"}, func(r *SearchRow) any { return &r.Model }),
	col(sheet.Column{Name: "candidate", Weight: 2}, func(r *SearchRow) any { return &r.Candidate }),
	col(sheet.Column{Name: "dimensions", Doc: "number of abilities"}, func(r *SearchRow) any { return &r.Dimensions }),
	col(sheet.Column{Name: "layer", Doc: "units of the first hidden layer"}, func(r *SearchRow) any { return &r.Layer }),
	col(sheet.Column{Name: "step", Digits: -1, Doc: "step size of Adam"}, func(r *SearchRow) any { return &r.Step }),
	col(sheet.Column{Name: "slope", Digits: -1, Weight: 1, Doc: "precision of the prior of the slopes"}, func(r *SearchRow) any { return &r.Slope }),
	col(sheet.Column{Name: "loss", Digits: 4}, func(r *SearchRow) any { return &r.Loss }),
	col(sheet.Column{Name: "chosen"}, func(r *SearchRow) any { return &r.Chosen }),
}
