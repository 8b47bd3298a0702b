package figure

import (
	"math"
	"strconv"
	"strings"
)

// Number writes x with so many decimals: with a proper minus, never a negative zero, and a dash where it is none.
func Number(x float64, decimals int) string {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return "–"
	}
	t := strconv.FormatFloat(x, 'f', decimals, 64)
	if strings.Trim(t, "-0.") == "" {
		t = strings.TrimPrefix(t, "-")
	}
	return strings.Replace(t, "-", "−", 1)
}

// MeanSD writes a mean and its standard deviation, both to two digits of the latter and three decimals at most.
func MeanSD(mean, sd float64) (string, string) {
	n := 0
	for x := sd; x < 9.95 && n < 3; x *= 10 {
		n++
	}
	return Number(mean, n), Number(sd, n)
}
