package chargrid

import (
	"achilles/infer/table"
	"achilles/sim/num"
)

// A CurvePoint is the mean success at one value of a feature or in one bin. Interval is Wilson's interval for the number
// of independent responses that are worth as much as those of the subjects: see effective.
type CurvePoint struct {
	Label string
	Value float64 // value of the feature; for a bin the mean over its responses; for a nominal feature the index of the level
	N     float64 // number of responses
	Mean  float64
	Interval
}

// A Curve is the mean success as a function of one feature: at each of its values, and in bins. The least-squares line
// is in Correlation.
type Curve struct {
	Feature string
	Values  []CurvePoint // by value; empty for a nominal feature, whose bins are its levels
	Binned  []CurvePoint // by bin, without bins that have no response
}

// NewCurve computes the curve of a set of subjects over feature f of table t. a has the bins of the feature, level is that
// of the intervals.
func NewCurve(t *table.Table, f *table.Feature, a *Axis, set Set, level float64) Curve {
	c := Curve{Feature: a.Feature}
	if !f.Nominal() {
		l := levelsOf(f)
		labels := make([]string, len(l.value))
		for k, v := range l.value {
			labels[k] = number(v)
		}
		c.Values = points(t, set, l.of, labels, level, func(k int, _ Totals) float64 { return l.value[k] })
	}
	c.Binned = points(t, set, a.Bin, a.Labels, level, func(bin int, p Totals) float64 {
		x, n := 0.0, 0.0
		for i, k := range a.Bin {
			if int(k) == bin {
				n, x = n+p.N[i], x+float64(p.N[i]*f.Value[i])
			}
		}
		return x / n
	})
	return c
}

// points returns the points of the groups of items that have a response. of has the group of each item, −1 for none; value
// computes the value of a group from the totals of the items.
func points(t *table.Table, set Set, of []int32, labels []string, level float64, value func(group int, p Totals) float64) (out []CurvePoint) {
	p := Pool(t, set.Weight)
	q := p.by(of, len(labels))
	subjects, square := make([]float64, len(labels)), make([]float64, len(labels))
	bySubject(t, set, of, len(labels), func(u Totals) {
		for k, n := range u.N {
			if n > 0 {
				d := u.Sum[k] - float64(n*(q.Sum[k]/q.N[k]))
				subjects[k]++
				square[k] += float64(d * d)
			}
		}
	})
	for k, n := range q.N {
		if n > 0 {
			m := effective(q.Sum[k]/n, n, subjects[k], square[k], level)
			low, high := num.WilsonInterval(float64(q.Sum[k]/n*m), m, level)
			out = append(out, CurvePoint{labels[k], value(k, p), n, q.Sum[k] / n, Interval{low, high}})
		}
	}
	return out
}

// effective returns the number of independent responses that are worth as much as n responses with this mean, given by so
// many subjects: mean·(1 − mean) over the variance of the mean between subjects, times (z/t)² for their small number (Korn
// and Graubard 1998), and never more than n. square is the sum over subjects of the square of what their responses differ
// from the mean. Of one subject, n are as good as independent; where all succeed or all fail, nothing shows how alike a
// subject's responses are, and each subject counts once.
func effective(mean, n, subjects, square, level float64) float64 {
	if subjects < 2 {
		return n
	}
	if mean <= 0 || mean >= 1 {
		return subjects
	}
	if square == 0 {
		return n
	}
	variance := float64(square/(n*n)) * (subjects / (subjects - 1))
	p := 0.5 + level/2
	ratio := num.NormalQuantile(p) / num.StudentTQuantile(p, subjects-1)
	return min(n, float64(mean*(1-mean))/variance*float64(ratio*ratio))
}
