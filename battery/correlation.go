package battery

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"achilles/sim/record"
	"achilles/sim/table"
)

// A Correlation holds Pearson's correlations between features over the items of a battery.
type Correlation struct {
	Names []string    // names of the features
	R     [][]float64 // [feature][feature]; NaN if a feature does not vary
}

// Correlate returns the correlations of the named features, or of all number features of the schema if no names are given.
// A text feature becomes one 0-1 indicator per level, named name=level, in order of appearance. A missing value counts as
// the mean of the feature's other values. The error names a feature that the battery lacks.
func (b *Battery) Correlate(names ...string) (Correlation, error) {
	if len(names) == 0 {
		for _, f := range b.Schema {
			if f.Kind == record.Number {
				names = append(names, f.Name)
			}
		}
	}
	var c Correlation
	var cols [][]float64
	for _, name := range names {
		col, ok := b.Column(name)
		if !ok {
			return c, fmt.Errorf("battery %s has no feature %s", b.Suite, name)
		}
		if col.Text == nil {
			c.Names, cols = append(c.Names, name), append(cols, centred(col.Number, col.Missing))
			continue
		}
		for _, level := range distinct(col.Text) {
			c.Names = append(c.Names, name+"="+level)
			cols = append(cols, centred(indicator(col.Text, level), col.Missing))
		}
	}
	c.R = products(cols)
	return c, nil
}

// Largest returns the names of the two features with the largest absolute correlation r. It does not compare two levels of
// one text feature, because they exclude each other. It returns "", "", 0 if no pair has a correlation other than 0.
func (c Correlation) Largest() (a, b string, r float64) {
	for i := range c.R {
		for j := range i {
			fi, _, _ := strings.Cut(c.Names[i], "=")
			fj, _, _ := strings.Cut(c.Names[j], "=")
			if fi != fj && math.Abs(c.R[i][j]) > math.Abs(r) {
				a, b, r = c.Names[j], c.Names[i], c.R[i][j]
			}
		}
	}
	return a, b, r
}

// correlated is a row of the table of correlations.
type correlated struct {
	a, b int
	r    float64
}

// Table returns the lower triangle of R, and the names of the largest pair.
func (c Correlation) Table() *table.Table {
	var rows []correlated
	short := map[string]string{}
	for i, name := range c.Names {
		short[name] = strconv.Itoa(i + 1)
		for j := range i + 1 {
			rows = append(rows, correlated{i, j, c.R[i][j]})
		}
	}
	t := table.Table{Name: "demands", Title: "Correlations of the demands", Key: []string{"feature", "other"},
		View: &table.View{Down: "feature", Across: "other", Cell: "r", Once: []string{"number"}, First: true, Short: short}}
	if x, y, r := c.Largest(); x != "" {
		t.Foot = []string{fmt.Sprintf("The largest is %.3f, of %s and %s.", r, x, y)}
	}
	return table.Of(t, rows, []table.Field[correlated]{
		table.Col(table.Column{Name: "feature", Kind: table.Text}, func(r correlated) table.Value { return table.String(c.Names[r.a]) }),
		table.Col(table.Column{Name: "number", Head: "no.", Kind: table.Count}, func(r correlated) table.Value { return table.Int(r.a + 1) }),
		table.Col(table.Column{Name: "other", Kind: table.Text}, func(r correlated) table.Value { return table.String(c.Names[r.b]) }),
		table.Col(table.Column{Name: "r", Digits: 2, Doc: "Pearson's correlation"}, func(r correlated) table.Value { return table.Float(r.r) }),
	})
}

// centred returns x minus its mean, divided by the Euclidean length of that difference, so that the inner product of two
// results is their correlation. Missing values become 0 and do not count in the mean. A constant x gives NaN.
func centred(x []float64, missing []bool) []float64 {
	sum, n := 0.0, 0
	for i, v := range x {
		if missing == nil || !missing[i] {
			sum, n = sum+v, n+1
		}
	}
	out := make([]float64, len(x))
	square := 0.0
	for i, v := range x {
		if missing == nil || !missing[i] {
			out[i] = v - sum/float64(n)
			square += float64(out[i] * out[i])
		}
	}
	for i := range out {
		out[i] /= math.Sqrt(square)
	}
	return out
}

// standardise shifts and scales `level`, which has one number for each level of a factor, so that over points with the levels column their
// mean is 0 and their standard deviation 1, and returns the result. If they do not vary over the points, it returns
// zeros.
func standardise(level []float64, column []int32) []float64 {
	mean, square := 0.0, 0.0
	share, out := make([]float64, len(level)), make([]float64, len(level))
	for l, x := range level {
		share[l] = x / float64(len(column))
	}
	for _, l := range column {
		mean += share[l]
	}
	for l, x := range level {
		share[l] = float64((x-mean)*(x-mean)) / float64(len(column))
	}
	for _, l := range column {
		square += share[l]
	}
	for l := range level {
		if square > 0 {
			out[l] = (level[l] - mean) / math.Sqrt(square)
		}
	}
	return out
}

func products(cols [][]float64) [][]float64 {
	r := make([][]float64, len(cols))
	for i := range cols {
		r[i] = make([]float64, len(cols))
		for j := range cols {
			for k := range cols[i] {
				r[i][j] += float64(cols[i][k] * cols[j][k])
			}
		}
	}
	return r
}

func indicator(text []string, level string) []float64 {
	x := make([]float64, len(text))
	for i, t := range text {
		if t == level {
			x[i] = 1
		}
	}
	return x
}

// distinct returns the levels of a text column in order of appearance, without the empty text of missing values.
func distinct(text []string) []string {
	seen := map[string]bool{"": true}
	var levels []string
	for _, t := range text {
		if !seen[t] {
			seen[t] = true
			levels = append(levels, t)
		}
	}
	return levels
}
