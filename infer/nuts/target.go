package nuts

// Target is an unnormalised log density on all of ℝ^Dim. It is called from one goroutine at a time.
type Target interface {
	// Dim returns the number of coordinates, at least 1.
	Dim() int
	// LogDensity returns the log density at q and writes its gradient into grad; it keeps neither slice. −Inf, NaN
	// and a gradient that is not finite mean that the trajectory has left the support or has overflowed: a divergence.
	// +Inf means that the density cannot be normalised: it stops the chain with an error.
	LogDensity(q, grad []float64) float64
}
