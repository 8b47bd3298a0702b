package prior

import (
	"achilles/infer/special"
	"achilles/sim/elem"
)

// Quantile is the parameter with prior distribution function u in (0, 1).
func (f Family) Quantile(u float64, args []float64) float64 {
	switch {
	case f == Uniform:
		return args[0] + float64((args[1]-args[0])*u)
	case f == Beta && args[0] == 1 && args[1] == 1:
		return u
	case f == HalfNormal:
		return float64(args[0] * -elem.NormalQuantile(0.5*(1-u)))
	case f == Exponential:
		return -elem.Log1p(-u) / args[0]
	}
	return f.Theta(f.UnconstrainedQuantile(u, args), args)
}

// UnconstrainedQuantile is the q of Quantile, which keeps its digits at the ends of the support.
func (f Family) UnconstrainedQuantile(u float64, args []float64) float64 {
	switch f {
	case Uniform:
		return elem.Log(u) - elem.Log1p(-u)
	case Beta:
		if args[0] == 1 && args[1] == 1 {
			return elem.Log(u) - elem.Log1p(-u)
		}
		return special.LogitBetaQuantile(u, args[0], args[1])
	case Normal, LogNormal:
		return args[0] + float64(args[1]*elem.NormalQuantile(u))
	case Gamma:
		return special.LogGammaQuantile(u, args[0]) - elem.Log(args[1])
	}
	return elem.Log(f.Quantile(u, args))
}
