package layout

import (
	"fmt"
	"math"
	"slices"

	"achilles/infer/prior"
	"achilles/sim/expr"
	"achilles/sim/num"
)

// A Carried is a prior of one parameter that approximates what an earlier posterior says of it. Args are the mean and SD where the layout's
// own prior is normal, those of the logarithm where it has the positive numbers, and a and b of the beta distribution of the place between
// the bounds where it has bounds.
type Carried struct {
	Parameter string     `json:"parameter"`
	Args      [2]float64 `json:"args"`
}

// shapeLimits bound a and b of a beta distribution: a posterior at a point is carried over as a narrow distribution, not as a point.
var shapeLimits = [2]float64{0.05, 1e6}

// Carry returns the priors that approximate draws of parameter vectors [draw][parameter], in which a parameter that the draws do not have is NaN
// throughout, and for each the largest distance between its distribution function and that of the draws. It returns an error for a parameter that has
// draws outside its own prior, is binary, or has bounds that depend on one without draws.
func (d *Design) Carry(draws [][]float64) (out []Carried, distance []float64, err error) {
	means := make([]float64, len(d.inputs)) // no prior depends on them
	target := d.NewTarget((&Data{inputs: means}).WithoutResponses(d))
	q := make([][]float64, d.Len())
	at := make([]float64, d.Len())
	for _, theta := range draws {
		target.Unconstrain(theta, at)
		for i, x := range at {
			q[i] = append(q[i], x)
		}
	}
	for i, p := range d.Parameters() {
		if len(draws) == 0 || draws[0][i] != draws[0][i] {
			continue
		}
		if p.Binary() {
			return nil, nil, fmt.Errorf("%s is binary: its posterior cannot be carried over", p.Name)
		}
		if slices.ContainsFunc(q[i], func(x float64) bool { return x != x }) {
			return nil, nil, fmt.Errorf("the draws of %s are not within its prior %s, or this depends on a parameter without draws", p.Name, p.Prior)
		}
		c := Carried{p.Name, p.fitted(q[i])}
		family, args := p.carried(c.Args)
		out, distance = append(out, c), append(distance, farthest(q[i], family, args))
	}
	return out, distance, nil
}

// fitted returns Carried.Args for unconstrained draws.
func (p *Parameter) fitted(q []float64) [2]float64 {
	if !p.bounded() {
		m, v := num.Moments(q)
		return [2]float64{m, max(math.Sqrt(v), 1e-9)}
	}
	u := make([]float64, len(q))
	for i, x := range q {
		u[i] = num.Logistic(x)
	}
	m, v := num.Moments(u)
	n := float64(m*(1-m))/max(v, 1e-18) - 1
	within := func(x float64) float64 { return min(max(x, shapeLimits[0]), shapeLimits[1]) }
	return [2]float64{within(float64(m * n)), within(float64((1 - m) * n))}
}

// bounded reports whether the prior has two bounds.
func (p *Parameter) bounded() bool {
	return p.family == prior.Uniform || p.family == prior.Beta || p.family == prior.ScaledBeta
}

// carried returns the family and those of its arguments that a Carried has.
func (p *Parameter) carried(args [2]float64) (prior.Family, []float64) {
	switch {
	case p.family == prior.Uniform, p.family == prior.ScaledBeta:
		return prior.ScaledBeta, []float64{0, 1, args[0], args[1]}
	case p.family == prior.Beta, p.family == prior.Normal:
		return p.family, args[:]
	}
	return prior.LogNormal, args[:]
}

// farthest returns the largest distance between the distribution function of a prior and that of draws.
func farthest(q []float64, f prior.Family, args []float64) float64 {
	sorted := slices.Sorted(slices.Values(q))
	most := 0.0
	for i, x := range sorted {
		u := num.Logistic(f.Odds(x, args))
		most = max(most, math.Abs(u-float64(i)/float64(len(q))), math.Abs(u-float64(i+1)/float64(len(q))))
	}
	return most
}

// WithPriors returns l with these priors in place of its own. A parameter that it does not have is ignored.
func WithPriors(l *Layout, priors []Carried) *Layout {
	out := *l
	out.Parameters = slices.Clone(l.Parameters)
	for _, c := range priors {
		i := slices.IndexFunc(out.Parameters, func(p Parameter) bool { return p.Name == c.Parameter })
		if i < 0 {
			continue
		}
		p := &out.Parameters[i]
		bounds := p.args
		family, args := p.carried(c.Args)
		p.family, p.args = family, nil
		for _, x := range args {
			p.args = append(p.args, &expr.Node{Op: expr.Num, Value: x})
		}
		if family == prior.ScaledBeta {
			p.args[0], p.args[1] = bounds[0], bounds[1]
		}
	}
	return &out
}
