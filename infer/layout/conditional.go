package layout

import (
	"achilles/infer/prior"
	"achilles/sim/rng"
)

// DrawSubjects draws the parameters of all subjects of j from their priors, given all other values in theta, and writes them to theta.
func DrawSubjects(j *Joint, r *rng.Rand, theta []float64) {
	w := priorWorks{j, make([]priorWork, len(j.priors))}
	w.drawSome(theta, func(i int) bool {
		of := j.layout.Parameters[i].OfSubjects()
		if of {
			w.of[i] = newPriorWork(j, i) // those of items would take long
		}
		return of
	}, func(f prior.Family, args []float64) float64 { return f.Quantile(r.Float64(), args) })
}

// A Conditional is the posterior of the parameters of subjects, given the responses in Cells and all other values. Its coordinates are
// unconstrained numbers. It is not safe for concurrent use.
type Conditional struct {
	t  *JointTarget
	at []int // coordinate → index in a vector of all values
	q  []float64
}

// NewConditional returns the posterior of the parameters of subjects.
func (c *Cells) NewConditional() *Conditional {
	j := c.joint
	centred := make([]bool, len(j.priors))
	out := &Conditional{q: make([]float64, j.Len())}
	for i := range j.priors {
		centred[i] = true
		for at := j.first[i]; at < j.first[i+1] && j.layout.Parameters[i].OfSubjects(); at++ {
			out.at = append(out.at, at)
		}
	}
	out.t = c.NewTarget(centred, 1)
	return out
}

// Dim returns the number of coordinates.
func (c *Conditional) Dim() int { return len(c.at) }

// Given makes theta the values that are given, and writes the coordinates of the subjects' parameters in theta to q.
func (c *Conditional) Given(theta, q []float64) {
	t := c.t
	copy(t.theta, theta)
	var scratch [prior.MaxArgs]float64
	k := 0
	for i := range t.joint.priors {
		if !t.joint.layout.Parameters[i].OfSubjects() {
			continue
		}
		t.priors.evaluate(i, t.theta)
		for u := range t.joint.Units(i) {
			q[k] = t.joint.priors[i].family.Unconstrained(t.theta[t.joint.first[i]+u], t.priors.at(i, u, t.theta, &scratch))
			k++
		}
	}
}

// LogDensity returns the log of prior density times Jacobian times likelihood at q, up to a constant of the given values, or −Inf if it is
// not finite.
func (c *Conditional) LogDensity(q []float64) float64 {
	t := c.t
	for k, at := range c.at {
		c.q[at] = q[k]
	}
	l := 0.0
	for _, i := range t.joint.order {
		if t.joint.layout.Parameters[i].OfSubjects() {
			l += t.forwardPrior(i, c.q)
		}
	}
	for i := range t.blocks {
		b := &t.blocks[i]
		t.cells.blocks[i].frame.load(t.theta, b.params)
		l += b.w.LogLikelihood(b.params)
	}
	return orImpossible(l)
}

// Values writes all values at the last q of LogDensity to theta.
func (c *Conditional) Values(theta []float64) { copy(theta, c.t.theta) }
