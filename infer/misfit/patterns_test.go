package misfit_test

import (
	"fmt"
	"math"
	"testing"

	"achilles/infer/misfit"
	"achilles/sim/num"
	"achilles/sim/rng"
)

// fewItems returns Rasch responses of many subjects to few items, one of them taken by two thirds, with a passage of two items and two groups of
// subjects.
func fewItems(seed uint64, subjects, items int) *misfit.Whole {
	r := rng.Stream(seed, "few items")
	d := &misfit.Whole{ItemFree: true}
	passage, group := misfit.Labels{Name: "passage", OfItems: true, Groups: []string{"p"}}, misfit.Labels{Name: "group", Groups: []string{"a", "b"}}
	for i := range items {
		d.Items = append(d.Items, fmt.Sprint("q", i))
		passage.Of = append(passage.Of, []int32{0, -1}[min(1, i/2)])
	}
	for s := range subjects {
		d.Subjects = append(d.Subjects, fmt.Sprint("s", s))
		group.Of = append(group.Of, int32(s%2))
		ability := r.Norm()
		for i := range items {
			if i == items-1 && s%3 == 0 {
				continue
			}
			p, y := num.Logistic(ability-float64(i-items/2)), 0.0
			if r.Bernoulli(p) {
				y = 1
			}
			d.Subject, d.Item = append(d.Subject, int32(s)), append(d.Item, int32(i))
			d.Value, d.Expected, d.Variance = append(d.Value, y), append(d.Expected, p), append(d.Variance, p*(1-p))
		}
	}
	d.Labels = []misfit.Labels{passage, group}
	return d
}

// TestPatterns compares every statistic of tables whose patterns are fitted with the same of each subject fitted for itself.
func TestPatterns(t *testing.T) {
	for seed := range uint64(20) {
		for _, slopes := range []bool{false, true} {
			d := fewItems(seed, 120, 4)
			d.SlopeFree = slopes
			value := fewItems(seed+100, 120, 4).Value
			alone, together, n := misfit.Statistics(d, value)
			if n == 0 || n > 60 {
				t.Fatalf("seed %d: %d patterns of 120 subjects", seed, n)
			}
			for k, x := range alone {
				if y := together[k]; !(math.Abs(x-y) <= 1e-9*(1+math.Abs(x))) {
					t.Errorf("seed %d, slopes %v: statistic %d is %v by pattern and %v by subject", seed, slopes, k, y, x)
				}
			}
		}
	}
	d := fewItems(1, 60, 16)
	if _, _, n := misfit.Statistics(d, d.Value); n != 0 {
		t.Errorf("subjects who respond unlike each other have %d patterns", n)
	}
}
