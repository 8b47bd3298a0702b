package misfit_test

import (
	"fmt"
	"math"
	"testing"

	"achilles/infer/misfit"
	"achilles/sim/longtest"
	"achilles/sim/rng"
)

var kinds = []string{"sd 1", "sd 2", "two sorts", "slopes", "guessing"}

// group returns n subjects who respond independently to items of a kind; what their models expect knows nothing of the items.
func group(root uint64, n, items int, kind string) []misfit.Answers {
	r := rng.Stream(root, "group")
	hard, slope := make([]float64, items), make([]float64, items)
	for i := range hard {
		slope[i] = 1
		switch kind {
		case "sd 1":
			hard[i] = r.Norm()
		case "sd 2":
			hard[i] = 2 * r.Norm()
		case "two sorts":
			hard[i] = 3 * math.Copysign(1, r.Norm())
		case "slopes":
			hard[i], slope[i] = r.Norm(), math.Exp(0.5*r.Norm())
		case "guessing":
			hard[i] = 1.5 * r.Norm()
		}
	}
	out := make([]misfit.Answers, n)
	for s := range out {
		able := 0.5 + r.Norm()
		out[s].Subject = fmt.Sprint("s", s)
		for i := range hard {
			p := 1 / (1 + math.Exp(slope[i]*(hard[i]-able)))
			if kind == "guessing" {
				p = 0.25 + 0.75*p
			}
			out[s].Key, out[s].Passed = append(out[s].Key, i), append(out[s].Passed, r.Bernoulli(p))
		}
		oneRate(&out[s])
	}
	return out
}

// TestFewAreNotNamed draws groups of two to twelve independent subjects beside items of very different kinds, which agree where all find an item easy
// or all hard. At the alarm of .01 five of 100 or more have probability .0034.
func TestFewAreNotNamed(t *testing.T) {
	named := 0
	for _, shape := range [][2]int{{2, 400}, {3, 400}, {6, 400}, {12, 200}} {
		for _, kind := range kinds {
			for root := range uint64(5) {
				if p := misfit.Alike(group(501+root, shape[0], shape[1], kind), 0.01); len(p) > 0 {
					t.Log(shape, kind, root, p)
					named++
				}
			}
		}
	}
	if named >= 5 {
		t.Errorf("in %d of 100 groups somebody is named", named)
	}
}

// TestCopyingPower counts how often a subject is named that has a part of its responses from another.
func TestCopyingPower(t *testing.T) {
	longtest.Only(t, "takes a minute")
	for _, shape := range [][2]int{{4, 200}, {12, 200}, {30, 100}, {60, 40}} {
		for _, part := range []float64{0.3, 0.5, 0.8} {
			found, others := 0, 0
			for root := range uint64(40) {
				all := group(501+root, shape[0], shape[1], "sd 1")
				r := rng.Stream(501+root, "copying")
				for i := range all[1].Passed {
					if r.Bernoulli(part) {
						all[1].Passed[i] = all[0].Passed[i]
					}
				}
				oneRate(&all[1])
				for _, p := range misfit.Alike(all, 0.01) {
					if p.Subject == "s0" && p.Other == "s1" {
						found++
					} else {
						others++
					}
				}
			}
			t.Logf("%d subjects × %d items, %g copied: named in %d of 40, others %d times", shape[0], shape[1], part, found, others)
		}
	}
}
