package prior

import (
	"math"

	"achilles/sim/num"
)

// Quantile returns the u-quantile of the prior, for u in (0, 1).
func (f Family) Quantile(u float64, args []float64) float64 {
	switch {
	case f == Uniform:
		return args[0] + float64((args[1]-args[0])*u)
	case f == Beta && args[0] == 1 && args[1] == 1:
		return u
	case f == HalfNormal:
		return float64(args[0] * -num.NormalQuantile(0.5*(1-u)))
	case f == Exponential:
		return -num.Log1p(-u) / args[0]
	case f == Bernoulli && u > 1-args[0]:
		return 1
	case f == Bernoulli:
		return 0
	}
	return f.Theta(f.UnconstrainedQuantile(u, args), args)
}

// AtOdds returns the parameter at which the log odds of the prior distribution function are z. This is Quantile of 1/(1
// + e^−z), but as precise in the upper as in the lower tail: 1/(1 + e^−z) itself rounds to 1 beyond 8.2 standard
// deviations of a normal distribution.
func (f Family) AtOdds(z float64, args []float64) float64 {
	switch {
	case f == Uniform:
		return args[0] + float64((args[1]-args[0])*num.Logistic(z))
	case f == Exponential:
		return num.Softplus(z) / args[0]
	case f == HalfNormal:
		return float64(args[0] * -num.NormalQuantile(0.5*num.Logistic(-z)))
	case f == Bernoulli:
		return f.Quantile(num.Logistic(z), args)
	}
	return f.Theta(f.UnconstrainedAtOdds(z, args), args)
}

// UnconstrainedAtOdds returns the unconstrained q of AtOdds. It is z itself for Uniform, and for Beta with arguments 1
// and 1.
func (f Family) UnconstrainedAtOdds(z float64, args []float64) float64 {
	switch {
	case f == Bernoulli:
		return f.AtOdds(z, args)
	case f == ScaledBeta:
		return Beta.UnconstrainedAtOdds(z, args[2:])
	case f == Uniform || f == Beta && args[0] == 1 && args[1] == 1:
		return z
	case f == HalfNormal || f == Exponential:
		return num.Log(f.AtOdds(z, args))
	case f == HalfCauchy:
		return num.Log(args[0]) + logTan(num.Logistic(z), num.Logistic(-z))
	case z <= 0:
		return f.UnconstrainedQuantile(num.Logistic(z), args)
	}
	upper := num.Logistic(-z)
	switch f {
	case Beta:
		return -logitBetaQuantile(upper, args[1], args[0])
	case Gamma:
		return num.LogGammaUpperQuantile(upper, args[0]) - num.Log(args[1])
	}
	return args[0] - float64(args[1]*num.NormalQuantile(upper)) // normal and lognormal
}

// logTan returns log tan(u·π/2) for u in (0, 1). v is 1 − u; the function uses the smaller of the two, which has more
// digits.
func logTan(u, v float64) float64 {
	if u > v {
		return -logTan(v, u)
	}
	return num.Log(num.TanQuarter(2 * u))
}

// Odds returns the log odds of the prior distribution function at the unconstrained q. It is the inverse of
// UnconstrainedAtOdds, which Bernoulli has not. If the probability of a tail underflows, it uses the leading term of that tail.
func (f Family) Odds(q float64, args []float64) float64 {
	switch f {
	case Normal, LogNormal:
		x := (q - args[0]) / args[1]
		return num.LogNormalCDF(x) - num.LogNormalCDF(-x)
	case HalfNormal:
		x := num.Exp(q) / args[0]
		above := math.Ln2 + num.LogNormalCDF(-x)
		if x < 1e-4 { // 1 − e^above has no digits left
			return q - num.Log(args[0]) - logSqrtPi_2
		}
		return num.Log(-num.Expm1(above)) - above
	case Exponential:
		x := float64(args[0] * num.Exp(q))
		return x + num.Log(-num.Expm1(-x))
	case HalfCauchy:
		const far, half = 30, math.Pi / 2 // beyond e^±30, atan(x) is x or π/2
		switch t := q - num.Log(args[0]); {
		case t < -far:
			return t - num.Log(half)
		case t > far:
			return t + num.Log(half)
		}
		x := num.Exp(q) / args[0]
		return num.Log(num.Atan(x)) - num.Log(num.Atan(1/x))
	case ScaledBeta:
		return Beta.Odds(q, args[2:])
	case Beta:
		a, b := args[0], args[1]
		if a == 1 && b == 1 {
			return q
		}
		below, above := num.BetaTails(a, b, num.Logistic(q), num.Logistic(-q))
		return logOr(below, float64(a*num.LogLogistic(q))-num.Log(a)-num.LogBeta(a, b)) - logOr(above, float64(b*num.LogLogistic(-q))-num.Log(b)-num.LogBeta(a, b))
	case Gamma:
		a, x := args[0], float64(args[1]*num.Exp(q))
		below, above := num.GammaTails(a, x)
		t := q + num.Log(args[1])
		return logOr(below, float64(a*t)-num.LogGamma(a+1)) - logOr(above, float64((a-1)*t)-x-num.LogGamma(a))
	}
	return q
}

// logOr returns log p, or the argument otherwise if p is 0.
func logOr(p, otherwise float64) float64 {
	if p == 0 {
		return otherwise
	}
	return num.Log(p)
}

// UnconstrainedQuantile returns the unconstrained q of Quantile. It is also precise at the ends of the support, where
// Quantile rounds.
func (f Family) UnconstrainedQuantile(u float64, args []float64) float64 {
	switch f {
	case Uniform:
		return num.Log(u) - num.Log1p(-u)
	case ScaledBeta:
		return Beta.UnconstrainedQuantile(u, args[2:])
	case Beta:
		if args[0] == 1 && args[1] == 1 {
			return num.Log(u) - num.Log1p(-u)
		}
		return logitBetaQuantile(u, args[0], args[1])
	case Normal, LogNormal:
		return args[0] + float64(args[1]*num.NormalQuantile(u))
	case Gamma:
		return num.LogGammaQuantile(u, args[0]) - num.Log(args[1])
	case HalfCauchy:
		return num.Log(args[0]) + logTan(u, 1-u)
	case Bernoulli:
		return f.Quantile(u, args)
	}
	return num.Log(f.Quantile(u, args))
}

// logitBetaQuantile returns num.LogitBetaQuantile for u in (0, 1). If an argument is 1, it uses a closed form: the
// distribution function is x^a for b = 1, and 1 − (1−x)^b for a = 1.
func logitBetaQuantile(u, a, b float64) float64 {
	switch {
	case b == 1:
		l := num.Log(u) / a
		return l - num.Log(-num.Expm1(l))
	case a == 1:
		l := num.Log1p(-u) / b
		return num.Log(-num.Expm1(l)) - l
	}
	return num.LogitBetaQuantile(u, a, b)
}
