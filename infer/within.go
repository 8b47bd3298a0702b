package infer

import (
	"fmt"
	"io/fs"
	"math"
	"slices"
	"strings"

	"achilles/infer/layout"
	"achilles/sim/num"
	"achilles/sim/record"
	"achilles/sim/table"
)

// Within asks whether a subject fails for the want of one capability: only items within the known limits of everything else count, those
// that it would pass if it had all of that capability.
type Within struct {
	Capability string
	Limit      float64 // expected response on such an item, above 0, below 1
	Level      float64 // probability with which it is at least that, and that is inside the intervals; above 0, below 1
}

// An inside has what a subject does on the items within its known limits.
type inside struct {
	subject, measure string
	items, n         int     // items within, and scored responses to them
	sum              float64 // of these
	expected         []float64
	full             float64 // mean response that is expected with all of the capability; NaN without items
}

// WithinLimits returns a table with a row for each subject, of its responses to the items within its known limits, beside what the
// draws of the result expect there, and what they would expect if the subject had the largest value of the capability. A
// parameter that is no capability is an error; so is what PredictUnseen refuses.
func WithinLimits(public fs.FS, res *Result, l *layout.Layout, w Within) (*table.Table, error) {
	b, err := bindOn(public, res, l, nil)
	if err != nil {
		return nil, err
	}
	at, most, err := w.parameter(b.designs[0])
	if err != nil {
		return nil, err
	}
	var rows []inside
	for s, id := range b.data.Subjects {
		draws, own, err := b.subject(s)
		if err != nil {
			return nil, err
		}
		better := make([][]float64, len(draws))
		for i, theta := range draws {
			better[i] = slices.Clone(theta)
			better[i][at] = most
		}
		within := make([]map[int]bool, len(l.Responses)) // by measure
		full := make([]float64, len(l.Responses))
		for m := range within {
			within[m] = map[int]bool{}
		}
		b.each(better, own, func(m, item int, expected []float64) {
			if sorted := slices.Sorted(slices.Values(expected)); len(sorted) > 0 && num.SortedQuantile(sorted, 1-w.Level) >= w.Limit {
				within[m][item] = true
				full[m] += num.Mean(sorted)
			}
		})
		of := make([][]float64, len(l.Responses))
		b.each(draws, own, func(m, item int, expected []float64) {
			if within[m][item] {
				if of[m] == nil {
					of[m] = make([]float64, len(expected))
				}
				for i, p := range expected {
					of[m][i] += p / float64(len(within[m]))
				}
			}
		})
		for m, name := range b.designs[0].Measures() {
			if name == record.ErrorMeasure {
				continue // no data have it
			}
			slices.Sort(of[m])
			row := inside{subject: id, measure: name, items: len(within[m]), expected: of[m], full: full[m] / float64(len(within[m]))}
			for _, x := range b.data.Responses.Of(s) {
				if within[m][int(x.Item)] && x.Unscored == 0 && x.Phase == record.Test && b.data.Manifest.Measures[x.Measure].Name == name {
					row.n, row.sum = row.n+1, row.sum+x.Value
				}
			}
			rows = append(rows, row)
		}
	}
	return w.table(rows, len(l.Responses) > 1), nil
}

// parameter returns the index of the capability in a parameter vector, and a value that is more than any item needs.
func (w *Within) parameter(d *layout.Design) (at int, most float64, err error) {
	var known []string
	for i, p := range d.Parameters() {
		if p.Group != layout.Capability {
			continue
		}
		if p.Name == w.Capability {
			if most = p.Range[1]; math.IsInf(most, 1) {
				most = 1e6
			}
			return i, most, nil
		}
		known = append(known, p.Name)
	}
	return 0, 0, fmt.Errorf("%s is not a capability of the layout: it has %s", w.Capability, strings.Join(known, ", "))
}

func (w *Within) table(rows []inside, measures bool) *table.Table {
	t := table.Table{Name: "within", Title: fmt.Sprintf("Items that each subject would pass with all of %s", w.Capability), Key: []string{"subject"},
		Foot: []string{fmt.Sprintf("Within: items on which a subject with all of %s is expected to reach %g, with probability %g. Failures on these items are due to a lack of %s, or to chance; failures on others say nothing about it.", w.Capability, w.Limit, w.Level, w.Capability)}}
	fields := []table.Field[inside]{table.Col(table.Column{Name: "subject", Kind: table.Text}, func(r inside) table.Value { return table.String(r.subject) })}
	if measures {
		t.Key = append(t.Key, "measure")
		fields = append(fields, table.Col(table.Column{Name: "measure", Kind: table.Text}, func(r inside) table.Value { return table.String(r.measure) }))
	}
	draws := func(r inside) []float64 { return r.expected }
	fields = append(fields,
		table.Col(table.Column{Name: "items", Kind: table.Count, Dot: true, Doc: "within the limits"}, func(r inside) table.Value { return table.Int(r.items) }),
		table.Col(table.Column{Name: "responses", Kind: table.Count, Dot: true, Weight: 1, Doc: "to them"}, func(r inside) table.Value { return table.Int(r.n) }),
		table.Col(table.Column{Name: "observed", Digits: 3, Doc: "mean of these responses"}, func(r inside) table.Value { return table.Float(r.sum / float64(r.n)) }),
		table.Col(table.Column{Name: "expected", Low: "low", High: "high", Digits: 3, Doc: fmt.Sprintf("expected response on these items, with the %g %% interval", 100*w.Level)}, ofDraws(draws, func(draws []float64) float64 { return clampUnit(num.Mean(draws)) })),
		table.Col(table.Column{Name: "low"}, ofDraws(draws, func(draws []float64) float64 { return clampUnit(num.SortedQuantile(draws, (1-w.Level)/2)) })),
		table.Col(table.Column{Name: "high"}, ofDraws(draws, func(draws []float64) float64 { return clampUnit(num.SortedQuantile(draws, (1+w.Level)/2)) })),
		table.Col(table.Column{Name: "with_all", Head: "with all of it", Digits: 3, Doc: "response that is expected with the largest value of the capability"}, func(r inside) table.Value { return table.Float(clampUnit(r.full)) }))
	return table.Of(t, rows, fields)
}
