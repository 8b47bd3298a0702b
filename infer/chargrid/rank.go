package chargrid

import (
	"cmp"
	"math"
	"slices"

	"achilles/infer/table"
	"achilles/sim/num"
)

// levels has the distinct values of a numeric feature over all items.
type levels struct {
	value []float64 // ascending
	of    []int32   // for each item the index of its value; −1: the item has no value
}

func levelsOf(f *table.Feature) levels {
	l := levels{of: make([]int32, len(f.Value))}
	for i := range f.Value {
		if v, ok := f.At(i); ok {
			l.value = append(l.value, v)
		}
	}
	slices.Sort(l.value)
	l.value = slices.Compact(l.value)
	for i := range l.of {
		l.of[i] = -1
		if v, ok := f.At(i); ok {
			k, _ := slices.BinarySearch(l.value, v)
			l.of[i] = int32(k)
		}
	}
	return l
}

// pool returns the totals for each level: the sums of the totals of its items.
func (l levels) pool(p Totals) Totals { return p.by(l.of, len(l.value)) }

// midranks returns the mean rank of each of len(n) distinct values in ascending order, of which value k occurs n[k]
// times. The ranks are centred at 0.
func midranks(n []float64) []float64 {
	r, all, below := make([]float64, len(n)), num.Sum(n), 0.0
	for k, v := range n {
		r[k] = below + (v+1)/2 - (all+1)/2
		below += v
	}
	return r
}

// correlate returns the Pearson correlation of x with the responses' values. x[k] is common to all responses at level k,
// and q has their totals. It returns NaN if one of the two is constant.
func correlate(x []float64, q Totals) float64 {
	n, sx, sy, syy, used := 0.0, 0.0, 0.0, 0.0, 0
	for k, w := range q.N {
		n, sx = n+w, sx+float64(w*x[k])
		sy, syy = sy+q.Sum[k], syy+q.Square[k]
		if w > 0 {
			used++
		}
	}
	mx, my := sx/n, sy/n
	xx, xy := 0.0, 0.0
	for k, w := range q.N {
		d := x[k] - mx
		xx += float64(w * d * d)
		xy += float64(d * (q.Sum[k] - float64(w*my)))
	}
	yy := syy - float64(n*my*my)
	if used < 2 || !(yy > 1e-12*syy) { // if the values are constant, yy is 0 except for rounding
		return math.NaN()
	}
	return cosine(xy, xx, yy)
}

func cosine(xy, xx, yy float64) float64 { return max(-1, min(1, xy/math.Sqrt(float64(xx*yy)))) }

// Pearson returns the correlation of two columns of equal length with positive weights (nil: equal weights). It returns
// NaN if a column is constant or empty.
func Pearson(x, y, weight []float64) float64 {
	if len(x) == 0 || slices.Min(x) == slices.Max(x) || slices.Min(y) == slices.Max(y) {
		return math.NaN()
	}
	w := func(i int) float64 {
		if weight == nil {
			return 1
		}
		return weight[i]
	}
	n, mx, my := 0.0, 0.0, 0.0
	for i := range x {
		n, mx, my = n+w(i), mx+float64(w(i)*x[i]), my+float64(w(i)*y[i])
	}
	mx, my = mx/n, my/n
	xx, xy, yy := 0.0, 0.0, 0.0
	for i := range x {
		dx, dy := x[i]-mx, y[i]-my
		xx, xy, yy = xx+float64(w(i)*dx*dx), xy+float64(w(i)*dx*dy), yy+float64(w(i)*dy*dy)
	}
	return cosine(xy, xx, yy)
}

// Spearman returns the rank correlation of two columns of equal length with positive weights (nil: equal weights). Equal
// values share their mean rank. It returns NaN if a column is constant or empty.
func Spearman(x, y, weight []float64) float64 {
	return Pearson(ranks(x, weight), ranks(y, weight), weight)
}

// ranks returns the mean ranks of a column, centred at 0. A row of weight w counts as w equal rows.
func ranks(x, weight []float64) []float64 {
	order := num.Indices(len(x))
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(x[a], x[b]) })
	var n []float64
	level := make([]int, len(x))
	for k, i := range order {
		if k == 0 || x[i] != x[order[k-1]] {
			n = append(n, 0)
		}
		w := 1.0
		if weight != nil {
			w = weight[i]
		}
		n[len(n)-1] += w
		level[i] = len(n) - 1
	}
	mid := midranks(n)
	r := make([]float64, len(x))
	for i, k := range level {
		r[i] = mid[k]
	}
	return r
}

// An Interval is a confidence interval; NaN at both ends if it is undefined.
type Interval struct{ Low, High float64 }

var none = Interval{math.NaN(), math.NaN()}

// fisher returns the confidence interval of a correlation r of n pairs by Fisher's z, whose standard error is
// √(factor/(n−3)). It returns none if n ≤ 3 or r is NaN.
func fisher(r, n, factor, level float64) Interval {
	switch {
	case math.IsNaN(r) || n <= 3:
		return none
	case math.Abs(r) == 1:
		return Interval{r, r}
	}
	z := num.Log((1+r)/(1-r)) / 2
	half := num.NormalQuantile(0.5+level/2) * math.Sqrt(factor/(n-3))
	return Interval{tanh(z - half), tanh(z + half)}
}

// FisherInterval returns the confidence interval of a Pearson correlation r of n independent pairs by Fisher's z. level
// is in (0, 1). The interval is NaN for n ≤ 3.
func FisherInterval(r, n, level float64) Interval { return fisher(r, n, 1, level) }

func tanh(z float64) float64 { return 2*num.Logistic(2*z) - 1 }
