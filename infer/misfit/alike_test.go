package misfit_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"achilles/infer/misfit"
	"achilles/sim/rng"
)

// classroom returns n subjects who respond to 200 items, which differ in difficulty by sd in log odds. What their models expect knows
// nothing of the difficulty.
func classroom(root uint64, n int, sd float64) []misfit.Answers {
	r := rng.Stream(root, "classroom")
	hard := make([]float64, 200)
	for i := range hard {
		hard[i] = sd * r.Norm()
	}
	out := make([]misfit.Answers, n)
	for s := range out {
		able := 0.5 + r.Norm()
		out[s].Subject = fmt.Sprint("s", s)
		for i := range hard {
			p := 1 / (1 + math.Exp(hard[i]-able))
			out[s].Key, out[s].Passed = append(out[s].Key, i), append(out[s].Passed, r.Bernoulli(p))
		}
		oneRate(&out[s])
	}
	return out
}

// oneRate sets what a model expects that has one rate for all items.
func oneRate(a *misfit.Answers) {
	passed := 0.0
	for _, hit := range a.Passed {
		if hit {
			passed++
		}
	}
	a.P = slices.Repeat([]float64{(passed + 1) / float64(len(a.Passed)+2)}, len(a.Passed))
}

// copied makes subject to respond like subject from to all items but every nth.
func copied(all []misfit.Answers, to, from, nth int) {
	for i := range all[to].Passed {
		if i%nth != 0 {
			all[to].Passed[i] = all[from].Passed[i]
		}
	}
	oneRate(&all[to])
}

// TestCopiesAreNamed checks that a subject who copied nine tenths of its responses is named, and who it copied from, on ten seeds,
// beside items of the same difficulty and of very different ones.
func TestCopiesAreNamed(t *testing.T) {
	for _, sd := range []float64{0, 1.5} {
		for root := range uint64(10) {
			all := classroom(root, 20, sd)
			copied(all, 7, 3, 10)
			pairs := misfit.Alike(all, 0.01)
			if len(pairs) == 0 || pairs[0].Subject != "s3" || pairs[0].Other != "s7" || pairs[0].Of != 200 || pairs[0].Agree < 185 {
				t.Errorf("difficulty %v, root %d: %+v", sd, root, pairs)
			}
			if len(pairs) > 1 {
				t.Errorf("difficulty %v, root %d: others are named: %+v", sd, root, pairs[1:])
			}
		}
	}
}

// TestIndependentAreNotNamed checks on 60 classrooms that pairs of independent subjects are named no more often than the alarm allows,
// though the items differ and no model knows. At the alarm of .01 four of 60 or more have probability .0035.
func TestIndependentAreNotNamed(t *testing.T) {
	named := 0
	for root := range uint64(60) {
		if pairs := misfit.Alike(classroom(1000+root, 12, 1.5), 0.01); len(pairs) > 0 {
			named++
		}
	}
	if named >= 4 {
		t.Errorf("in %d of 60 classrooms somebody is named", named)
	}
}

// TestAlikeByHand checks two subjects on 20 items by hand: each passes half of them with probability ½, so that all 20 agree with
// probability 2^−20, and ten are expected to. Fifty others show that no item is harder than another.
func TestAlikeByHand(t *testing.T) {
	r := rng.Stream(1, "by hand")
	all := make([]misfit.Answers, 52)
	for s := range all {
		all[s].Subject = fmt.Sprint("s", s)
		for i := range 20 {
			hit := s < 2 && i%2 == 0 || s >= 2 && r.Bernoulli(0.5)
			all[s].Key, all[s].Passed, all[s].P = append(all[s].Key, i), append(all[s].Passed, hit), append(all[s].P, 0.5)
		}
	}
	pairs := misfit.Alike(all, 0.01)
	if len(pairs) != 1 || pairs[0].Agree != 20 || math.Abs(pairs[0].Expected-10) > 0.5 || math.Abs(math.Log2(pairs[0].P)+20) > 1 {
		t.Errorf("%+v", pairs)
	}
	for s := range all {
		all[s].Key = all[s].Key[:19]
	}
	if pairs := misfit.Alike(all, 0.01); pairs != nil {
		t.Errorf("19 items in common: %+v", pairs)
	}
}
