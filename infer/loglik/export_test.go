package loglik

// Value and Partials are the functions of the table in op.go.
func Value(op Op, setting float64, x []float64) float64 { return value(op, setting, x) }
func Partials(op Op, setting float64, x []float64, v float64, d []float64) {
	partials(op, setting, x, v, d)
}

// StepSizes are the lengths of the arrays that an evaluation computes.
func (p *Plan) StepSizes() (n []int) {
	for _, s := range p.steps {
		n = append(n, s.n)
	}
	return n
}
