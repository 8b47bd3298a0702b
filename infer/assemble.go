package infer

import (
	"iter"
	"math"

	"achilles/infer/misfit"
	"achilles/infer/posterior"
)

// assemble merges the results of all fits into one Result, and keeps their order. It writes the predictions and the draws into t, and
// holds those of one fit at a time. It returns the fits as well, without what is in the Result or in t; of the draws they keep those
// that predict paths.
func (r *run) assemble(fits iter.Seq2[*piece, error], t *tables) (*Result, []*piece, error) {
	res := &Result{Settings: r.settings}
	d := &res.Diagnostics
	d.Layout = r.settings.Layout.Name
	judged, err := r.judge()
	if err != nil {
		return nil, nil, err
	}
	if judged != nil {
		d.Findings = judged.Findings
	}
	var subjects []*moments
	var rest []*piece
	var answers []misfit.Answers
	for p, err := range fits {
		if err == nil {
			err = t.write(r, p)
		}
		if err != nil {
			return nil, nil, err
		}
		res.Profiles = append(res.Profiles, p.Profiles...)
		res.Units = append(res.Units, p.Units...)
		if p.Fit != nil {
			res.maximum(p.Fit, p.Units)
		}
		rest = append(rest, &piece{Fit: p.Fit, Verdict: p.Verdict, Failure: p.Failure})
		if p.Fit == nil {
			continue
		}
		switch all := p.Fit.Rows == AllRows; {
		case all && r.joint != nil:
			d.Identifiability = identifiabilityOf(r.joint, r.Engine, p.draws, nil)
			if judged != nil {
				d.Identifiability.withhold(judged.Parts)
			}
		case all:
			subjects = append(subjects, momentsOf(p.Fit.Subject, p.draws))
			if p.Expected != nil {
				answers = append(answers, likeness{r}.answers(p))
			}
		case r.settings.Layout.Walking != nil:
			rest[len(rest)-1].draws = p.draws
		}
		d.add(p.Fit)
		for i := range p.Lost {
			d.add(&p.Lost[i])
		}
	}
	d.Alike = misfit.Alike(answers, alarm)
	if r.design != nil {
		d.Identifiability = identifiability(r.design, subjects)
	}
	res.Verdicts = comparing{r}.verdicts(rest)
	return res, rest, nil
}

// Approximate returns the number of fits whose draws are from a normal approximation around the maximum: without chains, R-hat and
// effective sample size.
func Approximate(fits []Fit) (n int) {
	for i := range fits {
		if e := posterior.Engine(fits[i].Engine); e == posterior.Laplace || e == posterior.MML {
			n++
		}
	}
	return n
}

// add adds a fit.
func (d *Diagnostics) add(f *Fit) {
	d.Fits = append(d.Fits, *f)
	d.Divergences += f.Divergences
	d.WorstRHat = extreme(d.WorstRHat, f.WorstRHat, math.Max)
	d.MinESSBulk = extreme(d.MinESSBulk, f.MinESSBulk, math.Min)
	if len(f.Replaced) > 0 {
		d.Replaced++
	}
}

// subjectParameters returns the names of the parameters that each subject has.
func (r *run) subjectParameters() (out []string) {
	if r.joint == nil {
		return r.design.Names()
	}
	for _, p := range r.joint.Layout().Parameters {
		if p.OfSubjects() {
			out = append(out, p.Name)
		}
	}
	return out
}
