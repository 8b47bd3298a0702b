package score_test

import (
	"math"
	"testing"

	"achilles/scenarios/score"
	"achilles/sim/rng"
)

func TestDecomposeByHand(t *testing.T) {
	cases := []struct {
		name, why string
		p, y      []float64
		want      score.Decomposition
	}{
		{
			"two bins", `bin 1 has p .10 and .15 with outcomes 0 and 1: f .125, o .5, gap 2·.375² = .28125, spread .5;
bin 9 has p .9 and 1 with outcomes 1 and 1: f .95, o 1, gap 2·.05² = .005, spread 0;
raw (.01 + .7225 + .01 + 0)/4; o = 3/4, resolution (2·.25² + 2·.25²)/4`,
			[]float64{0.10, 0.15, 0.9, 1}, []float64{0, 1, 1, 1},
			score.Decomposition{N: 4, Brier: 0.185625, Binned: 0.1965625, Calibration: 0.0715625, Refinement: 0.125, Uncertainty: 0.1875, Resolution: 0.0625},
		},
		{"perfect", "nothing to lose", []float64{0, 1, 1}, []float64{0, 1, 1}, score.Decomposition{N: 3, Uncertainty: 2.0 / 9, Resolution: 2.0 / 9}},
		{"anti-perfect", "all calibration: two pure bins, each wrong by 1", []float64{1, 0, 0}, []float64{0, 1, 1},
			score.Decomposition{N: 3, Brier: 1, Binned: 1, Calibration: 1, Uncertainty: 2.0 / 9, Resolution: 2.0 / 9}},
		{"one datum", "o = 1 in its bin", []float64{0.3}, []float64{1}, score.Decomposition{N: 1, Brier: 0.49, Binned: 0.49, Calibration: 0.49}},
		{"constant rate", "the aggregate: no resolution, calibration (.5 − .75)²", []float64{.5, .5, .5, .5}, []float64{1, 1, 1, 0},
			score.Decomposition{N: 4, Brier: 0.25, Binned: 0.25, Calibration: 0.0625, Refinement: 0.1875, Uncertainty: 0.1875}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			d := score.Decompose(c.p, c.y)
			got := []float64{float64(d.N), d.Brier, d.Binned, d.Calibration, d.Refinement, d.Uncertainty, d.Resolution}
			w := c.want
			want := []float64{float64(w.N), w.Brier, w.Binned, w.Calibration, w.Refinement, w.Uncertainty, w.Resolution}
			for i := range got {
				if math.Abs(got[i]-want[i]) > 1e-15 {
					t.Errorf("number %d: got %v, want %v; %s", i, got[i], want[i], c.why)
				}
			}
			if (len(c.p) < 2) != math.IsNaN(d.BrierSE) {
				t.Errorf("BrierSE = %v with %d forecasts", d.BrierSE, len(c.p))
			}
		})
	}
}

// TestBinEdges checks that an edge belongs to the bin above it, and 1 to the last bin, for the float64 values nearest
// to the edges. Two forecasts, one of a success and one of a failure, share a bin if and only if refinement is
// positive.
func TestBinEdges(t *testing.T) {
	together := func(p, q float64) bool {
		return score.Decompose([]float64{p, q}, []float64{0, 1}).Refinement > 0
	}
	for k := 1; k < score.Bins; k++ {
		edge := float64(k) / score.Bins
		below, last := math.Nextafter(edge, 0), math.Nextafter(float64(k+1)/score.Bins, 0)
		if together(below, edge) {
			t.Errorf("%v and %v share a bin", below, edge)
		}
		if !together(edge, last) {
			t.Errorf("%v and %v are in different bins", edge, last)
		}
	}
	if !together(0.9, 1) || !together(0, 0.05) {
		t.Error("the first and the last bin are not closed")
	}
}

