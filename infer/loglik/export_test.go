package loglik

// Logistic is the logistic function of a plan.
func Logistic(x float64) float64 { return logistic(x) }

// StepSizes are the lengths of the arrays that an evaluation computes.
func (p *Plan) StepSizes() (n []int) {
	for _, s := range p.steps {
		n = append(n, s.n)
	}
	return n
}
