package viewer

import (
	"math"
	"slices"

	"achilles/render/replay"
)

// A density is the estimated probability density of a parameter's draws.
type density struct {
	low, high float64   // ends of the axis
	height    []float64 // density at evenly spaced places from low to high, divided by its maximum
}

func newDensity(x *replay.Parameter) density {
	low, high := axis(x)
	return density{low, high, estimate(x.Draws, low, high)}
}

// axis returns the range of the axis for a parameter. It is 0 to the parameter's maximum, or 0 to 1, if that contains
// all draws. Otherwise, it is from the least to the greatest draw. If these are more than 2 apart, it is rounded
// outwards to whole numbers.
func axis(x *replay.Parameter) (low, high float64) {
	if len(x.Draws) == 0 {
		return x.Mean - 1, x.Mean + 1
	}
	low, high = slices.Min(x.Draws), slices.Max(x.Draws)
	switch {
	case x.Scale > 0 && low >= 0 && high <= x.Scale:
		return 0, x.Scale
	case low >= 0 && high <= 1:
		return 0, 1
	case high-low > 2:
		return math.Floor(low), math.Ceil(high)
	case high == low:
		return low - 1, high + 1
	}
	return low, high
}

// places is the number of places at which a density is estimated.
const places = 97

// estimate estimates the density of draws at evenly spaced places with a normal kernel, and divides it by its maximum.
// Probability mass that the kernel puts beyond an end of the axis is reflected at that end; otherwise the posterior of
// a parameter near a bound would seem to fall towards zero there. The width of the kernel is bandwidth, but at least
// the distance between two places.
func estimate(draws []float64, low, high float64) []float64 {
	out := make([]float64, places)
	if len(draws) == 0 {
		return out
	}
	width := max(bandwidth(draws), (high-low)/places)
	step := (high - low) / (places - 1)
	for _, x := range draws {
		for _, y := range [3]float64{x, 2*low - x, 2*high - x} {
			first := max(int((y-4*width-low)/step), 0)
			last := min(int((y+4*width-low)/step)+1, places-1)
			for i := first; i <= last; i++ {
				z := (low + float64(i)*step - y) / width
				out[i] += math.Exp(-z * z / 2)
			}
		}
	}
	most := slices.Max(out)
	for i := range out {
		out[i] /= most
	}
	return out
}

// bandwidth returns 0.9 min(s, IQR/1.349) n^(−1/5) (Silverman 1986, eq. 3.31). It leaves out the IQR if that is 0.
func bandwidth(draws []float64) float64 {
	n := float64(len(draws))
	sorted := slices.Sorted(slices.Values(draws))
	mean, square := 0.0, 0.0
	for _, x := range draws {
		mean += x / n
	}
	for _, x := range draws {
		square += (x - mean) * (x - mean) / n
	}
	spread := math.Sqrt(square)
	if quartiles := (sorted[len(sorted)*3/4] - sorted[len(sorted)/4]) / 1.349; quartiles > 0 {
		spread = min(spread, quartiles)
	}
	return 0.9 * spread * math.Pow(n, -0.2)
}
