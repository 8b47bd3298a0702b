package chargrid

import (
	"math"

	"achilles/sim/num"
)

// A Shape is the course of success as a feature grows.
type Shape string

// The shapes. A course is named only if intervals over subjects and items exclude the opposite.
const (
	Falls   Shape = "falls"
	Rises   Shape = "rises"
	Peak    Shape = "inverted U" // rises up to a turning point, and falls beyond it
	Valley  Shape = "U"
	Unclear Shape = "unclear"
)

// turningPoint returns the index of the value at which two lines are joined to look for a U: the vertex of the
// least-squares parabola of success on the feature, moved to the nearest inner value that has a response. It returns −1
// if there are fewer than three values, or if the parabola turns outside them. One line on each side (Simonsohn 2018,
// "Two lines") does not take a curve that only levels off for one that turns.
func turningPoint(x []float64, q Totals) int {
	var at []int
	n, mx := 0.0, 0.0
	for k, w := range q.N {
		if w > 0 {
			at = append(at, k)
			n, mx = n+w, mx+float64(w*x[k])
		}
	}
	if len(at) < 3 {
		return -1
	}
	mx /= n
	half := (x[at[len(at)-1]] - x[at[0]]) / 2
	// success = a + b·z + c·z², z = (x − mx)/half; normal equations with Σ w·z = 0
	var z2, z3, z4, y0, y1, y2 float64
	for _, k := range at {
		z := (x[k] - mx) / half
		w := q.N[k]
		z2 += float64(w * z * z)
		z3 += float64(w * z * z * z)
		z4 += float64(w * z * z * z * z)
		y0 += q.Sum[k]
		y1 += float64(z * q.Sum[k])
		y2 += float64(z * z * q.Sum[k])
	}
	v4, vy := z4-float64(z2*z2)/n, y2-float64(z2*y0)/n
	det := float64(z2*v4) - float64(z3*z3)
	b, c := (float64(y1*v4)-float64(z3*vy))/det, (float64(z2*vy)-float64(z3*y1))/det
	v := mx - float64(half*b)/(2*c)
	if !(v > x[at[0]] && v < x[at[len(at)-1]]) {
		return -1
	}
	best := at[1]
	for _, k := range at[1 : len(at)-1] {
		if math.Abs(x[k]-v) < math.Abs(x[best]-v) {
			best = k
		}
	}
	return best
}

// sides returns the slopes of the least-squares lines up to the value of index turn and from it on; NaN without one.
func sides(x []float64, q Totals, turn int) (before, after float64) {
	if turn < 0 {
		return math.NaN(), math.NaN()
	}
	_, before = line(x[:turn+1], Totals{q.N[:turn+1], q.Sum[:turn+1], nil})
	_, after = line(x[turn:], Totals{q.N[turn:], q.Sum[turn:], nil})
	return before, after
}

// conditions is the largest number of values that are conditions of an experiment where each has one item: as many as have bins of their
// own. Otherwise other items could have the same values.
const conditions = 6

// drawn widens the interval of a slope over subjects by what it owes to the items at the levels from first to last, as if those were drawn,
// too: half widths are added as variances are (Cameron, Gelbach and Miller 2011, without the term that makes them narrower). x has the
// values of the levels; the estimate is proportional to the slope on them.
func (m measured) drawn(p Totals, x []float64, first, last int, e Estimate, level float64) Interval {
	n, sum, sums := 0.0, 0.0, 0.0
	items, used := 0, map[int32]bool{}
	in := func(i int) bool { k := int(m.of[i]); return k >= first && k <= last && p.N[i] > 0 }
	for i := range m.of {
		if in(i) {
			n, sum, sums = n+p.N[i], sum+float64(p.N[i]*x[m.of[i]]), sums+p.Sum[i]
			items++
			used[m.of[i]] = true
		}
	}
	if items == len(used) && len(m.value) <= conditions {
		return e.Cluster
	}
	mean, xx, xy := sum/n, 0.0, 0.0
	for i := range m.of {
		if in(i) {
			d := x[m.of[i]] - mean
			xx, xy = xx+float64(p.N[i]*d*d), xy+float64(d*p.Sum[i])
		}
	}
	slope, square := xy/xx, 0.0
	for i := range m.of {
		if in(i) {
			d := x[m.of[i]] - mean
			u := d * (p.Sum[i] - float64(p.N[i]*(sums/n+float64(slope*d))))
			square += float64(u * u)
		}
	}
	if items < 3 || slope == 0 {
		return none
	}
	df := float64(items - 2)
	half := num.StudentTQuantile((1+level)/2, df) * math.Sqrt(square*float64(items)/df) / xx * math.Abs(e.Value/slope)
	return Interval{e.Value - math.Hypot(max(0, e.Value-e.Cluster.Low), half), e.Value + math.Hypot(max(0, e.Cluster.High-e.Value), half)}
}

// shape names the course from the rank correlation and the slopes on both sides of the turning point of index turn.
func (m measured) shape(p Totals, trend, before, after Estimate, turn int, level float64) Shape {
	last := len(m.value) - 1
	all := m.drawn(p, midranks(m.pool(p).N), 0, last, trend, level)
	if turn >= 0 {
		before, after := m.drawn(p, m.value, 0, turn, before, level), m.drawn(p, m.value, turn, last, after, level)
		switch {
		case before.Low > 0 && after.High < 0:
			return Peak
		case before.High < 0 && after.Low > 0:
			return Valley
		}
	}
	switch {
	case all.Low > 0:
		return Rises
	case all.High < 0:
		return Falls
	}
	return Unclear
}
