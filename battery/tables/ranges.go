package tables

import "math"

// mostOfOneScale reports whether two in three columns, at least fewestOfScale, have the same least and the same largest number.
func mostOfOneScale(columns []*profile) bool {
	ends := map[[2]float64]int{}
	for _, c := range columns {
		if n := [2]float64{c.lo, c.hi}; c.lo < c.hi {
			if ends[n]++; ends[n] >= fewestOfScale && 3*ends[n] >= 2*len(columns) {
				return true
			}
		}
	}
	return false
}

// timesOfOneUnit is by how many times the ranges of columns of one unit may differ: times of easy and of hard tasks differ tenfold.
const timesOfOneUnit = 10

// ofOneRange reports whether the ranges of columns of numbers do not differ by more than those of one unit do.
func ofOneRange(columns []*profile) bool {
	narrow, wide := math.Inf(1), 0.0
	for _, c := range columns {
		if w := c.width(); w > 0 {
			narrow, wide = min(narrow, w), max(wide, w)
		}
	}
	return wide <= timesOfOneUnit*narrow
}
