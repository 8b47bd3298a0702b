package infertest

import "math"

// A Density is a log density on ℝ^Dim. LogDensity also writes the gradient at q to grad.
type Density interface {
	Dim() int
	LogDensity(q, grad []float64) float64
}

// gradientError returns the largest error of the analytic gradient at q, relative to max(1, |derivative|), and the
// coordinate of this error. The reference derivatives are central differences, extrapolated over decreasing steps
// (Ridders 1982). A correct gradient of a smooth density has an error of at most about 1e-7. The error is +Inf if it
// cannot be computed.
func gradientError(d Density, q []float64) (worst float64, coordinate int) {
	grad := make([]float64, d.Dim())
	d.LogDensity(q, grad)
	for i := range q {
		want := derivative(d, q, i)
		e := math.Abs(grad[i]-want) / max(1, math.Abs(want))
		if math.IsNaN(e) {
			e = math.Inf(1)
		}
		if e > worst {
			worst, coordinate = e, i
		}
	}
	return worst, coordinate
}

// CheckGradient fails the test if the largest error of the gradient at q (gradientError) exceeds the tolerance.
func CheckGradient(t TB, d Density, q []float64, tolerance float64) {
	t.Helper()
	if e, i := gradientError(d, q); e > tolerance {
		grad := make([]float64, d.Dim())
		d.LogDensity(q, grad)
		t.Errorf("gradient in coordinate %d at %g is %g, central differences give %g: error %.2g, allowed %.2g", i, q, grad[i], derivative(d, q, i), e, tolerance)
	}
}

// derivative returns the derivative along coordinate i by Ridders' table. Row k has a central difference of step
// h/1.4^k, and each further column cancels two more powers of the step. The result is the entry that differs least from
// its neighbours.
func derivative(d Density, q []float64, i int) float64 {
	const rows, shrink = 10, 1.4
	x := append([]float64(nil), q...)
	scratch := make([]float64, len(q))
	slope := func(h float64) float64 {
		x[i] = q[i] + h
		up := d.LogDensity(x, scratch)
		x[i] = q[i] - h
		down := d.LogDensity(x, scratch)
		x[i] = q[i]
		return (up - down) / (2 * h)
	}
	var table [rows][rows]float64
	h := 0.05 * max(1, math.Abs(q[i]))
	best, spread := math.NaN(), math.Inf(1)
	for k := range rows {
		table[k][0] = slope(h)
		factor := 1.0
		for j := 1; j <= k; j++ {
			factor *= shrink * shrink
			table[k][j] = (factor*table[k][j-1] - table[k-1][j-1]) / (factor - 1)
			s := max(math.Abs(table[k][j]-table[k][j-1]), math.Abs(table[k][j]-table[k-1][j-1]))
			if s < spread {
				best, spread = table[k][j], s
			}
		}
		h /= shrink
	}
	return best
}
