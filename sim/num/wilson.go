package num

import "math"

// WilsonInterval returns the score interval of a proportion, given the number of successes in n independent trials and
// a confidence level (Wilson 1927). It is [0, 1] if n is 0.
func WilsonInterval(successes, n, level float64) (low, high float64) {
	if n == 0 {
		return 0, 1
	}
	z := NormalQuantile(0.5 + level/2)
	p, q := successes/n, z*z/n
	mid := (p + q/2) / (1 + q)
	half := z * math.Sqrt(p*(1-p)/n+q/(4*n)) / (1 + q)
	return max(0, mid-half), min(1, mid+half)
}
