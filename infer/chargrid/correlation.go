package chargrid

import (
	"math"

	"achilles/infer/table"
)

// A Correlation relates success to one numeric feature, over all responses to items that have it.
type Correlation struct {
	Feature           string
	Responses         float64
	Pearson, Spearman Estimate
	Conformance       Estimate
	Line              Line   // least squares
	Levels            int    // distinct values
	Reason            string // why there are no numbers
}

// An Estimate is a value with two intervals. Fisher is by Fisher's z for independent responses (for Spearman with the
// variance of Bonett and Wright 2000); it is too narrow where subjects differ. Cluster is by the percentile bootstrap over
// subjects. A value or an interval that is not defined is NaN.
type Estimate struct {
	Value           float64
	Fisher, Cluster Interval
}

// A Line is the least-squares line of success on a feature.
type Line struct{ Intercept, Slope Estimate }

// A measured is a numeric feature with its levels.
type measured struct {
	levels
	feature *table.Feature
}

// The statistics of one feature, in the order of the bootstrap's columns.
const (
	pearsonAt = iota
	spearmanAt
	conformanceAt
	interceptAt
	slopeAt
	perFeature
)

// statistics computes all numbers of a feature. ranked has the totals of the values' ranks.
func (m measured) statistics(p, ranked Totals, out []float64) {
	q := m.pool(p)
	out[pearsonAt] = correlate(m.value, q)
	out[spearmanAt] = correlate(midranks(q.N), m.pool(ranked))
	out[conformanceAt] = conformance(q)
	out[interceptAt], out[slopeAt] = line(m.value, q)
}

// line is the least-squares line; NaN for a constant feature.
func line(x []float64, q Totals) (intercept, slope float64) {
	n, sx, sy, used := 0.0, 0.0, 0.0, 0
	for k, w := range q.N {
		n, sx, sy = n+w, sx+float64(w*x[k]), sy+q.Sum[k]
		if w > 0 {
			used++
		}
	}
	mx, xx, xy := sx/n, 0.0, 0.0
	for k, w := range q.N {
		d := x[k] - mx
		xx, xy = xx+float64(w*d*d), xy+float64(d*q.Sum[k])
	}
	if used < 2 {
		return math.NaN(), math.NaN()
	}
	slope = xy / xx
	return sy/n - float64(slope*mx), slope
}

// conformance is minus the rank correlation between the distinct values of a feature and the mean success at each,
// however many responses each has: 1 where success falls from every value to the next, −1 where it rises, NaN with fewer
// than two values or equal success at all.
func conformance(q Totals) float64 {
	var value, mean []float64
	for k, n := range q.N {
		if n > 0 {
			value, mean = append(value, float64(k)), append(mean, q.Sum[k]/n)
		}
	}
	if len(value) < 2 {
		return math.NaN()
	}
	return -Spearman(value, mean, nil)
}

// A Matrix has the correlations of success (first) and all numeric features with each other, over the responses that
// have both; NaN where undefined.
type Matrix struct {
	Names             []string
	Pearson, Spearman [][]float64
}

// NewMatrix correlates everything with everything.
func NewMatrix(t *table.Table, set Set) Matrix {
	p := Pool(t, set.Weight)
	fs := numeric(t)
	m := Matrix{Names: []string{"success"}}
	for _, f := range fs {
		m.Names = append(m.Names, f.feature.Name)
	}
	m.Pearson, m.Spearman = square(len(m.Names)), square(len(m.Names))
	put := func(i, j int, pearson, spearman float64) {
		m.Pearson[i][j], m.Pearson[j][i] = pearson, pearson
		m.Spearman[i][j], m.Spearman[j][i] = spearman, spearman
	}
	put(0, 0, 1, 1)
	for i, f := range fs {
		q := f.pool(p)
		put(0, i+1, correlate(f.value, q), correlate(midranks(q.N), f.pool(Pool(f.rankValues(t), set.Weight))))
		for j := range i + 1 {
			x, y, w := f.both(fs[j], p)
			put(i+1, j+1, Pearson(x, y, w), Spearman(x, y, w))
		}
	}
	return m
}

func square(n int) [][]float64 {
	m := make([][]float64, n)
	for i := range m {
		m[i] = make([]float64, n)
	}
	return m
}

// both returns the values of two features on the items that have both and were answered, with the number of answers.
func (m measured) both(o measured, p Totals) (x, y, w []float64) {
	for i := range m.of {
		if m.of[i] >= 0 && o.of[i] >= 0 && p.N[i] > 0 {
			x, y, w = append(x, m.value[m.of[i]]), append(y, o.value[o.of[i]]), append(w, p.N[i])
		}
	}
	return x, y, w
}

// numeric returns the numeric features of a table.
func numeric(t *table.Table) (fs []measured) {
	for i := range t.Features {
		if f := &t.Features[i]; !f.Nominal() {
			fs = append(fs, measured{levelsOf(f), f})
		}
	}
	return fs
}

// rankValues returns the table with every value replaced by its rank, in (−½, ½), among the responses to items that have
// the feature. Binary values are returned as they are: ranks give the same correlation.
func (m measured) rankValues(t *table.Table) *table.Table {
	if t.Binary {
		return t
	}
	var values []float64
	for i, v := range t.Value {
		if m.of[t.Item[i]] >= 0 {
			values = append(values, v)
		}
	}
	rank := ranks(values, nil)
	r := *t
	r.Value = make([]float64, len(t.Value))
	k := 0
	for i := range t.Value {
		if m.of[t.Item[i]] >= 0 {
			r.Value[i] = rank[k] / float64(len(rank))
			k++
		}
	}
	return &r
}
