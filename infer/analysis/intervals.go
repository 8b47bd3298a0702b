package analysis

import (
	"math"

	"achilles/infer/predict"
	"achilles/sim/num"
	sheet "achilles/sim/table"
)

// An IntervalRow says how well a model's intervals are calibrated, on the mean over the splits.
type IntervalRow struct {
	New, Model, Of                                     string // new: Unit of Prediction.New, "" for the splits of Prediction.Unit; of: response, or mean of a subject's responses
	Number, Coverage, CoverageSD, HalfWidth, MAE, RMSE float64
}

// intervals returns the calibration of the intervals of all models, also where something is new; nil without Prediction.Intervals.
func (a *Analysis) intervals() (rows []IntervalRow) {
	rows = intervalsOf("", a.Prediction)
	for _, n := range a.New {
		rows = append(rows, intervalsOf(string(n.Unit), n.Models)...)
	}
	return rows
}

func intervalsOf(unit string, results []ModelResult) (rows []IntervalRow) {
	for i := range results {
		m := &results[i]
		for _, k := range []struct {
			of  string
			get func(g *predict.Grade) predict.IntervalGrade
		}{
			{"response", func(g *predict.Grade) predict.IntervalGrade { return g.Responses }},
			{"subject mean", func(g *predict.Grade) predict.IntervalGrade { return g.SubjectMeans }},
		} {
			row, covered := IntervalRow{New: unit, Model: m.Model, Of: k.of}, []float64(nil)
			for s := range m.Grades {
				g, n := k.get(&m.Grades[s]), float64(len(m.Grades))
				if g.N > 0 {
					covered = append(covered, g.Covered)
				}
				row.Number += g.N / n
				row.HalfWidth += g.HalfWidth / n
				row.MAE += g.MAE / n
				row.RMSE += g.RMSE / n
			}
			if len(covered) == 0 || len(covered) < len(m.Grades) {
				continue
			}
			mean, variance := num.Moments(covered)
			row.Coverage, row.CoverageSD = mean, math.Sqrt(variance)
			rows = append(rows, row)
		}
	}
	return rows
}

var intervalsAre = sheet.Table{Name: "intervals", Title: "Intervals of predictions", Key: []string{"new", "model", "of"},
	Foot: []string{"Calibrated by responses of the training part that further fits did not see. A single success or failure has no interval. ± standard deviation over the splits."}}

var intervalColumns = []column[IntervalRow]{
	col(sheet.Column{Name: "new", Weight: 1, Doc: "what is new: subject, item or both; empty for the splits of prediction.unit"}, func(r *IntervalRow) any { return &r.New }),
	col(sheet.Column{Name: "model"}, func(r *IntervalRow) any { return &r.Model }),
	col(sheet.Column{Name: "of", Doc: "response, or mean of a subject's test responses"}, func(r *IntervalRow) any { return &r.Of }),
	col(sheet.Column{Name: "number", Digits: -1, Weight: 1, Doc: "number of intervals per split"}, func(r *IntervalRow) any { return &r.Number }),
	col(sheet.Column{Name: "coverage", Digits: 3, Spread: "coverage_sd", Doc: "proportion of intervals that contain the truth"}, func(r *IntervalRow) any { return &r.Coverage }),
	col(sheet.Column{Name: "coverage_sd"}, func(r *IntervalRow) any { return &r.CoverageSD }),
	col(sheet.Column{Name: "half_width", Digits: 4, Doc: "mean, within [0, 1]"}, func(r *IntervalRow) any { return &r.HalfWidth }),
	col(sheet.Column{Name: "mae", Head: "MAE", Digits: 4}, func(r *IntervalRow) any { return &r.MAE }),
	col(sheet.Column{Name: "rmse", Head: "RMSE", Digits: 4}, func(r *IntervalRow) any { return &r.RMSE }),
}
