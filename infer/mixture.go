package infer

import (
	"fmt"
	"io/fs"
	"math"
	"slices"

	"achilles/infer/layout"
	"achilles/sim/num"
	"achilles/sim/record"
	"achilles/sim/table"
)

// A Mixture is a set of items in which groups of items have weights, such as the mixture of tasks that a deployment has.
type Mixture struct {
	Items  *record.Items // nil: those of the data
	Column string        // of the items, or suite, paradigm or task: its values are the groups
	Groups []string
	Weight []float64 // of each group, above 0; the weight of a group is shared equally by its items
	Level  float64   // probability inside the intervals and of a judgement, above 0, below 1
	Safe   float64   // above 0: threshold of the expected response
}

// A mixed is what a subject is expected to do on a mixture, and what it did.
type mixed struct {
	subject, measure string
	draws            []float64 // sorted; nil if there are none
	n                int
	observed         float64 // NaN where a group has no responses
	plain            float64 // mean of the responses, each counting alike; NaN without any
}

// PredictMixture returns a table of what each subject is expected to do on a mixture of the groups of items, by the draws that the result
// has, beside the mean of its responses to the same groups with the same weights. Nothing is fitted again. A group without an item
// is an error; so is what PredictUnseen refuses.
func PredictMixture(public fs.FS, res *Result, l *layout.Layout, x Mixture) (*table.Table, error) {
	b, err := bindOn(public, res, l, x.Items)
	if err != nil {
		return nil, err
	}
	weight, _, err := x.weights(b.items)
	if err != nil {
		return nil, err
	}
	own, group, err := x.weights(&b.data.Items)
	if err != nil && x.Items == nil {
		return nil, err
	}
	if err != nil { // the deployment has groups that nobody took: nothing was observed of the mixture
		own, group = nil, nil
	}
	var rows []mixed
	for s := range b.data.Subjects {
		draws, means, err := b.subject(s)
		if err != nil {
			return nil, err
		}
		of := make([][]float64, len(l.Responses))
		b.each(draws, means, func(m, item int, expected []float64) {
			if of[m] == nil {
				of[m] = make([]float64, len(expected))
			}
			for i, p := range expected {
				of[m][i] += float64(weight[item] * p)
			}
		})
		for m, name := range b.designs[0].Measures() {
			if name == record.ErrorMeasure {
				continue // no data have it
			}
			slices.Sort(of[m])
			row := mixed{subject: b.data.Subjects[s], measure: name, observed: math.NaN(), plain: math.NaN()}
			if draws != nil {
				row.draws = of[m]
			}
			if own != nil {
				row.observe(b.data, s, group, x.Weight)
			}
			rows = append(rows, row)
		}
	}
	return x.table(rows, len(l.Responses) > 1), nil
}

// weights returns the weight of each item, which sum to 1, and the index of its group; -1 for none.
func (x *Mixture) weights(items *record.Items) (weight []float64, group []int, err error) {
	c, ok := items.Column(x.Column)
	if !ok {
		return nil, nil, fmt.Errorf("items have no column %s", x.Column)
	}
	n, all := make([]int, len(x.Groups)), 0.0
	for i := range items.Len() {
		text := ""
		switch {
		case c.Missing != nil && c.Missing[i]:
		case c.Kind == record.Text:
			text = c.Text[i]
		default:
			text = fmt.Sprint(c.Number[i])
		}
		k := slices.Index(x.Groups, text)
		if group = append(group, k); k >= 0 {
			n[k]++
		}
	}
	for k, name := range x.Groups {
		if all += x.Weight[k]; n[k] == 0 {
			return nil, nil, fmt.Errorf("no item has %s = %s", x.Column, name)
		}
	}
	weight = make([]float64, len(group))
	for i, k := range group {
		if k >= 0 {
			weight[i] = x.Weight[k] / all / float64(n[k])
		}
	}
	return weight, group, nil
}

// observe sets the means of a subject's scored responses to items of groups with these weights.
func (r *mixed) observe(d *record.Dataset, s int, group []int, weight []float64) {
	n, sum := make([]int, len(weight)), make([]float64, len(weight))
	all, total := 0.0, 0.0
	for _, x := range d.Responses.Of(s) {
		k := group[x.Item]
		if k < 0 || x.Unscored != 0 || x.Phase != record.Test || d.Manifest.Measures[x.Measure].Name != r.measure {
			continue
		}
		n[k], sum[k] = n[k]+1, sum[k]+x.Value
		r.n, total = r.n+1, total+x.Value
	}
	if r.n > 0 {
		r.plain = total / float64(r.n)
	}
	r.observed = 0
	for k, w := range weight {
		r.observed += float64(w * sum[k] / float64(n[k])) // NaN without responses
		all += w
	}
	r.observed /= all
}

func (x *Mixture) table(rows []mixed, measures bool) *table.Table {
	t := table.Table{Name: "mixture", Title: "Expected responses to a mixture of items", Key: []string{"subject"}}
	fields := []table.Field[mixed]{table.Col(table.Column{Name: "subject", Kind: table.Text}, func(r mixed) table.Value { return table.String(r.subject) })}
	if measures {
		t.Key = append(t.Key, "measure")
		fields = append(fields, table.Col(table.Column{Name: "measure", Kind: table.Text}, func(r mixed) table.Value { return table.String(r.measure) }))
	}
	draws := func(r mixed) []float64 { return r.draws }
	level := fmt.Sprintf("%g %% interval", 100*x.Level)
	fields = append(fields,
		table.Col(table.Column{Name: "expected", Low: "low", High: "high", Digits: 3, Doc: "expected response on the mixture, with the " + level}, ofDraws(draws, func(draws []float64) float64 { return clampUnit(num.Mean(draws)) })),
		table.Col(table.Column{Name: "low"}, ofDraws(draws, func(draws []float64) float64 { return clampUnit(num.SortedQuantile(draws, (1-x.Level)/2)) })),
		table.Col(table.Column{Name: "high"}, ofDraws(draws, func(draws []float64) float64 { return clampUnit(num.SortedQuantile(draws, (1+x.Level)/2)) })))
	if x.Safe > 0 {
		fields = append(fields, safety(x.Safe, x.Level, draws)...)
	}
	maybe := func(v float64) table.Value { return table.Maybe(num.Finite(v)) }
	fields = append(fields,
		table.Col(table.Column{Name: "observed", Digits: 3, Doc: "mean of the subject's responses, with the same weights of groups"}, func(r mixed) table.Value { return maybe(r.observed) }),
		table.Col(table.Column{Name: "unweighted", Digits: 3, Weight: 1, Doc: "mean of its responses to these groups, each counting alike"}, func(r mixed) table.Value { return maybe(r.plain) }),
		table.Col(table.Column{Name: "responses", Kind: table.Count, Weight: 2, Doc: "its responses to these groups"}, func(r mixed) table.Value { return table.Int(r.n) }))
	return table.Of(t, rows, fields)
}
