package analysis

import (
	"math"

	sheet "achilles/sim/table"
)

// A SubjectLossRow has the mean squared error of a model's predictions of one subject's test responses, over the splits (Burden et al. 2023,
// Figure 6a).
type SubjectLossRow struct {
	Subject, Model        string
	Splits                int     // splits on which the subject has test responses
	Responses             float64 // their number, all splits together
	Mean, SD, Least, Most float64 // over the splits: mean, standard deviation (NaN of one), smallest and largest
}

// subjectLosses returns the losses of every subject, model by model; nil unless Settings.Each.
func (a *Analysis) subjectLosses() (rows []SubjectLossRow) {
	for s, id := range a.Subjects {
		for _, m := range a.Prediction {
			r := SubjectLossRow{Subject: id, Model: m.Model, Least: math.Inf(1), Most: math.Inf(-1)}
			square := 0.0
			for _, g := range m.Grades {
				if g.Each == nil || g.Each[s].N == 0 {
					continue
				}
				x := g.Each[s].MSE
				r.Splits++
				r.Responses += float64(g.Each[s].N)
				d := x - r.Mean
				r.Mean += d / float64(r.Splits)
				square += float64(d * (x - r.Mean))
				r.Least, r.Most = min(r.Least, x), max(r.Most, x)
			}
			r.SD = math.Sqrt(square / float64(r.Splits-1))
			if r.Splits > 0 {
				rows = append(rows, r)
			}
		}
	}
	return rows
}

var subjectLossesAre = sheet.Table{Name: "subject_losses", Title: "Errors of prediction by subject, over the splits", Key: []string{"subject", "model"},
	View: &sheet.View{Down: "subject", Across: "model", Cell: "mse"},
	Foot: []string{"Mean squared error on the test responses of a subject: of a binary measure, its Brier score. ± is its standard deviation over the splits."}}

var subjectLossColumns = []column[SubjectLossRow]{
	col(sheet.Column{Name: "subject"}, func(r *SubjectLossRow) any { return &r.Subject }),
	col(sheet.Column{Name: "model"}, func(r *SubjectLossRow) any { return &r.Model }),
	col(sheet.Column{Name: "splits", Doc: "on which the subject has test responses"}, func(r *SubjectLossRow) any { return &r.Splits }),
	col(sheet.Column{Name: "responses", Doc: "test responses on all splits together"}, func(r *SubjectLossRow) any { return &r.Responses }),
	col(sheet.Column{Name: "mse", Head: "MSE", Digits: 3, Spread: "sd", Doc: "mean over the splits"}, func(r *SubjectLossRow) any { return &r.Mean }),
	col(sheet.Column{Name: "sd", Head: "SD", Digits: 3, Doc: "over the splits"}, func(r *SubjectLossRow) any { return &r.SD }),
	col(sheet.Column{Name: "least", Digits: 3, Doc: "smallest of a split"}, func(r *SubjectLossRow) any { return &r.Least }),
	col(sheet.Column{Name: "most", Head: "largest", Digits: 3, Doc: "largest of a split"}, func(r *SubjectLossRow) any { return &r.Most }),
}
