package layout

import (
	"achilles/infer/loglik"
	"achilles/sim/num"
)

// Moments writes the mean and the variance of a response at theta for each distinct row, measure by measure, in the order of
// Predict.
func (t *Target) Moments(theta, mean, variance []float64) {
	rows := t.design.rows
	t.w.Evaluate(theta)
	for m := range t.design.responses {
		t.outputs(m)
		if t.design.Binary(m) {
			copy(mean[m*rows:], t.output[0])
			for r, p := range t.output[0] {
				variance[m*rows+r] = float64(p * (1 - p))
			}
			continue
		}
		for r := range rows {
			args := t.argsOf(m, r)
			mean[m*rows+r], variance[m*rows+r] = t.design.expected(m, r, args), t.design.variance(m, r, args)
		}
	}
}

// variance returns the variance of the response of measure m on a row. args are the arguments of its family.
func (d *Design) variance(m, row int, args []float64) float64 {
	switch b := d.responses[m]; b.family {
	case Binomial:
		return float64(args[0]*(1-args[0])) * b.trials[row]
	case Normal:
		return float64(args[1] * args[1])
	case Beta:
		return float64(args[0]*(1-args[0])) / (1 + args[1])
	case ZeroOneInflatedBeta: // E y² − (E y)²
		mean, beta := d.expected(m, row, args), float64(args[0]*(1-args[0]))/(1+args[1])
		return float64(args[2]*args[3]) + float64((1-args[2])*(beta+float64(args[0]*args[0]))) - float64(mean*mean)
	case Choice:
		mean := d.expected(m, row, args)
		v := 0.0
		for k := range args {
			off := float64(k) - mean
			v += float64(off * off * num.Exp(loglik.LogProb(loglik.Choice, args, float64(k), 1)))
		}
		return v
	}
	return float64(args[0] * (1 - args[0]))
}

// Binary reports whether responses of a measure are 0 or 1. measure is its index in Measures.
func (d *Design) Binary(measure int) bool { return d.responses[measure].family == Bernoulli }
