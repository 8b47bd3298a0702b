package nuts

// Target is an unnormalised log density on all of ℝ^Dim. It is called from one goroutine at a time.
type Target interface {
	// Dim returns the number of coordinates, at least 1.
	Dim() int
	// LogDensity returns the log density at q and writes its gradient into grad; it keeps neither slice. −Inf and
	// NaN mean that the trajectory has left the support or the arithmetic: a divergence. +Inf, or a finite density
	// whose gradient is not finite, is a fault of the target and stops the chain.
	LogDensity(q, grad []float64) float64
}
