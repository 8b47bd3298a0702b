package adaptive

import (
	"fmt"
	"math"
	"slices"

	"achilles/infer/layout"
	"achilles/infer/smc"
	"achilles/sim/num"
	"achilles/sim/record"
	"achilles/sim/rng"
)

// Fitted is what a fit of a layout to other subjects says of the candidates: posterior draws of their parameters and of shared ones,
// with those of one subject.
type Fitted struct {
	Joint *layout.Joint     // bound to the candidates and the one subject
	Draws [][]float64       // of all its values
	Took  bool              // whether the subject is one of those fitted, so that Draws know its responses; else its values in them do not count
	Given []record.Response // of that subject
	Times []float64         // by parameter of the subject, if Took: what its SD is to be multiplied by, as responses are alike within clusters; nil: 1

	Within []Clusters // of the candidates

	only []int // candidates whose outcomes are predicted, each once; nil: all
}

// of returns what the fit says of these candidates alone, which takes less time.
func (f *Fitted) of(candidates []int) *Fitted {
	out := *f
	out.only = candidates
	return &out
}

// check returns the reason why items cannot be chosen by the layout.
func (f *Fitted) check() error {
	l := f.Joint.Layout()
	for i := range l.Responses {
		if r := &l.Responses[i]; r.Family == layout.Binomial && !byTrial(r) {
			return fmt.Errorf("layout %s has counts of successes among a number of trials that it sets: items are chosen for one trial, which needs the number with each response", l.Name)
		}
	}
	switch {
	case f.Joint.UsesMeans():
		return usesMeans(l)
	case l.NamesPosition():
		return fmt.Errorf("layout %s depends on the position of a response, and on items that were fitted together: no item is chosen by both", l.Name)
	}
	return l.CheckMovable()
}

// ByTrial reports whether a layout has counts of successes, each of which says among how many trials: then an item is chosen for one trial.
func ByTrial(l *layout.Layout) bool {
	for i := range l.Responses {
		if byTrial(&l.Responses[i]) {
			return true
		}
	}
	return false
}

func byTrial(r *layout.ResponseModel) bool { return r.Family == layout.Binomial && len(r.Args) == 1 }

// draw returns draw k of n, and one of any subject.
func (f *Fitted) draw(k, n int, r *rng.Rand) (own, other []float64) {
	own = slices.Clone(f.Draws[k*len(f.Draws)/n])
	other = slices.Clone(own)
	layout.DrawSubjects(f.Joint, r, other)
	if !f.Took {
		return other, other
	}
	return own, other
}

// predictor returns a function that writes what is expected of the responses at a draw.
func (f *Fitted) predictor(o outcomes) (func(theta, p []float64), error) {
	rows := f.only
	if rows == nil {
		for i := range o.rows {
			rows = append(rows, i)
		}
	}
	var all []record.Response // each that there can be, a success where it is binary, any score
	var at, of []int          // its place among the outcomes, and its measure
	for m := range o.number {
		values := o.values(m)
		if values == nil {
			values = []float64{0.5}
		}
		for k, v := range values {
			for _, i := range rows {
				at, of = append(at, (o.first[m]+k)*o.rows+i), append(of, m)
				all = append(all, record.Response{Item: int32(i), Measure: layout.Recorded(f.Joint, m), Value: v, Trials: 1})
			}
		}
	}
	cells, err := f.Joint.NewCells(all, nil)
	if err != nil {
		return nil, err
	}
	target := cells.NewTarget(make([]bool, len(f.Joint.Layout().Parameters)), 1)
	found, args := make([]float64, len(all)), make([][]float64, len(all))
	categories, scores := slices.Contains(o.kind, ofCategory), slices.Contains(o.kind, ofArgument)
	return func(theta, p []float64) {
		if categories {
			for b := range cells.Blocks() {
				from, to := cells.InBlock(b)
				target.PointwiseLogLik(b, theta, found[from:to])
			}
			for k, l := range found {
				found[k] = num.Exp(l)
			}
		} else {
			target.Expected(theta, found)
		}
		if scores {
			layout.Arguments(target, theta, args)
		}
		for k, x := range found {
			m := of[k]
			if o.number[m] > 0 {
				p[at[k]] = x
				continue
			}
			for i, a := range args[k] {
				p[at[k]+i*o.rows] = a
			}
			mean, v := o.family[m].Moments(args[k])
			p[at[k]+len(args[k])*o.rows], p[at[k]+(len(args[k])+1)*o.rows] = mean, v+float64(mean*mean)
		}
	}, nil
}

