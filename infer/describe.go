package infer

import (
	"errors"
	"math"

	"achilles/infer/posterior"
)

func (c *Config) posteriorConfig() posterior.Config {
	p := posterior.Default()
	p.Chains, p.Warmup, p.Draws = c.Chains, c.Warmup, c.Draws
	switch c.Engine {
	case NUTS:
		p.Engine = posterior.NUTS
	case Tempered:
		p.Engine = posterior.Tempered
	}
	return p
}

// describe says how a posterior was computed, and every doubt about it.
func (r *run) describe(id, rows string, post *posterior.Posterior) Fit {
	f := Fit{Subject: id, Rows: rows, Engine: post.Engine.String(), Chains: len(post.Draws), Draws: len(post.Draws[0]),
		LogEvidence: finite(post.LogEvidence), Gradients: post.Work.Gradients, Likelihoods: post.Work.Likelihoods}
	for _, d := range post.Doubts {
		f.Replaced = append(f.Replaced, d.String())
	}
	for _, c := range post.Chains {
		f.Divergences += c.Divergences
	}
	for _, s := range post.Summaries {
		f.WorstRHat = extreme(f.WorstRHat, finite(s.RHat), math.Max)
		f.MinESSBulk = extreme(f.MinESSBulk, finite(s.ESSBulk), math.Min)
		f.MinESSTail = extreme(f.MinESSTail, finite(s.ESSTail), math.Min)
	}
	for _, w := range post.Warnings {
		f.Warnings = append(f.Warnings, Warning{Kind: string(w.Kind), Parameter: w.Parameter, Message: w.Message})
	}
	return f
}

// unresolved is the fit of a subject whose chains disagree whatever was tried: it has no profile and no predictions,
// and says so.
func unresolved(id, rows string, err error) (Fit, bool) {
	var u *posterior.Unresolved
	if !errors.As(err, &u) {
		return Fit{}, false
	}
	f := Fit{Subject: id, Rows: rows, Engine: "none", Warnings: []Warning{{Kind: "unresolved", Message: "nothing is reported: " + u.Error() + "; more --draws or --chains may settle it"}}}
	for _, d := range u.Doubts {
		f.Replaced = append(f.Replaced, d.String())
	}
	return f, true
}
