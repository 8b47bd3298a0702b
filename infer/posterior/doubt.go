package posterior

import "fmt"

// A Doubt is a reason not to trust chains.
type Doubt struct {
	Kind      Kind
	Parameter string  // empty if the doubt is not about one parameter
	Value     float64 // the value that was found
	Limit     float64 // the value beyond which there is a doubt
	Message   string  // for Failed, the error that stopped the engine; otherwise empty
}

// A Kind is the kind of a doubt or a warning. Its values are part of the format of diagnostics.
type Kind string

// The kinds.
const (
	RHat          Kind = "r-hat"          // chains disagree
	ESS           Kind = "ess"            // too few effective draws
	Divergent     Kind = "divergences"    // share of divergent draws
	EBFMI         Kind = "e-bfmi"         // energy changes too little from draw to draw
	MaxDepth      Kind = "max-depth"      // share of draws whose trajectory was cut off
	PilotMean     Kind = "pilot-mean"     // the mean of a parameter differs from the pilots', in standard errors
	PilotRange    Kind = "pilot-range"    // share of pilot points beyond the range of the draws
	PilotTail     Kind = "pilot-tail"     // share of pilot points beyond a quantile of the draws
	PilotEvidence Kind = "pilot-evidence" // log evidence below the pilots': a mode is missing
	MissedMode    Kind = "missed-mode"    // no draw in a mode that ascents from the prior have found
	Slow          Kind = "slow"           // too many gradients for each draw
	Failed        Kind = "failed"         // the engine stopped with an error
	Approximate   Kind = "approximation"  // draws are from an approximation to the posterior
	OtherMaxima   Kind = "maxima"         // climbs from other points ended at other maxima
	Skewed        Kind = "skewed"         // the mean is far from the maximum around which an approximation is made
	Mirrored      Kind = "mirrored"       // the posterior has two images of everything, between which means lie
	HeavyTails    Kind = "heavy-tails"    // the draws have tails too heavy for a mean and an SD
	Widened       Kind = "widened"        // data are alike beyond the model, and the posterior was widened for it
	NoResult      Kind = "unresolved"     // there is no result: the chains of both engines disagree, or nothing explains the responses
)

// String returns the doubt in words.
func (d Doubt) String() string {
	of := ""
	if d.Parameter != "" {
		of = " of " + d.Parameter
	}
	switch d.Kind {
	case RHat:
		return fmt.Sprintf("R-hat%s is %.3f, above %.3f", of, d.Value, d.Limit)
	case ESS:
		return fmt.Sprintf("the effective sample size%s is %.0f, below %.0f", of, d.Value, d.Limit)
	case Divergent:
		return fmt.Sprintf("%.2g %% of the draws diverged, more than %.2g %%", 100*d.Value, 100*d.Limit)
	case EBFMI:
		return fmt.Sprintf("E-BFMI is %.2f, below %.2f", d.Value, d.Limit)
	case MaxDepth:
		return fmt.Sprintf("%.2g %% of transitions reached the maximum tree depth, more than %.2g %%", 100*d.Value, 100*d.Limit)
	case PilotMean:
		return fmt.Sprintf("the mean%s is %.1f standard errors from that of the pilots, more than %.1f", of, d.Value, d.Limit)
	case PilotRange:
		return fmt.Sprintf("%.2g %% of the pilot runs' points lie outside the draws%s, more than %.2g %%", 100*d.Value, of, 100*d.Limit)
	case PilotTail:
		return fmt.Sprintf("%.2g %% of the pilot runs' points lie beyond the %.2g %% quantile of the draws%s, more than %.2g %%", 100*d.Value, 100*tailQuantile, of, 100*d.Limit)
	case PilotEvidence:
		return fmt.Sprintf("the log marginal likelihood is %.1f below that of the pilots, more than %.1f", d.Value, d.Limit)
	case MissedMode:
		return fmt.Sprintf("no draw lies in a mode whose log marginal likelihood is %+.1f relative to that of the draws, more than %.1f", d.Value, d.Limit)
	case Slow:
		return fmt.Sprintf("a draw takes %.0f gradients, more than %.0f", d.Value, d.Limit)
	}
	return d.Message
}

// cure returns what to rerun with, so that the doubt about a sample of engine e may go.
func (d Doubt) cure(e Engine) string {
	if e == Tempered || d.Kind == RHat || d.Kind == ESS {
		return "more --draws"
	}
	return "--engine tempered"
}

func warnings(e Engine, doubts []Doubt) (ws []Warning) {
	for _, d := range doubts {
		ws = append(ws, Warning{d.Kind, d.Parameter, d.String() + "; rerun with " + d.cure(e)})
	}
	return ws
}
