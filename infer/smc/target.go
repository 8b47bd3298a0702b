package smc

// A Target is a likelihood over coordinates, each of which is the log odds of a prior distribution function. The prior
// is then the standard logistic distribution in every coordinate. The values of the distribution function itself could
// not be coordinates, because values closer to 1 than 10⁻¹⁶ cannot be represented. A Target is called from one goroutine
// at a time.
type Target interface {
	// Dim returns the number of coordinates, at least 1.
	Dim() int
	// LogLikelihood returns the log likelihood at z, whose coordinates are finite. It must not keep z. −Inf and NaN mean
	// a likelihood of zero. +Inf stops the sampler with an error.
	LogLikelihood(z []float64) float64
}
