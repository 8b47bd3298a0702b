package layout

import (
	"slices"

	"achilles/infer/loglik"
	"achilles/infer/prior"
	"achilles/sim/num"

	"golang.org/x/sync/errgroup"
)

// A JointTarget is the posterior of all parameters of a Joint, given the responses in Cells. It is not safe for concurrent
// use; any number of targets can share Cells.
//
// A vector of parameters is on one of two scales: theta has the parameters themselves, q has unconstrained numbers. Of a
// parameter that is not centred, q has the scores under its prior (prior.Family.AtScore), or what lies between (AtPart).
type JointTarget struct {
	joint         *Joint
	cells         *Cells
	centring      []float64 // value → 1 if q has the value itself, 0 if it has its score, or between (prior.Family.AtPart)
	workers       int
	theta, dtheta []float64
	points        []prior.Density
	logs, powers  []float64 // value → logarithm of sd^centring and this itself, of values that are partly centred
	priors        priorWorks
	blocks        []blockWork
	family        []float64                // scratch for the arguments of one response's family
	times         []float64                // subject → how often the priors of its parameters count; nil: once
	recounted     [][][]loglik.Observation // block and measure → observations of the last Recount
	flat          []bool                   // value → whether its prior does not count; nil: all count
	fold          *folded                  // nil: none
}

// A blockWork evaluates one block of Cells.
type blockWork struct {
	w            *loglik.Workspace
	params, grad []float64
	l            float64
	out          [][][]float64 // [measure][argument][row]
}

// NewTarget returns the posterior given the cells. centred says for each parameter of the layout whether q has the parameter
// itself; it is ignored unless HasScores. The blocks of cells are evaluated by this number of goroutines and summed in their
// order, so that no result depends on it.
func (c *Cells) NewTarget(centred []bool, workers int) *JointTarget {
	j := c.joint
	n := j.Len()
	t := &JointTarget{joint: j, cells: c, centring: make([]float64, n), workers: max(workers, 1), theta: make([]float64, n), dtheta: make([]float64, n), points: make([]prior.Density, n)}
	t.logs, t.powers = make([]float64, n), make([]float64, n)
	t.priors = newPriorWorks(j)
	for i := range j.priors {
		for at := j.first[i]; at < j.first[i+1]; at++ {
			if centred[i] || !j.HasScores(i) {
				t.centring[at] = 1
			}
		}
	}
	type place struct {
		plan   *loglik.Plan
		worker int
	}
	known := map[place]*loglik.Workspace{} // blocks that a goroutine evaluates one after the other share the arrays of a plan
	for i := range c.blocks {
		b := &c.blocks[i]
		at := place{b.plan, i % t.workers}
		var err error
		w := known[at]
		if w == nil {
			w, err = b.plan.NewWorkspace(b.inputs, b.obs)
			known[at] = w
		} else {
			w, err = w.With(b.obs)
		}
		if err != nil {
			panic("layout: cells of another layout")
		}
		t.blocks = append(t.blocks, blockWork{w: w, params: make([]float64, len(b.frame.index)), grad: make([]float64, len(b.frame.index))})
	}
	return t
}

// Dim returns the number of values of all parameters.
func (t *JointTarget) Dim() int { return len(t.theta) }

// LogDensity returns the log of prior density times Jacobian times likelihood at q, and writes its gradient to grad. It
// returns −Inf if the likelihood or the gradient is not finite.
func (t *JointTarget) LogDensity(q, grad []float64) float64 {
	l := 0.0
	for _, i := range t.joint.order {
		own := t.forwardPrior(i, q)
		if t.times != nil && t.joint.layout.Parameters[i].OfSubjects() {
			own = t.countPrior(i)
		}
		l += own
	}
	l += t.LogLikelihood(t.theta, t.dtheta)
	if t.fold != nil {
		l += t.fold.add(t.theta, t.dtheta)
	}
	for k := len(t.joint.order) - 1; k >= 0; k-- {
		l += t.reversePrior(t.joint.order[k], grad)
	}
	return orImpossible(l)
}

// forwardPrior computes the values of parameter i from q, and returns the log prior density of them.
func (t *JointTarget) forwardPrior(i int, q []float64) float64 {
	p, w := &t.joint.priors[i], &t.priors.of[i]
	t.priors.evaluate(i, t.theta)
	powersOf(t, i)
	var scratch [prior.MaxArgs]float64
	norm, l := p.norm, 0.0
	for u := range t.joint.Units(i) {
		at := t.joint.first[i] + u
		args := t.priors.at(i, u, t.theta, &scratch)
		d := &t.points[at]
		if share := t.centring[at]; share < 1 {
			p.family.AtPart(q[at], share, t.logs[at], t.powers[at], args, d)
		} else {
			if w.w != nil {
				norm = p.family.LogNorm(args)
			}
			p.family.At(q[at], args, norm, w.w != nil, d)
		}
		t.theta[at] = d.Theta
		l += d.LogP
	}
	if t.flat != nil {
		return flatten(t, i)
	}
	return l
}

// powersOf computes t.logs and t.powers of parameter i, from the last call of priors.evaluate.
func powersOf(t *JointTarget, i int) {
	from, to := t.joint.first[i], t.joint.first[i+1]
	shares, logs, powers := t.centring[from:to], t.logs[from:to], t.powers[from:to]
	if !slices.ContainsFunc(shares, func(x float64) bool { return x > 0 && x < 1 }) {
		return
	}
	sd, args := t.joint.priors[i].values[1], t.priors.of[i].args
	log := num.Log(sd)
	for u, share := range shares {
		if args != nil && args[1][u] != sd {
			sd = args[1][u]
			log = num.Log(sd)
		}
		logs[u] = float64(share * log)
	}
	copy(powers, logs)
	num.ExpEach(powers)
}

