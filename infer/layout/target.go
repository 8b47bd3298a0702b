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
	design *Design
	data   *Data
	w      *loglik.Workspace
	theta  []float64
	dtheta []float64
	points []prior.Density
	args   [][2]float64
	work   [][2][]float64 // [parameter][argument of its prior] scratch of the formulas
	family []float64      // scratch for the parameters of one response's distribution on one row
	output [][]float64    // [parameter of the distribution][row] parameters of one response's distribution on all rows
}

// NewTarget returns the posterior of the subject with these data, which must come from d.NewData.
func (d *Design) NewTarget(data *Data) *Target {
	w, err := d.plan.NewWorkspace(data.inputs, data.obs)
	if err != nil {
		panic("layout: data of another design")
	}
	n := len(d.priors)
	t := &Target{design: d, data: data, w: w, theta: make([]float64, n), dtheta: make([]float64, n), points: make([]prior.Density, n), args: make([][2]float64, n), work: make([][2][]float64, n)}
	for i, p := range d.priors {
		t.args[i] = p.values
		for k, f := range p.args {
			t.work[i][k] = make([]float64, f.Work())
		}
	}
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

// Dim returns the number of parameters.
func (t *Target) Dim() int { return len(t.theta) }

// Design returns the design of the target.
func (t *Target) Design() *Design { return t.design }

// Data returns the responses of the target's subject.
func (t *Target) Data() *Data { return t.data }

// bind returns the arguments and the normalising term of prior i. The parameters before i in Design.order must be in
// t.theta.
func (t *Target) bind(i int) (args []float64, norm float64) {
	p := &t.design.priors[i]
	args = t.args[i][:len(p.args)]
	if p.constant {
		return args, p.norm
	}
	for k, f := range p.args {
		args[k] = f.Eval(t.theta, t.work[i][k])
	}
	return args, p.family.LogNorm(args)
}

// LogDensity returns the log of prior density times Jacobian times likelihood at q, and writes its gradient to grad. The
// integral of the density over q is the evidence. It returns −Inf if the likelihood or the gradient is not finite.
func (t *Target) LogDensity(q, grad []float64) float64 {
	l := 0.0
	for _, i := range t.design.order {
		args, norm := t.bind(i)
		p := &t.points[i]
		t.design.priors[i].family.At(q[i], args, norm, !t.design.priors[i].constant, p)
		t.theta[i] = p.Theta
		l += p.LogP
	}
	l += t.w.Gradient(t.theta, t.dtheta)
	for k := len(t.design.order) - 1; k >= 0; k-- {
		i := t.design.order[k]
		p := &t.points[i]
		g := t.dtheta[i]
		grad[i] = p.LogPQ + float64(g*p.ThetaQ)
		l += 0 * grad[i] // turns an infinite gradient into a NaN density
		if t.design.priors[i].constant {
			continue
		}
		for a, f := range t.design.priors[i].args {
			f.Reverse(p.LogPA[a]+float64(g*p.ThetaA[a]), t.work[i][a], t.dtheta)
		}
	}
	return orImpossible(l)
}

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
		args, _ := t.quantileArgs(i)
		t.theta[i] = t.design.priors[i].family.AtOdds(z[i], args)
	}
	return orImpossible(t.w.LogLikelihood(t.theta))
}

func (t *Target) quantileArgs(i int) ([]float64, prior.Family) {
	p := &t.design.priors[i]
	args := t.args[i][:len(p.args)]
	if !p.constant {
		for k, f := range p.args {
			args[k] = f.Eval(t.theta, t.work[i][k])
		}
	}
	return args, p.family
}

// FromOdds converts z, the log odds of the prior distribution functions, to unconstrained parameters, and writes them
// to q.
func (t *Target) FromOdds(z, q []float64) {
	for _, i := range t.design.order {
		args, f := t.quantileArgs(i)
		q[i] = f.UnconstrainedAtOdds(z[i], args)
		t.theta[i] = f.Theta(q[i], args)
	}
}

// Odds converts unconstrained parameters q to the log odds of the prior distribution functions, and writes them to z. It
// is the inverse of FromOdds.
func (t *Target) Odds(q, z []float64) {
	for _, i := range t.design.order {
		args, f := t.quantileArgs(i)
		z[i] = f.Odds(q[i], args)
		t.theta[i] = f.Theta(q[i], args)
	}
}

// Constrain converts unconstrained parameters q to the parameters themselves, and writes them to theta, which may be
// q.
func (t *Target) Constrain(q, theta []float64) {
	for _, i := range t.design.order {
		args, f := t.quantileArgs(i)
		t.theta[i] = f.Theta(q[i], args)
	}
	copy(theta, t.theta)
}

// Predict writes to p the expected response at theta for each distinct row, measure by measure: Rows values for each of
// Measures. This is the probability of success for a bernoulli measure, p·trials for a binomial one, the mean for a
// normal or beta one, and the expected category for a choice (for two categories the probability of the second).
func (t *Target) Predict(theta, p []float64) {
	rows := t.design.rows
	t.w.Evaluate(theta)
	for m := range t.design.responses {
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
