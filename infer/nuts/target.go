package nuts

import "achilles/sim/rng"

// A Target is an unnormalised log density on all of ℝ^Dim. It is called from one goroutine at a time.
type Target interface {
	// Dim returns the number of coordinates, at least 1.
	Dim() int
	// LogDensity returns the log density at q and writes its gradient to grad. It must not keep the slices. −Inf, NaN or
	// a gradient that is not finite mean that q is outside the support or that something overflowed: the trajectory
	// counts as divergent. +Inf means that the density cannot be normalised: the chain stops with an error.
	LogDensity(q, grad []float64) float64
}

// A Crosser is a Target with modes between which another move than a trajectory leads.
type Crosser interface {
	Target
	// Cross may move q, and reports whether it did, so that the density stays invariant. A chain calls it before every trajectory.
	Cross(q []float64, r *rng.Rand) bool
}
