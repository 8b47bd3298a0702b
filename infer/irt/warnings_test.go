package irt

import (
	"fmt"
	"strings"
	"testing"

	"achilles/sim/num"
	"achilles/sim/record"
	"achilles/sim/rng"
)

// TestCoinsHaveNoReliability fits slopes to 200 × 8 responses, some of which a slope at its bound follows: subjects of coins hardly differ, whatever the
// reliability that such slopes have, and those of one ability do.
func TestCoinsHaveNoReliability(t *testing.T) {
	for _, slope := range []float64{0, 1.5} {
		said := 0
		for seed := range uint64(3) {
			a, err := Run(ofCoins(seed, slope), Default())
			if err != nil {
				t.Fatal(err)
			}
			if a.Has("hardly-differ") {
				said++
			}
		}
		if slope == 0 && said < 3 || slope > 0 && said > 0 {
			t.Errorf("slope %v: subjects are said hardly to differ in %d of 3 tables", slope, said)
		}
	}
}

// ofCoins draws the responses of 200 subjects to 8 items, whose log odds are slope × ability.
func ofCoins(seed uint64, slope float64) *record.Dataset {
	r := rng.Stream(seed, "coins")
	d := &record.Dataset{}
	d.Manifest.Measures = []record.Measure{{Name: "success", Family: record.Binary}}
	for i := range 8 {
		d.Items.ID = append(d.Items.ID, fmt.Sprint("q", i))
		d.Items.Suite, d.Items.Paradigm, d.Items.Task = append(d.Items.Suite, ""), append(d.Items.Paradigm, ""), append(d.Items.Task, "")
	}
	var list []record.Response
	for s := range 200 {
		d.Subjects = append(d.Subjects, fmt.Sprint("s", s))
		p := num.Logistic(slope * r.Norm())
		for i := range 8 {
			x := record.Response{Subject: int32(s), Item: int32(i)}
			if r.Bernoulli(p) {
				x.Value = 1
			}
			list = append(list, x)
		}
	}
	d.Responses = record.PackResponses(list)
	return d
}

// TestRunning checks that what is being done is named, in order, and that at the end nothing is.
func TestRunning(t *testing.T) {
	var parts []string
	s := Default()
	s.Running = func(part string) { parts = append(parts, part) }
	if _, err := Run(ofCoins(1, 1), s); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(parts, "; "); got != "parameters; item fit; person fit; pairs of items; " {
		t.Error(got)
	}
}
