package posterior

import "achilles/infer/diag"

// A Posterior is the result of Fit: draws from the posterior of one subject, and how they were made.
type Posterior struct {
	Parameters []string
	Draws      [][][]float64  // [chain][draw][parameter], the parameters themselves
	Summaries  []diag.Summary // one for every parameter

	Engine Engine  // engine that made the draws: NUTS or Tempered
	Doubts []Doubt // reasons why Tempered has replaced the chains of NUTS; empty if it has not

	// LogEvidence is the log marginal likelihood by bridge sampling, and LogEvidenceError its standard error. Both are
	// NaN if there are too few draws.
	LogEvidence, LogEvidenceError float64

	// Modes has the weights of the posterior's modes of weight 0.02 or more, the largest first. It is nil if there
	// are fewer than two.
	Modes []float64

	Maximum *Maximum // of engine MML; otherwise nil

	Chains   []Chain // the chains of Engine
	Work     Work
	Warnings []Warning // doubts that remain about these draws
}

// A Chain says how one chain ran. A chain of the tempered engine
// sets none.
type Chain struct {
	Step      float64 // step size
	Divergent []int   // indices of the divergent draws, in ascending order
	Saturated int     // number of draws whose trajectory was cut off at the largest depth
	EBFMI     float64 // diag.EBFMI; NaN if it is undefined
	Gradients int     // number of gradients after warm-up
	Trace     []Trace // one for every draw of NUTS; nil where the chain moves in parts
}

// A Trace says how NUTS came to one draw, in the coordinates in which it moved.
type Trace struct {
	LogDensity float64 // of the posterior at the draw, without a constant, in these coordinates
	Energy     float64 // Hamiltonian of the draw: −LogDensity + ½|momentum|²
	Depth      int     // number of doublings of the trajectory
}

// Work counts all evaluations of the problem in a fit.
type Work struct {
	Gradients   int // evaluations of the log density with its gradient; those in warm-up and in replaced chains count
	Likelihoods int // evaluations of the likelihood alone, by pilots and tempered chains
}

// A Warning is a doubt about the draws of a Posterior, in words, and what may remove it.
type Warning struct {
	Kind      Kind   `json:"kind"`
	Parameter string `json:"parameter,omitempty"` // empty if the warning is not about one parameter
	Message   string `json:"message"`
}
