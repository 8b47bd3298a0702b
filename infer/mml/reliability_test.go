package mml

import (
	"math"
	"testing"

	"achilles/sim/longtest"
	"achilles/sim/num"
	"achilles/sim/rng"
)

// TestFeldt holds intervals against quantiles of F by R 4.5: with 40 and 200 degrees of freedom 0.5915135436 and 1.562136991, with 4 and 8
// 0.111363778 and 5.052632217.
func TestFeldt(t *testing.T) {
	for _, c := range []struct{ r, n, items, low, high float64 }{
		{0.8, 41, 6, 1 - 0.2*1.562136991, 1 - 0.2*0.5915135436},
		{0.9, 5, 3, 1 - 0.1*5.052632217, 1 - 0.1*0.111363778},
		{0, 5, 3, 0, 1 - 0.111363778},
		{0.8, 1, 3, math.NaN(), math.NaN()},
		{0.8, 3, 1, math.NaN(), math.NaN()},
	} {
		low, high := feldt(c.r, c.n, c.items)
		if same := func(a, b float64) bool { return math.IsNaN(a) && math.IsNaN(b) || math.Abs(a-b) < 1e-8 }; !same(low, c.low) || !same(high, c.high) {
			t.Errorf("%v of %v × %v: [%v, %v], want [%v, %v]", c.r, c.n, c.items, low, high, c.low, c.high)
		}
	}
}

// TestReliabilityCovers counts how often the 95 % interval of a reliability has that of the population, one minus the mean posterior variance of
// abilities over their variance, where difficulties and spread are known. Of 200 tables a rate of 0.95 is below 0.90 in 2 of 1000, of all shapes
// together less often.
func TestReliabilityCovers(t *testing.T) {
	tables := uint64(20)
	if longtest.On() {
		tables = 200
	}
	var all rate
	for _, c := range []struct {
		n, items int
		sd       float64
	}{{5, 3, 1}, {9, 20, 1}, {12, 5, 2}, {20, 5, 0.5}, {30, 10, 1}, {60, 16, 1.2}} {
		var within rate
		for seed := range tables {
			r := rng.Stream(501+seed, "reliability")
			b := make([]float64, c.items)
			d := &Data{}
			for i := range b {
				b[i], d.Categories = r.Norm(), append(d.Categories, 2)
			}
			for range c.n {
				theta, row := c.sd*r.Norm(), make([]int8, c.items)
				for i := range row {
					if r.Float64() < num.Logistic(theta-b[i]) {
						row[i] = 1
					}
				}
				d.Responses = append(d.Responses, row)
			}
			f, err := Estimate(d, Settings{Model: Rasch})
			if err != nil {
				continue // an item that everybody passes, or fails
			}
			rel := f.Reliability(f.Scores(), 0)
			truth := reliabilityOf(b, c.sd)
			within.add(rel.Low <= truth && truth <= rel.High)
			all.add(rel.Low <= truth && truth <= rel.High)
		}
		t.Logf("%d × %d, spread %v: %.3f of %g", c.n, c.items, c.sd, within.share(), within.of)
		if longtest.On() && within.share() < 0.9 {
			t.Errorf("%d × %d, spread %v: %.3f of %g", c.n, c.items, c.sd, within.share(), within.of)
		}
	}
	if all.share() < 0.9 {
		t.Errorf("%.3f of %g intervals", all.share(), all.of)
	}
}

// reliabilityOf returns one minus the mean posterior variance of abilities over their variance: the posterior of each number of passes, by
// quadrature.
func reliabilityOf(b []float64, sd float64) float64 {
	const points = 121
	moments := make([][3]float64, len(b)+1)
	for q := range points {
		z := -5 + 10*float64(q)/(points-1)
		chance := make([]float64, len(b)+1) // of each number of passes
		chance[0] = math.Exp(-z * z / 2)
		for i := range b {
			p := num.Logistic(sd*z - b[i])
			for k := i + 1; k >= 0; k-- {
				chance[k] *= 1 - p
				if k > 0 {
					chance[k] += chance[k-1] * p
				}
			}
		}
		for k, w := range chance {
			for m := range 3 {
				moments[k][m] += w * math.Pow(z, float64(m))
			}
		}
	}
	total, v := 0.0, 0.0
	for _, m := range moments {
		total, v = total+m[0], v+m[2]-m[1]*m[1]/m[0]
	}
	return 1 - v/total
}
