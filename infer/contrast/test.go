package contrast

import (
	"math"
	"slices"

	"achilles/sim/num"
)

// A cluster has the sum of the differences of responses to its items, and their number.
type cluster struct{ n, sum float64 }

// test sets the mean of the differences, its standard error, interval and p-value. Clusters are independent. Where fewer than 30 of them
// differ, the p-value is that of all ways to swap A and B within clusters, which for items answered once is McNemar's exact test; else
// that of Student's t, with the standard error of clusters (Liang and Zeger 1986). The interval is that of Agresti and Min (2005, Statistics in
// Medicine 24), which adds half a difference either way, as large as those that there are, and one pair without any, so that it is no point where
// few or none differ; t has the degrees of freedom of the clusters that there are, so that one cluster says nothing. It has 0 where the p-value is above 0.05.
func (d *Difference) test(list []*cluster, scale float64) {
	d.Mean, d.SE, d.Low, d.High, d.P = math.NaN(), math.NaN(), math.NaN(), math.NaN(), math.NaN()
	d.most = scale
	if d.Clusters = len(list); d.Clusters == 0 {
		return
	}
	n, sum, square := 0.0, 0.0, 0.0
	var apart []float64
	for _, c := range list {
		n, sum = n+c.n, sum+c.sum
		if math.Abs(c.sum) > tiny {
			apart, square = append(apart, c.sum), square+float64(c.sum*c.sum)
		}
	}
	d.Different, d.Mean = len(apart), sum/n
	g := float64(len(list))
	if size := n / g; scale > 0 { // of a cluster that is added
		if square /= float64(max(1, len(apart))); square == 0 {
			square = float64(size*size) * float64(scale*scale)
		}
		all := n + 2*size
		mid := sum / all
		s := square + float64(size*size)*float64(2*mid*mid)
		for _, c := range list {
			e := c.sum - float64(mid*c.n)
			s += float64(e * e)
		}
		se := math.Sqrt(s*(g+2)/(g+1)) / all
		if d.Low, d.High = -scale, scale; g > 1 {
			h := num.StudentTQuantile(0.975, g-1) * se
			d.Low, d.High = max(-scale, mid-h), min(scale, mid+h)
		}
		d.variance, d.step = float64(se*se)*(g+2), math.Sqrt(square)/size
	}
	if len(list) > 1 {
		s := 0.0
		for _, c := range list {
			e := c.sum - float64(d.Mean*c.n)
			s += float64(e * e)
		}
		d.SE = math.Sqrt(s*g/(g-1)) / n
	}
	if d.SE > 0 {
		d.P = tails(d.Mean/d.SE, g-1)
	}
	if len(apart) < few {
		if p, ok := swapped(apart); ok {
			d.P, d.Exact = p, true
		}
	}
	d.agree()
}

// agree makes the interval have 0 where the p-value does not rule it out: an exact test needs more than an interval of normal errors.
func (d *Difference) agree() {
	if d.P > alpha {
		d.Low, d.High = min(d.Low, 0), max(d.High, 0)
	}
}

// tiny is a difference of sums that is an error of rounding.
const tiny = 1e-9

// mostSums is the largest number of different sums of which the distribution is computed.
const mostSums = 1 << 16

// A chance is the probability of a sum.
type chance struct{ sum, p float64 }

// swapped returns the share of all ways to give these differences signs in which their sum is at least as far from 0 as it is. ok is false
// if the sums have too many values.
func swapped(x []float64) (p float64, ok bool) {
	observed := 0.0
	now, next := []chance{{0, 1}}, []chance(nil)
	for _, v := range x {
		observed += v
		v = math.Abs(v)
		next = next[:0]
		for i, j := 0, 0; i < len(now) || j < len(now); { // now less v, and now plus v, both in order
			var c chance
			if i < len(now) && (j == len(now) || now[i].sum-v <= now[j].sum+v) {
				c = chance{now[i].sum - v, now[i].p / 2}
				i++
			} else {
				c = chance{now[j].sum + v, now[j].p / 2}
				j++
			}
			if k := len(next) - 1; k >= 0 && c.sum-next[k].sum < tiny {
				next[k].p += c.p
			} else {
				next = append(next, c)
			}
		}
		if len(next) > mostSums {
			return 0, false
		}
		now, next = next, now
	}
	for _, c := range now {
		if math.Abs(c.sum) >= math.Abs(observed)-1e-6 {
			p += c.p
		}
	}
	return min(1, p), true
}

