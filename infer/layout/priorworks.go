package layout

import (
	"achilles/infer/loglik"
	"achilles/infer/prior"
	"achilles/sim/rng"
)

// A priorWork evaluates the arguments of one parameter's prior.
type priorWork struct {
	w             *loglik.Workspace // nil for constant arguments
	params, grad  []float64
	args, weights [][]float64 // [argument][unit]
}

// priorWorks is scratch for the priors of all parameters. It is not safe for concurrent use.
type priorWorks struct {
	joint *Joint
	of    []priorWork
}

func newPriorWorks(j *Joint) priorWorks {
	w := priorWorks{joint: j}
	for i := range j.priors {
		w.of = append(w.of, newPriorWork(j, i))
	}
	return w
}

func newPriorWork(j *Joint, i int) priorWork {
	p := &j.priors[i]
	var w priorWork
	if p.plan == nil {
		return w
	}
	var err error
	if w.w, err = p.plan.NewWorkspace(nil, nil); err != nil {
		panic("layout: workspace without observations")
	}
	w.params, w.grad = make([]float64, len(p.frame.index)), make([]float64, len(p.frame.index))
	for range j.layout.Parameters[i].args {
		w.args, w.weights = append(w.args, make([]float64, j.Units(i))), append(w.weights, make([]float64, j.Units(i)))
	}
	return w
}

// evaluate computes the arguments of the prior of parameter i in all its units, given the values on which they depend.
func (w priorWorks) evaluate(i int, theta []float64) {
	if own := &w.of[i]; own.w != nil {
		w.joint.priors[i].frame.load(theta, own.params)
		own.w.Values(own.params, own.args)
	}
}

// at writes the arguments of the prior of parameter i in a unit to args, from the last call of evaluate and, for a walk, the value of
// the unit before in theta, and returns as many as the prior has.
func (w priorWorks) at(i, unit int, theta []float64, args *[prior.MaxArgs]float64) []float64 {
	j := w.joint
	*args = j.priors[i].values
	for a, v := range w.of[i].args {
		args[a] = v[unit]
	}
	if s := j.starts[i]; s != nil && !s[unit] {
		args[0] = theta[j.first[i]+unit-1]
	}
	return args[:len(j.layout.Parameters[i].args)]
}

// draw sets every value of theta to what pick returns for its prior.
func (w priorWorks) draw(theta []float64, pick func(f prior.Family, args []float64) float64) {
	w.drawSome(theta, func(int) bool { return true }, pick)
}

// drawSome is draw of some parameters.
func (w priorWorks) drawSome(theta []float64, which func(i int) bool, pick func(f prior.Family, args []float64) float64) {
	for _, i := range w.joint.order {
		if !which(i) {
			continue
		}
		w.evaluate(i, theta)
		var args [prior.MaxArgs]float64
		for u := range w.joint.Units(i) {
			theta[w.joint.first[i]+u] = pick(w.joint.priors[i].family, w.at(i, u, theta, &args))
		}
	}
}

// drawPrior draws all parameters from the prior and writes them to theta.
func (w priorWorks) drawPrior(r *rng.Rand, theta []float64) {
	w.draw(theta, func(f prior.Family, args []float64) float64 { return f.Quantile(r.Float64(), args) })
}
