package smc

// Target is a likelihood over coordinates of which each is the log odds of a prior distribution function: the prior is
// the standard logistic distribution in every coordinate. Quantiles themselves would not do, for those near 1 differ by
// 10⁻¹⁶ and the ones beyond cannot be said. It is called from one goroutine at a time.
type Target interface {
	// Dim returns the number of coordinates, at least 1.
	Dim() int
	// LogLikelihood returns the log likelihood at z, every coordinate finite; it does not keep z.
	// −Inf and NaN are a likelihood of zero. +Inf stops the sampler with an error.
	LogLikelihood(z []float64) float64
}
