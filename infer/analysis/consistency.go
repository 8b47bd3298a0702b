package analysis

import (
	"context"
	"math"
	"slices"
	"strconv"

	"achilles/infer/predict"
	"achilles/infer/table"
	"achilles/sim/num"
	"achilles/sim/rng"
	sheet "achilles/sim/table"
)

// A ConsistencyRow says how alike two orders of the subjects are, each by the ability from so many items, with no item in both: mean of
// Kendall's tau-b over the repeats, its standard deviation, and its central 90 %. OneFit is the mean where one fit to all responses gives
// both orders, by its mean predictions of the responses to either set of items. That fit knows the other set, and with one ability it is 1.
type ConsistencyRow struct {
	Model                  string
	Items, Repeats         int
	Kendall, SD, Low, High float64
	OneFit                 float64
}

// leastItems is the smallest number of items by which subjects are put in order.
const leastItems = 5

// halvings returns the numbers of items from half of n down to leastItems, each half of the one before, the largest first. If n is small,
// half of it is the only one.
func halvings(n int) []int {
	out := []int{n / 2}
	for k := n / 4; k >= leastItems; k /= 2 {
		out = append(out, k)
	}
	return out
}

// consistency draws disjoint sets of items at random, as often as configured, fits the model to each set alone, and compares the two orders
// of the subjects: for halves of the items first, and then for smaller sets, which are parts of these halves. Items keep their numbers,
// and therefore their skills. (The released code of Camilla numbers the items of a half anew, and looks their skills up by these numbers.)
func (a *Analysis) consistency(ctx context.Context, p predict.Measurer, t *table.Table) (rows []ConsistencyRow, err error) {
	repeats := a.Settings.Prediction.Stability
	if repeats == 0 {
		return nil, nil
	}
	whole, err := p.Fit(ctx, t, rng.Derive(a.Settings.Seed, "traits", p.Name()))
	if err != nil {
		return nil, err
	}
	expected := make([]float64, t.Rows())
	whole.Predict(t.Subject, t.Item, expected)
	for i, n := range halvings(len(t.Items)) {
		var taus, one []float64
		for k := range repeats {
			name := strconv.Itoa(k)
			r := rng.Stream(a.Settings.Seed, "stability", name)
			order := r.Perm(len(t.Items))
			set := make([]int, len(t.Items)) // 1 and 2: of the two sets
			for place, j := range order {
				switch {
				case place < n:
					set[j] = 1
				case i == 0 || place >= len(order)-n:
					set[j] = 2
				}
			}
			if i > 0 {
				name += " of " + strconv.Itoa(n)
			}
			of := func(h int) func(row int) bool { return func(row int) bool { return set[t.Item[row]] == h } }
			parts := predict.By(t, name, func(row int) (bool, bool) { return of(1)(row), of(2)(row) })
			var abilities, means [2][]float64
			for h, use := range [][]int32{parts.Train, parts.Test} {
				traits, err := p.Measure(ctx, t.Subset(use), a.Settings.Level, rng.Derive(a.Settings.Seed, "half", p.Name(), name, strconv.Itoa(h)))
				if err != nil {
					return nil, err
				}
				abilities[h], means[h] = values(traits.Ability), meansOf(t, use, expected)
			}
			taus, one = append(taus, kendall(abilities[0], abilities[1])), append(one, kendall(means[0], means[1]))
		}
		mean, variance := num.Moments(taus)
		row := ConsistencyRow{Model: p.Name(), Items: n, Repeats: repeats, Kendall: mean, SD: math.Sqrt(variance), Low: math.NaN(), High: math.NaN(), OneFit: num.Mean(one)}
		if slices.Sort(taus); !math.IsNaN(mean) {
			row.Low, row.High = num.SortedQuantile(taus, 0.05), num.SortedQuantile(taus, 0.95)
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// meansOf returns the mean of values, by row of t, over some rows of every subject. Without any it is NaN.
func meansOf(t *table.Table, rows []int32, values []float64) []float64 {
	sum, n := make([]float64, len(t.Subjects)), make([]float64, len(t.Subjects))
	for _, row := range rows {
		s := t.Subject[row]
		sum[s], n[s] = sum[s]+values[row], n[s]+1
	}
	for s := range sum {
		sum[s] /= n[s]
	}
	return sum
}

var consistencyIs = sheet.Table{Name: "consistency", Title: "Consistency of the order of the subjects", Key: []string{"model", "items"},
	Foot: []string{"Kendall's tau-b between the abilities from two disjoint random sets of that many items each, ± its standard deviation over the repeats; in brackets its central 90 %. One fit: both orders come from one fit to all responses, which overstates agreement: with one ability it is 1."}}

var consistencyColumns = []column[ConsistencyRow]{
	col(sheet.Column{Name: "model"}, func(r *ConsistencyRow) any { return &r.Model }),
	col(sheet.Column{Name: "items", Doc: "of each set"}, func(r *ConsistencyRow) any { return &r.Items }),
	col(sheet.Column{Name: "repeats", Weight: 3}, func(r *ConsistencyRow) any { return &r.Repeats }),
	col(sheet.Column{Name: "kendall", Head: "Kendall's tau-b", Digits: 3, Low: "low", High: "high", Doc: "mean over the repeats"}, func(r *ConsistencyRow) any { return &r.Kendall }),
	col(sheet.Column{Name: "sd", Digits: 3, Weight: 1}, func(r *ConsistencyRow) any { return &r.SD }),
	col(sheet.Column{Name: "low"}, func(r *ConsistencyRow) any { return &r.Low }),
	col(sheet.Column{Name: "high"}, func(r *ConsistencyRow) any { return &r.High }),
	col(sheet.Column{Name: "one_fit", Digits: 3, Weight: 2}, func(r *ConsistencyRow) any { return &r.OneFit }),
}
