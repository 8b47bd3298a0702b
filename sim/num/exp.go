package num

import "math"

const (
	ln2Hi = 6.93147180369123816490e-01 // FreeBSD msun e_log.c: ln 2 is ln2Hi + ln2Lo; ln2Hi times a small integer is exact
	ln2Lo = 1.90821492927058770002e-10
	log2e = 1.44269504088896338700e+00
	round = 6755399441055744.0 // 1.5·2^52: adding it rounds to the nearest integer, kept in the low bits
)

// Exp returns e^x. It is 0 below −745.2, +Inf above 709.78 and NaN for NaN; relative error below 1e-15 for normal
// results.
func Exp(x float64) float64 {
	if !(x > -700 && x < 700) {
		return expEdge(x)
	}
	t := float64(x*log2e) + round
	k := t - round
	r := x - float64(k*ln2Hi)
	return math.Float64frombits(math.Float64bits(expReduced(r, float64(k*ln2Lo))) + math.Float64bits(t)<<52)
}

// expReduced returns e^(hi−lo) for |hi−lo| ≤ ln2/2, by the rational form of FreeBSD msun e_exp.c.
func expReduced(hi, lo float64) float64 {
	const (
		p1 = 1.66666666666666657415e-01
		p2 = -2.77777777770155933842e-03
		p3 = 6.61375632143793436117e-05
		p4 = -1.65339022054652515390e-06
		p5 = 4.13813679705723846039e-08
	)
	r := hi - lo
	z := float64(r * r)
	c := r - float64(z*(p1+float64(z*(p2+float64(z*(p3+float64(z*(p4+float64(z*p5)))))))))
	return 1 - ((lo - float64(r*c)/(2-c)) - hi)
}

func expEdge(x float64) float64 {
	switch {
	case x != x:
		return x
	case x > 709.782712893384:
		return math.Inf(1)
	case x < -745.1332191019412:
		return 0
	}
	h := Exp(0.5 * x)
	return float64(h * h)
}

// Log returns the natural logarithm: −Inf at 0, NaN for NaN and for negative numbers, +Inf at +Inf. The relative error
// is below 1e-15.
func Log(x float64) float64 {
	if !(x >= 0x1p-1022 && x <= math.MaxFloat64) {
		return logEdge(x)
	}
	const sqrtHalf = 0x3fe6a09e667f3bcd
	b := math.Float64bits(x) - sqrtHalf + 1023<<52
	k := float64(int64(b>>52) - 1023)
	f := math.Float64frombits(b&(1<<52-1)+sqrtHalf) - 1
	return logReduced(f, k)
}

// logReduced returns log(1+f) + k·ln 2 for 1+f in [√½, √2), by FreeBSD msun e_log.c.
func logReduced(f, k float64) float64 {
	const (
		l1 = 6.666666666666735130e-01
		l2 = 3.999999999940941908e-01
		l3 = 2.857142874366239149e-01
		l4 = 2.222219843214978396e-01
		l5 = 1.818357216161805012e-01
		l6 = 1.531383769920937332e-01
		l7 = 1.479819860510658591e-01
	)
	s := f / (2 + f)
	z := float64(s * s)
	w := float64(z * z)
	t1 := float64(w * (l2 + float64(w*(l4+float64(w*l6)))))
	t2 := float64(z * (l1 + float64(w*(l3+float64(w*(l5+float64(w*l7)))))))
	h := float64(0.5 * float64(f*f))
	return float64(k*ln2Hi) - ((h - (float64(s*(h+t1+t2)) + float64(k*ln2Lo))) - f)
}

func logEdge(x float64) float64 {
	switch {
	case x == 0:
		return math.Inf(-1)
	case x < 0 || x != x:
		return math.NaN()
	case math.IsInf(x, 1):
		return x
	}
	return Log(float64(x*0x1p54)) - float64(54*(ln2Hi+ln2Lo))
}

// Log1p returns log(1+x), accurate near 0. It is −Inf at −1, and NaN below.
func Log1p(x float64) float64 {
	u := 1 + x
	if u == 1 {
		return x
	}
	if math.IsInf(u, 1) || u <= 0 || u != u {
		return Log(u)
	}
	return float64(Log(u) * (x / (u - 1))) // Kahan: the rounding of u cancels in the ratio
}

// Expm1 returns e^x − 1, accurate near 0.
func Expm1(x float64) float64 {
	if x > -1e-5 && x < 1e-5 {
		return x + float64(0.5*float64(x*x)) + float64(float64(x*x)*x)/6
	}
	u := Exp(x)
	if u-1 == -1 || math.IsInf(u, 1) || u == 1 {
		return u - 1
	}
	return float64((u - 1) * (x / Log(u)))
}
