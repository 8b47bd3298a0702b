package adaptive_test

import (
	"context"
	"math"
	"testing"

	"achilles/infer/adaptive"
	"achilles/infer/layout"
	"achilles/sim/longtest"
	"achilles/sim/num"
	"achilles/sim/record"
	"achilles/sim/rng"
)

// withSlopes is of items that discriminate differently.
const withSlopes = `name = "2pl"
[capability]
ability = { prior = "normal(0, 1)" }
[item]
difficulty = { prior = "normal(0, 2)" }
discrimination = { prior = "lognormal(0, 1)" }
[response.success]
p = "logistic(discrimination * (ability - difficulty))"
`

// TestStopping lets simulated subjects take items of a bank of 60, whose estimates have errors, until the posterior SD is .45 of the SD of subjects. The root
// mean squared error at the stop is that, with a false alarm in a thousand for each layout, and 5 % that it may be less because the last item brings the SD
// below it or more because of errors of items.
func TestStopping(t *testing.T) {
	longtest.Only(t, "takes a minute")
	const n, subjects, sd = 60, 300, 0.45
	for _, c := range []struct{ name, text string }{{"rasch", rasch}, {"2pl", withSlopes}} {
		l, err := layout.Parse(c.name+".toml", c.text)
		if err != nil {
			t.Fatal(err)
		}
		items := candidates(n)
		j, err := l.BindJoint(items, []string{""}, nil, []record.Measure{{Name: "success", Family: record.Binary}})
		if err != nil {
			t.Fatal(err)
		}
		r := rng.Stream(3410, "stopping", c.name)
		spread := 1.0
		slope, difficulty := make([]float64, n), make([]float64, n)
		for i := range n {
			slope[i], difficulty[i] = 1, 1.5*r.Norm()
			if c.name == "2pl" {
				slope[i] = math.Exp(0.3 * r.Norm())
			} else {
				spread = spreadOf
			}
		}
		f := &adaptive.Fitted{Joint: j}
		centre := make([][2]float64, n) // what a fit has found
		for i := range centre {
			centre[i] = [2]float64{difficulty[i] + 0.15*r.Norm(), slope[i] * math.Exp(0.1*r.Norm())}
		}
		for range 200 {
			theta := make([]float64, j.Len())
			for i := range n {
				theta[j.First(1)+i] = centre[i][0] + 0.15*r.Norm()
				if c.name == "2pl" {
					theta[j.First(2)+i] = centre[i][1] * math.Exp(0.1*r.Norm())
				}
			}
			if c.name == "rasch" {
				theta[j.First(2)] = spreadOf
			}
			f.Draws = append(f.Draws, theta)
		}
		squares, taken, stopped := make([]float64, subjects), 0, 0
		for s := range squares {
			ability := spread * r.Norm()
			chooser, err := adaptive.New([]adaptive.Model{{Fitted: f, Prior: 1}}, items, adaptive.Settings{Items: n, SD: sd, Order: adaptive.ByPrecision}, "new")
			if err != nil {
				t.Fatal(err)
			}
			for {
				i, ok := chooser.Next()
				if !ok {
					break
				}
				y := record.Response{Item: int32(i)}
				if r.Bernoulli(num.Logistic(slope[i] * (ability - difficulty[i]))) {
					y.Value = 1
				}
				if err := chooser.Record(context.Background(), i, []record.Response{y}); err != nil {
					t.Fatal(err)
				}
				taken++
			}
			if chooser.Enough() == adaptive.Reached {
				stopped++
			}
			d := (chooser.Mean()[0] - ability) / spread
			squares[s] = d * d
		}
		mean, v := num.Moments(squares)
		rmse := math.Sqrt(mean)
		mcse := math.Sqrt(v/subjects) / 2 / rmse
		t.Logf("%s: error %.3f (MCSE %.3f) at an SD of %g after %.1f of %d items; %d of %d stopped by it", c.name, rmse, mcse, sd, float64(taken)/subjects, n, stopped, subjects)
		if math.Abs(rmse-sd) > 0.05*sd+3.3*mcse {
			t.Errorf("%s: error %.3f, SD %g", c.name, rmse, sd)
		}
	}
}
