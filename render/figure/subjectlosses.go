package figure

import (
	"cmp"
	"math"
	"slices"

	"achilles/infer/analysis"
	"achilles/render/figure/chart"
)

// subjectLosses returns the entry of the errors of prediction by subject; none if there are none.
func subjectLosses(a *analysis.Document) []Entry {
	if len(a.Tables.SubjectLosses) == 0 {
		return nil
	}
	return []Entry{{Name: "subjects", Title: "Errors of prediction by subject", Section: SectionModels, Make: func() chart.Figure { return lossesBySubject(a) },
		Caption: "Mean squared error on held-out responses (of a binary measure the Brier score): of the best layout or model, with its range over the splits, and of the subject's own success rate. Of more than 100 subjects the 50 at each end of the difference are drawn."}}
}

// mostLosses is the largest number of subjects whose errors are drawn.
const mostLosses = 100

// baseline is the model that predicts a subject's own success rate.
const baseline = "subject"

// lossesBySubject draws the losses of the measurement layout with the least mean loss, or else of the best model, beside those of the baseline. Of
// more than mostLosses it draws those at both ends of the difference.
func lossesBySubject(a *analysis.Document) chart.Figure {
	best := bestModel(a)
	series := []string{best}
	if best != baseline && slices.ContainsFunc(a.Tables.SubjectLosses, func(r analysis.SubjectLossRow) bool { return r.Model == baseline }) {
		series = append(series, "baseline: own success rate")
	}
	var rows []chart.Comparison
	for _, r := range a.Tables.SubjectLosses {
		if len(rows) == 0 || rows[len(rows)-1].Label != r.Subject {
			rows = append(rows, chart.Comparison{Label: r.Subject, Values: []float64{math.NaN(), math.NaN()}[:len(series)]})
		}
		at := &rows[len(rows)-1]
		switch r.Model {
		case best:
			at.Values[0], at.Low, at.High = r.Mean, r.Least, r.Most
		case baseline:
			at.Values[1] = r.Mean
		}
	}
	if len(rows) > mostLosses {
		slices.SortStableFunc(rows, func(a, b chart.Comparison) int {
			return cmp.Compare(b.Values[len(series)-1]-b.Values[0], a.Values[len(series)-1]-a.Values[0])
		})
		rows = slices.Delete(rows, mostLosses/2, len(rows)-mostLosses/2)
	}
	return chart.Compare("mean squared error", series, rows)
}

// bestModel returns the layout with the least mean squared error over the splits or, without layouts, the model.
func bestModel(a *analysis.Document) (best string) {
	least, shipped := math.Inf(1), analysis.Models()
	for _, layouts := range []bool{true, false} {
		for _, m := range a.Models() {
			if l, ok := a.Prediction[m]; ok && l.MSE != nil && slices.Contains(shipped, m) != layouts && *l.MSE < least {
				least, best = *l.MSE, m
			}
		}
		if best != "" {
			return best
		}
	}
	return best
}
