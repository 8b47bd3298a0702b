package layout

import (
	"math"
	"slices"

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
	prior  [prior.MaxArgs]float64 // scratch for the arguments of a prior
}

// NewTarget returns the posterior of the subject with these data, which must come from d.NewData.
func (d *Design) NewTarget(data *Data) *Target {
	return &Target{JointTarget: data.Cells.NewTarget(slices.Repeat([]bool{true}, d.Len()), 1), design: d, data: data}
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
	return orImpossible(t.blocks[0].w.LogLikelihood(t.theta))
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
	measures := min(len(t.design.responses), len(p)/rows)
	t.blocks[0].outputs(&t.cells.blocks[0], theta, measures)
	for m := range measures {
		if t.design.Binary(m) {
			copy(p[m*rows:], t.blocks[0].out[m][0])
			continue
		}
		for r := range rows {
			p[m*rows+r] = t.design.responses[m].expected(r, t.args(cellAt{measure: int32(m), row: int32(r)}))
		}
	}
}

// PointwiseLogLik writes to out, for each tally of Data.Tallies, the log likelihood at theta of one of the equal
// responses that the tally counts. Leave-one-out cross-validation needs it.
func (t *Target) PointwiseLogLik(theta, out []float64) {
	w := t.blocks[0].w
	w.Evaluate(theta)
	for i, p := range t.data.tallies {
		out[i] = w.LogProb(p.Measure, p.Row, p.Value)
	}
}
