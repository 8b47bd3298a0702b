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
