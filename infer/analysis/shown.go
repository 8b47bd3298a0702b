package analysis

import (
	"cmp"
	"math"
	"slices"

	"achilles/infer/predict"
	"achilles/sim/table"
)

// Table returns the table of a name, one of those of Files. It returns nil if there is none.
func (d *Document) Table(name string) *table.Table {
	for _, f := range d.files() {
		if f.name == name {
			return f.table()
		}
	}
	return nil
}

// pick returns the rows for which f holds.
func pick[R any](rows []R, f func(r *R) bool) (out []R) {
	for i := range rows {
		if f(&rows[i]) {
			out = append(out, rows[i])
		}
	}
	return out
}

// Regions returns the regions of sets of subjects, without those of single subjects.
func (d *Document) Regions() *table.Table {
	sets, t := d.Sets(), regionsAre
	t.Foot = []string{"For every subject, see table regions."}
	return fill(t, pick(d.Tables.Regions, func(r *RegionRow) bool { return slices.Contains(sets, r.Of) }), regionColumns)
}

// Next returns the cells to test next of sets of subjects, without those of single subjects.
func (d *Document) Next() *table.Table {
	sets, t := d.Sets(), nextIs
	t.Foot = append(slices.Clone(t.Foot), "For every subject, see table next.")
	return fill(t, pick(d.Tables.Next, func(r *NextRow) bool { return slices.Contains(sets, r.Of) }), nextColumns(d.Tables.Spaces))
}

// mostMisfits is the largest number of items that Misfits returns for each model.
const mostMisfits = 10

// Misfits returns the items that fit each model worst.
func (d *Document) Misfits() *table.Table {
	t := parametersAre
	t.Title, t.Foot = "Item fit: the ten worst", append(slices.Clone(t.Foot), "For every item, see table parameters.")
	var worst []ParameterRow
	for _, m := range d.Tables.Agreement {
		rows := pick(d.Tables.Parameters, func(r *ParameterRow) bool { return r.Model == m.Model && !math.IsNaN(r.Infit) })
		slices.SortStableFunc(rows, func(x, y ParameterRow) int { return cmp.Compare(math.Abs(y.Infit-1), math.Abs(x.Infit-1)) })
		worst = append(worst, rows[:min(len(rows), mostMisfits)]...)
	}
	return fill(t, worst, parameterColumns)
}

// NewScores returns the scores of all models on splits with new subjects, new items and both, each in a table, if there are any.
func (d *Document) NewScores() (out []*table.Table) {
	for _, u := range []struct {
		unit  predict.Unit
		title string
	}{{predict.Person, "New subjects"}, {predict.Item, "New items"}, {predict.Both, "New subjects, new items"}} {
		t := newIs
		t.Title, t.View = u.title, &table.View{Down: "model", Across: "score", Cell: "mean"}
		if rows := pick(d.Tables.New, func(r *NewRow) bool { return r.New == string(u.unit) }); rows != nil {
			out = append(out, fill(t, rows, newColumns))
		}
	}
	return out
}

// Losses returns the mean losses of models on random splits, and those under shifts.
func (d *Document) Losses() (random, shifted *table.Table) {
	rows := d.losses()
	under := lossesAre
	under.Title = "Trained on easy items, tested on hard ones: mean losses"
	return table.Of(lossesAre, pick(rows, func(r *modelLosses) bool { return r.shift == "" }), lossColumns),
		table.Of(under, pick(rows, func(r *modelLosses) bool { return r.shift != "" }), lossColumns)
}

func (d *Document) losses() (rows []modelLosses) {
	add := func(shift string, of map[string]Losses) {
		for _, model := range d.Models() {
			if l, ok := of[model]; ok {
				rows = append(rows, modelLosses{shift, model, l})
			}
		}
	}
	add("", d.Prediction)
	for _, s := range d.Shifts() {
		add(s, d.Shift[s].Models)
	}
	return rows
}
