package table

import (
	"fmt"
	"math"
	"strconv"

	"achilles/sim/record"
)

// Limits of numbers that may be shares of a few trials.
const (
	mostShared   = 30 // trials; of more, a share is nearly as good as a number
	fewShared    = 10 // trials; of more, so many different shares must fit that chance would not
	fewestShares = 8  // of them that are neither 0 nor 1
)

// shares finds responses that all are shares of a few trials: 0, 0.33, 0.67 and 1, or the same in per cent. A number says nothing of how far chance
// may have moved it, a count of trials does. Shares of two are left out: partial credit looks so.
func shares(d *record.Dataset, m uint8) (f Finding) {
	family := d.Manifest.Measures[m].Family
	if family != record.Unit && family != record.Real {
		return f
	}
	var values []float64
	most, ends := 0.0, [2]bool{}
	for _, r := range d.Responses.All() {
		if !isRow(r, m) {
			continue
		}
		if r.Value < 0 || r.Value > 100 {
			return Finding{}
		}
		most = max(most, r.Value)
		values = append(values, r.Value)
	}
	scale := 1.0
	if most > 1 {
		scale = 100
	}
	inner := map[float64]int{}
	for _, v := range values {
		switch v {
		case 0:
			ends[0] = true
		case scale:
			ends[1] = true
		default:
			if inner[v]++; len(inner) > mostShared {
				return Finding{}
			}
			f.Count++
		}
	}
	f.Of = len(values)
	digits := 0
	for v := range inner {
		digits = max(digits, decimals(v))
	}
	n := sharesOf(inner, scale, digits)
	// whole quarters or tenths of a hundred may be anything between 0 and 100
	round := scale > 1 && 100%max(n, 1) == 0 && !(ends[0] && ends[1])
	if n < 3 || f.Count < fewestShares || round {
		return Finding{}
	}
	f.Kind = SharesOfTrials
	f.What = fmt.Sprintf("responses between the ends, all of them multiples of 1/%d", n)
	f.Meaning = fmt.Sprintf("as numbers they do not say how far chance may have moved them; successes of %d trials do", n)
	f.When, f.Remedy = "If they are", "--trials "+strconv.Itoa(n)
	return f
}

// sharesOf returns the least number of trials of which all values are shares, rounded to as many decimals as they have, or, up to ten, without
// rounding; 0: there is none, or values with so few decimals would be shares of so many trials whatever they were.
func sharesOf(values map[float64]int, scale float64, digits int) int {
	fits := func(n int, by float64) bool {
		for v := range values {
			k := math.Round(v / scale * float64(n))
			if k <= 0 || k >= float64(n) || math.Abs(v-k/float64(n)*scale) > by+1e-9 {
				return false
			}
		}
		return len(values) > 0
	}
	half, grid := 0.5*math.Pow(10, -float64(digits)), scale*math.Pow(10, float64(digits))
	chance := 0.0 // that values of so many decimals are shares of as many trials or fewer
	for n := 2; n <= mostShared && 2*float64(n) <= grid; n++ {
		chance += math.Pow(float64(n-1)/(grid-1), float64(len(values)))
		if fits(n, half) && (n <= fewShared || chance < alarm) {
			return n
		}
	}
	for n := 2; n <= fewShared; n++ {
		if fits(n, 0) {
			return n
		}
	}
	return 0
}

// decimals returns the number of digits after the point with which a number is written, at most six.
func decimals(x float64) int {
	for d := range 6 {
		if by := x * math.Pow(10, float64(d)); math.Abs(by-math.Round(by)) < 1e-7 {
			return d
		}
	}
	return 6
}
