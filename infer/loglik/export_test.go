package loglik

// Logistic returns the logistic function of x as plans compute it.
func Logistic(x float64) float64 { return logistic(x) }

// StepSizes returns the lengths of the arrays that an evaluation computes.
func (p *Plan) StepSizes() (n []int) {
	for _, s := range p.steps {
		n = append(n, s.n)
	}
	return n
}

// Linked reports whether a step of the plan has links.
func (p *Plan) Linked() bool {
	for _, s := range p.steps {
		if s.links != nil {
			return true
		}
	}
	return false
}
