package num

// Dot returns Σ a[i]·b[i], summed in this order. b must be at least as long as a.
func Dot(a, b []float64) float64 {
	s := 0.0
	for i, x := range a {
		s += float64(x * b[i])
	}
	return s
}
