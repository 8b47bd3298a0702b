package misfit

import (
	"math"

	"achilles/sim/num"
)

// others returns the ability of the subject of a response from its other responses, the variance of that, and the residual that they leave:
// the response is taken out by a step of Newton's method.
func (w *whole) others(i int) (ability, variance, residual float64) {
	s, a, c := w.subject[i], w.bySlope(i), w.curvature(i)
	own := float64(a * a * c)
	left := max(w.known[s]-own, 1/w.ability.variance)
	score := w.residual[i]
	if !w.binary {
		score *= c
	}
	return w.ability.of[s] - float64(a*score)/left, 1 / left, float64(w.residual[i] * (1 + own/left))
}

// byItem writes, for every item, the sum of the products of its residuals and abilities to out, in standard deviations.
func (w *whole) byItem(out []float64) {
	n := len(w.Items)
	mean, weight, square := make([]float64, n), make([]float64, n), make([]float64, n)
	for i, k := range w.item {
		x, _, _ := w.others(i)
		c := w.curvature(i)
		mean[k] += float64(w.times[i] * x * c)
		weight[k] += float64(w.times[i] * c)
	}
	for i, k := range w.item {
		if weight[k] > 0 {
			x, _, r := w.others(i)
			x -= mean[k] / weight[k]
			out[k] += float64(w.times[i] * x * r)
			square[k] += float64(w.times[i] * x * x * w.now[i])
		}
	}
	studentise(out, square)
}

// eases is the number of steps in which the ease of an item is fitted.
const eases = 3

// reversed writes, for every item, the log of how much more probable its responses are with its key reversed, its ease fitted either way and
// the ability of each subject known from the others but for a normal error (MacKay 1992, Neural Computation 4, for the mean of a logistic).
func (w *whole) reversed(out []float64) {
	n := len(w.Items)
	ability, shrink := make([]float64, len(w.item)), make([]float64, len(w.item)) // [response] what differs with ability
	ease, mean, weight := make([]float64, n), make([]float64, n), make([]float64, n)
	for i, k := range w.item {
		x, v, _ := w.others(i)
		a := w.bySlope(i)
		ability[i] = w.rest[i] + float64(a*x)
		shrink[i] = w.now[i] + float64(a*a*v)
		if w.binary {
			shrink[i] = 1 / math.Sqrt(1+float64(math.Pi/8*a*a*v))
		}
		c := w.curvature(i)
		mean[k] += float64(w.times[i] * c * ability[i])
		weight[k] += float64(w.times[i] * c)
	}
	for _, sign := range [2]float64{1, -1} {
		for k, e := range w.ease.of {
			if ease[k] = e; sign < 0 && weight[k] > 0 {
				ease[k] += 2 * mean[k] / weight[k]
			}
		}
		for range eases {
			w.score, w.information = resized(w.score, n), resized(w.information, n)
			for i, k := range w.item {
				r, _, c := w.against(i, ease[k]+float64(sign*ability[i]), shrink[i])
				w.score[k] += float64(w.times[i] * r)
				w.information[k] += float64(w.times[i] * c)
			}
			for k, s := range w.score {
				if w.information[k] > 0 {
					ease[k] += s / (w.information[k] + ridge)
				}
			}
		}
		for i, k := range w.item {
			_, l, _ := w.against(i, ease[k]+float64(sign*ability[i]), shrink[i])
			out[k] -= float64(sign * w.times[i] * l)
		}
	}
}

// ridge is information about the ease of an item, without which one that everybody passes would have none.
const ridge = 0.1

// against returns the score of a response of the last table about a linear predictor, its log likelihood up to a constant, and the information.
// shrink is the factor by which log odds are nearer to 0 for an ability that is not known well, or the variance.
func (w *whole) against(i int, x, shrink float64) (score, loglik, information float64) {
	y := w.value[i]
	if !w.binary {
		return (y - x) / shrink, -float64((y-x)*(y-x)) / (2 * shrink), 1 / shrink
	}
	x *= shrink
	p := num.Logistic(x)
	if y == 1 {
		loglik = num.LogLogistic(x)
	} else {
		loglik = num.LogLogistic(-x)
	}
	return float64(shrink * (y - p)), loglik, float64(shrink * shrink * p * (1 - p))
}
