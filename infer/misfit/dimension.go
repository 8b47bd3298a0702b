package misfit

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"achilles/sim/num"
)

// rounds is the number of steps of the search for the first dimension.
const rounds = 12

// dimension returns nearly the first eigenvector of the products of items' scaled residuals over subjects, whose length is the eigenvalue.
func (w *whole) dimension() []float64 {
	v := slices.Clone(w.start)
	score := make([]float64, len(w.ability.of))
	for range rounds {
		norm := length(v)
		if !(norm > 0) {
			return v
		}
		clear(score)
		for i, u := range w.scaled {
			score[w.subject[i]] += u * (v[w.item[i]] / norm)
		}
		clear(v)
		for i, u := range w.scaled {
			v[w.item[i]] += w.times[i] * u * score[w.subject[i]]
		}
	}
	return v
}

// length returns the Euclidean norm.
func length(v []float64) float64 { return math.Sqrt(num.Dot(v, v)) }

// kindSteps is the number of steps of the search for two kinds of subjects; kindSpread is the SD of the two kinds' difference in an item, in log odds or in SD of a
// response: of twice it and of half of it as many tables are found (seeds 1–100); kindStart is the length in these SD at which the search begins, far enough from 0, where it would stay.
const (
	kindSteps  = 12
	kindSpread = 1
	kindStart  = 3
)

// twoKinds returns the log likelihood ratio of two kinds of subjects, as many of one as of the other, between whom each item differs by a number of its own, and these numbers:
// half of each is added to the linear predictor of one kind, and taken from that of the other (mixed Rasch model, Rost 1990, Applied Psychological Measurement 14). With
// residuals r, information V of an item, and differences d, normal around 0, it is the largest
//
//	Σ over subjects of log cosh(Σ d r) − Σ over items of d²(V + 1/spread²)/2,
//
// the likelihood to the second order in d. It climbs by the mean of d given who is probably of which kind (Dempster, Laird and Rubin 1977), from the first dimension on.
func twoKinds(w *whole) (ratio float64, d []float64) {
	d = w.dimension()
	n := length(d)
	if !(n > 0) {
		return 0, d
	}
	residual := func(i int) float64 { return w.residual[i] }
	unit := 1.0
	if !w.binary {
		residual = func(i int) float64 { return w.residual[i] / w.now[i] }
		unit = math.Sqrt(num.Mean(w.now))
	}
	precision := slices.Repeat([]float64{1 / float64(kindSpread*kindSpread*unit*unit)}, len(d))
	for i, u := range w.item {
		precision[u] += float64(w.times[i] * w.curvature(i))
	}
	for u := range d {
		d[u] *= kindStart * unit / n
	}
	score, times := make([]float64, len(w.ability.of)), make([]float64, len(w.ability.of))
	for i, s := range w.subject {
		times[s] = w.times[i]
	}
	for range kindSteps {
		clear(score)
		for i, s := range w.subject {
			score[s] += float64(residual(i) * d[w.item[i]])
		}
		ratio = 0
		for u, x := range d {
			ratio -= float64(x*x*precision[u]) / 2
		}
		for s, x := range score {
			x = math.Abs(x)
			ratio += float64(times[s] * (x + num.Log1p(num.Exp(-2*x)) - math.Ln2))
			score[s] = float64(2*num.Logistic(2*score[s])) - 1 // the probability of one kind less that of the other, the hyperbolic tangent
		}
		clear(d)
		for i, s := range w.subject {
			d[w.item[i]] += float64(w.times[i] * residual(i) * score[s])
		}
		for u := range d {
			d[u] /= precision[u]
		}
	}
	return ratio, d
}

// ends names the items at one end of a vector, three at most.
func (w *whole) ends(v []float64, sign float64) string {
	order := num.Indices(len(v))
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(sign*v[b], sign*v[a]) })
	var names []string
	for _, i := range order[:min(3, len(order)/2)] {
		names = append(names, w.Items[i])
	}
	return strings.Join(names, ", ")
}
