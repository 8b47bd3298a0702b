package posterior_test

import (
	"math"
	"slices"
	"testing"

	"achilles/infer/infertest"
	"achilles/infer/posterior"
	"achilles/sim/num"
)

// scores returns n values at equally probable quantiles of a standard normal distribution, each changed by f.
func scores(n int, f func(z float64) float64) []float64 {
	xs := make([]float64, n)
	for i := range xs {
		xs[i] = f(num.NormalQuantile((float64(i) + 0.5) / float64(n)))
	}
	return xs
}

// TestJohnson checks that the map of a sample is the one that made it, that it has an inverse everywhere, and that samples with lighter
// tails than Johnson's distribution can have get a nearly linear map.
func TestJohnson(t *testing.T) {
	su := func(z float64) float64 { return 3 + 2*math.Sinh((z+0.8)/1.3) }
	for _, c := range []struct {
		name   string
		sample func(z float64) float64
		want   func(z float64) float64
		within float64 // at scores from −2 to 2
	}{
		{"Johnson", su, su, 0.05},
		{"mirrored", func(z float64) float64 { return -su(-z) }, func(z float64) float64 { return -su(-z) }, 0.05},
		{"normal", func(z float64) float64 { return 5 + 0.1*z }, func(z float64) float64 { return 5 + 0.1*z }, 0.003},
		{"uniform", func(z float64) float64 { return math.Erf(z / math.Sqrt2) }, func(z float64) float64 { return 0.67 * z }, 0.1},
		{"constant", func(float64) float64 { return 7 }, func(z float64) float64 { return 7 + z/1.8 }, 0.2},
	} {
		j := posterior.NewJohnson(scores(4000, c.sample))
		for z := -2.0; z <= 2; z += 0.25 {
			if got := j.At(z); !(math.Abs(got-c.want(z)) <= c.within) {
				t.Errorf("%s: %g at %g, want %g", c.name, got, z, c.want(z))
			}
		}
		for z := -30.0; z <= 30; z += 1.7 {
			if back := j.Inverse(j.At(z)); !(math.Abs(back-z) <= 1e-6) {
				t.Errorf("%s: the inverse of the value at %g is %g", c.name, z, back)
			}
		}
	}
}

// bowl is a density with skewed margins, in as many dimensions as it has numbers: log x is q, and x has an exponential distribution.
type bowl []float64

func (b bowl) Dim() int { return len(b) }
func (b bowl) LogDensity(q, grad []float64) float64 {
	l := 0.0
	for i, x := range q {
		l += x + math.Log(b[i]) - b[i]*math.Exp(x)
		grad[i] = 1 - b[i]*math.Exp(x)
	}
	return l
}
func (bowl) Constrain(q, theta []float64) { copy(theta, q) }

// TestGaussianised checks the density of y against the definition: its gradient, and log density of q plus log of the slopes, which the
// way back takes off again. A hundred coordinates show that products of slopes neither underflow nor overflow.
func TestGaussianised(t *testing.T) {
	for _, dim := range []int{1, 3, 100} {
		b := make(bowl, dim)
		var margins []posterior.Johnson
		for i := range b {
			b[i] = 1e-3 + float64(i)
			rate := b[i]
			steep := 1.0
			if dim == 100 {
				steep = 1e-5
			}
			margins = append(margins, posterior.NewJohnson(scores(1000, func(z float64) float64 { return steep * math.Log(-math.Log(0.5*math.Erfc(z/math.Sqrt2))/rate) })))
		}
		y := make([]float64, dim)
		for i := range y {
			y[i] = -1 + 2*float64(i)/float64(dim)
		}
		g := posterior.Gaussianise(b, margins)
		if dim < 100 {
			infertest.CheckGradient(t, g, y, 1e-5)
		}
		logp := []float64{g.LogDensity(y, make([]float64, dim))}
		q := posterior.Original(g, [][]float64{y}, logp)[0]
		if want := b.LogDensity(q, make([]float64, dim)); !(math.Abs(logp[0]-want) <= 1e-9*(1+math.Abs(want))) {
			t.Errorf("%d coordinates: log density %g of q, want %g", dim, logp[0], want)
		}
		slopes := 0.0
		for i := range y {
			const h = 1e-4
			up, down := slices.Clone(y), slices.Clone(y)
			up[i], down[i] = y[i]+h, y[i]-h
			qs := posterior.Original(g, [][]float64{up, down}, make([]float64, 2))
			slopes += math.Log((qs[0][i] - qs[1][i]) / (2 * h))
		}
		for _, far := range []float64{1e6, -1e6} {
			out, grad := slices.Clone(y), slices.Repeat([]float64{1}, dim)
			out[dim-1] = far
			if l := g.LogDensity(out, grad); !math.IsInf(l, -1) || slices.ContainsFunc(grad, func(x float64) bool { return x != 0 }) {
				t.Errorf("%d coordinates: log density %g with gradient %g at %g, want −Inf and 0", dim, l, grad, far)
			}
		}
		if got := g.LogDensity(y, make([]float64, dim)) - logp[0]; !(math.Abs(got-slopes) <= 1e-5*math.Abs(slopes)) {
			t.Errorf("%d coordinates: log of the slopes %g, want %g", dim, got, slopes)
		}
	}
}

// TestBend checks the derivatives of the bend, its inverse, and that it hardly changes the middle.
func TestBend(t *testing.T) {
	for y := -40.0; y <= 40; y += 0.37 {
		const h = 1e-4
		v, slope, curve := posterior.Bend(y)
		up, upSlope, _ := posterior.Bend(y + h)
		down, downSlope, _ := posterior.Bend(y - h)
		if d := (up - down) / (2 * h); !(math.Abs(d-slope) <= 1e-8) {
			t.Errorf("slope %g at %g, want %g", slope, y, d)
		}
		if d := (upSlope - downSlope) / (2 * h); !(math.Abs(d-curve) <= 1e-8) {
			t.Errorf("second derivative %g at %g, want %g", curve, y, d)
		}
		if back := posterior.Unbend(v); !(math.Abs(back-y) <= 1e-9) {
			t.Errorf("%g comes back as %g", y, back)
		}
		if math.Abs(y) <= 1 && !(math.Abs(v-y) <= 0.013) || math.Abs(v) > math.Abs(y) {
			t.Errorf("%g at %g", v, y)
		}
	}
}
