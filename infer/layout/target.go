package layout

import (
	"math"

	"achilles/infer/loglik"
	"achilles/infer/prior"
)

// A Target is the posterior of one subject. It is not safe for concurrent use; any number of targets can share a design.
// No method that takes a parameter vector allocates memory.
//
// A parameter vector is on one of three scales, always in the order of Design.Parameters: theta has the parameters
// themselves; q has unconstrained numbers, for samplers that use gradients; z has log odds log(u/(1−u)), where u is the
// prior distribution function (CDF) of a parameter at the parameter's value.
type Target struct {
	*JointTarget
	design *Design
	data   *Data
	w      *loglik.Workspace      // of all distinct rows
	family []float64              // scratch for the parameters of one response's distribution on one row
	output [][]float64            // [parameter of the distribution][row] parameters of one response's distribution on all rows
	prior  [prior.MaxArgs]float64 // scratch for the arguments of a prior
}

// NewTarget returns the posterior of the subject with these data, which must come from d.NewData.
func (d *Design) NewTarget(data *Data) *Target {
	n := d.Len()
	block := cellBlock{plan: d.plan, responses: d.responses, obs: data.obs, inputs: data.inputs}
	centred := make([]bool, n)
	for i := range n {
		block.frame.index = append(block.frame.index, i)
		centred[i] = true
	}
	cells := &Cells{joint: d.Joint, blocks: []cellBlock{block}}
	t := &Target{JointTarget: cells.NewTarget(centred, 1), design: d, data: data}
	t.w = t.blocks[0].w
	most := 0
	for _, r := range d.responses {
		most = max(most, r.args)
	}
	t.family = make([]float64, most)
	for range most {
		t.output = append(t.output, make([]float64, d.rows))
	}
	return t
}

// Design returns the design of the target.
func (t *Target) Design() *Design { return t.design }

// Data returns the responses of the target's subject.
func (t *Target) Data() *Data { return t.data }

// orImpossible returns l, or −Inf if l is NaN or +Inf.
func orImpossible(l float64) float64 {
	if l != l || math.IsInf(l, 1) {
		return math.Inf(-1)
	}
	return l
}

// LogLikelihood returns the log likelihood at the log odds z of the prior distribution functions, or −Inf if it is
// not finite.
func (t *Target) LogLikelihood(z []float64) float64 {
	for _, i := range t.design.order {
		f, args := t.priorAt(i)
		t.theta[i] = f.AtOdds(z[i], args)
	}
	return orImpossible(t.w.LogLikelihood(t.theta))
}

// priorAt returns the prior of parameter i and its arguments, given the parameters before it in t.theta.
func (t *Target) priorAt(i int) (prior.Family, []float64) {
	t.priors.evaluate(i, t.theta)
	return t.design.priors[i].family, t.priors.at(i, 0, t.theta, &t.prior)
}

// FromOdds converts z, the log odds of the prior distribution functions, to unconstrained parameters, and writes them
// to q.
func (t *Target) FromOdds(z, q []float64) {
	for _, i := range t.design.order {
		f, args := t.priorAt(i)
		q[i] = f.UnconstrainedAtOdds(z[i], args)
		t.theta[i] = f.Theta(q[i], args)
	}
}

// Odds converts unconstrained parameters q to the log odds of the prior distribution functions, and writes them to z. It
// is the inverse of FromOdds.
func (t *Target) Odds(q, z []float64) {
	for _, i := range t.design.order {
		f, args := t.priorAt(i)
		z[i] = f.Odds(q[i], args)
		t.theta[i] = f.Theta(q[i], args)
	}
}

// Predict writes to p the expected response at theta for each distinct row, measure by measure: Rows values for each of
// Measures. This is the probability of success for a bernoulli measure, p·trials for a binomial one, the mean for a
// normal or beta one, and the expected category for a choice (for two categories the probability of the second). If p has
// room for fewer measures, it gets the first ones: classification asks for success alone, errors stand behind it.
func (t *Target) Predict(theta, p []float64) {
	rows := t.design.rows
	t.w.Evaluate(theta)
	for m := range min(len(t.design.responses), len(p)/rows) {
		t.outputs(m)
		if t.design.Binary(m) {
			copy(p[m*rows:], t.output[0])
			continue
		}
		for r := range rows {
			p[m*rows+r] = t.design.expected(m, r, t.argsOf(m, r))
		}
	}
}

// outputs writes all arguments of response m's family on all rows to t.output, after t.w.Evaluate.
func (t *Target) outputs(m int) {
	for k := range t.design.responses[m].args {
		t.w.Output(m, k, t.output[k])
	}
}

func (t *Target) argsOf(m, row int) []float64 {
	args := t.family[:t.design.responses[m].args]
	for k := range args {
		args[k] = t.output[k][row]
	}
	return args
}

// PointwiseLogLik writes to out, for each tally of Data.Tallies, the log likelihood at theta of one of the equal
// responses that the tally counts. Leave-one-out cross-validation needs it.
func (t *Target) PointwiseLogLik(theta, out []float64) {
	t.w.Evaluate(theta)
	for i, p := range t.data.tallies {
		out[i] = t.w.LogProb(p.Measure, p.Row, p.Value)
	}
}
