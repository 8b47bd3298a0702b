package layout_test

import (
	"math"
	"strings"
	"testing"

	"achilles/infer/layout"
	"achilles/sim/num"
	"achilles/sim/record"
	"achilles/sim/rng"
)

// counts is a layout of one ability, whose responses say how many trials they count.
const counts = `name = "counts"
[metafeature]
size = { column = "size", range = [0, 5] }
[capability]
ability = { prior = "normal(0, 1)" }
[response.right]
family = "binomial"
p = "logistic(ability - size)"
`

func bindCounts(t *testing.T, text string) *layout.Joint {
	t.Helper()
	it := &record.Items{ID: []string{"i", "k"}, Suite: make([]string, 2), Paradigm: make([]string, 2), Task: make([]string, 2),
		Columns: []record.Column{{Feature: record.Feature{Name: "size"}, Number: []float64{1, 3}}}}
	j, err := parse(t, text).BindJoint(it, []string{"ann", "bob"}, nil, []record.Measure{{Name: "right", Family: record.Count}})
	if err != nil {
		t.Fatal(err)
	}
	return j
}

// TestTrialsByResponse compares the density of counts of different numbers of trials, two of them on one item, with the binomial
// distribution written out here, its gradient with central differences, and the expected counts with p·n.
func TestTrialsByResponse(t *testing.T) {
	responses := []record.Response{
		{Item: 0, Value: 3, Trials: 4}, {Item: 0, Repetition: 1, Value: 2, Trials: 9}, {Item: 1, Value: 0, Trials: 1},
		{Subject: 1, Item: 0, Value: 5, Trials: 5}, {Subject: 1, Item: 1, Value: 1, Trials: 2},
	}
	j := bindCounts(t, counts)
	cells, err := j.NewCells(responses, nil)
	if err != nil {
		t.Fatal(err)
	}
	choose := []float64{4, 36, 1, 1, 2}
	theta := []float64{0.7, -0.2}
	want, p := 0.0, make([]float64, len(responses))
	for _, x := range theta {
		want -= x*x/2 + math.Log(2*math.Pi)/2
	}
	for i, r := range responses {
		p[i] = num.Logistic(theta[r.Subject] - []float64{1, 3}[r.Item])
		n := float64(r.Trials)
		want += math.Log(choose[i]) + r.Value*math.Log(p[i]) + (n-r.Value)*math.Log(1-p[i])
	}
	target := cells.NewTarget([]bool{true}, 1)
	checkDensity(t, target, theta, want)
	expected := make([]float64, len(responses))
	target.Expected(theta, expected)
	for i, r := range responses {
		if want := p[i] * float64(r.Trials); math.Abs(expected[i]-want) > 1e-12 {
			t.Errorf("response %d: expected count %g, want %g", i, expected[i], want)
		}
	}
}

func TestTrialsByResponseErrors(t *testing.T) {
	j, r := bindCounts(t, counts), rng.Stream(1, "trials")
	if _, err := j.NewCells([]record.Response{{Item: 1, Value: 3}}, nil); !strings.HasPrefix(message(err), "test.toml:8: key response.right.p: the response of subject ann to item k does not say of how many trials it counts the successes") {
		t.Errorf("a count without its number of trials: %v", err)
	}
	if _, err := j.NewCells([]record.Response{{Value: 3, Trials: 2}}, nil); !strings.Contains(message(err), "value 3 is not a whole number from 0 to 2") {
		t.Errorf("more successes than trials: %v", err)
	}
	if _, err := j.Simulate(make([]float64, 2), &r); message(err) != "test.toml:8: key response.right.p: the number of trials comes with each response, so that no response can be drawn: give trials here" {
		t.Errorf("drawn: %v", err)
	}
	if _, err := parse(t, counts).Bind(&record.Items{ID: []string{"i"}}, nil); message(err) != "test.toml:8: key response.right.p: each response to right says how many trials it counts, so that all subjects are measured together, in one fit" {
		t.Errorf("bound to single subjects: %v", err)
	}
}
