package joint_test

import (
	"math"
	"slices"
	"testing"

	"achilles/infer/joint"
	"achilles/infer/layout"
	"achilles/infer/posterior"
	"achilles/sim/record"
)

// TestImages fits layouts whose posterior has mirror images by each engine: tables of one subject, whose chains may all begin on one side, and one
// where all values change sides together. Means over both images are known: half-way. Six standard errors are by chance in 1 of 10⁸. The images of
// the mixture touch.
func TestImages(t *testing.T) {
	const item = "[shared]\nnothing = { prior = \"normal(0, 1)\" }\n[response.y]\np = "
	d := make([]float64, 40)
	for i := range d {
		d[i] = float64(i)/20 - 1
	}
	alone := bind(t, "name = \"twin\"\n[metafeature]\nd = { column = \"d\", range = [-1, 1] }\n[capability]\na = { prior = \"normal(1, 3)\" }\n"+item+"\"logistic(2*abs(a - 1) - 4 + d + 0*nothing)\"\n", battery(40, map[string][]float64{"d": d}), 1, record.Binary)
	mixed := bind(t, "name = \"mixed\"\n[metafeature]\nd = { column = \"d\", range = [-1, 1] }\n[capability]\na = { prior = \"normal(0, 3)\" }\nb = { prior = \"normal(0, 3)\" }\nw = { prior = \"beta(2, 2)\" }\n"+item+"\"mix(w, logistic(9*(a - d)), logistic(9*(b - d)) + 0*nothing)\"\n", battery(40, map[string][]float64{"d": d}), 1, record.Binary)
	var half, steps []record.Response
	for i := range d {
		half = append(half, record.Response{Item: int32(i), Value: float64(i % 2)})
		steps = append(steps, record.Response{Item: int32(i), Value: 1})
		if i >= 30 || i >= 10 && i%2 == 0 {
			steps[i].Value = 0
		}
	}
	for _, c := range []struct {
		name   string
		cells  *layout.Cells
		value  string
		centre float64
	}{{"twin", cells(t, alone, half), "a[sAa]", 1}, {"mixed", cells(t, mixed, steps), "w[sAa]", 0.5}, {"all", mirror(t, 0), "", 0}} {
		for _, engine := range []posterior.Engine{posterior.NUTS, posterior.Laplace, posterior.Marginal} {
			if c.name == "mixed" && engine != posterior.NUTS {
				continue
			}
			config := joint.Default()
			config.Warmup, config.Draws, config.Engine = 150, 300, engine
			p, err := joint.Sample(t.Context(), c.cells, config, 501)
			if err != nil {
				t.Errorf("%s by %s: %v", c.name, engine, err)
				continue
			}
			at := max(0, slices.Index(p.Parameters, c.value))
			s := p.Summaries[at]
			if !(math.Abs(s.Mean-c.centre) <= 6*s.MCSEMean && s.MCSEMean < 0.1*s.SD) {
				t.Errorf("%s by %s: %s is %.2f ± %.2f (MCSE %.3f), want a mean of %g", c.name, engine, p.Parameters[at], s.Mean, s.SD, s.MCSEMean, c.centre)
			}
			if warned(p, posterior.Mirrored) == (c.name == "mixed") || warned(p, posterior.RHat) || warned(p, posterior.OtherMaxima) {
				t.Errorf("%s by %s: warnings %v", c.name, engine, p.Warnings)
			}
			for _, theta := range p.Draws[0] { // the sides of all values change together
				if c.name == "all" && engine != posterior.Laplace && !(theta[0]*theta[20] > 0) {
					t.Fatalf("%s by %s: ability %.2f with slope %.2f", c.name, engine, theta[0], theta[20])
				}
			}
		}
	}
}