// reversePrior writes the derivatives of the log density by the coordinates of parameter i to grad, and adds those by the
// arguments of its prior to t.dtheta. It returns 0, or NaN if a derivative is not finite.
func (t *JointTarget) reversePrior(i int, grad []float64) float64 {
	p, w := &t.joint.priors[i], &t.priors.of[i]
	sum := 0.0
	first := t.joint.first[i]
	for at := t.joint.first[i+1] - 1; at >= first; at-- { // backwards, since a walk depends on the unit before
		d, g := &t.points[at], t.dtheta[at]
		grad[at] = d.LogPQ + float64(g*d.ThetaQ)
		sum += 0 * grad[at]
		for a := range min(len(w.weights), len(d.LogPA)) { // further arguments are constants
			w.weights[a][at-first] = d.LogPA[a] + float64(g*d.ThetaA[a])
		}
		if s := t.joint.starts[i]; s != nil && !s[at-first] {
			t.dtheta[at-1] += d.LogPA[0] + float64(g*d.ThetaA[0])
			if w.w != nil {
				w.weights[0][at-first] = 0
			}
		}
	}
	if w.w != nil {
		w.w.Reverse(w.weights, w.grad)
		p.frame.add(w.grad, t.dtheta)
	}
	return sum
}

// LogLikelihood returns the log likelihood at theta and writes its derivatives to grad. theta and grad must not overlap.
func (t *JointTarget) LogLikelihood(theta, grad []float64) float64 {
	if t.workers == 1 { // without a closure, which would take memory
		for i := range t.blocks {
			t.blocks[i].evaluate(&t.cells.blocks[i].frame, theta)
		}
	} else {
		t.each(func(i int) { t.blocks[i].evaluate(&t.cells.blocks[i].frame, theta) })
	}
	clear(grad)
	l := 0.0
	for i := range t.blocks {
		l += t.blocks[i].l
		t.cells.blocks[i].frame.add(t.blocks[i].grad, grad)
	}
	return l
}

// evaluate computes the log likelihood of a block and its gradient.
func (b *blockWork) evaluate(f *frame, theta []float64) {
	f.load(theta, b.params)
	b.l = b.w.Gradient(b.params, b.grad)
}

// each calls do for every block.
func (t *JointTarget) each(do func(block int)) {
	if t.workers == 1 {
		for i := range t.blocks {
			do(i)
		}
		return
	}
	var g errgroup.Group
	for k := range t.workers {
		g.Go(func() error {
			for i := k; i < len(t.blocks); i += t.workers {
				do(i)
			}
			return nil
		})
	}
	_ = g.Wait() // no call returns an error
}

// Constrain converts q to the parameters themselves, and writes them to theta, which may be q.
func (t *JointTarget) Constrain(q, theta []float64) {
	for _, i := range t.joint.order {
		t.forwardPrior(i, q)
	}
	copy(theta, t.theta)
}

// Unconstrain converts parameters theta to q, which may be theta. It is the inverse of Constrain.
func (t *JointTarget) Unconstrain(theta, q []float64) {
	copy(t.theta, theta)
	var scratch [prior.MaxArgs]float64
	for i := range t.joint.priors {
		t.priors.evaluate(i, t.theta)
		for u := range t.joint.Units(i) {
			at := t.joint.first[i] + u
			args := t.priors.at(i, u, t.theta, &scratch)
			q[at] = t.joint.priors[i].family.Unconstrained(t.theta[at], args)
			if share := t.centring[at]; share < 1 {
				q[at] = prior.Part(q[at], share, args)
			}
		}
	}
}

// Expected writes the expected value at theta of each response of Cells.Used to out (Target.Predict).
func (t *JointTarget) Expected(theta, out []float64) {
	t.outputs(theta)
	for k, x := range t.cells.at {
		out[k] = t.cells.blocks[x.block].responses[x.measure].expected(int(x.row), t.args(x))
	}
}

// outputs computes the arguments of every response's family on all rows of all blocks.
func (t *JointTarget) outputs(theta []float64) {
	t.each(func(i int) { t.blocks[i].outputs(&t.cells.blocks[i], theta, len(t.joint.layout.Responses)) })
}

// args returns the arguments of a response's family, from the last call of outputs.
func (t *JointTarget) args(x cellAt) []float64 {
	t.family = t.family[:0]
	for _, arg := range t.blocks[x.block].out[x.measure] {
		t.family = append(t.family, arg[x.row])
	}
	return t.family
}

// outputs computes the arguments of the families of the first so many responses of the layout on all rows of a block.
func (b *blockWork) outputs(c *cellBlock, theta []float64, responses int) {
	if b.out == nil {
		for _, r := range c.responses {
			var args [][]float64
			for range r.args {
				args = append(args, make([]float64, c.plan.Rows()))
			}
			b.out = append(b.out, args)
		}
	}
	c.frame.load(theta, b.params)
	b.w.Evaluate(b.params)
	for m, args := range b.out[:responses] {
		for k := range args {
			b.w.Output(m, k, args[k])
		}
	}
}
