package nuts_test

import "math"

// regression is y ~ N(X·β, σ) with normal priors on β, in the unconstrained coordinates (β, log σ).
type regression struct {
	x          [][]float64 // [row][coefficient]
	y          []float64
	mean, sd   []float64 // means and standard deviations of the priors of β; sd 0 or nil: flat
	scalePrior func(sigma float64) (logp, slope float64)
}

// flatScale, cauchyScale and normalScale are the priors of σ in the reference models.
func flatScale(float64) (float64, float64) { return 0, 0 }

func cauchyScale(width float64) func(float64) (float64, float64) {
	return func(s float64) (float64, float64) {
		u := s / width
		return -math.Log1p(u * u), -2 * u / width / (1 + u*u)
	}
}

func normalScale(width float64) func(float64) (float64, float64) {
	return func(s float64) (float64, float64) { return -s * s / 2 / width / width, -s / width / width }
}

func (r regression) Dim() int { return len(r.x[0]) + 1 }

func (r regression) LogDensity(q, grad []float64) float64 {
	k := len(q) - 1
	sigma := math.Exp(q[k])
	clear(grad)
	squares := 0.0
	for i, row := range r.x {
		e := r.y[i]
		for j, x := range row {
			e -= x * q[j]
		}
		squares += e * e
		for j, x := range row {
			grad[j] += e * x / sigma / sigma
		}
	}
	n := float64(len(r.y))
	prior, slope := r.scalePrior(sigma)
	lp := prior + q[k] - n*q[k] - squares/2/sigma/sigma
	grad[k] = slope*sigma + 1 - n + squares/sigma/sigma
	for j := range k {
		if r.sd == nil || r.sd[j] == 0 {
			continue
		}
		z := (q[j] - r.mean[j]) / r.sd[j]
		lp -= z * z / 2
		grad[j] -= z / r.sd[j]
	}
	return lp
}

// constrain returns (β, σ) for (β, log σ).
func (r regression) constrain(q []float64) []float64 {
	out := append([]float64(nil), q...)
	out[len(q)-1] = math.Exp(q[len(q)-1])
	return out
}
