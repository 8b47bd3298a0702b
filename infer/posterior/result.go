package posterior

import "achilles/infer/diag"

// Posterior is a fit of one subject.
type Posterior struct {
	Parameters []string
	Draws      [][][]float64  // [chain][draw][parameter], on the parameters' own scale
	Summaries  []diag.Summary // one a parameter

	Engine Engine  // whose draws these are: NUTS or Tempered
	Doubts []Doubt // why NUTS chains were not believed, where Tempered has replaced them

	// LogEvidence is the log marginal likelihood, by bridge sampling from the draws; NaN where they are too few.
	LogEvidence, LogEvidenceError float64

	Chains   []Chain // of the engine whose draws these are
	Pilots   []Pilot
	Work     Work
	Warnings []Warning // doubts that remain about these draws
}

// Chain tells how one chain ran: NUTS has a step, divergences and an energy; Tempered the two rates.
type Chain struct {
	Step        float64 // step size
	Accept      float64 // mean acceptance
	Divergences int     // draws
	Saturated   int     // draws whose trajectory was cut off at the largest depth
	Depth       float64 // mean number of doublings
	EBFMI       float64 // NaN where it is undefined
	Gradients   int     // after warm-up
	StepRate    float64 // share of steps taken
	LeapRate    float64 // share of leaps taken
	Likelihoods int
}

// Pilot tells what one tempered population found.
type Pilot struct {
	LogEvidence, LogEvidenceError float64
	Temperatures                  int
}

// Work counts the evaluations of a problem that a fit has cost in all.
type Work struct {
	Gradients   int // of the log density: NUTS with its warm-up, replaced chains, evidence
	Likelihoods int // pilots and tempered chains
}

// Warning is a doubt about the draws returned, in words, with what would cure it.
type Warning struct {
	Kind      Kind
	Parameter string // empty when it is about all
	Message   string
}
