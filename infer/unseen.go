package infer

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"slices"

	"achilles/infer/layout"
	"achilles/sim/num"
	"achilles/sim/record"
	"achilles/sim/table"
)

// Unseen are items that nobody took, and what is asked about them.
type Unseen struct {
	Items *record.Items // nil: those of the data, for each subject those that it has not taken
	Show  []string      // columns of the items that people see instead of the items' names
	Fixed []string      // further columns in which responses beside a cell of a grid must be like it
	Level float64       // probability inside the intervals, and of a judgement, above 0, below 1
	Safe  float64       // above 0: the table has the probability that the expected response is at least this, and a judgement
}

// The bounds of a prediction of unseen items: rows of its table, items that are evaluated at a time, and draws that are used of
// each subject, a regular part of them if there are more.
const (
	maxUnseen   = 1 << 20
	unseenItems = 4096
	unseenDraws = 2000
)

// An expectation is the expected response of a subject to an item.
type expectation struct {
	subject, measure string
	item             int
	draws            []float64 // sorted; nil if there are none
	taken            taken     // of the cell of a grid
}

// PredictUnseen returns a table of the expected response of each subject to each item, or to the items of the data that it has not taken, and measure, by the draws that the result has;
// nothing is fitted again. The interval is that of the expected response, which for a success is its probability: it says how
// well the subject is known, not how a single response varies. The layout must be that of the result, and measure
// subjects one by one, unless the items are those of the data. Items without the layout's columns or with values outside their declared ranges are errors. A value
// that no item of the data has, and a doubt about a subject's draws, are noted beside the number. The cells of a subject without
// draws are empty.
func PredictUnseen(public fs.FS, res *Result, l *layout.Layout, u Unseen) (*table.Table, error) {
	if u.Items == nil && l.Joint() {
		return u.together(public, res, l)
	}
	b, err := bindOn(public, res, l, u.Items)
	if err != nil {
		return nil, err
	}
	var at []int
	if u.Show != nil {
		at = u.places(&b.data.Items)
	}
	untaken := u.Items == nil
	if untaken {
		u.Items = b.items
	}
	var rows []expectation
	for s, id := range b.data.Subjects {
		draws, own, err := b.subject(s)
		if err != nil {
			return nil, err
		}
		from := len(rows)
		for k, d := range b.designs {
			rows = append(rows, expectations(d, own, draws, id, k*unseenItems)...)
		}
		if at != nil {
			addTaken(rows[from:], at, b.data.Responses.Of(s), b.data.Manifest.Measures)
		}
		if untaken {
			rows = append(rows[:from], notTaken(rows[from:], b.data.Responses.Of(s), b.data.Manifest.Measures)...)
		}
	}
	return u.noted(rows, untaken, res, l, &b.data.Items)
}

// together is PredictUnseen of the items of the data that each subject has not taken, for a layout that measures all subjects together.
func (u *Unseen) together(public fs.FS, res *Result, l *layout.Layout) (*table.Table, error) {
	data, err := record.Read(public)
	if err != nil {
		return nil, err
	}
	u.Items = &data.Items
	rows, err := notTakenTogether(data, res, l)
	if err != nil {
		return nil, err
	}
	return u.noted(rows, true, res, l, &data.Items)
}

// noted returns the table of expectations, with what is doubtful about them.
func (u *Unseen) noted(rows []expectation, untaken bool, res *Result, l *layout.Layout, items *record.Items) (*table.Table, error) {
	if untaken && len(rows) == 0 {
		return nil, errors.New("every subject has taken every item: name other items")
	}
	t := u.table(rows, len(l.Responses) > 1)
	if untaken {
		t.Title += " to items that the subject has not taken"
	}
	u.note(t, rows, res, l, items)
	return t, nil
}

// predictsUnseen returns an error if a layout says nothing of items that nobody took.
func predictsUnseen(l *layout.Layout) error {
	if l.Joint() {
		return fmt.Errorf("layout %s measures all subjects together: items have parameters of their own, which are not known for items that nobody has taken; without --items, predict has the responses that the data lack", l.Name)
	}
	return nil
}

// drawsFor returns draws of a subject as parameter vectors of a design; nil if there are none.
func drawsFor(res *Result, d *layout.Design, subject string) (out [][]float64, err error) {
	if res.Draws == nil {
		return nil, nil
	}
	of, err := res.Draws.Of(subject)
	if of == nil || err != nil {
		return nil, err
	}
	step := (len(of.Draw) + unseenDraws - 1) / unseenDraws
	return thinned(res.Draws.Parameters(), of, d, func(i int) bool { return i%step == 0 })
}

// expectations returns what is expected of a subject with these draws at the items of a design, the first of which has the number
// from. own has the subject's means, if the layout uses them.
func expectations(d *layout.Design, own *layout.Data, draws [][]float64, subject string, from int) (out []expectation) {
	rows := atDraws(d, own, draws)
	for _, r := range rows {
		slices.Sort(r)
	}
	for i := range d.Items() {
		for m, name := range d.Measures() {
			if name == record.ErrorMeasure {
				continue // no data have it
			}
			out = append(out, expectation{subject: subject, measure: name, item: from + i, draws: rows[m*d.Rows()+d.Row(i)]})
		}
	}
	return out
}

