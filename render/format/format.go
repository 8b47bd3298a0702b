// Package format writes numbers for people, in the same way in the viewer, pictures, figures and the report.
package format

import (
	"math"
	"strconv"
	"strings"

	"achilles/sim/num"
)

// Number writes x with the given number of decimals: with a minus sign instead of a hyphen, never as a negative zero,
// and as a dash if x is not finite.
func Number(x float64, decimals int) string {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return "–"
	}
	t := strconv.FormatFloat(x, 'f', decimals, 64)
	if strings.Trim(t, "-0.") == "" {
		t = strings.TrimPrefix(t, "-")
	}
	return minus(t)
}

// PValue writes a p-value with a fixed number of decimals, and one that would round to 0 as less than the last of them, such as <0.001.
func PValue(p float64, decimals int) string {
	if least := math.Pow10(-decimals); p >= 0 && p < least/2 {
		return "<" + Number(least, decimals)
	}
	return Number(p, decimals)
}

// Short writes x with at most three significant digits.
func Short(x float64) string { return minus(strconv.FormatFloat(x, 'g', 3, 64)) }

// Apart writes two numbers with three significant digits, or with as many more as tell them apart.
func Apart(x, y float64) (string, string) {
	a, b := Short(x), Short(y)
	for digits := 4; a == b && digits <= 6; digits++ {
		a, b = minus(strconv.FormatFloat(x, 'g', digits, 64)), minus(strconv.FormatFloat(y, 'g', digits, 64))
	}
	return a, b
}

func minus(t string) string { return strings.Replace(t, "-", "−", 1) }

// MeanSD writes a mean and its standard deviation with the same number of decimals: as many as show two significant
// digits of the standard deviation, but at most three. A standard deviation that is smaller is written as <0.0005, and one of
// exactly 0 as "": the value is then not measured, but fixed by what is said of the subject.
func MeanSD(mean, sd float64) (string, string) {
	n := num.Decimals(sd)
	switch {
	case sd == 0:
		return Short(mean), ""
	case sd < 0.0005:
		return Number(mean, n), "<0.0005"
	}
	return Number(mean, n), Number(sd, n)
}

// Percent writes a share in per cent, without decimals.
func Percent(share float64) string { return Number(100*share, 0) + " %" }
