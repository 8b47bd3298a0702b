package bib

import (
	"slices"

	"achilles/sim/num"
	"achilles/sim/table"
)

// A spread has the quartiles of a measure of the trials of a directory.
type spread struct {
	measure, of string
	n           int
	quantile    [5]float64 // from the least value to the largest
	mean        float64
}

// Spreads returns a table with the quartiles and the mean of every measure of the samples, one row for each sample below the
// other. names has the samples' names.
func Spreads(names []string, samples []Sample) *table.Table {
	var rows []spread
	for k, measure := range MeasureNames() {
		for i, name := range names {
			sorted := slices.Sorted(slices.Values(samples[i].Values[k]))
			r := spread{measure: measure, of: name, n: len(sorted), mean: num.Mean(sorted)}
			for q := range r.quantile {
				if r.n > 0 {
					r.quantile[q] = sorted[(len(sorted)-1)*q/4]
				}
			}
			rows = append(rows, r)
		}
	}
	number := func(c table.Column, of func(r spread) float64) table.Field[spread] {
		c.Digits = 2
		return table.Col(c, func(r spread) table.Value {
			if r.n == 0 {
				return table.None
			}
			return table.Float(of(r))
		})
	}
	return table.Of(table.Table{Name: "motion", Title: "Trials, in pixels and frames", Key: []string{"measure", "of"}}, rows, []table.Field[spread]{
		table.Col(table.Column{Name: "measure", Kind: table.Text, Prose: true}, func(r spread) table.Value { return table.String(r.measure) }),
		table.Col(table.Column{Name: "of", Kind: table.Text, Doc: "directory"}, func(r spread) table.Value { return table.String(r.of) }),
		table.Col(table.Column{Name: "n", Head: "values", Kind: table.Count, Weight: 3, Doc: "trials that have the measure"}, func(r spread) table.Value { return table.Int(r.n) }),
		number(table.Column{Name: "min"}, func(r spread) float64 { return r.quantile[0] }),
		number(table.Column{Name: "q25", Head: "25 %", Weight: 1}, func(r spread) float64 { return r.quantile[1] }),
		number(table.Column{Name: "median"}, func(r spread) float64 { return r.quantile[2] }),
		number(table.Column{Name: "q75", Head: "75 %", Weight: 1}, func(r spread) float64 { return r.quantile[3] }),
		number(table.Column{Name: "max"}, func(r spread) float64 { return r.quantile[4] }),
		number(table.Column{Name: "mean", Weight: 2}, func(r spread) float64 { return r.mean }),
	})
}
