package misfit

import (
	"math"
	"slices"

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

// spreadings is the number of steps in which the variance of abilities is fitted.
const spreadings = 6

// spreads returns the variance of abilities of those who respond to each item, as the other items have it, by the EM algorithm: an item of
// a wrong key makes subjects seem to differ less. Abilities and their variances are those of others.
func spreads(w *whole, ability, variance []float64) []float64 {
	n := len(w.Items)
	out := slices.Repeat([]float64{w.ability.variance}, n)
	sum, times := make([]float64, n), make([]float64, n)
	for range spreadings {
		clear(sum)
		clear(times)
		for i, k := range w.item {
			x, v := inSpread(w, ability[i], variance[i], out[k])
			sum[k] += w.times[i] * (float64(x*x) + v)
			times[k] += w.times[i]
		}
		for k, t := range times {
			if t > 0 {
				out[k] = sum[k] / t
			}
		}
	}
	return out
}

// inSpread returns how far an ability lies from the mean, and its variance, in a population of another variance.
func inSpread(w *whole, ability, variance, spread float64) (x, v float64) {
	v = 1 / (1/variance - 1/w.ability.variance + 1/spread)
	return float64((ability-w.ability.mean)*v) / variance, v
}

// eases is the number of steps in which the ease of an item is fitted.
const eases = 3

// A turned item is compared with itself after its key is reversed: by the log of how much more probable its responses then are, and the mean and
// variance of that where the key is right.
type turned struct{ ratio, mean, variance float64 }

// reversed compares every item with itself after its key is reversed. Its ease is fitted either way, and the ability of each subject
// is known from the others, as is the variance of abilities (spreads), but for a normal error (MacKay 1992, Neural Computation 4, for the mean of a logistic).
func (w *whole) reversed() []turned {
	n, rows := len(w.Items), len(w.item)
	ability, shrink := make([]float64, rows), make([]float64, rows) // [response] first of others and its variance, then what differs with ability
	mean, weight := make([]float64, n), make([]float64, n)
	for i := range ability {
		ability[i], shrink[i], _ = w.others(i)
	}
	spread := spreads(w, ability, shrink)
	for i, k := range w.item {
		x, v := inSpread(w, ability[i], shrink[i], spread[k])
		a := w.bySlope(i)
		ability[i] = w.rest[i] + float64(a*(w.ability.mean+x))
		shrink[i] = w.now[i] + float64(a*a*v)
		if w.binary {
			shrink[i] = 1 / math.Sqrt(1+float64(math.Pi/8*a*a*v))
		}
		c := w.curvature(i)
		mean[k] += float64(w.times[i] * c * ability[i])
		weight[k] += float64(w.times[i] * c)
	}
	right, wrong := slices.Clone(w.ease.of), slices.Clone(w.ease.of)
	for k, c := range weight {
		if c > 0 {
			wrong[k] += 2 * mean[k] / c
		}
	}
	for range eases {
		stepEase(w, right, 1, ability, shrink)
		stepEase(w, wrong, -1, ability, shrink)
	}
	out := make([]turned, n)
	for i, k := range w.item {
		ratio, mean, variance := against(w.binary, w.value[i], right[k]+ability[i], wrong[k]-ability[i], shrink[i])
		o, t := &out[k], w.times[i]
		o.ratio, o.mean, o.variance = o.ratio+float64(t*ratio), o.mean+float64(t*mean), o.variance+float64(t*variance)
	}
	return out
}

// ridge is information about the ease of an item, without which one that everybody passes would have none.
const ridge = 0.1

// stepEase moves the eases of items by Newton's method, where responses rise (sign 1) or fall (−1) with what differs with ability. shrink is the
// factor by which log odds are nearer to 0 for an ability that is not known well, or the variance.
func stepEase(w *whole, ease []float64, sign float64, ability, shrink []float64) {
	w.score, w.information = resized(w.score, len(ease)), resized(w.information, len(ease))
	for i, k := range w.item {
		x, s, t := ease[k]+float64(sign*ability[i]), shrink[i], w.times[i]
		if w.binary {
			p := num.Logistic(s * x)
			w.score[k] += float64(t * s * (w.value[i] - p))
			w.information[k] += float64(t * s * s * p * (1 - p))
		} else {
			w.score[k] += float64(t*(w.value[i]-x)) / s
			w.information[k] += t / s
		}
	}
	for k, s := range w.score {
		ease[k] += s / (w.information[k] + ridge)
	}
}

// against returns the log of how much more probable a response is if its linear predictor is b in place of a, and the mean and the variance of that if it is a.
func against(binary bool, y, a, b, shrink float64) (ratio, mean, variance float64) {
	d := b - a
	if !binary {
		return float64(d*(y-a-d/2)) / shrink, -float64(d*d) / (2 * shrink), float64(d*d) / shrink
	}
	d *= shrink
	passed := num.LogLogistic(shrink * a)
	fails := num.LogLogistic(shrink*b) - passed - d // log ratio of a failure; of a success it is d more
	p := num.Exp(passed)
	return fails + float64(y*d), fails + float64(p*d), float64(p * (1 - p) * d * d)
}

// mostReversed returns the item that is most probably reversed, and minus the log of the probability, but for the dependence of items, that any item of a right key
// has so large a ratio, by the normal distribution. The ratio itself is the larger by chance the less subjects differ, and they seem to differ less if
// keys are reversed.
func mostReversed(all []turned) (size float64, at int) {
	for k, t := range all {
		if t.ratio > all[at].ratio {
			at = k
		}
	}
	var tails []float64
	for _, t := range all {
		if t.variance > leastSpread {
			tails = append(tails, num.LogNormalCDF((t.mean-all[at].ratio)/math.Sqrt(t.variance)))
		}
	}
	if len(tails) == 0 {
		return 0, at
	}
	return -num.LogSumExp(tails), at
}
