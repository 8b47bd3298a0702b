package infer

import (
	"fmt"
	"io/fs"

	"achilles/infer/layout"
	"achilles/sim/record"
)

// A bound has a layout that is bound to items, with all that is needed to say what the subjects of a result are expected to do on them.
type bound struct {
	data    *record.Dataset
	res     *Result
	items   *record.Items
	designs []*layout.Design // of unseenItems items each, but for the last
	taken   *layout.Design   // has the means of the responses, if the layout uses them; else nil
}

// bindOn binds the layout of a result to items; nil: those of the data.
func bindOn(public fs.FS, res *Result, l *layout.Layout, items *record.Items) (*bound, error) {
	if err := predictsUnseen(l); err != nil {
		return nil, err
	}
	data, err := record.Read(public)
	if err != nil {
		return nil, err
	}
	if items == nil {
		items = &data.Items
	}
	if n := len(data.Subjects) * items.Len() * len(l.Responses); n > maxUnseen {
		return nil, fmt.Errorf("%d subjects and %d items give %d predictions; at most %d at a time", len(data.Subjects), items.Len(), n, maxUnseen)
	}
	if l, err = l.KnownFrom(&data.Items); err != nil {
		return nil, err
	}
	b := &bound{data: data, res: res, items: items}
	for from := 0; from < items.Len(); from += unseenItems {
		d, err := l.Bind(items.Part(from, min(unseenItems, items.Len()-from)), data.Manifest.Measures)
		if err != nil {
			return nil, err
		}
		b.designs = append(b.designs, d)
	}
	if b.designs[0].UsesMeans() {
		if b.taken, err = l.Bind(&data.Items, data.Manifest.Measures); err != nil {
			return nil, err
		}
	}
	return b, nil
}

// subject returns the draws of a subject, nil if there are none, and its means, if the layout uses them.
func (b *bound) subject(s int) (draws [][]float64, own *layout.Data, err error) {
	id := b.data.Subjects[s]
	draws, err = drawsFor(b.res, b.designs[0], id)
	own = &layout.Data{}
	if b.taken != nil && draws != nil && err == nil {
		if own, err = b.taken.NewData(b.data.Responses.Of(s)); err != nil {
			err = fmt.Errorf("subject %s: %w", id, err)
		}
	}
	return draws, own, err
}

// atDraws returns what is expected at each draw on each distinct row of a design, measure by measure: [measure · rows + row][draw]; nothing
// in them without draws.
func atDraws(d *layout.Design, own *layout.Data, draws [][]float64) [][]float64 {
	rows := make([][]float64, d.Rows()*len(d.Measures()))
	if draws == nil {
		return rows
	}
	target, p := d.NewTarget(own.WithoutResponses(d)), make([]float64, len(rows))
	for _, theta := range draws {
		target.Predict(theta, p)
		for i, x := range p {
			rows[i] = append(rows[i], x)
		}
	}
	return rows
}

// each calls f with what is expected at each draw of each measure on each item.
func (b *bound) each(draws [][]float64, own *layout.Data, f func(measure, item int, expected []float64)) {
	for k, d := range b.designs {
		rows := atDraws(d, own, draws)
		for i := range d.Items() {
			for m := range d.Measures() {
				f(m, k*unseenItems+i, rows[m*d.Rows()+d.Row(i)])
			}
		}
	}
}