// tails returns the probability that Student's t is at least as far from 0.
func tails(t, df float64) float64 {
	return num.BetaCDF(df/(df+float64(t*t)), df/2, 0.5)
}

// Groups compares the groups of subjects. A group's items are those that all of two groups' subjects could be compared on: of a subject counts by how
// much its responses are above the mean of the two groups' on each item that both groups have taken. Subjects are independent, and the items are
// those that they are. Of few subjects the p-value is that of all ways to deal them out to the groups, else Welch's.
func (r *Responses) Groups() []Difference {
	var names []string
	for _, g := range r.group {
		if g != "" && !slices.Contains(names, g) {
			names = append(names, g)
		}
	}
	slices.Sort(names)
	var out []Difference
	for i, a := range names {
		for _, b := range names[i+1:] {
			out = append(out, r.groups(a, b))
		}
	}
	correct(out)
	return out
}

func (r *Responses) groups(a, b string) Difference {
	d := Difference{A: a, B: b, Mean: math.NaN(), SE: math.NaN(), Low: math.NaN(), High: math.NaN(), P: math.NaN()}
	type sum struct{ n, x float64 }
	items := make([][2]sum, len(r.clusters))
	each := func(use func(side, subject int)) {
		for s, g := range r.group {
			if g == a {
				use(0, s)
			} else if g == b {
				use(1, s)
			}
		}
	}
	each(func(side, s int) {
		for _, m := range r.of[s] {
			x := &items[m.item][side]
			x.n, x.x = x.n+1, x.x+m.x
		}
	})
	for _, x := range items {
		if x[0].n > 0 && x[1].n > 0 {
			d.Items++
		}
	}
	var scores [2][]float64
	each(func(side, s int) {
		n, above := 0.0, 0.0
		for _, m := range r.of[s] {
			if x := items[m.item]; x[0].n > 0 && x[1].n > 0 {
				n, above = n+1, above+m.x-(x[0].x/x[0].n+x[1].x/x[1].n)/2
			}
		}
		if n > 0 {
			scores[side] = append(scores[side], above/n)
		}
	})
	n, m := float64(len(scores[0])), float64(len(scores[1]))
	if d.Clusters = len(scores[0]) + len(scores[1]); n == 0 || m == 0 {
		return d
	}
	x, vx := num.Moments(scores[0])
	y, vy := num.Moments(scores[1])
	d.Different, d.Mean = d.Clusters, x-y
	if n > 1 && m > 1 {
		if d.SE = math.Sqrt(vx/n + vy/m); d.SE > 0 {
			df := float64(d.SE*d.SE) * float64(d.SE*d.SE) / (float64(vx/n*(vx/n))/(n-1) + float64(vy/m*(vy/m))/(m-1))
			h := num.StudentTQuantile(0.975, df) * d.SE
			d.Low, d.High, d.P = max(-r.scale, d.Mean-h), min(r.scale, d.Mean+h), tails(d.Mean/d.SE, df)
		}
	}
	if d.Clusters < few {
		if p, ok := dealt(slices.Concat(scores[0], scores[1]), len(scores[0])); ok {
			d.P, d.Exact = p, true
		}
	}
	d.most, d.sizes = r.scale, [2]int{len(scores[0]), len(scores[1])}
	d.variance = float64(d.SE*d.SE) * float64(d.Clusters)
	d.agree()
	return d
}

// dealt returns the share of all ways to choose k of the values in which the mean of the chosen is at least as far from that of the others as
// that of the first k is. ok is false if there are too many ways.
func dealt(x []float64, k int) (p float64, ok bool) {
	ways := 1.0
	for i := range k {
		ways *= float64(len(x)-i) / float64(i+1)
	}
	if ways > 200_000 {
		return 0, false
	}
	total, first := 0.0, 0.0
	for i, v := range x {
		if total += v; i < k {
			first += v
		}
	}
	middle := total * float64(k) / float64(len(x))
	far, count, all := math.Abs(first-middle)-tiny, 0, 0
	var choose func(from, left int, sum float64)
	choose = func(from, left int, sum float64) {
		if left == 0 {
			if all++; math.Abs(sum-middle) >= far {
				count++
			}
			return
		}
		for i := from; i <= len(x)-left; i++ {
			choose(i+1, left-1, sum+x[i])
		}
	}
	choose(0, k, 0)
	return float64(count) / float64(all), true
}
