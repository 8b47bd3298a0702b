package irt

import (
	"fmt"
	"math"
	"slices"

	"achilles/infer/mml"
	"achilles/sim/num"
	"achilles/sim/record"
	"achilles/sim/table"
)

// Items returns the items with their parameters and how the model describes them.
func (a *Analysis) Items() *table.Table {
	type row struct {
		i, k int // index in the data, and among those that are analysed or −1
	}
	at := map[int]int{}
	for k, i := range a.in.items {
		at[i] = k
	}
	var rows []row
	for _, i := range natural(a.Data.Items.ID) {
		k, ok := at[i]
		if !ok {
			k = -1
		}
		rows = append(rows, row{i, k})
	}
	of := func(r row, f func(it *mml.Item) (x, se float64)) (x, se float64) {
		if r.k < 0 {
			return math.NaN(), 0
		}
		return f(&a.Fit.Items[r.k])
	}
	corrected := a.corrected(pvalues(a.itemFit, func(x *mml.ItemFit) float64 { return x.P }))
	fit := func(r row, f func(x mml.ItemFit) float64) float64 {
		if r.k < 0 || a.itemFit == nil {
			return math.NaN()
		}
		return f(a.itemFit[r.k])
	}
	fields := []table.Field[row]{
		text("item", "", func(r row) string { return a.Data.Items.ID[r.i] }),
		weighing(3, number("responses", "how many", 0, func(r row) float64 { return a.in.counts[r.i].n })),
		weighing(1, number("mean", "response", 3, func(r row) float64 { c := a.in.counts[r.i]; return c.sum / c.n })),
		weighing(2, headed("item–rest r", number("rest", "correlation of responses with the mean of the subject's other responses", 2, func(r row) float64 {
			if r.k < 0 {
				return math.NaN()
			}
			return a.in.rest[r.k].r
		}))),
	}
	if a.in.names != nil {
		fields = append(fields, text("ability", "that it measures", func(r row) string {
			if r.k < 0 {
				return ""
			}
			return a.in.names[slices.Index(a.in.loads[r.k], true)]
		}))
	}
	if !a.Model.OneSlope() {
		fields = append(fields, estimate("slope", "discrimination: log odds per standard deviation of ability", func(r row) (float64, float64) {
			return of(r, func(it *mml.Item) (float64, float64) { m := a.ability(r.k); return it.Slope[m], it.SlopeSE[m] })
		})...)
	}
	unit := "standard deviations of ability"
	if a.Model.OneSlope() {
		unit = "log odds"
	}
	if a.in.names == nil {
		doc := "ability at which a response is as probable as not, in " + unit
		if a.ordered() {
			doc = "mean of the difficulties of the steps between categories, in " + unit
		}
		if a.Model == mml.ThreePL {
			doc = "ability at which success lies halfway between guessing and 1, in " + unit
		}
		fields = append(fields, estimate("difficulty", doc, func(r row) (float64, float64) {
			return of(r, func(it *mml.Item) (float64, float64) {
				if len(it.Difficulty) == 1 {
					return it.Difficulty[0], it.DifficultySE[0]
				}
				return num.Mean(it.Difficulty), 0
			})
		})...)
	}
	if a.Model == mml.ThreePL {
		fields = append(fields, estimate("guess", "probability of success without ability", func(r row) (float64, float64) {
			return of(r, func(it *mml.Item) (float64, float64) { return it.Guess, it.GuessSE })
		})...)
	}
	fields = append(fields,
		weighing(2, headed("S-X²", number("fit", "S-X² of Orlando and Thissen (2000), of ordered categories as Kang and Chen (2008)", 1, func(r row) float64 { return fit(r, func(x mml.ItemFit) float64 { return x.X2 }) }))),
		weighing(2, headed("df", number("fit_df", "its degrees of freedom", 0, func(r row) float64 { return fit(r, func(x mml.ItemFit) float64 { return orNone(float64(x.DF)) }) }))),
		weighing(4, headed("p", pvalue("fit_p", "its p-value", 4, func(r row) float64 { return fit(r, func(x mml.ItemFit) float64 { return x.P }) }))),
		headed("corrected p", pvalue("fit_corrected", "the p-value, corrected for the number of items: "+a.correction(), 3, func(r row) float64 {
			if r.k < 0 || a.itemFit == nil {
				return math.NaN()
			}
			return corrected[r.k]
		})),
		weighing(4, headed("RMSEA", number("fit_rmsea", "size of the misfit of the item, per degree of freedom", 3, func(r row) float64 { return fit(r, func(x mml.ItemFit) float64 { return x.RMSEA }) }))),
	)
	t := table.Of(table.Table{Name: "items", Title: "Items", Key: []string{"item"}, Worst: []string{"fit_corrected"}}, rows, fields)
	for n, r := range rows {
		t.Note(n, "item", a.about[r.i]...)
	}
	t.Foot = apart(a)
	if a.itemFit == nil {
		t.Foot = append(t.Foot, "No S-X²: there are too many items to compare totals.")
	} else {
		t.Foot = append(t.Foot, fmt.Sprintf("In parentheses: standard errors. A low corrected p (%s) of S-X² says that responses to the item do not follow the model.", a.correction()))
	}
	if a.Fit.Blocks {
		t.Foot = append(t.Foot, "Standard errors are those of each item alone, as if the others were known: there are too many parameters for more.")
	}
	return t
}

