package power

// Visible bounds a weakness.
const Visible = visible

// Evidence is the sum that Nearest finds the least of.
func Evidence(p, q []float64) float64 { return evidence(p, q) }
