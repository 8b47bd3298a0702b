package smc

// Target is a likelihood over coordinates, each of which is the log odds of a prior distribution function: the prior is the
// standard logistic distribution in every coordinate. Values of the distribution function itself would not do, since those
// closer to 1 than 10⁻¹⁶ cannot be represented. It is called from one goroutine at a time.
type Target interface {
	// Dim returns the number of coordinates, at least 1.
	Dim() int
	// LogLikelihood returns the log likelihood at z, whose coordinates are finite; it must not keep z. −Inf and NaN mean a
	// likelihood of zero. +Inf stops the sampler with an error.
	LogLikelihood(z []float64) float64
}
