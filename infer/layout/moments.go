package layout

import (
	"achilles/infer/loglik"
	"achilles/sim/num"
)

// Moments writes the mean and the variance of a response at theta for each distinct row, measure by measure, in the order of
// Predict.
func (t *Target) Moments(theta, mean, variance []float64) {
	rows := t.design.rows
	t.outputs(theta)
	for m, out := range t.blocks[0].out {
		if t.design.Binary(m) {
			copy(mean[m*rows:], out[0])
			for r, p := range out[0] {
				variance[m*rows+r] = float64(p * (1 - p))
			}
			continue
		}
		for r := range rows {
			args, b := t.args(cellAt{measure: int32(m), row: int32(r)}), &t.design.responses[m]
			mean[m*rows+r], variance[m*rows+r] = b.expected(r, args), b.variance(r, args)
		}
	}
}

// variance returns the variance of the response on a row. args are the arguments of its family.
func (b *boundResponse) variance(row int, args []float64) float64 {
	switch b.family {
	case Binomial:
		return float64(args[0]*(1-args[0])) * b.trials[row]
	case Normal:
		return float64(args[1] * args[1])
	case Beta:
		return float64(args[0]*(1-args[0])) / (1 + args[1])
	case ZeroOneInflatedBeta: // E y² − (E y)²
		mean, beta := b.expected(row, args), float64(args[0]*(1-args[0]))/(1+args[1])
		return float64(args[2]*args[3]) + float64((1-args[2])*(beta+float64(args[0]*args[0]))) - float64(mean*mean)
	case Choice:
		mean := b.expected(row, args)
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
