package num

// Sum returns the sum of xs, added in their order.
func Sum(xs []float64) (sum float64) {
	for _, x := range xs {
		sum += x
	}
	return sum
}

// Mean returns the mean of xs, or NaN of none.
func Mean(xs []float64) float64 {
	return Sum(xs) / float64(len(xs))
}

// Moments returns the mean and the sample variance (divisor n − 1) of xs. The mean of no numbers is NaN, and so is the variance of
// fewer than two.
func Moments(xs []float64) (mean, variance float64) {
	mean = Mean(xs)
	for _, x := range xs {
		d := x - mean
		variance += float64(d * d)
	}
	return mean, variance / float64(len(xs)-1)
}