func (u *Unseen) table(rows []expectation, measures bool) *table.Table {
	t := table.Table{Name: "unseen", Title: "Expected responses", Key: []string{"subject", "item"}}
	fields := []table.Field[expectation]{
		table.Col(table.Column{Name: "subject", Kind: table.Text}, func(e expectation) table.Value { return table.String(e.subject) }),
		table.Col(table.Column{Name: "item", Kind: table.Text, Hidden: u.Show != nil}, func(e expectation) table.Value { return table.String(u.Items.ID[e.item]) }),
	}
	for _, name := range u.Show {
		c, ok := u.Items.Column(name)
		if !ok {
			panic("infer: a column to show that the items do not have")
		}
		fields = append(fields, shown(c))
	}
	if measures {
		t.Key = append(t.Key, "measure")
		fields = append(fields, table.Col(table.Column{Name: "measure", Kind: table.Text}, func(e expectation) table.Value { return table.String(e.measure) }))
	}
	draws := func(e expectation) []float64 { return e.draws }
	quantile := func(p float64) func(draws []float64) float64 {
		return func(draws []float64) float64 { return clampUnit(num.SortedQuantile(draws, p)) }
	}
	level := fmt.Sprintf("%g %% interval", 100*u.Level)
	fields = append(fields,
		table.Col(table.Column{Name: "expected", Low: "low", High: "high", Digits: 3, Doc: "expected response; of a success its probability; with the " + level}, ofDraws(draws, func(draws []float64) float64 { return clampUnit(num.Mean(draws)) })),
		table.Col(table.Column{Name: "low", Digits: 3, Doc: "lower end of the " + level}, ofDraws(draws, quantile((1-u.Level)/2))),
		table.Col(table.Column{Name: "high", Digits: 3, Doc: "upper end of the " + level}, ofDraws(draws, quantile((1+u.Level)/2))))
	if u.Safe > 0 {
		fields = append(fields, safety(u.Safe, u.Level, draws)...)
	}
	if u.Show != nil {
		fields = append(fields,
			table.Col(table.Column{Name: "responses", Kind: table.Count, Dot: true, Weight: 1, Doc: "the subject's responses to items nearest to this cell, whatever their values in columns that the command does not name; where there are none, the prediction rests on the layout alone"}, func(e expectation) table.Value { return table.Int(e.taken.n) }),
			table.Col(table.Column{Name: "observed", Digits: 3, Weight: 1, Doc: "their mean"}, func(e expectation) table.Value { return table.Float(e.taken.sum / float64(e.taken.n)) }))
	}
	return table.Of(t, rows, fields)
}

// shown returns a column of the items as a column of the table.
func shown(c record.Column) table.Field[expectation] {
	kind := table.Number
	if c.Kind == record.Text {
		kind = table.Text
	}
	return table.Col(table.Column{Name: c.Name, Kind: kind, Digits: -1, Doc: c.Doc}, func(e expectation) table.Value {
		switch {
		case c.Missing != nil && c.Missing[e.item]:
			return table.Value{}
		case c.Kind == record.Text:
			return table.String(c.Text[e.item])
		}
		return table.Float(c.Number[e.item])
	})
}

// note notes what is doubtful about each prediction.
func (u *Unseen) note(t *table.Table, rows []expectation, res *Result, l *layout.Layout, taken *record.Items) {
	doubts := map[string][]string{}
	for _, f := range res.Diagnostics.Fits {
		if f.Rows == AllRows {
			for _, w := range f.Warnings {
				doubts[f.Subject] = append(doubts[f.Subject], w.Message)
			}
		}
	}
	t.Foot = append(t.Foot, doubts[Everybody]...)
	beyond := u.beyond(l, taken)
	for i, e := range rows {
		t.Note(i, "expected", append(slices.Clone(doubts[e.subject]), beyond[e.item]...)...)
	}
	if res.Settings.Bank != nil {
		t.Foot = append(t.Foot, fmt.Sprintf("By layout %s alone, not averaged over the candidate set.", l.Name))
	}
}

// beyond returns, for each item, in what it is unlike all items of the data.
func (u *Unseen) beyond(l *layout.Layout, taken *record.Items) [][]string {
	out := make([][]string, u.Items.Len())
	for _, m := range l.Metafeatures {
		old, ok := taken.Column(m.Column)
		now, _ := u.Items.Column(m.Column)
		if !ok {
			continue
		}
		least, most := math.Inf(1), math.Inf(-1)
		texts := map[string]bool{}
		for i := range taken.Len() {
			switch {
			case old.Missing != nil && old.Missing[i]:
			case old.Kind == record.Text:
				texts[old.Text[i]] = true
			default:
				least, most = min(least, old.Number[i]), max(most, old.Number[i])
			}
		}
		for i := range out {
			switch {
			case now.Missing != nil && now.Missing[i] || now.Kind != old.Kind:
			case now.Kind == record.Text && !texts[now.Text[i]]:
				out[i] = append(out[i], fmt.Sprintf("no item that was taken has %s %s", m.Column, now.Text[i]))
			case now.Kind == record.Number && (now.Number[i] < least || now.Number[i] > most):
				out[i] = append(out[i], fmt.Sprintf("%s of items that were taken is from %g to %g: beyond that, predictions rest on the layout alone", m.Column, least, most))
			}
		}
	}
	return out
}
