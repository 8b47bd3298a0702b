package irt

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// steps says how to number values that are steps of partial credit: from 0 to 1 by halves, thirds, quarters, fifths or sixths of a point; nothing if
// they are others.
func steps(value [][]float64) string {
	for parts := 2.0; parts <= 6; parts++ {
		var levels []float64
		fits := true
		for _, row := range value {
			for _, v := range row {
				if math.IsNaN(v) {
					continue
				}
				fits = fits && v >= 0 && v <= 1 && math.Abs(v*parts-math.Round(v*parts)) < 1e-6
				if k, ok := slices.BinarySearch(levels, v); !ok && fits {
					levels = slices.Insert(levels, k, v)
				}
			}
		}
		if !fits || len(levels) == 0 || levels[0] != 0 || levels[len(levels)-1] != 1 {
			continue
		}
		var out []string
		for k, v := range levels {
			out = append(out, strconv.FormatFloat(v, 'g', -1, 64)+"="+strconv.Itoa(k))
		}
		return " (if these are steps of partial credit: --family choice --levels " + strings.Join(out, ",") + ")"
	}
	return ""
}
