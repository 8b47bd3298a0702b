package infer

import (
	"context"
	"fmt"

	"achilles/infer/compare"
	"achilles/infer/diag"
	"achilles/infer/layout"
	"achilles/infer/posterior"
	"achilles/sim/num"
	"achilles/sim/record"
)

// Everybody stands in place of a subject for a fit of all subjects and items together (layout.Joint).
const Everybody = "everybody"

// Kinds of units other than groups of items.
const (
	ItemUnit   = "item"
	SharedUnit = "shared"
)

// bindJoint binds a layout whose subjects are measured together.
func (r *run) bindJoint(l *layout.Layout) (err error) {
	switch {
	case r.Bank != nil:
		return fmt.Errorf("layout %s: a candidate set compares layouts subject by subject, and this one measures all subjects together", l.Name)
	case l.Walking != nil:
		return fmt.Errorf("layout %s: a layout that measures all subjects together predicts no paths: remove [walking]", l.Name)
	}
	if r.joint, err = l.BindJoint(&r.data.Items, r.data.Subjects, r.data.Covariates, r.data.Manifest.Measures); err != nil {
		return err
	}
	if n := float64(r.Chains*r.Draws) * float64(r.joint.Len()); n > maxNumbers {
		return fmt.Errorf("%d chains of %d draws of %d parameters are %.3g numbers: at most %d", r.Chains, r.Draws, r.joint.Len(), n, maxNumbers)
	}
	return nil
}

// jointly is the part of a run that fits all subjects and items at once.
type jointly struct{ *run }

// tables returns the kinds of fits of all subjects: to all responses and, if responses are held out and predictions are wanted, to
// the others.
func (r jointly) tables() []string {
	if r.Predict && r.data.Responses.ContainsFunc(isHeldOut) {
		return []string{AllRows, FitRows}
	}
	return []string{AllRows}
}

// isHeldOut reports whether a response has a value to predict.
func isHeldOut(x record.Response) bool { return x.Split != record.Fit && x.Unscored == 0 }

