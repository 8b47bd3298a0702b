package mml

import (
	"slices"
	"testing"

	"achilles/sim/longtest"
)

// twoForms returns the first half of the subjects of a table, fitted alone, and the other half, with the first four of its items known from there.
func twoForms(t *testing.T, seed uint64, m Model, errors bool) (*Data, Settings) {
	t.Helper()
	d, _ := drawn(seed, m, 600, 10, 2)
	first := estimated(t, &Data{Categories: d.Categories, Responses: d.Responses[:300]}, Settings{Model: m})
	known := make([]*Item, 10)
	for i := range 4 {
		known[i] = &Item{Slope: first.Items[i].Slope, Intercept: first.Items[i].Intercept}
		if errors {
			known[i].SlopeSE, known[i].InterceptSE = first.Items[i].SlopeSE, first.Items[i].InterceptSE
		}
	}
	return &Data{Categories: d.Categories, Responses: d.Responses[300:]}, Settings{Model: m, Known: known}
}

// TestDriftOfUncertainAnchors gives an anchor standard errors as large as those of the estimates: their difference has twice the variance, and
// the likelihood ratio is half of that of exact anchors. Others keep theirs.
func TestDriftOfUncertainAnchors(t *testing.T) {
	for _, m := range []Model{Rasch, TwoPL} {
		d, s := twoForms(t, 501, m, false)
		base := estimated(t, d, s)
		exact, err := Drift(d, s, base)
		if err != nil {
			t.Fatal(err)
		}
		free := s
		free.Known = slices.Clone(s.Known)
		free.Known[1], free.Start = nil, base
		here := estimated(t, d, free).Items[1]
		s.Known[1] = &Item{Slope: s.Known[1].Slope, Intercept: s.Known[1].Intercept, SlopeSE: here.SlopeSE, InterceptSE: here.InterceptSE}
		uncertain, err := Drift(d, s, base)
		if err != nil {
			t.Fatal(err)
		}
		near(t, string(m)+": likelihood ratio", uncertain[1].LR, exact[1].LR/2, 0.01*exact[1].LR)
		near(t, string(m)+": of another", uncertain[2].LR, exact[2].LR, 0)
	}
}

// TestDriftAlarms tests four anchors of 100 pairs of forms of 300 subjects each, whose items are the same. Of 400 tests at 5 % more than 36 are
// significant with probability .0004 if they are independent; with anchors taken as exact the ratio is twice as large, and 89 of two parameters are
// expected.
func TestDriftAlarms(t *testing.T) {
	longtest.Only(t, "takes minutes")
	for _, m := range []Model{Rasch, TwoPL} {
		found := [2]int{}
		for seed := range uint64(100) {
			for k, errors := range []bool{false, true} {
				d, s := twoForms(t, 1850+seed, m, errors)
				list, err := Drift(d, s, estimated(t, d, s))
				if err != nil {
					t.Fatal(err)
				}
				for _, x := range list {
					if x.P < 0.05 {
						found[k]++
					}
				}
			}
		}
		t.Logf("%s: %d of 400 with errors, %d with anchors taken as exact", m, found[1], found[0])
		if found[1] > 36 {
			t.Errorf("%s: %d of 400 anchors have changed", m, found[1])
		}
	}
}
