package report

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"achilles/infer/analysis"
	"achilles/render/format"
)

// scoreTable returns a table with a row for each model and a column for each score.
func scoreTable(title string, rows []analysis.ScoreRow) table {
	t := table{Title: title, Head: []column{{Name: "model"}}, Foot: []string{"Macro F1 and accuracy at the threshold one half. ± standard deviation over the splits."}}
	for _, s := range rows {
		if len(t.Rows) == 0 || t.Rows[len(t.Rows)-1].Cells[0].Text != s.Model {
			t.Rows = append(t.Rows, tableRow{Cells: []tableCell{text(s.Model)}})
		}
		if len(t.Rows) == 1 {
			t.Head = append(t.Head, numbers(s.Score)...)
		}
		c := number(s.Mean, 3)
		if !math.IsNaN(s.SD) {
			c.Text += " ±" + format.Number(s.SD, 3)
		}
		if !math.IsNaN(s.Published) {
			c.Below = []string{"published " + format.Number(s.Published, 3)}
		}
		row := &t.Rows[len(t.Rows)-1]
		row.Cells = append(row.Cells, c)
	}
	return t
}

// newTables returns a table of scores for new subjects, one for new items, and one for both, if the analysis has them.
func newTables(d *analysis.Document) (out []table) {
	titles, scores := d.NewScores()
	for k, title := range titles {
		out = append(out, scoreTable(strings.ToUpper(title[:1])+title[1:], scores[k]))
	}
	return out
}

func agreementTable(d *analysis.Document) table {
	t := table{Title: "How abilities order the subjects", Head: append([]column{{Name: "model"}}, numbers("Spearman with success", "Kendall's tau-b", "stability", "its sd", "negative slopes")...),
		Foot: []string{"Stability: Kendall's tau-b between fits to disjoint halves of the items. Negative slopes: share of the items' slopes by which more ability lowers success."}}
	for _, r := range d.Tables.Agreement {
		t.Rows = append(t.Rows, tableRow{Cells: []tableCell{text(r.Model), number(r.Spearman, 3), number(r.Kendall, 3), number(r.Stability, 3), number(r.StabilitySD, 3), number(r.Negative, 3)}})
	}
	return t
}

// mostMisfits is the largest number of items that misfitTable shows for each model.
const mostMisfits = 10

// misfitTable returns a table of the items that fit each model worst.
func misfitTable(d *analysis.Document) table {
	t := table{Title: "Items that fit worst", Head: append([]column{{Name: "model"}, {Name: "item"}}, numbers("infit", "outfit", "difficulty", "discrimination")...),
		Foot: []string{"Mean squares of residuals over their expected squares: 1 is expected, more is noise, less is more regular than the model. Of every item: parameters.csv."}}
	for _, m := range d.Tables.Agreement {
		var rows []analysis.ParameterRow
		for _, r := range d.Tables.Parameters {
			if r.Model == m.Model && !math.IsNaN(r.Infit) {
				rows = append(rows, r)
			}
		}
		slices.SortStableFunc(rows, func(x, y analysis.ParameterRow) int {
			return cmp.Compare(math.Abs(y.Infit-1), math.Abs(x.Infit-1))
		})
		for _, r := range rows[:min(len(rows), mostMisfits)] {
			t.Rows = append(t.Rows, tableRow{Cells: []tableCell{text(r.Model), text(r.Item), number(r.Infit, 2), number(r.Outfit, 2), number(r.Difficulty, 2), number(r.Discrimination, 2)}})
		}
	}
	return t
}

func shortFormTable(d *analysis.Document) table {
	t := table{Head: append([]column{{Name: "new"}, {Name: "items"}, {Name: "model"}}, numbers("number of items", "subjects", "within 2 points", "RMSE", "intervals cover", "half width")...),
		Foot: []string{"Within 2 points: share of subjects whose total is predicted to within two percentage points. Intervals are those of 90 %."}}
	for _, r := range d.Tables.ShortForms {
		t.Rows = append(t.Rows, tableRow{Cells: []tableCell{text(r.New), text(r.Way), text(r.Model), count(r.Items), count(r.Subjects), number(r.Within, 3), number(r.RMSE, 4), number(r.Covered, 3), number(r.HalfWidth, 4)}})
	}
	return t
}