// TestMurphyLaws checks over random forecasts that the binned Brier score = calibration + refinement = the Brier score
// of forecasts replaced by the mean of their bin; that refinement = uncertainty − resolution; and that the raw score is
// greater by the variance of the forecasts within bins, less twice their covariance with the outcomes.
func TestMurphyLaws(t *testing.T) {
	for s := range uint64(400) {
		r := rng.Stream(s, "murphy")
		n := 1 + r.IntN(200)
		p, y := make([]float64, n), make([]float64, n)
		for i := range p {
			p[i] = r.Float64()
			if r.Bernoulli(0.1) {
				p[i] = float64(r.IntN(11)) / 10
			}
			if r.Bernoulli(p[i] * p[i]) {
				y[i] = 1
			}
		}
		d := score.Decompose(p, y)
		binned, within := slowBinned(p, y)
		near(t, s, "binned", d.Binned, binned)
		near(t, s, "calibration + refinement", d.Calibration+d.Refinement, d.Binned)
		near(t, s, "uncertainty − resolution", d.Uncertainty-d.Resolution, d.Refinement)
		near(t, s, "raw", d.Brier, binned+within)
	}
}

// slowBinned computes the Brier score of the binned forecasts from its definition. within is what must be added to it
// to get the raw score.
func slowBinned(p, y []float64) (binned, within float64) {
	inBin := func(x float64, k int) bool {
		return x >= float64(k)/10 && (x < float64(k+1)/10 || k == 9)
	}
	for i := range p {
		k := 0
		for !inBin(p[i], k) {
			k++
		}
		f, o, n := 0.0, 0.0, 0.0
		for j := range p {
			if inBin(p[j], k) {
				f, o, n = f+p[j], o+y[j], n+1
			}
		}
		f, o = f/n, o/n
		binned += (f - y[i]) * (f - y[i]) / float64(len(p))
		within += ((p[i]-f)*(p[i]-f) - 2*(p[i]-f)*(y[i]-o)) / float64(len(p))
	}
	return binned, within
}

func near(t *testing.T, s uint64, what string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 1e-12 {
		t.Fatalf("seed %d: %s: got %v, want %v", s, what, got, want)
	}
}

// TestJackknife compares the fast jackknife with one that recomputes everything without each outcome in turn.
func TestJackknife(t *testing.T) {
	for s := range uint64(50) {
		r := rng.Stream(s, "jackknife")
		n := 2 + r.IntN(30)
		p, y := make([]float64, n), make([]float64, n)
		for i := range p {
			p[i], y[i] = r.Float64(), float64(r.IntN(2))
		}
		var out [3][]float64
		for i := range p {
			rest := func(x []float64) []float64 { return append(append([]float64{}, x[:i]...), x[i+1:]...) }
			d := score.Decompose(rest(p), rest(y))
			for k, v := range []float64{d.Brier, d.Calibration, d.Refinement} {
				out[k] = append(out[k], v)
			}
		}
		d := score.Decompose(p, y)
		near(t, s, "Brier", d.BrierSE, slowJackknife(out[0]))
		near(t, s, "calibration", d.CalibrationSE, slowJackknife(out[1]))
		near(t, s, "refinement", d.RefinementSE, slowJackknife(out[2]))
	}
}

func slowJackknife(x []float64) float64 {
	m, v, n := 0.0, 0.0, float64(len(x))
	for _, e := range x {
		m += e / n
	}
	for _, e := range x {
		v += (e - m) * (e - m)
	}
	return math.Sqrt(v * (n - 1) / n)
}

func TestDecomposePanics(t *testing.T) {
	for name, c := range map[string][2][]float64{
		"nothing":        {nil, nil},
		"lengths":        {{0.5}, {0, 1}},
		"p above 1":      {{1.1}, {1}},
		"p not a number": {{math.NaN()}, {1}},
		"y of a half":    {{0.5}, {0.5}},
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			score.Decompose(c[0], c[1])
		})
	}
}
