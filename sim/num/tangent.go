package num

import "math"

// TanQuarter returns tan(x·π/4) for x in [0, 1], from the Taylor series of sine and cosine.
func TanQuarter(x float64) float64 {
	x = float64(x * (math.Pi / 4))
	square := float64(x * x)
	sin, cos := 0.0, 0.0
	for k := 20.0; k > 0; k -= 2 { // the next terms are below 1e-21
		sin = 1 - float64(sin*square)/float64(k*(k+1))
		cos = 1 - float64(cos*square)/float64(k*(k-1))
	}
	return float64(x*sin) / cos
}

// Atan returns the arctangent of x ≥ 0. It halves the angle three times and sums the Taylor series of the rest.
func Atan(x float64) float64 {
	if x > 1 {
		return math.Pi/2 - Atan(1/x)
	}
	for range 3 {
		x /= 1 + math.Sqrt(1+float64(x*x))
	}
	square, sum := float64(x*x), 0.0
	for k := 21.0; k > 0; k -= 2 { // x is at most tan(π/32): the next terms are below 1e-22
		sum = 1/k - float64(square*sum)
	}
	return float64(8 * float64(x*sum))
}
