package layout

import (
	"achilles/infer/loglik"
	"achilles/sim/num"
	"achilles/sim/rng"
)

// Continuous reports whether responses of the family are numbers of an interval or of the line, rather than one of a few values.
func (f Family) Continuous() bool { return f == Normal || f == Beta || f == ZeroOneInflatedBeta }

// Moments returns the mean and the variance of a response of a continuous family with these arguments.
func (f Family) Moments(args []float64) (mean, variance float64) {
	b := &boundResponse{family: f}
	return b.expected(0, args), b.variance(0, args)
}

// LogDensity returns that of a response of a continuous family with these arguments; where responses have a value with a probability above 0, the log of that.
func (f Family) LogDensity(args []float64, value float64) float64 {
	return loglik.LogProb(planFamily(f), args, value, 1)
}

// Draw draws a response of a continuous family with these arguments.
func (f Family) Draw(args []float64, r *rng.Rand) float64 {
	b := &boundResponse{family: f}
	return b.draw(0, args, r)
}

// Information returns Fisher's about a parameter that changes the arguments of a continuous family at these rates. That about mean μ and precision φ of a
// beta distribution has trigamma functions (Ferrari and Cribari-Neto 2004, Journal of Applied Statistics 31, section 3); of one with values 0 and 1 it
// counts as often as there is none of them, and those tell of their probabilities (Ospina and Ferrari 2010, Statistical Papers 51).
func (f Family) Information(args, change []float64) float64 {
	switch f {
	case Normal: // mean and standard deviation
		return (float64(change[0]*change[0]) + 2*float64(change[1]*change[1])) / float64(args[1]*args[1])
	case Beta:
		mean, precision := args[0], args[1]
		// rates of the two parameters of the distribution, μφ and (1 − μ)φ
		a := float64(change[0]*precision) + float64(mean*change[1])
		b := float64((1-mean)*change[1]) - float64(change[0]*precision)
		return float64(float64(a*a)*num.Trigamma(float64(mean*precision))) + float64(float64(b*b)*num.Trigamma(float64((1-mean)*precision))) - float64(float64(change[1]*change[1])*num.Trigamma(precision))
	case ZeroOneInflatedBeta:
		inflation, ones := args[2], args[3]
		sum := float64((1 - inflation) * Beta.Information(args[:2], change[:2]))
		if change[2] != 0 {
			sum += float64(change[2]*change[2]) / float64(inflation*(1-inflation))
		}
		if change[3] != 0 {
			sum += float64(inflation*float64(change[3]*change[3])) / float64(ones*(1-ones))
		}
		return sum
	}
	panic("layout: responses of one of a few values have probabilities instead")
}

// Arguments writes the arguments at theta of the family of each response of Cells.Used to out.
func Arguments(t *JointTarget, theta []float64, out [][]float64) {
	t.outputs(theta)
	for k, x := range t.cells.at {
		out[k] = append(out[k][:0], t.args(x)...)
	}
}
