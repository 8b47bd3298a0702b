package infer

import (
	"errors"
	"fmt"
	"math"

	"achilles/infer/diag"
	"achilles/infer/layout"
	"achilles/infer/posterior"
	"achilles/sim/num"
)

// posteriorConfig returns the configuration of every fit of one subject.
func (s *Settings) posteriorConfig() posterior.Config {
	p := posterior.Default()
	p.Sampling = s.Sampling
	return p
}

// describe returns how a posterior was computed, with all doubts about it.
func (r *run) describe(id, rows string, post *posterior.Posterior) Fit {
	f := Fit{Subject: id, Rows: rows, Engine: string(post.Engine), Chains: len(post.Draws), Draws: len(post.Draws[0]),
		LogEvidence: num.Finite(post.LogEvidence), EvidenceSE: num.Finite(post.LogEvidenceError), Modes: post.Modes, Gradients: post.Work.Gradients, Likelihoods: post.Work.Likelihoods}
	for _, d := range post.Doubts {
		if post.Engine == posterior.NUTS { // no other engine has replaced the chains: the doubts are warnings
			f.Warnings = append(f.Warnings, posterior.Warning{Kind: d.Kind, Parameter: d.Parameter, Message: d.String() + "; rerun with --engine auto"})
			continue
		}
		f.Replaced = append(f.Replaced, d.String())
	}
	for _, c := range post.Chains {
		f.Divergences += len(c.Divergent)
	}
	if f.Divergences > 0 {
		for _, c := range post.Chains {
			f.Divergent = append(f.Divergent, append([]int{}, c.Divergent...))
		}
	}
	for _, s := range post.Summaries {
		f.WorstRHat = extreme(f.WorstRHat, num.Finite(s.RHat), math.Max)
		f.MinESSBulk = extreme(f.MinESSBulk, num.Finite(s.ESSBulk), math.Min)
		f.MinESSTail = extreme(f.MinESSTail, num.Finite(s.ESSTail), math.Min)
	}
	if post.Engine != posterior.NUTS {
		f.Warnings = append(f.Warnings, shortOfDraws(post)...)
	}
	f.Warnings = append(f.Warnings, post.Warnings...)
	f.Maximum = post.Maximum
	return f
}

// sampled returns how NUTS came to the draws of a fit of a subject, or of everybody; nil for another engine, and where it moved in parts.
func sampled(id string, post *posterior.Posterior) (out []Sampled) {
	for c, chain := range post.Chains {
		for i, t := range chain.Trace {
			out = append(out, Sampled{Subject: id, Chain: int32(c), Draw: int32(i), LP: t.LogDensity, Energy: t.Energy, Depth: int32(t.Depth), Step: chain.Step})
		}
	}
	return out
}

// shortOfDraws returns warnings about parameters that meet the limits for few draws (posterior.Config), but not those of
// Vehtari et al. (2021): R-hat at most 1.01 and an effective sample size of at least 400.
func shortOfDraws(post *posterior.Posterior) (out []posterior.Warning) {
	limit := posterior.Default()
	for k, s := range post.Summaries {
		name := post.Parameters[k]
		if s.RHat > limit.RHat {
			out = append(out, posterior.Warning{Kind: posterior.RHat, Parameter: name, Message: fmt.Sprintf("R-hat of %s is %.3f, above %.2f; rerun with more --draws", name, s.RHat, limit.RHat)})
		}
		if e := min(s.ESSBulk, s.ESSTail); e < limit.ESS {
			out = append(out, posterior.Warning{Kind: posterior.ESS, Parameter: name, Message: fmt.Sprintf("effective sample size of %s is %.0f, below %.0f; rerun with more --draws", name, e, limit.ESS)})
		}
	}
	return out
}

// heavyTails returns a warning if the draws of some of these values, nil for all, have tails too heavy for a mean and an SD (diag.TailShape). It names
// the worst.
func heavyTails(post *posterior.Posterior, values []int) []posterior.Warning {
	if values == nil {
		for k := range post.Parameters {
			values = append(values, k)
		}
	}
	worst, limit, at, others := math.Inf(-1), 0.0, 0, -1
	for _, k := range values {
		shape, n := diag.TailShape(diag.Column(post.Draws, k))
		if !(shape > diag.KLimit(n)) {
			continue
		}
		if others++; shape > worst {
			worst, limit, at = shape, diag.KLimit(n), k
		}
	}
	if others < 0 {
		return nil
	}
	name, and := post.Parameters[at], ""
	if others > 0 {
		and = fmt.Sprintf(" (and %d more)", others)
	}
	return []posterior.Warning{{Kind: posterior.HeavyTails, Parameter: name, Message: fmt.Sprintf("the posterior of %s%s has tails too heavy for a mean and an SD (Pareto shape %.2f, above %.2f): use its quantiles, or give it a prior with lighter tails, such as halfnormal for halfcauchy", name, and, worst, limit)}}
}

// unresolved returns true if err says that there is no result for this subject: the chains disagree in both engines, nothing explains
// its responses, or the layout needs some that it did not give. The Fit then has a warning; the subject has no profile and no predictions. For other errors,
// unresolved returns false.
func unresolved(id, rows string, err error) (Fit, bool) {
	f := Fit{Subject: id, Rows: rows, Engine: "none"}
	var why string
	var none *layout.NoResponse
	var u *posterior.Unresolved
	switch {
	case errors.As(err, &none) && rows == FitRows:
		why = none.Error() + " that is not held out"
	case errors.As(err, &none):
		why = none.Error()
	case errors.As(err, &u):
		why = u.Error()
		for _, d := range u.Doubts {
			f.Replaced = append(f.Replaced, d.String())
		}
	default:
		return Fit{}, false
	}
	f.Warnings = []posterior.Warning{{Kind: posterior.NoResult, Message: "no estimates are reported: " + why}}
	return f, true
}

// profiles summarises the posterior of every parameter.
func (r *run) profiles(id string, post *posterior.Posterior) []Profile {
	var out []Profile
	for k, par := range r.design.Parameters() {
		p := profile(id, par, post.Summaries[k])
		p.LogEvidence, p.LogEvidenceSE = num.Finite(post.LogEvidence), num.Finite(post.LogEvidenceError)
		out = append(out, p)
	}
	return out
}

// profile returns a summary of a parameter of a subject as a row.
func profile(id string, par layout.Parameter, d diag.Summary) Profile {
	return Profile{Subject: id, Parameter: par.Name, Group: string(par.Group), Mean: d.Mean, SD: d.SD, MCSE: num.Finite(d.MCSEMean),
		Q5: d.Q5, Q25: d.Q25, Q50: d.Q50, Q75: d.Q75, Q95: d.Q95,
		ESSBulk: num.Finite(d.ESSBulk), ESSTail: num.Finite(d.ESSTail), RHat: num.Finite(d.RHat)}
}

// extreme returns pick(a, b). If one of them is nil, it returns the other.
func extreme(a, b *float64, pick func(x, y float64) float64) *float64 {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	}
	x := pick(*a, *b)
	return &x
}
