package num

import "math"

// LogSqrt2Pi is log √(2π), the constant of the normal density.
const LogSqrt2Pi = 0.91893853320467274178

// Coefficients of rational approximations in FreeBSD msun s_erf.c, lowest power first: erfP/erfQ for erf(x) at |x| up
// to 0.84375, midP/midQ for erf(x) near 1, farP/farQ and tailP/tailQ, in 1/x², for log(x·e^(x²)·erfc(x)) at x up to
// 1/0.35 and up to 28.
var (
	erfP  = [...]float64{1.28379167095512558561e-01, -3.25042107247001499370e-01, -2.84817495755985104766e-02, -5.77027029648944159157e-03, -2.37630166566501626084e-05}
	erfQ  = [...]float64{1, 3.97917223959155352819e-01, 6.50222499887672944485e-02, 5.08130628187576562776e-03, 1.32494738004321644526e-04, -3.96022827877536812320e-06}
	midP  = [...]float64{-2.36211856075265944077e-03, 4.14856118683748331666e-01, -3.72207876035701323847e-01, 3.18346619901161753674e-01, -1.10894694282396677476e-01, 3.54783043256182359371e-02, -2.16637559486879084300e-03}
	midQ  = [...]float64{1, 1.06420880400844228286e-01, 5.40397917702171048937e-01, 7.18286544141962662868e-02, 1.26171219808761642112e-01, 1.36370839120290507362e-02, 1.19844998467991074170e-02}
	farP  = [...]float64{-9.86494403484714822705e-03, -6.93858572707181764372e-01, -1.05586262253232909814e+01, -6.23753324503260060396e+01, -1.62396669462573470355e+02, -1.84605092906711035994e+02, -8.12874355063065934246e+01, -9.81432934416914548592e+00}
	farQ  = [...]float64{1, 1.96512716674392571292e+01, 1.37657754143519042600e+02, 4.34565877475229228821e+02, 6.45387271733267880336e+02, 4.29008140027567833386e+02, 1.08635005541779435134e+02, 6.57024977031928170135e+00, -6.04244152148580987438e-02}
	tailP = [...]float64{-9.86494292470009928597e-03, -7.99283237680523006574e-01, -1.77579549177547519889e+01, -1.60636384855821916062e+02, -6.37566443368389627722e+02, -1.02509513161107724954e+03, -4.83519191608651397019e+02}
	tailQ = [...]float64{1, 3.03380607434824582924e+01, 3.25792512996573918826e+02, 1.53672958608443695994e+03, 3.19985821950859553908e+03, 2.55305040643316442583e+03, 4.74528541206955367215e+02, -2.24409524465858183362e+01}
)

// Coefficients of P. J. Acklam's rational approximation to the normal quantile (relative error 1.2e-9), lowest power
// first: P/Q for the middle, R/S for the tails.
var (
	quantP = [...]float64{2.506628277459239e+00, -3.066479806614716e+01, 1.383577518672690e+02, -2.759285104469687e+02, 2.209460984245205e+02, -3.969683028665376e+01}
	quantQ = [...]float64{1, -1.328068155288572e+01, 6.680131188771972e+01, -1.556989798598866e+02, 1.615858368580409e+02, -5.447609879822406e+01}
	quantR = [...]float64{2.938163982698783e+00, 4.374664141464968e+00, -2.549732539343734e+00, -2.400758277161838e+00, -3.223964580411365e-01, -7.784894002430293e-03}
	quantS = [...]float64{1, 3.754408661907416e+00, 2.445134137142996e+00, 3.224671290700398e-01, 7.784695709041462e-03}
)

func horner(x float64, c []float64) float64 {
	s := c[len(c)-1]
	for i := len(c) - 2; i >= 0; i-- {
		s = c[i] + float64(x*s)
	}
	return s
}

// erfc returns the complementary error function, 2 at −Inf and 0 at +Inf. The relative error is below 1e-14 for results
// down to the smallest normal number.
func erfc(x float64) float64 {
	switch a := math.Abs(x); {
	case x != x:
		return x
	case a < 0.84375:
		z := float64(x * x)
		y := horner(z, erfP[:]) / horner(z, erfQ[:])
		if x < 0.25 {
			return 1 - (x + float64(x*y))
		}
		return 0.5 - (float64(x*y) + (x - 0.5))
	case a < 1.25:
		const erx = 8.45062911510467529297e-01 // s_erf.c: erf(1) rounded to single precision
		r := horner(a-1, midP[:]) / horner(a-1, midQ[:])
		if x > 0 {
			return 1 - erx - r
		}
		return 1 + (erx + r)
	case a >= 28 || x < -6:
		return 1 - math.Copysign(1, x)
	case x < 0:
		return 2 - erfcFar(a)
	}
	return erfcFar(x)
}

// erfcFar returns erfc(x) for x in [1.25, 28). z is x with fewer digits, so that z² is exact.
func erfcFar(x float64) float64 {
	s := 1 / float64(x*x)
	r := 0.0
	if x < 1/0.35 {
		r = horner(s, farP[:]) / horner(s, farQ[:])
	} else {
		r = horner(s, tailP[:]) / horner(s, tailQ[:])
	}
	z := math.Float64frombits(math.Float64bits(x) & 0xffffffff00000000)
	return float64(Exp(-float64(z*z)-0.5625)*Exp(float64((z-x)*(z+x))+r)) / x
}

// NormalCDF returns the standard normal distribution function, accurate in the lower tail.
func NormalCDF(x float64) float64 { return 0.5 * erfc(-x*(math.Sqrt2/2)) }

// mills has the coefficients of the asymptotic series of Mills' ratio in 1/x², without the first, which is 1.
var mills = [...]float64{0, -1, 3, -15, 105, -945}

// LogNormalCDF returns the logarithm of the standard normal distribution function. Below −37, where the function
// underflows, it uses six terms of Mills' ratio (relative error of the function below 1e-14).
func LogNormalCDF(x float64) float64 {
	if x < -37 {
		s := 1 / float64(x*x)
		return -0.5*float64(x*x) - LogSqrt2Pi - Log(-x) + Log1p(horner(s, mills[:]))
	}
	if x > 0 {
		return Log1p(-NormalCDF(-x))
	}
	return Log(NormalCDF(x))
}

// NormalQuantile returns the x with NormalCDF(x) = p. It is −Inf at 0, +Inf at 1 and NaN outside [0, 1]. It refines
// Acklam's approximation by one step of Halley's method.
func NormalQuantile(p float64) float64 {
	switch {
	case !(p >= 0 && p <= 1):
		return math.NaN()
	case p == 0:
		return math.Inf(-1)
	case p > 0.5:
		return -NormalQuantile(1 - p)
	}
	x := 0.0
	if p > 0.02425 {
		q := p - 0.5
		r := float64(q * q)
		x = float64(q*horner(r, quantP[:])) / horner(r, quantQ[:])
	} else {
		q := math.Sqrt(-2 * Log(p))
		x = horner(q, quantR[:]) / horner(q, quantS[:])
	}
	const sqrt2Pi = 2.50662827463100050242
	e := NormalCDF(x) - p
	u := float64(float64(e*sqrt2Pi) * Exp(0.5*float64(x*x)))
	if p < 1e-290 {
		return x // the density underflows, so that the approximation cannot be refined
	}
	return x - u/(1+float64(0.5*float64(x*u)))
}
