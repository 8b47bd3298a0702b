package smc

// Target is a likelihood over the open unit cube, on which the prior is uniform: coordinates are prior quantiles.
// It is called from one goroutine at a time.
type Target interface {
	// Dim returns the number of coordinates, at least 1.
	Dim() int
	// LogLikelihood returns the log likelihood at u, every coordinate strictly between 0 and 1; it does not keep u.
	// −Inf and NaN are a likelihood of zero. +Inf stops the sampler with an error.
	LogLikelihood(u []float64) float64
}
