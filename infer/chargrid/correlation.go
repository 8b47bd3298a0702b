package chargrid

import (
	"math"

	"achilles/infer/table"
	"achilles/sim/num"
)

// A Correlation relates success to one feature, over all responses to items that have the feature. A nominal feature has
// no order: it has Eta alone.
type Correlation struct {
	Feature           string
	Responses         float64 // number of responses
	Pearson, Spearman Estimate
	Conformance       Estimate // see conformance
	Line              Line
	Before, After     Estimate // slopes of the lines up to the turning point and from it on; see turningPoint
	Turn              float64  // value of the feature at which success turns; NaN if Shape is not a U
	Shape             Shape
	Eta               float64 // see eta
	Levels            int     // number of distinct values of the feature with a response
	Reason            string  // why correlations are undefined; empty if they are defined
}

// An Estimate is a value with two intervals. Fisher is computed by Fisher's z for independent responses (for Spearman
// with the variance of Bonett and Wright 2000); it is too narrow if subjects differ in their success. Cluster is
// computed by the percentile bootstrap over subjects (that of conformance by curveNoise, and it holds the value). Undefined values and intervals are NaN.
type Estimate struct {
	Value           float64
	Fisher, Cluster Interval
}

// A Line is the least-squares line of success on a feature.
type Line struct{ Intercept, Slope Estimate }

// A measured is a numeric feature with its distinct values.
type measured struct {
	levels
	feature *table.Feature
}

// Indices of the statistics of one feature in the bootstrap's replicates.
const (
	pearsonAt = iota
	spearmanAt
	conformanceAt
	interceptAt
	slopeAt
	beforeAt
	afterAt
	perFeature
)

// statistics writes the statistics of a feature to out, for the totals q of the responses' values at each value of the
// feature, and those of their ranks. turn is the index of its turning point.
func (m measured) statistics(q, ranked Totals, turn int, out []float64) {
	out[pearsonAt] = correlate(m.value, q)
	out[spearmanAt] = correlate(midranks(q.N), ranked)
	out[conformanceAt] = conformance(q)
	out[interceptAt], out[slopeAt] = line(m.value, q)
	out[beforeAt], out[afterAt] = sides(m.value, q, turn)
}

// line returns the least-squares line of success on x, the values of the levels. It returns NaN if fewer than two levels
// have responses.
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

// eta returns the correlation ratio: the square root of the share of the responses' variance that lies between the values
// of a feature, less what chance puts there (Kelley 1935, ε²); 0 if that is more than there is. It is NaN if the feature
// or success is constant.
func eta(q Totals) float64 {
	n, sum, square, between, used := 0.0, 0.0, 0.0, 0.0, 0.0
	for k, w := range q.N {
		if w > 0 {
			n, sum, square, used = n+w, sum+q.Sum[k], square+q.Square[k], used+1
			between += float64(q.Sum[k] * q.Sum[k] / w)
		}
	}
	total := square - sum*sum/n
	if used < 2 || n <= used || !(total > 1e-12*square) {
		return math.NaN()
	}
	between -= sum * sum / n
	within := (total - between) / (n - used)
	return math.Sqrt(max(0, (between-float64((used-1)*within))/total))
}

// A Matrix has the correlations of each pair of success (row 0) and the numeric features, over the responses to items
// that have both. Undefined correlations are NaN.
type Matrix struct {
	Names             []string
	Pearson, Spearman [][]float64
}

// NewMatrix computes the matrix for a set of subjects.
func NewMatrix(t *table.Table, set Set) Matrix {
	p := Pool(t, set.Weight)
	fs := numeric(t)
	m := Matrix{Names: []string{"success"}}
	for _, f := range fs {
		m.Names = append(m.Names, f.feature.Name)
	}
	m.Pearson, m.Spearman = num.Rows(len(m.Names), len(m.Names)), num.Rows(len(m.Names), len(m.Names))
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

// both returns the values x and y of two features on the items that have both features and a response, and the number w
// of responses to each item.
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

// rankValues returns the table with the value of every response replaced by its rank, in (−½, ½), among the responses to
// items that have the feature. It leaves binary values as they are, because their ranks would give the same correlation.
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
