package num

import "math"

// LogGamma returns log Γ(x) for x > 0, with an absolute error of about 1e-14·max(1, |log Γ(x)|). It is +Inf at 0 and
// NaN for x < 0. It uses Stirling's series (Abramowitz and Stegun 6.1.41) for x ≥ 10, and the recurrence Γ(x+1) =
// x·Γ(x) for smaller x.
func LogGamma(x float64) float64 {
	switch {
	case !(x >= 0):
		return math.NaN()
	case x == 0 || math.IsInf(x, 1):
		return math.Inf(1)
	}
	shift := 1.0
	for x < 10 {
		shift = float64(shift * x)
		x++
	}
	z := 1 / float64(x*x)
	s := (1./12 - float64(z*(1./360-float64(z*(1./1260-float64(z*(1./1680-float64(z*(1./1188-float64(z*691/360360)))))))))) / x
	l := float64((x-0.5)*Log(x)) - x + LogSqrt2Pi + s
	if shift == 1 {
		return l
	}
	return l - Log(shift)
}

// Digamma returns the derivative of log Γ at x > 0, with an absolute error of about 2e-15·max(1, |ψ(x)|). It is NaN for
// x ≤ 0. It uses the series 6.3.18 of Abramowitz and Stegun for x ≥ 10, and the recurrence ψ(x+1) = ψ(x) + 1/x for
// smaller x.
func Digamma(x float64) float64 {
	if !(x > 0) {
		return math.NaN()
	}
	shift := 0.0
	for x < 10 {
		shift += 1 / x
		x++
	}
	z := 1 / float64(x*x)
	s := float64(z * (1./12 - float64(z*(1./120-float64(z*(1./252-float64(z*(1./240-float64(z*(1./132-float64(z*691/32760)))))))))))
	return Log(x) - 0.5/x - s - shift
}

// Trigamma returns the second derivative of log Γ at x > 0, with a relative error of about 1e-15. It is NaN for x ≤ 0. It uses the series 6.4.12 of
// Abramowitz and Stegun for x ≥ 10, and the recurrence ψ′(x+1) = ψ′(x) − 1/x² for smaller x.
func Trigamma(x float64) float64 {
	if !(x > 0) {
		return math.NaN()
	}
	shift := 0.0
	for x < 10 {
		shift += 1 / float64(x*x)
		x++
	}
	z := 1 / float64(x*x)
	s := float64(z * (1./6 - float64(z*(1./30-float64(z*(1./42-float64(z*(1./30-float64(z*(5./66-float64(z*(691./2730-float64(z*7/6))))))))))))) // z·ΣB₂ₖzᵏ⁻¹
	return (1+s)/x + 0.5*z + shift
}

// LogBeta returns log B(a, b) for positive a and b.
func LogBeta(a, b float64) float64 { return LogGamma(a) + LogGamma(b) - LogGamma(a+b) }

// GammaTails returns the distribution function of Gamma(shape, rate 1) at x, and its complement. The smaller tail keeps
// its relative accuracy. It is NaN unless shape > 0.
func GammaTails(shape, x float64) (p, q float64) {
	switch {
	case !(shape > 0) || x != x:
		return math.NaN(), math.NaN()
	case x <= 0:
		return 0, 1
	case math.IsInf(x, 1):
		return 1, 0
	}
	scale := Exp(float64(shape*Log(x)) - x - LogGamma(shape))
	if x < shape+1 {
		p = float64(scale * gammaSeries(shape, x))
		return p, 1 - p
	}
	q = float64(scale * gammaFraction(shape, x))
	return 1 - q, q
}

// gammaSeries returns γ(a, x)·e^x/x^a by a series (Abramowitz and Stegun 6.5.29). γ(a, x) is the lower incomplete gamma
// function.
func gammaSeries(a, x float64) float64 {
	t := 1 / a
	s := t
	for n := 1; n < 100000 && t > s*1e-17; n++ {
		t = float64(t * (x / (a + float64(n))))
		s += t
	}
	return s
}

// gammaFraction returns Γ(a, x)·e^x/x^a by the continued fraction 6.5.31 of Abramowitz and Stegun and Lentz's method.
// Γ(a, x) is the upper incomplete gamma function.
func gammaFraction(a, x float64) float64 {
	const tiny = 1e-300
	b := x + 1 - a
	c, d := 1/tiny, 1/b
	h := d
	for n := 1; n < 100000; n++ {
		an := -float64(float64(n) * (float64(n) - a))
		b += 2
		d = 1 / nonzero(float64(an*d)+b, tiny)
		c = nonzero(b+an/c, tiny)
		step := float64(d * c)
		h = float64(h * step)
		if math.Abs(step-1) < 1e-16 {
			break
		}
	}
	return h
}

func nonzero(x, tiny float64) float64 {
	if math.Abs(x) < tiny {
		return tiny
	}
	return x
}
