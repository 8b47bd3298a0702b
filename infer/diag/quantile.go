package diag

import (
	"math"
	"slices"

	"achilles/sim/num"
)

// Quantile returns the p-quantile of all draws by linear interpolation between order statistics (type 7 of Hyndman
// and Fan 1996). It is NaN without draws or with a NaN among them, and panics for p outside [0, 1].
func Quantile(chains [][]float64, p float64) float64 {
	all := pool(chains)
	slices.Sort(all)
	return sortedQuantile(all, p)
}

func sortedQuantile(sorted []float64, p float64) float64 {
	if !(p >= 0 && p <= 1) {
		panic("diag: quantile outside [0, 1]")
	}
	if len(sorted) == 0 || math.IsNaN(sorted[0]) { // slices.Sort puts NaN first
		return math.NaN()
	}
	at := float64(float64(len(sorted)-1) * p)
	i := int(at)
	if i+1 >= len(sorted) {
		return sorted[len(sorted)-1]
	}
	return sorted[i] + float64((at-float64(i))*(sorted[i+1]-sorted[i]))
}

// normalQuantile is the inverse of the standard normal distribution function for p in (0, 1), with relative error
// about 1e-16: algorithm AS 241 (PPND16) of Wichura (1988), Applied Statistics 37.
func normalQuantile(p float64) float64 {
	q := p - 0.5
	if math.Abs(q) <= 0.425 {
		r := 0.180625 - float64(q*q)
		return float64(q * ratio(r, &centre))
	}
	tail := p
	if q > 0 {
		tail = 1 - p
	}
	r := math.Sqrt(-num.Log(tail))
	var z float64
	if r <= 5 {
		z = ratio(r-1.6, &shoulder)
	} else {
		z = ratio(r-5, &farTail)
	}
	return math.Copysign(z, q)
}

// rational holds the coefficients of numerator and denominator, lowest power first.
type rational struct{ num, den [8]float64 }

func ratio(x float64, c *rational) float64 {
	var a, b float64
	for i := 7; i >= 0; i-- {
		a = float64(a*x) + c.num[i]
		b = float64(b*x) + c.den[i]
	}
	return a / b
}

// Coefficients of AS 241, for |p − ½| ≤ 0.425, for r ≤ 5 and for r > 5.
var (
	centre = rational{
		[8]float64{3.3871328727963666080e0, 1.3314166789178437745e+2, 1.9715909503065514427e+3, 1.3731693765509461125e+4,
			4.5921953931549871457e+4, 6.7265770927008700853e+4, 3.3430575583588128105e+4, 2.5090809287301226727e+3},
		[8]float64{1, 4.2313330701600911252e+1, 6.8718700749205790830e+2, 5.3941960214247511077e+3,
			2.1213794301586595867e+4, 3.9307895800092710610e+4, 2.8729085735721942674e+4, 5.2264952788528545610e+3}}
	shoulder = rational{
		[8]float64{1.42343711074968357734e0, 4.63033784615654529590e0, 5.76949722146069140550e0, 3.64784832476320460504e0,
			1.27045825245236838258e0, 2.41780725177450611770e-1, 2.27238449892691845833e-2, 7.74545014278341407640e-4},
		[8]float64{1, 2.05319162663775882187e0, 1.67638483018380384940e0, 6.89767334985100004550e-1,
			1.48103976427480074590e-1, 1.51986665636164571966e-2, 5.47593808499534494600e-4, 1.05075007164441684324e-9}}
	farTail = rational{
		[8]float64{6.65790464350110377720e0, 5.46378491116411436990e0, 1.78482653991729133580e0, 2.96560571828504891230e-1,
			2.65321895265761230930e-2, 1.24266094738807843860e-3, 2.71155556874348757815e-5, 2.01033439929228813265e-7},
		[8]float64{1, 5.99832206555887937690e-1, 1.36929880922735805310e-1, 1.48753612908506148525e-2,
			7.86869131145613259100e-4, 1.84631831751005468180e-5, 1.42151175831644588870e-7, 2.04426310338993978564e-15}}
)
