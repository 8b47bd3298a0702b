package posterior

import "achilles/infer/diag"

// Posterior is the result of Fit: the draws of one subject's posterior and how they came about.
type Posterior struct {
	Parameters []string
	Draws      [][][]float64  // [chain][draw][parameter], on the parameters' own scale
	Summaries  []diag.Summary // one a parameter

	Engine Engine  // whose draws these are: NUTS or Tempered
	Doubts []Doubt // why Tempered has replaced the chains of NUTS; empty where it has not

	// LogEvidence is the log marginal likelihood, by bridge sampling from the draws; NaN where they are too few.
	LogEvidence, LogEvidenceError float64

	// Modes are the weights of the posterior's modes, the largest first, where there is more than one of two per cent or
	// more.
	Modes []float64

	Chains   []Chain // of the engine whose draws these are
	Pilots   []Pilot
	Work     Work
	Warnings []Warning // doubts that remain about these draws
}

// Chain says how one chain ran. A chain of NUTS has the fields up to Gradients, a tempered one the others.
type Chain struct {
	Step        float64 // step size
	Accept      float64 // mean acceptance
	Divergences int     // draws
	Saturated   int     // draws whose trajectory was cut off at the largest depth
	Depth       float64 // mean number of doublings
	EBFMI       float64 // NaN where it is undefined
	Gradients   int     // after warm-up
	StepRate    float64 // share of proposed steps that were accepted
	JumpRate    float64 // share of proposed jumps between modes that were accepted
	LeapRate    float64 // share of proposals from the mixture of modes that were accepted
	Likelihoods int     // evaluations of the likelihood
}

// Pilot says what one tempered population found.
type Pilot struct {
	LogEvidence, LogEvidenceError float64
	Temperatures                  int
}

// Work counts all evaluations of the problem in a fit.
type Work struct {
	Gradients   int // of the log density with its gradient: by NUTS, warm-up and replaced chains included, and by the bridge sampler
	Likelihoods int // of the likelihood alone: by pilots and tempered chains
}

// Warning is a doubt about the draws returned, in words, with what may remove it.
type Warning struct {
	Kind      Kind   `json:"kind"`
	Parameter string `json:"parameter,omitempty"` // empty when it is about all
	Message   string `json:"message"`
}
