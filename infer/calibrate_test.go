package infer

import (
	"strconv"
	"testing"

	"achilles/infer/layout"
	"achilles/sim/longtest"
	"achilles/sim/record"
)

func TestSteeper(t *testing.T) {
	for in, want := range map[string]string{
		`p = "a*logistic(b - (c + d))*e"`: `p = "a*logistic(1.2*(b - (c + d)))*e"`,
		`logistic(logistic(x))`:           `logistic(1.2*(logistic(1.2*(x))))`,
		`p = "rate"`:                      `p = "rate"`,
		`logistic(`:                       `logistic(`,
	} {
		if got := steeper(in); got != want {
			t.Errorf("%s: %s, want %s", in, got, want)
		}
	}
}

func TestWeaker(t *testing.T) {
	for in, want := range map[string]string{
		"[response.y]\n  p = \"a*b\" # rate\n": "[response.y]\n  p = \"0.98*(a*b)\" # rate\n",
		"p=\"a\"\nup = \"b\"":                  "p=\"0.98*(a)\"\nup = \"b\"",
		"p = 3":                                "p = 3",
		"p = \"":                               "p = \"",
	} {
		if got := weaker(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

// TestCalibration checks that the right posteriors of two rates pass, and that two planted errors are found: a success
// probability that is 2 % too low, and draws from the prior instead of the posterior, which only the log likelihood
// finds.
func TestCalibration(t *testing.T) {
	d := twoRates(t, 200)
	c := Job{Settings: few(501), Layout: d.Layout()}
	faults, err := c.faults(&record.Dataset{Items: *ratedItems(200), Manifest: record.Manifest{Schema: record.Schema{Measures: []record.Measure{{Name: "success", Family: record.Binary}}}}})
	if err != nil {
		t.Fatal(err)
	}
	all := make([]*replication, 80)
	for i := range all {
		if all[i], err = replicate(t.Context(), d, faults, c, string(rune('a'+i))); err != nil {
			t.Fatal(err)
		}
	}
	all[3] = nil
	res := calibration(append(d.Names(), jointLikelihood), faults, all, 501)
	if res.Replications != 79 || res.Unresolved != 1 {
		t.Errorf("%d replications, %d unresolved", res.Replications, res.Unresolved)
	}
	for _, q := range res.Quantities {
		if q.P < 1e-4 {
			t.Errorf("%s: p = %v", q.Name, q.P)
		}
	}
	found := map[string]PlantedError{}
	for _, p := range res.Planted {
		found[p.Name] = p
		t.Logf("%+v", p)
	}
	if p := found["success × 0.98"]; p.P > 0.01 || p.Power < 0.3 {
		t.Errorf("%+v", p)
	}
	if p := found["responses ignored"]; p.P > 1e-6 || p.Power < 0.95 || p.By != jointLikelihood {
		t.Errorf("%+v", p)
	}
}

// TestUsesMeans checks that a layout whose likelihood depends on the mean of its data is recognised. No data can be
// drawn from it.
func TestUsesMeans(t *testing.T) {
	l, err := layout.Parse("mean.toml", "name = \"mean\"\n[capability]\na = { prior = \"uniform(0, 1)\" }\n[response.success]\np = \"mix(a, 1, mean(success))\"\n")
	if err != nil {
		t.Fatal(err)
	}
	design, err := l.Bind(ratedItems(2), []record.Measure{{Name: "success", Family: record.Binary}})
	if err != nil {
		t.Fatal(err)
	}
	if !design.UsesMeans() || twoRates(t, 2).UsesMeans() {
		t.Error("the wrong layout depends on the mean")
	}
}

// inflated has the same rate as the mean of scores and as the share of ones among zeros and ones, so that it is their expectation.
const inflated = `name = "scores"
[metafeature]
g = { column = "g", range = [0, 1] }
[capability]
level = { prior = "normal(0, 1)" }
[bias]
spread = { prior = "gamma(4, 0.5)" }
inflation = { prior = "beta(2, 6)" }
[performance]
p = "logistic(level - g)"
[response.score]
family = "zero_one_inflated_beta"
mean = "p"
precision = "spread + 1"
inflation = "inflation"
ones = "p"
`

// TestCalibrationOfScores checks that the posteriors of a zero-one-inflated beta are right: the ranks of the true parameters and
// of their log likelihood among the draws are uniform. With -long there are 80 replications instead of 12.
func TestCalibrationOfScores(t *testing.T) {
	l, err := layout.Parse("scores.toml", inflated)
	if err != nil {
		t.Fatal(err)
	}
	d, err := l.Bind(ratedItems(15), []record.Measure{{Name: "score", Family: record.Unit}})
	if err != nil {
		t.Fatal(err)
	}
	c := Job{Settings: few(501), Layout: l}
	n := 12
	if longtest.On() {
		n = 80
	}
	all := make([]*replication, n)
	for i := range all {
		if all[i], err = replicate(t.Context(), d, nil, c, strconv.Itoa(i)); err != nil {
			t.Fatal(err)
		}
	}
	for _, q := range calibration(append(d.Names(), jointLikelihood), nil, all, 501).Quantities {
		if q.P < 1e-4 {
			t.Errorf("%s: p = %v", q.Name, q.P)
		}
		t.Logf("%s: p = %.3f", q.Name, q.P)
	}
}
