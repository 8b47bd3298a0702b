package table

import (
	"fmt"
	"testing"

	"achilles/sim/num"
	"achilles/sim/rng"
)

// TestBeginningsOfNames draws tables of 12 passages of four items each, which nothing but their names says, with and without a passage's effect on the
// responses of a subject. At level .01, more than 3 of 40 tables without have a probability of .0007.
func TestBeginningsOfNames(t *testing.T) {
	for _, effect := range []float64{0, 1.5} {
		found, tables := 0, 40
		if effect > 0 {
			tables = 5
		}
		for seed := range uint64(tables) {
			r := rng.Stream(501+seed, "beginnings")
			able, own, last := 0.0, 0.0, -1
			d := judged(20, 48, seed, func(s, i int) float64 {
				if s != last {
					able, last = r.Norm(), s
				}
				if i%4 == 0 {
					own = effect * r.Norm()
				}
				return num.Logistic(able + own)
			})
			for i := range d.Items.ID {
				d.Items.ID[i] = fmt.Sprintf("passage%d-q%d", i/4+1, i%4+1)
			}
			j, err := Judge(d, "success")
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range j.Findings {
				if f.Kind == Clustered && f.Grave && f.By == NameStart {
					found++
				}
			}
		}
		if effect == 0 && found > 3 || effect > 0 && found < tables {
			t.Errorf("effect %v: found in %d of %d tables", effect, found, tables)
		}
	}
	for name, want := range map[string]string{"passage3-q2": "passage3", "p03q2": "p03", "3a": "3", "q2": "", "q-": "", "-1": "", "17": "", "a": "", "bench/algebra/12": "bench/algebra", "item12b": "item12"} {
		if got := beginning(name); got != want {
			t.Errorf("%s begins with %q, want %q", name, got, want)
		}
	}
	if starts([]string{"q-1", "q-2", "q3"}) != nil {
		t.Error("names of which one has no beginning are grouped")
	}
}
