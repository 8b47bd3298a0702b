package infer

import (
	"iter"
	"math"
)

// assemble merges the results of all fits into one Result, and keeps their order. It returns the fits as well, without what is in the
// Result; of the draws they keep those that predict paths.
func (r *run) assemble(fits iter.Seq2[*piece, error]) (*Result, []*piece, error) {
	res := &Result{Manifest: r.manifest}
	res.Draws.Parameters = r.subjectParameters()
	res.Draws.Values = append(res.Draws.Values, make([][]float64, len(res.Draws.Parameters))...)
	d := &res.Diagnostics
	d.Layout = r.manifest.Layout.Name
	var subjects []*moments
	var rest []*piece
	for p, err := range fits {
		if err != nil {
			return nil, nil, err
		}
		res.Profiles = append(res.Profiles, p.Profiles...)
		res.Predictions = append(res.Predictions, p.Predictions...)
		res.Units = append(res.Units, p.Units...)
		rest = append(rest, &piece{Fit: p.Fit, Verdict: p.Verdict, Failure: p.Failure})
		if p.Fit == nil {
			continue
		}
		switch all := p.Fit.Rows == AllRows; {
		case all && r.joint != nil:
			r.addDrawsOfSubjects(res, p)
			d.Identifiability = identifiabilityOf(r.joint, p.draws, nil)
		case all:
			res.Draws.add(p.Fit.Subject, p.draws)
			subjects = append(subjects, momentsOf(p.Fit.Subject, p.draws))
		case r.manifest.Layout.Walking != nil:
			rest[len(rest)-1].draws = p.draws
		}
		d.Fits = append(d.Fits, *p.Fit)
		d.Divergences += p.Fit.Divergences
		d.WorstRHat = extreme(d.WorstRHat, p.Fit.WorstRHat, math.Max)
		d.MinESSBulk = extreme(d.MinESSBulk, p.Fit.MinESSBulk, math.Min)
		if len(p.Fit.Replaced) > 0 {
			d.Replaced++
		}
	}
	if r.design != nil {
		d.Identifiability = identifiability(r.design, subjects)
	}
	res.Verdicts = r.verdicts(rest)
	return res, rest, nil
}

// subjectParameters returns the names of the parameters that each subject has.
func (r *run) subjectParameters() (out []string) {
	if r.joint == nil {
		return names(r.design)
	}
	for _, p := range r.joint.Layout().Parameters {
		if p.OfSubjects() {
			out = append(out, p.Name)
		}
	}
	return out
}

// add appends the draws of a subject, [chain][draw][parameter].
func (d *Draws) add(subject string, draws [][][]float64) {
	for c, chain := range draws {
		for i, draw := range chain {
			d.Subject = append(d.Subject, subject)
			d.Chain = append(d.Chain, int32(c))
			d.Draw = append(d.Draw, int32(i))
			for k, x := range draw {
				d.Values[k] = append(d.Values[k], x)
			}
		}
	}
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
