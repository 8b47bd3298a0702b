package posterior

import (
	"fmt"

	"achilles/infer/diag"
)

// Posterior is a fit of one subject.
type Posterior struct {
	Parameters []string
	Draws      [][][]float64  // [chain][draw][parameter], on the parameters' own scale
	Summaries  []diag.Summary // one a parameter

	Engine Engine  // whose draws these are: NUTS or Tempered
	Doubts []Doubt // why NUTS chains were not believed, when Tempered has replaced them

	LogEvidence      float64 // log marginal likelihood, by bridge sampling from the draws
	LogEvidenceError float64

	Chains   []Chain
	Pilots   []Pilot
	Work     Work
	Warnings []Warning
}

// Chain tells how one chain ran. NUTS has a step, divergences, and so on; Tempered the two rates.
type Chain struct {
	Step        float64 // step size
	Accept      float64 // mean acceptance
	Divergences int     // draws
	Saturated   int     // draws whose trajectory was cut off at the largest depth
	EBFMI       float64
	StepRate    float64 // share of steps taken
	LeapRate    float64 // share of leaps taken
}

// Pilot tells what one tempered population found.
type Pilot struct {
	LogEvidence, LogEvidenceError float64
	Temperatures                  int
}

// Work counts evaluations of a problem.
type Work struct {
	Gradients   int // of the log density, warm-up, replaced chains and evidence included
	Likelihoods int
}

// Doubt is a reason not to believe chains.
type Doubt struct {
	Kind      Kind
	Parameter string  // empty when it is about all
	Value     float64 // what was found
	Limit     float64 // what would have been believed
}

// Kind of a doubt or a warning.
type Kind string

// The kinds. Their values are part of the format of diagnostics.
const (
	RHat          Kind = "r-hat"          // chains disagree
	ESS           Kind = "ess"            // too few effective draws
	Divergent     Kind = "divergences"    // share of divergent draws
	EBFMI         Kind = "e-bfmi"         // energy changes too little from draw to draw
	MaxDepth      Kind = "max-depth"      // share of draws whose trajectory was cut off
	PilotMean     Kind = "pilot-mean"     // a mean far from the pilots', in standard errors
	PilotEvidence Kind = "pilot-evidence" // evidence below the pilots', in standard errors: a mode is missing
	Failed        Kind = "failed"         // the engine stopped with an error
	Replaced      Kind = "replaced"       // NUTS chains were replaced
)

// String says the doubt in words.
func (d Doubt) String() string {
	subject := ""
	if d.Parameter != "" {
		subject = " of " + d.Parameter
	}
	switch d.Kind {
	case RHat:
		return fmt.Sprintf("R-hat%s is %.3f, above %.3f", subject, d.Value, d.Limit)
	case ESS:
		return fmt.Sprintf("effective sample size%s is %.0f, below %.0f", subject, d.Value, d.Limit)
	case Divergent:
		return fmt.Sprintf("%.2g %% of the draws diverged, more than %.2g %%", 100*d.Value, 100*d.Limit)
	case EBFMI:
		return fmt.Sprintf("E-BFMI is %.2f, below %.2f", d.Value, d.Limit)
	case MaxDepth:
		return fmt.Sprintf("%.2g %% of the trajectories were cut off at the largest depth, more than %.2g %%", 100*d.Value, 100*d.Limit)
	case PilotMean:
		return fmt.Sprintf("the mean%s is %.1f standard errors from the pilots', more than %.1f", subject, d.Value, d.Limit)
	case PilotEvidence:
		return fmt.Sprintf("the log evidence is %.1f below the pilots', more than %.1f", d.Value, d.Limit)
	}
	return string(d.Kind)
}

// Warning is a doubt about the draws returned, with what would cure it.
type Warning struct {
	Kind      Kind
	Parameter string
	Message   string
}
