package score

import (
	"fmt"
	"strings"
)

// fixed writes x with that many decimals, and never a negative zero.
func fixed(x float64, places int) string {
	t := fmt.Sprintf("%.*f", places, x)
	if strings.Trim(t, "-0.") == "" {
		return strings.TrimPrefix(t, "-")
	}
	return t
}

// decimals writes a number that may be absent; empty where it is.
func decimals(x *float64, places int) string {
	if x == nil {
		return ""
	}
	return fixed(*x, places)
}

// shown is decimals with a word for what is absent.
func shown(x *float64, places int) string {
	if x == nil {
		return "unknown"
	}
	return fixed(*x, places)
}

// span writes an interval; a dash where there is none.
func span(i *Interval, places int) string {
	if i == nil {
		return "–"
	}
	return fixed(i[0], places) + "–" + fixed(i[1], places)
}

// plusMinus writes an estimate with the larger half of its interval.
func plusMinus(x float64, i *Interval) string {
	if i == nil {
		return fixed(x, 3)
	}
	return fixed(x, 3) + " ±" + fixed(max(x-i[0], i[1]-x), 3)
}

// difference is the paired difference from the aggregate.
func difference(p Prediction) string {
	if p.Excess == nil {
		return ""
	}
	return plusMinus(*p.Excess, p.ExcessInterval)
}

// meanSD writes a mean and its standard deviation to two digits of the latter, three decimals at most.
func meanSD(mean, sd float64) string { return meanOf(mean, sd) + " ±" + meanOf(sd, sd) }

// meanOf writes a number with as many decimals as meanSD.
func meanOf(x, sd float64) string {
	n := 0
	for y := sd; y < 9.95 && n < 3; y *= 10 {
		n++
	}
	return fixed(x, n)
}