// reweight multiplies the weight of every draw by the probability of the responses.
func (f *Fitted) reweight(q *particles, responses []record.Response) {
	for m := range f.Joint.Layout().Responses {
		at := layout.Recorded(f.Joint, m)
		for _, x := range responses {
			if x.Measure != at || x.Unscored != 0 {
				continue
			}
			q.weigh(m, int(x.Item), x.Value)
		}
	}
}

// moves is the number of times that a draw of the subject's parameters is proposed anew.
const moves = 8

// renew returns equally weighted draws. The weighted ones are resampled, and the subject's parameters of each are moved, given its items,
// by proposals that are Student's t with the mean and the covariance of all (Gilks and Berzuini 2001): each draw keeps its items.
func (f *Fitted) renew(draws [][]float64, weight []float64, responses []record.Response, r *rng.Rand) ([][]float64, error) {
	cells, err := f.Joint.NewCells(responses, nil)
	if err != nil {
		return nil, err
	}
	c := cells.NewConditional()
	at := make([][]float64, len(draws))
	for k, theta := range draws {
		at[k] = make([]float64, c.Dim())
		c.Given(theta, at[k])
	}
	p := proposalOf(at, weight)
	out := make([][]float64, len(draws))
	z, next := make([]float64, c.Dim()), make([]float64, c.Dim())
	for k, i := range smc.Resample(weight, len(weight), r) {
		own := slices.Clone(at[i])
		c.Given(draws[i], z)
		now := c.LogDensity(own) - p.logDensity(own, z)
		for range moves {
			p.draw(next, z, r)
			if to := c.LogDensity(next) - p.logDensity(next, z); num.Log(r.Float64()) < to-now {
				copy(own, next)
				now = to
			}
		}
		c.LogDensity(own)
		out[k] = slices.Clone(draws[i])
		c.Values(out[k])
	}
	return out, nil
}

// freedom has the degrees of freedom of proposals.
const freedom = 5

// A proposal is Student's t.
type proposal struct {
	mean []float64
	root num.Lower
}

// proposalOf returns the proposal with the moments of weighted points. Where few of them have all the weight, it is wider.
func proposalOf(at [][]float64, weight []float64) proposal {
	n := len(at[0])
	w := slices.Clone(weight)
	for range 10 {
		sum, squares := 0.0, 0.0
		for _, x := range w {
			sum, squares = sum+x, squares+float64(x*x)
		}
		if sum*sum >= 20*float64(n+1)*squares {
			break
		}
		for k, x := range w {
			w[k] = math.Sqrt(x / max(sum, 1e-300))
		}
	}
	p := proposal{make([]float64, n), num.NewLower(n)}
	total := 0.0
	for k, x := range at {
		total += w[k]
		num.AddTo(p.mean, w[k], x)
	}
	for i := range p.mean {
		p.mean[i] /= total
	}
	for k, x := range at {
		for i := range x {
			row := p.root.Row(i)
			for j := range row {
				row[j] += float64(w[k] / total * float64((x[i]-p.mean[i])*(x[j]-p.mean[j])))
			}
		}
	}
	diagonal := num.NewLower(n)
	for i := range n {
		p.root.Row(i)[i] += 1e-9
		diagonal.Row(i)[i] = math.Sqrt(p.root.Row(i)[i])
	}
	if !p.root.Cholesky() {
		p.root = diagonal
	}
	return p
}

// draw draws x; z is scratch.
func (p *proposal) draw(x, z []float64, r *rng.Rand) {
	chi := 0.0
	for range freedom {
		v := r.Norm()
		chi += float64(v * v)
	}
	for i := range z {
		z[i] = r.Norm() / math.Sqrt(chi/freedom)
	}
	p.root.Mul(z, x)
	num.AddTo(x, 1, p.mean)
}

// logDensity returns the log density at x up to a constant; z is scratch.
func (p *proposal) logDensity(x, z []float64) float64 {
	for i := range x {
		z[i] = x[i] - p.mean[i]
	}
	p.root.Solve(z)
	return -float64(freedom+len(x)) / 2 * num.Log1p(num.Dot(z, z)/freedom)
}
