package smc

import (
	"math"

	"achilles/infer/mixture"
	"achilles/sim/num"
	"achilles/sim/rng"
)

// Probabilities of the kinds of moves; all other moves are steps. A slice costs about seven evaluations, any other move
// one, so that slices take about a quarter of all evaluations. On object-permanence posteriors (nine parameters) the
// evaluations for each effective draw and the number of modes found change little between half and twice these
// probabilities.
const (
	sliceShare = 0.05
	jumpShare  = 0.2
	leapShare  = 0.25 // only for a walker that has a mixture
)

// A walker is a Markov chain whose invariant density is the prior times the likelihood to the power beta.
type walker struct {
	likelihood
	beta        float64
	guide       *guide
	mixture     *mixture.Mixture // mixture for leaps; nil: the walker does not leap
	here, there kernel           // of the guide at now, and at the last trial of a jump
	known       bool             // whether here is the kernel at now; moves of other kinds do not need it
	rng         rng.Rand
	now, trial  point
	moved       []bool // [coordinate] whether the present step moves it
}

func newWalker(t Target, rng rng.Rand) *walker {
	dim := t.Dim()
	return &walker{likelihood: likelihood{target: t}, rng: rng, now: newPoint(dim), trial: newPoint(dim), moved: make([]bool, dim)}
}

// follow sets the guide from which the walker makes its proposals.
func (w *walker) follow(g *guide) {
	w.guide, w.known = g, false
	for _, k := range []*kernel{&w.here, &w.there} {
		if len(k.each) != len(g.points) {
			k.each = make([]float64, len(g.points))
		}
	}
}

// move makes one move of a random kind.
func (w *walker) move() {
	switch x := w.rng.Float64(); {
	case x < sliceShare:
		w.slice(w.rng.IntN(len(w.now.z)))
	case x < sliceShare+jumpShare:
		w.jump()
	case w.mixture != nil && x < sliceShare+jumpShare+leapShare:
		w.leap()
	default:
		w.step()
	}
}

// slice draws coordinate k by slice sampling. It draws from an interval, which is at first the whole range. Every draw
// outside the slice becomes an end of the interval, which shrinks towards the current point (Neal 2003, section 4).
func (w *walker) slice(k int) {
	level := float64(w.beta*w.now.logL) - w.rng.Exp()
	here := w.now.z[k]
	low, high := math.Inf(-1), math.Inf(1)
	copy(w.trial.z, w.now.z)
	for {
		x := between(low, high, w.rng.Float64())
		if !(x > low && x < high) || x == here {
			return // the slice is too narrow for floating-point numbers
		}
		w.trial.z[k] = x
		w.trial.logL = w.at(w.trial.z)
		if float64(w.beta*w.trial.logL) >= level {
			w.take()
			return
		}
		if x < here {
			low = x
		} else {
			high = x
		}
	}
}

// step proposes to move all coordinates, or a random half of them, along the difference of two guide points. The scale
// 2.38/√(2·coordinates) is the best for a normal target (ter Braak 2006). A random factor between 0.6 and 1.2 keeps the
// chain off the lattice that the guide points span.
func (w *walker) step() {
	n := w.choose()
	scale := 2.38 / math.Sqrt(2*float64(n)) * (0.6 + float64(0.6*w.rng.Float64()))
	w.difference(scale)
}

// jump proposes to move from the neighbourhood of one guide point to that of another, which may be in another mode. It
// draws guide point b with probability proportional to its kernel at the walker, and guide point a uniformly. The walker
// moves by a − b. The reverse move draws a near the new point, with the same kernel value but another sum of kernels.
// The acceptance probability therefore has the ratio of the two sums.
func (w *walker) jump() {
	if !w.known {
		w.guide.at(w.now.z, &w.here)
		w.known = true
	}
	b := w.guide.points[pick(w.here.each, &w.rng)]
	a := w.guide.points[w.rng.IntN(len(w.guide.points))]
	prior := ratio{0, 1}
	for k, z := range w.now.z {
		w.trial.z[k] = z + (a[k] - b[k])
		prior.add(w.trial.z[k], z)
	}
	w.guide.at(w.trial.z, &w.there)
	if w.consider(prior.log() + w.here.logSum - w.there.logSum) {
		w.here, w.there, w.known = w.there, w.here, true
	}
}

// leap proposes a draw from the mixture, independent of the current point.
func (w *walker) leap() {
	w.mixture.Draw(w.trial.z, &w.rng)
	prior := ratio{0, 1}
	for k, z := range w.now.z {
		prior.add(w.trial.z[k], z)
	}
	w.consider(prior.log() + w.mixture.LogDensity(w.now.z) - w.mixture.LogDensity(w.trial.z))
}

// pick draws an index in proportion to the weights.
func pick(weights []float64, rng *rng.Rand) int {
	at := float64(num.Sum(weights) * rng.Float64())
	for i, x := range weights {
		if at -= x; at < 0 {
			return i
		}
	}
	return len(weights) - 1
}

// choose marks all coordinates, or each with probability ½ but at least one. It returns the number of marked ones.
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

// difference proposes to move the marked coordinates by scale times the difference of two guide points. Both orders of a
// pair are equally probable, so that the proposal is symmetric.
func (w *walker) difference(scale float64) {
	a, b := w.guide.pair(&w.rng)
	prior := ratio{0, 1}
	for k, z := range w.now.z {
		w.trial.z[k] = z
		if w.moved[k] {
			w.trial.z[k] = z + float64(scale*(a[k]-b[k]))
			prior.add(w.trial.z[k], z)
		}
	}
	w.consider(prior.log())
}

// consider accepts or rejects the trial point (Metropolis–Hastings) and reports whether it was accepted. gain is the log
// of the acceptance ratio without the likelihoods.
func (w *walker) consider(gain float64) bool {
	w.trial.logL = w.at(w.trial.z)
	gain += float64(w.beta * (w.trial.logL - w.now.logL))
	if !(gain >= 0) && !(w.rng.Float64() < num.Exp(gain)) {
		return false
	}
	w.take()
	return true
}

// take moves the walker to the trial point.
func (w *walker) take() {
	w.now, w.trial = w.trial, w.now
	w.known = false
}