// TestNearImages fits posteriors with two images that the priors alone tell apart: of a value of everybody between which and 0 no chain comes. Draws are
// of both in proportion: mean, SD and evidence are those by quadrature. In "alone" the priors' share of the image differs so much from place to
// place that draws of one image, of which each goes to the other with it, would be 0.24 SDs off. In "beside" the mean of the prior stays on its side, so
// that the density cannot be folded, and chains cross.
func TestNearImages(t *testing.T) {
	d, responses := make([]float64, 40), []record.Response(nil)
	for i := range d {
		d[i] = float64(i)/20 - 1
		responses = append(responses, record.Response{Item: int32(i), Value: float64(i % 2)})
	}
	likelihood := func(slope float64) float64 {
		l := 26.0
		for i, x := range d {
			if m := 9*math.Abs(slope) - 9 + x; i%2 == 1 {
				l -= math.Log1p(math.Exp(-m))
			} else {
				l -= math.Log1p(math.Exp(m))
			}
		}
		return math.Exp(l)
	}
	normal := func(x, mean, sd float64) float64 {
		return math.Exp(-(x-mean)*(x-mean)/(2*sd*sd)) / (sd * math.Sqrt(2*math.Pi))
	}
	for name, of := range map[string]struct {
		shared string
		prior  func(slope float64) float64
	}{
		"one":   {"slope = { prior = \"normal(3, 1)\" }\n", func(slope float64) float64 { return normal(slope, 3, 1) }}, // the other image has a weight of 0.2 %
		"alone": {"slope = { prior = \"normal(0.5, 1)\" }\n", func(slope float64) float64 { return normal(slope, 0.5, 1) }},
		"beside": {"slope = { prior = \"normal(level, spread)\" }\nlevel = { prior = \"halfnormal(1)\" }\nspread = { prior = \"halfnormal(1)\" }\n", func(slope float64) (p float64) {
			const step = 0.04
			for level := step / 2; level < 5; level += step {
				for spread := step / 2; spread < 5; spread += step {
					p += step * step * 4 * normal(level, 0, 1) * normal(spread, 0, 1) * normal(slope, level, spread)
				}
			}
			return p
		}},
		"hierarchical": {"slope = { prior = \"normal(level, spread)\" }\nlevel = { prior = \"normal(1, 1)\" }\nspread = { prior = \"halfnormal(2)\" }\n", func(slope float64) (p float64) {
			const step = 0.08
			for level := -6.0; level < 8; level += step {
				for spread := step / 2; spread < 8; spread += step {
					p += step * step * 2 * normal(level, 1, 1) * normal(spread, 0, 2) * normal(slope, level, spread)
				}
			}
			return p
		}},
	} {
		j := bind(t, "name = \"near\"\n[metafeature]\nd = { column = \"d\", range = [-1, 1] }\n[capability]\nability = { prior = \"normal(0, 1)\" }\n[shared]\n"+of.shared+"[response.y]\np = \"logistic(9*abs(slope) - 9 + d + 0*ability)\"\n",
			battery(40, map[string][]float64{"d": d}), 1, record.Binary)
		const step = 0.02
		sum, mean, square := 0.0, 0.0, 0.0
		for slope := -1.6 + step/2; slope < 1.6; slope += step {
			w := step * likelihood(slope) * of.prior(slope)
			sum, mean, square = sum+w, mean+w*slope, square+w*slope*slope
		}
		mean /= sum
		sd := math.Sqrt(square/sum - mean*mean)
		config := joint.Default()
		config.Warmup, config.Draws = 500, 4000
		p, err := joint.Sample(t.Context(), cells(t, j, responses), config, 501)
		if err != nil {
			t.Fatal(err)
		}
		s := p.Summaries[1]
		if !(math.Abs(s.Mean-mean) <= 5*s.MCSEMean && s.MCSEMean < 0.02*s.SD && math.Abs(s.SD/sd-1) <= 0.1) {
			t.Errorf("%s: slope is %.3f ± %.3f (MCSE %.4f), want %.3f ± %.3f", name, s.Mean, s.SD, s.MCSEMean, mean, sd)
		}
		config.Engine = posterior.Laplace
		if l, err := joint.Sample(t.Context(), cells(t, j, responses), config, 501); name == "alone" && (err != nil || !(math.Abs(l.Summaries[1].Mean-mean) <= 0.1*sd) || !warned(l, posterior.Mirrored)) {
			t.Errorf("%s: by laplace: slope is %.3f ± %.3f, warnings %v (%v)", name, l.Summaries[1].Mean, l.Summaries[1].SD, l.Warnings, err)
		}
		if warned(p, posterior.Mirrored) != (name != "one") || warned(p, posterior.RHat) {
			t.Errorf("%s: warnings %v", name, p.Warnings)
		}
		if e := math.Log(sum) - 26; (name == "one" || name == "alone") && !(math.Abs(p.LogEvidence-e) <= 0.1) {
			t.Errorf("%s: log evidence %.2f ± %.2f, want %.2f", name, p.LogEvidence, p.LogEvidenceError, e)
		}
	}
}
