package table

import (
	"fmt"
	"testing"

	"achilles/sim/longtest"
	"achilles/sim/num"
	"achilles/sim/record"
	"achilles/sim/rng"
)

// raschTable returns a table of the Rasch model with abilities and difficulties of these standard deviations.
func raschTable(seed uint64, subjects, items int, ability, difficulty, answered float64) *record.Dataset {
	r := rng.Stream(seed, "alarms", fmt.Sprint(subjects, items))
	theta, b := make([]float64, subjects), make([]float64, items)
	for s := range theta {
		theta[s] = ability * r.Norm()
	}
	for i := range b {
		b[i] = difficulty * r.Norm()
	}
	return judged(subjects, items, seed, func(s, i int) float64 {
		if r.Float64() > answered {
			return -1
		}
		return num.Logistic(theta[s] - b[i])
	})
}

// TestAlarmsAndPower counts how often Rasch tables of three shapes have a finding of a test, each of which has a stated rate of at most 0.01, and how
// often what is planted is found. With 200 tables of each shape, more than 7 of 200 findings have a probability below 0.002 at that rate.
func TestAlarmsAndPower(t *testing.T) {
	longtest.Only(t, "takes minutes")
	for _, shape := range []struct {
		subjects, items int
		answered        float64
	}{{60, 16, 1}, {200, 40, 1}, {30, 100, 0.6}} {
		count := map[string]int{}
		const n = 200
		for seed := range uint64(n) {
			d := raschTable(3000+seed, shape.subjects, shape.items, []float64{0, 0.5, 1, 2}[seed%4], 1, shape.answered)
			j, err := Judge(d, "success")
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range j.Findings {
				count[f.Kind]++
			}
		}
		t.Log(shape, "false alarms", count)
		for _, kind := range []string{FailureRuns, Reversed, CopiedSubjects, Clustered, Blanks, Disconnected} {
			if count[kind] > 7 {
				t.Errorf("%v: %s in %d of %d Rasch tables", shape, kind, count[kind], n)
			}
		}
	}
	for _, plant := range []struct {
		kind   string
		change func(r *rng.Rand, subjects, items int) func(s, i int, v float64) float64
		least  int
	}{
		{Reversed, func(*rng.Rand, int, int) func(s, i int, v float64) float64 {
			return func(s, i int, v float64) float64 {
				if i == 7 {
					return 1 - v
				}
				return v
			}
		}, 52},
		{FailureRuns, func(r *rng.Rand, subjects, items int) func(s, i int, v float64) float64 { // a quarter stops in the second half
			stop := make([]int, subjects)
			for s := range stop {
				if stop[s] = items; s%4 == 0 {
					stop[s] = items/2 + r.IntN(items/2)
				}
			}
			return func(s, i int, v float64) float64 {
				if i >= stop[s] {
					return 0
				}
				return v
			}
		}, 40},
	} {
		for _, shape := range [][2]int{{60, 16}, {120, 20}, {200, 40}} {
			found := 0
			for seed := range uint64(60) {
				d := raschTable(4000+seed, shape[0], shape[1], 1, 1, 1)
				r := rng.Stream(seed, "plant")
				change := plant.change(&r, shape[0], shape[1])
				list := d.Responses.List()
				for k := range list {
					list[k].Value = change(int(list[k].Subject), int(list[k].Item), list[k].Value)
				}
				d.Responses = record.PackResponses(list)
				j, err := Judge(d, "success")
				if err != nil {
					t.Fatal(err)
				}
				for _, f := range j.Findings {
					if f.Kind == plant.kind {
						found++
					}
				}
			}
			t.Log(plant.kind, shape, "found in", found, "of 60")
			if found < plant.least {
				t.Errorf("%s, %v: found in %d of 60 tables", plant.kind, shape, found)
			}
		}
	}
}
