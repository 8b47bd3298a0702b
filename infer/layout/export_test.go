package layout

// Unconstrain writes the q of parameters: the inverse of Constrain, ±Inf at the ends of a prior's support.
func (t *Target) Unconstrain(theta, q []float64) {
	copy(t.theta, theta)
	for _, i := range t.design.order {
		args, f := t.quantileArgs(i)
		q[i] = f.Unconstrained(t.theta[i], args)
	}
}