// fitTogether does the fits of all subjects together.
func (r jointly) fitTogether(ctx context.Context) ([]*piece, error) {
	use := map[string][]record.Response{AllRows: r.data.Responses.List()}
	var held []record.Response
	for _, x := range use[AllRows] {
		if x.Split == record.Fit {
			use[FitRows] = append(use[FitRows], x)
		} else if isHeldOut(x) {
			held = append(held, x)
		}
	}
	var out []*piece
	kinds := r.tables()
	for i, rows := range kinds {
		p, err := r.fitTable(ctx, rows, use[rows], held, func(done, total int) {
			if r.Progress != nil {
				r.Progress(i*total+done, len(kinds)*total)
			}
		})
		if err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	return out, nil
}

// fitTable does one fit of all subjects, or returns its result from an earlier run with the same key. It reports to progress
// after every trajectory.
func (r jointly) fitTable(ctx context.Context, rows string, use, held []record.Response, progress func(done, total int)) (*piece, error) {
	p, err := r.storedFit(Everybody, rows)
	if err != nil {
		return nil, err
	}
	if p != nil {
		all := r.Chains * (r.Warmup + r.Draws)
		progress(all, all)
		return p, nil
	}
	f, err := r.fitExplained(ctx, rows, use, progress)
	if err != nil {
		return nil, err
	}
	post := f.post
	fit := r.describe(Everybody, rows, post)
	p = &piece{Fit: &fit}
	for _, s := range f.lost {
		p.Lost = append(p.Lost, noExplanation(r.data.Subjects[s], rows, f.tried))
	}
	if rows == AllRows {
		fit.Misfit = r.checkTogether(f.cells, f.known(use), post)
		if fit.LOO, err = leaveOutTogether(ctx, f.cells, post, r.Jobs); err != nil {
			return nil, err
		}
		widenFit(&r.data.Items, &fit, f.cells, post, nil)
		if post.Engine != posterior.MML { // its draws are normal, those of abilities have their normal prior
			fit.Warnings = append(fit.Warnings, heavyTails(post, r.ofSubjects(p))...)
		}
		r.describeUnits(p, post)
		p.draws, p.Sampler = post.Draws, sampled(Everybody, post)
		p.Shape = [3]int{len(post.Draws), len(post.Draws[0]), len(post.Draws[0][0])}
	} else if p.Predictions, err = r.predictTogether(f.known(held), f.means, post); err != nil {
		return nil, err
	}
	return p, r.keepFit(Everybody, rows, p)
}

// mostLeftOut is the largest number of responses that are left out one by one, some minutes of processor time, and mostInBlock that of
// a block, whose log likelihoods at the draws take 300 MB for each goroutine.
const (
	mostLeftOut = 1 << 20
	mostInBlock = 1 << 16
)

// leaveOutTogether says how well each response is predicted from all others, block by block. It returns nil if there are too many
// responses, and without draws from the posterior itself, which the estimate needs.
func leaveOutTogether(ctx context.Context, cells *layout.Cells, post *posterior.Posterior, jobs int) (*LeaveOneOut, error) {
	n := len(cells.Used())
	if n == 0 || n > mostLeftOut || post.Engine == posterior.Laplace || post.Engine == posterior.MML {
		return nil, nil
	}
	for block := range cells.Blocks() {
		if from, to := cells.InBlock(block); to-from > mostInBlock {
			return nil, nil
		}
	}
	workers := max(1, min(jobs, cells.Blocks()))
	t := cells.NewTarget(make([]bool, len(cells.Joint().Layout().Parameters)), workers)
	each := make([]diag.PointwiseLOO, n)
	err := parallel(ctx, workers, workers, nil, func(ctx context.Context, worker int) error {
		for block := worker; block < cells.Blocks(); block += workers {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			from, to := cells.InBlock(block)
			copy(each[from:to], compare.PointwiseLeaveOut(to-from, func(theta, out []float64) { t.PointwiseLogLik(block, theta, out) }, post.Draws))
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return leaveOneOut(compare.SumLeaveOut(each, nil, post.Draws)), nil
}

// ofSubjects returns the numbers of the values of subjects that are not lost.
func (r jointly) ofSubjects(p *piece) (at []int) {
	for i, par := range r.joint.Layout().Parameters {
		for s, id := range r.data.Subjects {
			if par.OfSubjects() && !p.loses(id) {
				at = append(at, r.joint.First(i)+s)
			}
		}
	}
	return at
}

// describeUnits summarises the posterior of every parameter of subjects in p.Profiles, subject by subject but for those who are lost, and
// that of all others in p.Units.
func (r jointly) describeUnits(p *piece, post *posterior.Posterior) {
	parameters := r.joint.Layout().Parameters
	for s, id := range r.data.Subjects {
		for i, par := range parameters {
			if par.OfSubjects() && !p.loses(id) {
				p.Profiles = append(p.Profiles, profile(id, par, post.Summaries[r.joint.First(i)+s]))
			}
		}
	}
	has := unitsOf(r.joint.Layout(), r.Engine)
	for i, par := range parameters {
		if !has(i) {
			continue
		}
		kind := string(par.Group)
		if par.Per != "" {
			kind = par.Per
		}
		first, units := r.joint.First(i), r.joint.Units(i)
		heavy := heavyAny(post.Draws, first, first+units)
		for u := range units {
			at := first + u
			d := post.Summaries[at]
			mean, sd, mcse := &d.Mean, &d.SD, num.Finite(d.MCSEMean)
			if heavy {
				mean, sd, mcse = nil, nil, nil
			}
			p.Units = append(p.Units, Unit{Parameter: par.Name, Kind: kind, Unit: r.joint.UnitName(i, u), Mean: mean, SD: sd, MCSE: mcse,
				Q5: d.Q5, Q25: d.Q25, Q50: d.Q50, Q75: d.Q75, Q95: d.Q95,
				ESSBulk: num.Finite(d.ESSBulk), ESSTail: num.Finite(d.ESSTail), RHat: num.Finite(d.RHat)})
		}
	}
}

// heavyAny reports whether draws of one of the values from first to before last have tails too heavy for a mean and an SD. Then those of one parameter all
// have medians: which item is highest cannot be seen from the mean of one and the median of another.
func heavyAny(draws [][][]float64, first, last int) bool {
	for at := first; at < last; at++ {
		if k, n := diag.TailShape(diag.Column(draws, at)); k > diag.KLimit(n) {
			return true
		}
	}
	return false
}

// unitsOf returns which parameters have units in a result: those that are not of subjects, and that the engine infers.
func unitsOf(l *layout.Layout, e posterior.Engine) func(i int) bool {
	var without []bool
	if e == posterior.MML {
		without = layout.PriorAlone(l)
	}
	return func(i int) bool { return !l.Parameters[i].OfSubjects() && (without == nil || !without[i]) }
}

// predictTogether returns the success probabilities of held-out responses, averaged over at most checkDraws posterior draws.
// means are those of the responses that were fitted.
func (r jointly) predictTogether(held []record.Response, means [][]float64, post *posterior.Posterior) ([]Prediction, error) {
	cells, err := r.joint.NewCells(held, means)
	if err != nil {
		return nil, err
	}
	t := cells.NewTarget(make([]bool, len(r.joint.Layout().Parameters)), r.Jobs)
	used := cells.Used()
	p, mean := make([]float64, len(used)), make([]float64, len(used))
	draws := thin(post.Draws, checkDraws)
	for _, theta := range draws {
		t.Expected(theta, p)
		for i, x := range p {
			mean[i] += x / float64(len(draws))
		}
	}
	var out []Prediction
	for i, k := range used {
		out = append(out, predictionOf(r.data, held[k], mean[i]))
	}
	return out, nil
}

// subjectDraws returns the draws of the parameters of one subject, [chain][draw][parameter].
func (r jointly) subjectDraws(parameters []layout.Parameter, subject int, draws [][][]float64) [][][]float64 {
	var at []int
	for i := range parameters {
		if parameters[i].OfSubjects() {
			at = append(at, r.joint.First(i)+subject)
		}
	}
	out := make([][][]float64, len(draws))
	for c, chain := range draws {
		all := make([]float64, 0, len(chain)*len(at))
		for _, theta := range chain {
			from := len(all)
			for _, k := range at {
				all = append(all, theta[k])
			}
			out[c] = append(out[c], all[from:])
		}
	}
	return out
}
