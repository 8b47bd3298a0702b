package smc

import (
	"math"

	"achilles/sim/num"
	"achilles/sim/rng"
)

// Shares of the moves; the rest are steps. A slice costs about seven evaluations, the others one: these shares spend
// a fifth of all evaluations on slices. Measured on object-permanence posteriors (nine parameters), evaluations per
// effective draw and modes found change little from half to twice these shares.
const (
	sliceShare = 0.05
	leapShare  = 0.2
)

// walker moves a point so that the likelihood to the power beta stays invariant on the cube.
type walker struct {
	likelihood
	beta         float64
	guide        *guide
	kernel       []float64 // of the guide at the walker
	here         []float64 // its place on the logit scale
	rng          rng.Rand
	now, trial   point
	moved        []bool // the coordinates of a difference move
	steps, leaps tally
}

// tally counts proposals and how many were taken.
type tally struct{ tried, taken int }

func (t tally) rate() float64 { return float64(t.taken) / max(1, float64(t.tried)) }

func newWalker(t Target, rng rng.Rand) *walker {
	dim := t.Dim()
	return &walker{likelihood: likelihood{target: t}, rng: rng, now: newPoint(dim), trial: newPoint(dim), moved: make([]bool, dim), here: make([]float64, dim)}
}

// follow makes the walker move by a guide.
func (w *walker) follow(g *guide) {
	w.guide = g
	if len(w.kernel) != len(g.points) {
		w.kernel = make([]float64, len(g.points))
	}
}

// move makes one move, of a kind chosen by chance alone.
func (w *walker) move() {
	switch x := w.rng.Float64(); {
	case x < sliceShare:
		w.slice(w.rng.IntN(len(w.now.u)))
	case x < sliceShare+leapShare:
		w.leap()
	default:
		w.step()
	}
}

// slice draws coordinate k from its slice: the bracket is at first the whole range, and every draw that falls out of
// the slice cuts it down towards the present point (Neal 2003, section 4).
func (w *walker) slice(k int) {
	level := float64(w.beta*w.now.logL) - w.rng.Exp()
	here := w.now.u[k]
	low, high := 0.0, 1.0
	copy(w.trial.u, w.now.u)
	for {
		x := low + float64((high-low)*w.rng.Float64())
		if !inside(x) || x == here {
			return // the slice is narrower than rounding
		}
		w.trial.u[k] = x
		w.trial.logL = w.at(w.trial.u)
		if float64(w.beta*w.trial.logL) >= level {
			w.now, w.trial = w.trial, w.now
			return
		}
		if x < here {
			low = x
		} else {
			high = x
		}
	}
}

// step moves all coordinates or a random half of them along the difference of two guide points. The scale
// 2.38/√(2·coordinates) makes the best of a normal target (ter Braak 2006); it varies from 0.6 to 1.2 of that, so
// that chains do not lock into the guide's lattice.
func (w *walker) step() {
	n := w.choose()
	scale := 2.38 / math.Sqrt(2*float64(n)) * (0.6 + float64(0.6*w.rng.Float64()))
	w.steps.add(w.difference(scale))
}

// leap carries the point from the neighbourhood of one guide point to that of another: b is drawn near the point by
// a kernel, a anywhere, and the point moves by a − b. It keeps its place relative to its neighbour, so that it lands
// where the guide is, in whatever mode. On the way back a would be drawn near the new point, with the same kernel
// value over another sum; the ratio of the sums, densities of the guide at both points, makes the move reversible.
func (w *walker) leap() {
	for k, u := range w.now.u {
		w.here[k] = logit(u)
	}
	before := w.guide.density(w.here, w.kernel)
	b := w.guide.points[pick(w.kernel, &w.rng)]
	a := w.guide.points[w.rng.IntN(len(w.guide.points))]
	gain := 0.0
	for k, u := range w.now.u {
		w.here[k] += a[k] - b[k]
		v := num.Logistic(w.here[k])
		if !inside(v) {
			w.leaps.add(false)
			return
		}
		w.trial.u[k] = v
		gain += logJacobian(v) - logJacobian(u)
	}
	gain += before - w.guide.density(w.here, w.kernel)
	w.leaps.add(w.consider(gain))
}

// pick draws an index in proportion to the weights.
func pick(weights []float64, rng *rng.Rand) int {
	total := 0.0
	for _, x := range weights {
		total += x
	}
	at := float64(total * rng.Float64())
	for i, x := range weights {
		if at -= x; at < 0 {
			return i
		}
	}
	return len(weights) - 1
}

func (t *tally) add(taken bool) {
	t.tried++
	if taken {
		t.taken++
	}
}

// choose marks all coordinates or a random half, at least one, and returns their number.
func (w *walker) choose() int {
	all := w.rng.Bernoulli(0.5)
	n := 0
	for k := range w.moved {
		w.moved[k] = all || w.rng.Bernoulli(0.5)
		if w.moved[k] {
			n++
		}
	}
	if n == 0 {
		w.moved[w.rng.IntN(len(w.moved))] = true
		n = 1
	}
	return n
}

// difference proposes the marked coordinates moved by scale times the difference of two guide points, on the logit
// scale, and reports whether the move was taken. Pairs come in either order with the same chance, so the proposal is
// symmetric there; the Jacobian brings it to the cube.
func (w *walker) difference(scale float64) bool {
	a, b := w.guide.pair(&w.rng)
	gain := 0.0
	for k, u := range w.now.u {
		if !w.moved[k] {
			w.trial.u[k] = u
			continue
		}
		v := num.Logistic(logit(u) + float64(scale*(a[k]-b[k])))
		if !inside(v) {
			return false
		}
		w.trial.u[k] = v
		gain += logJacobian(v) - logJacobian(u)
	}
	return w.consider(gain)
}

// consider takes or leaves the trial point, gain being the log ratio of everything but the likelihoods.
func (w *walker) consider(gain float64) bool {
	w.trial.logL = w.at(w.trial.u)
	gain += float64(w.beta * (w.trial.logL - w.now.logL))
	if !(gain >= 0) && !(w.rng.Float64() < num.Exp(gain)) {
		return false
	}
	w.now, w.trial = w.trial, w.now
	return true
}
