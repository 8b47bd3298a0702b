package layout_test

import (
	"math"
	"strings"
	"testing"

	"achilles/infer/layout"
	"achilles/sim/record"
)

const carryLayout = `name = "carry"
[capability]
skill = { prior = "normal(0, 5)" }
span = { prior = "uniform(2, 12)" }
deep = { prior = "uniform(0, 2*span)" }
rate = { prior = "beta(1, 1)" }
scale = { prior = "gamma(2, 1)" }
[response.success]
p = "logistic(skill - scale)*rate*logistic(deep)*logistic(span)"
`

// TestCarry compares the priors of a few draws with moments by hand: of the value, of its logarithm, or of its place between the bounds, which for
// deep are those of each draw.
func TestCarry(t *testing.T) {
	l := parse(t, carryLayout)
	items := labelled(map[string][]float64{"d": {0}})
	d := bind(t, l, items, []record.Measure{{Name: "success", Family: record.Binary}})
	none := math.NaN()
	got, distance, err := d.Carry([][]float64{{-1, 4, 2, none, math.Exp(1)}, {1, 10, 15, none, math.Exp(3)}})
	if err != nil {
		t.Fatal(err)
	}
	// places: span .2 and .8, deep .25 and .75: mean 1/2, so that a = b = (1/4/variance - 1)/2
	span, deep := (0.25/0.18-1)/2, (0.25/0.125-1)/2
	want := []layout.Carried{{"skill", [2]float64{0, math.Sqrt2}}, {"span", [2]float64{span, span}}, {"deep", [2]float64{deep, deep}}, {"scale", [2]float64{2, math.Sqrt2}}}
	if len(got) != len(want) {
		t.Fatalf("%v", got)
	}
	for i, w := range want {
		if got[i].Parameter != w.Parameter || math.Abs(got[i].Args[0]-w.Args[0]) > 1e-12 || math.Abs(got[i].Args[1]-w.Args[1]) > 1e-12 {
			t.Errorf("%v, want %v", got[i], w)
		}
		if !(distance[i] >= 0.25 && distance[i] <= 0.5) { // of two draws, each of which is a step of 1/2
			t.Errorf("%s is %g from its prior", w.Parameter, distance[i])
		}
	}
	if math.Abs(distance[0]-(0.5-0.23975006109347674)) > 1e-12 { // Φ(−1/√2)
		t.Errorf("skill is %.17g from its prior", distance[0])
	}
	carried := bind(t, layout.WithPriors(l, got), items, []record.Measure{{Name: "success", Family: record.Binary}})
	target := carried.NewTarget((&layout.Data{}).WithoutResponses(carried))
	z, q, theta := []float64{0, 0, 0, 0, 0}, make([]float64, 5), make([]float64, 5)
	target.FromOdds(z, q)
	target.Constrain(q, theta)
	for i, median := range []float64{0, 7, 7, 0.5, math.Exp(2)} {
		if math.Abs(theta[i]-median) > 1e-9 {
			t.Errorf("median of %s is %g, want %g", carried.Parameters()[i].Name, theta[i], median)
		}
	}
	if again, _, err := carried.Carry([][]float64{{-1, 4, 2, none, math.Exp(1)}, {1, 10, 15, none, math.Exp(3)}}); err != nil || again[1].Args != got[1].Args {
		t.Errorf("carried over twice: %v, %v", again, err)
	}
	for want, draws := range map[string][]float64{
		"the draws of span are not within its prior uniform(2, 12)":                                                   {0, 13, 1, none, 1},
		"the draws of deep are not within its prior uniform(0, 2*span), or this depends on a parameter without draws": {0, none, 1, none, 1},
	} {
		if _, _, err := d.Carry([][]float64{draws, draws}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
