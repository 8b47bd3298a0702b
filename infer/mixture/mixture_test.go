package mixture_test

import (
	"math"
	"testing"

	"achilles/infer/mixture"
	"achilles/sim/rng"
)

// two returns n points. A quarter of them lie around (−5, 0) with standard deviations 1 and 2, the others around (5, 1)
// with 0.1 and 0.2.
func two(n int) [][]float64 {
	r := rng.Stream(1, "two")
	points := make([][]float64, n)
	for i := range points {
		if i%4 == 0 {
			points[i] = []float64{-5 + r.Norm(), 2 * r.Norm()}
		} else {
			points[i] = []float64{5 + 0.1*r.Norm(), 1 + 0.2*r.Norm()}
		}
	}
	return points
}

var centres = [][]float64{{-4, 1}, {4.9, 0.9}}

// TestFitFindsParts checks the density at three places against that of the two normal distributions. With 4000 points
// its error is about a twentieth.
func TestFitFindsParts(t *testing.T) {
	m, ok := mixture.Fit(two(4000), centres)
	if !ok {
		t.Fatal("no fit")
	}
	for _, c := range []struct {
		at   []float64
		want float64
	}{
		{[]float64{-5, 0}, 0.25 / (2 * math.Pi * 1 * 2)},
		{[]float64{-6, 2}, 0.25 / (2 * math.Pi * 1 * 2) * math.Exp(-1)},
		{[]float64{5, 1}, 0.75 / (2 * math.Pi * 0.1 * 0.2)},
	} {
		if got := math.Exp(m.LogDensity(c.at)); math.Abs(got-c.want) > 0.1*c.want {
			t.Errorf("density at %v is %.4g, want %.4g", c.at, got, c.want)
		}
	}
}

// TestDensityIntegratesToOne integrates both kinds of density over [−60, 60]², in steps of half a standard deviation of the narrow part.
// The normal one has integral 1 to 1e-6. The t distribution, of which a share of about 10⁻⁴ lies outside, has integral 1 to 1e-3.
func TestDensityIntegratesToOne(t *testing.T) {
	for _, wide := range []bool{false, true} {
		m, ok := mixture.Fit(two(400), centres)
		if !ok {
			t.Fatal("no fit")
		}
		tolerance := 1e-6
		if wide {
			m.Widen()
			tolerance = 1e-3
		}
		sum := 0.0
		const step = 0.05
		for x := -60.0; x < 60; x += step {
			for y := -60.0; y < 60; y += 2 * step {
				sum += step * 2 * step * math.Exp(m.LogDensity([]float64{x, y}))
			}
		}
		if math.Abs(sum-1) > tolerance {
			t.Errorf("wide %v: the density integrates to %.8f", wide, sum)
		}
	}
}

// TestDrawsHaveTheDensity checks that draws have the mixture's density. If e^other is another density, the mean of
// e^other/density over the draws must be the integral of e^other, which is 1. The standard error of the mean comes from
// twenty batches.
func TestDrawsHaveTheDensity(t *testing.T) {
	other := func(q []float64) float64 { // a normal density between the parts
		x, y := (q[0]+4)/0.7, q[1]-0.5
		return -(x*x+y*y)/2 - math.Log(2*math.Pi*0.7)
	}
	for _, wide := range []bool{false, true} {
		m, _ := mixture.Fit(two(400), centres)
		if wide {
			m.Widen()
		}
		r := rng.Stream(2, "draws")
		z := make([]float64, 2)
		const batches, n = 20, 5000
		sum, square := 0.0, 0.0
		for range batches {
			mean := 0.0
			for range n {
				m.Draw(z, &r)
				mean += math.Exp(other(z)-m.LogDensity(z)) / n
			}
			sum += mean / batches
			square += mean * mean / batches
		}
		se := math.Sqrt((square - sum*sum) / (batches - 1))
		if z := (sum - 1) / se; !(math.Abs(z) < 5) || se > 0.05 {
			t.Errorf("wide %v: %.4f ± %.4f, want 1", wide, sum, se)
		}
	}
}

func TestNoFit(t *testing.T) {
	flat := two(100)
	for _, p := range flat {
		p[1] = 3
	}
	for name, points := range map[string][][]float64{"no points": nil, "too few": two(3), "a coordinate that does not vary": flat} {
		if _, ok := mixture.Fit(points, centres); ok {
			t.Errorf("%s: a fit", name)
		}
	}
}

// TestEmptyPartIsDropped checks that a centre without points gets no part, and that the weights of the others sum to 1.
func TestEmptyPartIsDropped(t *testing.T) {
	points := two(400)
	a, _ := mixture.Fit(points, centres)
	b, ok := mixture.Fit(points, append(centres[:2:2], []float64{1000, 1000}))
	if !ok {
		t.Fatal("no fit")
	}
	for _, at := range [][]float64{{-5, 0}, {5, 1}, {0, 0}} {
		if x, y := a.LogDensity(at), b.LogDensity(at); math.Abs(x-y) > 1e-6 {
			t.Errorf("log density at %v: %v and %v", at, x, y)
		}
	}
}

// TestFitGroups checks that each group gets a part of its own although the groups' centres say nothing: two crossed narrow clouds with
// one middle.
func TestFitGroups(t *testing.T) {
	r := rng.Stream(1, "groups")
	groups := make([][][]float64, 2)
	for i := range 400 {
		along, across := 3*r.Norm(), 0.1*r.Norm()
		if i%2 == 0 {
			groups[0] = append(groups[0], []float64{along, across})
		} else {
			groups[1] = append(groups[1], []float64{across, along})
		}
	}
	m, ok := mixture.FitGroups(groups)
	if !ok {
		t.Fatal("no mixture")
	}
	if inside, outside := m.LogDensity([]float64{4, 0}), m.LogDensity([]float64{3, 3}); inside-outside < 50 {
		t.Errorf("log density %.1f in an arm and %.1f between the arms", inside, outside)
	}
	if _, ok := mixture.FitGroups(nil); ok {
		t.Error("a mixture of no points")
	}
}
