package smc

import (
	"math"

	"achilles/infer/mixture"
	"achilles/sim/rng"
)

// Walker is a walker at a given power, for tests of one kind of move.
type Walker = walker

// NewWalker returns a walker at start with a guide made of the given points.
func NewWalker(t Target, power float64, start []float64, others [][]float64, rng rng.Rand) *Walker {
	w := newWalker(t, rng)
	points := make([]point, len(others))
	for i, z := range others {
		points[i].z = z
	}
	w.follow(newGuide(points))
	if m, ok := mixture.Fit(others, nil); ok {
		m.Widen()
		w.mixture = m
	}
	w.beta = power
	w.Put(start)
	return w
}

// Put places the walker at z.
func (w *Walker) Put(z []float64) {
	copy(w.trial.z, z)
	w.trial.logL = w.at(z)
	w.take()
}

func (w *Walker) At() []float64 { return w.now.z }
func (w *Walker) Slice(k int)   { w.slice(k) }
func (w *Walker) Step()         { w.step() }
func (w *Walker) Jump()         { w.jump() }
func (w *Walker) Leap()         { w.leap() }

// NextPower calls nextPower for points with these log likelihoods.
func NextPower(logL []float64, present, keep float64) float64 {
	return nextPower(pointsOf(logL), present, keep)
}

// Effective calls effective for points with these log likelihoods.
func Effective(logL []float64, power float64) float64 {
	r := countEqual(pointsOf(logL))
	return r.effective(power)
}

func pointsOf(logL []float64) []point {
	ps := make([]point, len(logL))
	for i, l := range logL {
		ps[i].logL = l
	}
	return ps
}

var (
	RelativeVariance = relativeVariance
	Inf              = math.Inf(1)
)

// Default returns settings that suit most tests.
func Default() Config { return Config{Walkers: 64, Steps: 32, Keep: 0.5} }