// analysed returns the names of the items that are analysed.
func analysed(a *Analysis) (names []string) {
	for _, i := range a.in.items {
		names = append(names, a.Data.Items.ID[i])
	}
	return names
}

// natural returns the order in which people read names: item 2 before item 10.
func natural(names []string) []int {
	order := num.Indices(len(names))
	slices.SortFunc(order, func(a, b int) int { return record.CompareNames(names[a], names[b]) })
	return order
}

// ability returns the index of the ability that an item measures.
func (a *Analysis) ability(k int) int {
	if a.in.loads == nil {
		return 0
	}
	return slices.Index(a.in.loads[k], true)
}

func (a *Analysis) ordered() bool {
	return slices.ContainsFunc(a.in.data.Categories, func(k int) bool { return k > 2 })
}

// steps returns every parameter of every item.
func (a *Analysis) steps() *table.Table {
	type row struct {
		item, parameter, category string
		x, se, b, seB             float64
	}
	var rows []row
	for _, k := range natural(analysed(a)) {
		it, name := &a.Fit.Items[k], a.Data.Items.ID[a.in.items[k]]
		m := a.ability(k)
		rows = append(rows, row{item: name, parameter: slopeName, x: it.Slope[m], se: it.SlopeSE[m], b: math.NaN()})
		for c := range it.Intercept {
			r := row{item: name, parameter: interceptName(c, len(a.in.levels[k])), x: it.Intercept[c], se: it.InterceptSE[c], b: math.NaN(), category: fmt.Sprintf("%g", a.in.levels[k][c+1])}
			if it.Difficulty != nil {
				r.b, r.seB = it.Difficulty[c], it.DifficultySE[c]
			}
			rows = append(rows, r)
		}
		if a.Model == mml.ThreePL {
			rows = append(rows, row{item: name, parameter: guessName, x: it.Guess, se: it.GuessSE, b: math.NaN()})
		}
	}
	fields := []table.Field[row]{
		text("item", "", func(r row) string { return r.item }),
		text("parameter", "slope a, intercept d or guess c: log odds a·θ + d of success, of a category or a higher one (grm), or of a category against the one below (pcm, gpcm)", func(r row) string { return r.parameter }),
		text("category", "that the intercept is about", func(r row) string { return r.category }),
	}
	fields = append(fields, estimate("estimate", "", func(r row) (float64, float64) { return r.x, r.se })...)
	fields = append(fields, estimate("difficulty", "−d/a; where all items have one slope, −d", func(r row) (float64, float64) { return r.b, r.seB })...)
	return table.Of(table.Table{Name: "parameters", Title: "Parameters of items", Key: []string{"item", "parameter"}, Foot: []string{"--anchor takes this table: its items then keep these values, and others are on their scale."}}, rows, fields)
}
