package num

import "math"

// Finite returns a pointer to x, or nil if x is NaN or infinite. JSON has no such numbers; a field with a nil pointer
// is left out.
func Finite(x float64) *float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	return &x
}
