package num

import "math"

// Finite returns a pointer to x, or nil where x is NaN or infinite. JSON has neither: such a number is absent.
func Finite(x float64) *float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	return &x
}
