package chargrid

import (
	"achilles/infer/table"
	"achilles/sim/num"
)

// A CurvePoint is the mean success at one value of a feature or in one bin. Interval is Wilson's interval for
// independent responses.
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
	Of      string       // name of the set of subjects
	Values  []CurvePoint // by value; empty for a nominal feature, whose bins are its levels
	Binned  []CurvePoint // by bin, without bins that have no response
	Rule    string       // description of the binning
}

// NewCurve computes the curve of a set of subjects over a feature. a has the bins of the feature, name and p the name
// and the totals of the set. level is the level of the intervals.
func NewCurve(f *table.Feature, a *Axis, name string, p Totals, level float64) Curve {
	c := Curve{Feature: a.Feature, Of: name, Rule: a.Rule}
	if !f.Nominal() {
		l := levelsOf(f)
		q := l.pool(p)
		for k, n := range q.N {
			if n > 0 {
				c.Values = append(c.Values, newPoint(number(l.value[k]), l.value[k], n, q.Sum[k], level))
			}
		}
	}
	n, sum, x := make([]float64, len(a.Labels)), make([]float64, len(a.Labels)), make([]float64, len(a.Labels))
	for i, b := range a.Bin {
		if b >= 0 {
			n[b] += p.N[i]
			sum[b] += p.Sum[i]
			x[b] += float64(p.N[i] * f.Value[i])
		}
	}
	for b, label := range a.Labels {
		if n[b] > 0 {
			c.Binned = append(c.Binned, newPoint(label, x[b]/n[b], n[b], sum[b], level))
		}
	}
	return c
}

func newPoint(label string, value, n, sum, level float64) CurvePoint {
	low, high := num.WilsonInterval(sum, n, level)
	return CurvePoint{label, value, n, sum / n, Interval{low, high}}
}
