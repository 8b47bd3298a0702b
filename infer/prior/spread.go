package prior

import (
	"math"

	"achilles/sim/num"
)

// SD returns the standard deviation of the distribution.
func (f Family) SD(args []float64) float64 {
	switch f {
	case Uniform:
		return (args[1] - args[0]) / math.Sqrt(12)
	case ScaledBeta:
		return float64((args[1] - args[0]) * Beta.SD(args[2:]))
	case Normal:
		return args[1]
	case HalfNormal:
		return float64(args[0] * math.Sqrt(1-2/math.Pi))
	case Beta:
		sum := args[0] + args[1]
		return math.Sqrt(float64(args[0]*args[1])/(sum+1)) / sum
	case Gamma:
		return math.Sqrt(args[0]) / args[1]
	case Exponential:
		return 1 / args[0]
	case LogNormal:
		v := float64(args[1] * args[1])
		return float64(math.Sqrt(num.Expm1(v)) * num.Exp(args[0]+0.5*v))
	case HalfCauchy:
		return math.Inf(1)
	case Bernoulli:
		return math.Sqrt(float64(args[0] * (1 - args[0])))
	}
	panic("prior: unknown family")
}
