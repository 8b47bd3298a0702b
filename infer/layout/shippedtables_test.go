package layout_test

import (
	"math"
	"testing"

	"achilles/infer/layout"
	"achilles/sim/record"
)

// TestShippedOfTables compares the log likelihood of one response, under the shipped layouts for people's tables, with the formula of
// the paper that the layout names, written by hand.
func TestShippedOfTables(t *testing.T) {
	lg := logistic
	// Partial credit: P(k) in proportion to exp(Σ_{j≤k} a(θ − step j)).
	credit := func(a, ability float64, steps ...float64) func(k int) float64 {
		return func(k int) float64 {
			total, mine, sum := 1.0, 1.0, 0.0
			for j, step := range steps {
				sum += a * (ability - step)
				total += math.Exp(sum)
				if j+1 == k {
					mine = math.Exp(sum)
				}
			}
			return mine / total
		}
	}
	graded := func(a, ability float64, thresholds ...float64) func(k int) float64 {
		above := func(k int) float64 {
			switch {
			case k == 0:
				return 1
			case k > len(thresholds):
				return 0
			}
			return lg(a * (ability - thresholds[k-1]))
		}
		return func(k int) float64 { return above(k) - above(k+1) }
	}
	success := func(p float64) func(k int) float64 {
		return func(k int) float64 { return map[bool]float64{true: p, false: 1 - p}[k == 1] }
	}
	demands := []string{"AS", "AT", "CEc", "CEe", "CL", "KNa", "KNc", "KNf", "KNn", "KNs", "MCr", "MCt", "MCu", "MS", "QLl", "QLq", "SNs", "VO"}
	level := func(k int) float64 { return float64(k % 6) }
	met := 1.0
	abilities := map[string]float64{"lapse": 0.1}
	var columns []record.Column
	for k, d := range demands {
		columns = append(columns, numberColumn(d, []float64{level(k)}))
		abilities["ability["+d+"]"] = 2 + 0.3*float64(k)
		if level(k) > 0 {
			met *= lg(2 + 0.3*float64(k) - level(k))
		}
	}
	for _, c := range []struct {
		layout     string
		columns    []record.Column
		theta      map[string]float64
		categories int
		p          func(k int) float64
	}{
		{"pcm", nil, map[string]float64{"ability": 0.7, "step1": -1.2, "step2": 0.4, "step3": 1.9}, 4, credit(1, 0.7, -1.2, 0.4, 1.9)},
		{"gpcm", nil, map[string]float64{"ability": 0.7, "discrimination": 1.6, "step1": -1.2, "step2": 0.4, "step3": 1.9}, 4, credit(1.6, 0.7, -1.2, 0.4, 1.9)},
		{"grm", nil, map[string]float64{"ability": 0.7, "discrimination": 1.6, "threshold": -1.2, "gap2": 1.6, "gap3": 1.5}, 4, graded(1.6, 0.7, -1.2, 0.4, 1.9)},
		{"2pl-signed", nil, map[string]float64{"ability": 0.7, "slope": -0.8, "easiness": 0.3}, 2, success(lg(-0.8*0.7 + 0.3))},
		{"growth", nil, map[string]float64{"ability": 0.7, "difficulty": 0.3}, 2, success(lg(0.4))},
		{"time-horizon", []record.Column{numberColumn("human_minutes", []float64{8})}, map[string]float64{"horizon": 5, "slope": 0.6}, 2, success(lg(0.6 * (5 - 3)))},
		{"adele", columns, abilities, 2, success(0.9 * met)},
	} {
		family := record.Binary
		if c.categories > 2 {
			family = record.Choice
		}
		measures := []record.Measure{{Name: "success", Family: family}}
		if c.columns == nil {
			c.columns = []record.Column{numberColumn("none", []float64{0})}
		}
		items := newItems(c.columns...)
		l := shipped(t, c.layout)
		age := []record.Column{{Feature: record.Feature{Name: "age", Kind: record.Number}, Number: []float64{72}}}
		total := 0.0
		for k := range c.categories {
			r := []record.Response{{Value: float64(k)}}
			got := 0.0
			if l.Joint() {
				j, err := l.BindJoint(items, []string{"s"}, age, measures)
				if err != nil {
					t.Fatal(err)
				}
				cells, err := j.NewCells(r, nil)
				if err != nil {
					t.Fatal(err)
				}
				theta, out := valuesOf(l.Parameters, c.theta), []float64{0}
				cells.NewTarget(make([]bool, len(l.Parameters)), 1).PointwiseLogLik(0, theta, out)
				got = out[0]
			} else {
				out := []float64{0}
				target(t, bind(t, l, items, measures), r).PointwiseLogLik(valuesOf(l.Parameters, c.theta), out)
				got = out[0]
			}
			if want := math.Log(c.p(k)); !near(got, want, 1e-10) {
				t.Errorf("%s: log probability of %d is %.12g, by hand %.12g", c.layout, k, got, want)
			}
			total += math.Exp(got)
		}
		if !near(total, 1, 1e-12) {
			t.Errorf("%s: probabilities add up to %.15g", c.layout, total)
		}
	}
}

// valuesOf returns a vector of parameters with one unit each: those that are given, and 1 of the others.
func valuesOf(parameters []layout.Parameter, given map[string]float64) []float64 {
	var theta []float64
	for _, p := range parameters {
		x, ok := given[p.Name]
		if !ok {
			x = 1
		}
		theta = append(theta, x)
	}
	return theta
}
