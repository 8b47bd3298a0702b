package layout

import "achilles/sim/record"

// Responses returns the responses that were given to the cells.
func (c *Cells) Responses() []record.Response { return c.given }

// Unconstrain converts parameters to unconstrained ones and writes them to q. It is the inverse of Constrain. The ends
// of a prior's support become ±Inf.
func (t *Target) Unconstrain(theta, q []float64) {
	copy(t.theta, theta)
	for _, i := range t.design.order {
		args, f := t.quantileArgs(i)
		q[i] = f.Unconstrained(t.theta[i], args)
	}
}
