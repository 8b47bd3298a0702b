package table

import (
	"math"
	"slices"
	"strings"
	"testing"

	"achilles/sim/num"
	"achilles/sim/record"
	"achilles/sim/rng"
)

// keyed draws 200 × 16 responses of a Rasch model, with the keys of some items reversed.
func keyed(seed uint64, spread float64, reversed func(i int) bool) *record.Dataset {
	r := rng.Stream(seed, "keyed")
	difficulty := make([]float64, 16)
	for i := range difficulty {
		difficulty[i] = r.Norm()
	}
	able, last := 0.0, -1
	return judged(200, 16, seed, func(s, i int) float64 {
		if s != last {
			able, last = spread*r.Norm(), s
		}
		x := able - difficulty[i]
		if reversed(i) {
			x = -x
		}
		return num.Logistic(x)
	})
}

// TestManyReversed reverses six items of sixteen, and every second one, which leaves mean scores that say nothing of a subject: these items are named, or, of
// halves, those of the other half, and none once what is printed is done.
func TestManyReversed(t *testing.T) {
	for _, c := range []struct {
		name     string
		reversed func(i int) bool
	}{
		{"six", func(i int) bool { return i%2 == 1 && i < 12 }},
		{"half", func(i int) bool { return i%2 == 1 }},
	} {
		for seed := uint64(501); seed < 511; seed++ {
			d := keyed(seed, 1, c.reversed)
			named := reversedItems(t, d)
			found := 0
			for i, name := range d.Items.ID {
				if slices.Contains(named, name) {
					found++
					if !c.reversed(i) {
						t.Errorf("%s, seed %d: %s is named", c.name, seed, name)
					}
				}
			}
			if found < 5 {
				t.Errorf("%s, seed %d: found %v", c.name, seed, named)
			}
			list := d.Responses.List()
			for k := range list {
				if slices.Contains(named, d.Items.ID[list[k].Item]) {
					list[k].Value = 1 - list[k].Value
				}
			}
			d.Responses = record.PackResponses(list)
			for _, again := range reversedItems(t, d) {
				if slices.Contains(named, again) {
					t.Errorf("%s, seed %d: %s is named again after --reverse", c.name, seed, again)
				}
			}
		}
	}
}

// reversedItems returns the items that are called reversed.
func reversedItems(t *testing.T, d *record.Dataset) []string {
	t.Helper()
	j, err := Judge(d, "success")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range j.Findings {
		if f.Kind == Reversed {
			if so := strings.Contains(f.Meaning, "the others that are reversed"); so != (f.Count > 5) {
				t.Errorf("%d items: %q", f.Count, f.Meaning)
			}
			return f.Names
		}
	}
	return nil
}

// TestComponents checks that no item has a part in the score by which its own sign is judged: where items have nothing in common, correlations with it are those of chance,
// and if keys are reversed they change their signs alone.
func TestComponents(t *testing.T) {
	correlations := func(d *record.Dataset) []float64 {
		table, err := degrees(d, "success")
		if err != nil {
			t.Fatal(err)
		}
		m := table.margins()
		score := table.components(m)
		fisher, _ := table.correlations(m, func(r int) (float64, bool) { return score[table.Item[r]%itemFolds][table.Subject[r]], true })
		return fisher
	}
	none := func(int) bool { return false }
	sum, n := 0.0, 0.0
	for seed := uint64(501); seed < 531; seed++ {
		for _, z := range correlations(keyed(seed, 0, none)) {
			sum, n = sum+float64(z*z*197), n+1 // of 200 subjects
		}
	}
	if sd := math.Sqrt(2 / n); math.Abs(sum/n-1) > 4.5*sd {
		t.Errorf("mean square %.3f, want 1 ± %.3f", sum/n, sd)
	}
	d := keyed(501, 1, none)
	before := correlations(d)
	list := d.Responses.List()
	for k := range list {
		if list[k].Item%3 == 0 {
			list[k].Value = 1 - list[k].Value
		}
	}
	d.Responses = record.PackResponses(list)
	after := correlations(d)
	for i, z := range before {
		if math.Abs(math.Abs(after[i])-math.Abs(z)) > 1e-6 || (after[i]*after[1] < 0) != (i%3 == 0) {
			t.Errorf("item %d: %v, reversed %v", i, z, after[i])
		}
	}
}
