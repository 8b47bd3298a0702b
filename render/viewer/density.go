package viewer

import (
	"math"
	"slices"

	"achilles/render/replay"
)

// places is how many places of a density are drawn.
const places = 97

// profile has what the screen shows of a posterior.
func profile(p *replay.Profile) *Profile {
	out := &Profile{Subject: p.Subject + ", by the layout " + p.Layout}
	if rmse, ok := p.RMSE(); ok {
		out.Overall = &rmse
	}
	if len(p.Warnings) > 0 {
		out.Note = p.Warnings[0]
	}
	for i := range p.Parameters {
		x := &p.Parameters[i]
		d := Density{Name: x.Parameter, Mean: x.Mean, SD: x.SD, Q5: x.Q5, Q95: x.Q95, Truth: x.Truth}
		if rmse, ok := x.RMSE(); ok {
			d.RMSE = &rmse
		}
		d.Low, d.High = span(x)
		d.Height = density(x.Draws, d.Low, d.High)
		out.Densities = append(out.Densities, d)
	}
	return out
}

// span is what an axis shows: from 0 to the maximum where that is known and the draws keep to it, or else from the
// least to the greatest draw, widened to whole numbers where it is wide.
func span(x *replay.Parameter) (low, high float64) {
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

// density estimates the density of draws at evenly spaced places by a normal kernel, with the greatest at 1. What the
// kernel would put outside of the axis is reflected at its ends: a posterior that lies at a bound does not look as if it
// fell to zero there. The width is Silverman's (1986, eq. 3.31).
func density(draws []float64, low, high float64) []float64 {
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
