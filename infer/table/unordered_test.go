package table

import (
	"fmt"
	"math"
	"testing"

	"achilles/sim/longtest"
	"achilles/sim/record"
	"achilles/sim/rng"
)

// answered returns data of subjects × items with categories from 0; category says which one a subject of some ability and style takes, from a random number
// of its own, normal, and the item's key.
func answered(seed uint64, subjects, items, categories int, category func(ability, style float64, item, key int, r *rng.Rand) int) *record.Dataset {
	d := &record.Dataset{}
	d.Manifest.Measures = []record.Measure{{Name: "success", Family: record.Choice}}
	r := rng.Stream(seed, "answered")
	var keys []int
	for i := range items {
		d.Items.ID = append(d.Items.ID, fmt.Sprintf("q%d", i))
		keys = append(keys, r.IntN(categories))
	}
	var list []record.Response
	for s := range subjects {
		d.Subjects = append(d.Subjects, fmt.Sprintf("s%d", s))
		ability, style := r.Norm(), r.Norm()
		for i := range items {
			k := min(categories-1, max(0, category(ability, style, i, keys[i], &r)))
			list = append(list, record.Response{Subject: int32(s), Item: int32(i), Value: float64(k)})
		}
	}
	d.Responses = record.PackResponses(list)
	return d
}

// TestUnordered looks for items whose categories have no order: in answers to tests of multiple choice, of which nine in ten items are not solved by
// numbers at the ends, and in none of the tables of ordered categories, whatever style people answer in. A rate of false alarms of .01
// gives two or more in these 40 (of the long suite 10 or more in 600) with probability .06 (.08).
func TestUnordered(t *testing.T) {
	seeds := uint64(8)
	if longtest.On() {
		seeds = 100
	}
	for _, c := range []struct {
		name                        string
		subjects, items, categories int
		least                       float64 // proportion of tables that are found
		category                    func(ability, style float64, item, key int, r *rng.Rand) int
	}{
		{"multiple choice of 4", 300, 30, 4, 0.9, chosen(4)},
		{"multiple choice of 5", 500, 20, 5, 0.9, chosen(5)},
		{"degrees", 300, 20, 5, 0, func(ability, _ float64, item, _ int, r *rng.Rand) int {
			return int(math.Round(2 + ability + r.Norm() + float64(item%3) - 1))
		}},
		{"some reversed", 300, 20, 5, 0, func(ability, _ float64, item, _ int, r *rng.Rand) int {
			return int(math.Round(2 + float64(1-2*(item%2))*ability + r.Norm()))
		}},
		{"of the ends or the middle", 300, 20, 5, 0, func(_, style float64, _, _ int, r *rng.Rand) int {
			return int(math.Round(2 + math.Exp(style/2)*r.Norm()))
		}},
		{"hardly anything in common", 300, 20, 5, 0, func(ability, _ float64, _, _ int, r *rng.Rand) int {
			return int(math.Round(2 + 0.2*ability + r.Norm()))
		}},
		{"nothing in common", 100, 20, 4, 0, func(_, _ float64, _, _ int, r *rng.Rand) int { return r.IntN(4) }},
		{"few people", 60, 8, 5, 0, func(ability, _ float64, _, _ int, r *rng.Rand) int { return int(math.Round(2 + ability + r.Norm())) }},
	} {
		found := 0
		for seed := range seeds {
			d := answered(501+seed, c.subjects, c.items, c.categories, c.category)
			table, err := degrees(d, "success")
			if err != nil {
				t.Fatal(err)
			}
			if f := table.unordered(d, 0); f.Count > 0 {
				found++
			}
		}
		t.Logf("%s: %d of %d", c.name, found, seeds)
		if share := float64(found) / float64(seeds); share < c.least || c.least == 0 && found > 1+int(seeds)/50 {
			t.Errorf("%s: found in %d of %d", c.name, found, seeds)
		}
	}
}

// chosen answers a test of multiple choice: who does not know guesses.
func chosen(of int) func(ability, style float64, item, key int, r *rng.Rand) int {
	return func(ability, _ float64, item, key int, r *rng.Rand) int {
		if r.Float64() < 1/(1+math.Exp(-1.2*ability-0.5*float64(item%3)+0.5)) {
			return key
		}
		return r.IntN(of)
	}
}

// TestShares checks which numbers are shares of a few trials.
func TestShares(t *testing.T) {
	thirds, fifths, tenths := []float64{0, 0.33, 0.67, 1}, []float64{0, 0.2, 0.4, 0.6, 0.8, 1}, []float64{0, 0.1, 0.2, 0.3, 0.7, 0.9}
	for _, c := range []struct {
		name   string
		family record.Family
		values []float64
		want   string
	}{
		{"thirds", record.Unit, thirds, "--trials 3"},
		{"thirds, in full", record.Unit, []float64{0, 1. / 3, 2. / 3, 1}, "--trials 3"},
		{"thirds in per cent", record.Real, []float64{0, 33.3, 66.7, 100}, "--trials 3"},
		{"whole per cent of thirds", record.Real, []float64{33, 67, 100}, "--trials 3"},
		{"fifths", record.Unit, fifths, "--trials 5"},
		{"tenths", record.Unit, tenths, "--trials 10"},
		{"eighths", record.Unit, []float64{0.125, 0.5, 0.875}, "--trials 8"},
		{"quarters of a hundred", record.Real, []float64{0, 25, 75, 100}, "--trials 4"},
		{"halves: partial credit", record.Unit, []float64{0, 0.5, 1}, ""},
		{"numbers of two decimals", record.Unit, []float64{0.11, 0.52, 0.73, 0.37, 0.98}, ""},
		{"tens of minutes", record.Real, []float64{10, 20, 50, 90}, ""},
		{"thirds and another", record.Unit, []float64{0, 0.33, 0.67, 0.71}, ""},
		{"below 0", record.Real, []float64{-0.33, 0.33, 0.67}, ""},
		{"0 and 1", record.Unit, []float64{0, 1}, ""},
		{"counts", record.Count, []float64{0, 1, 2}, ""},
	} {
		d := &record.Dataset{Subjects: []string{"a", "b", "c", "d"}}
		d.Manifest.Measures = []record.Measure{{Name: "success", Family: c.family}}
		var list []record.Response
		for s := range d.Subjects {
			for i := range 10 {
				list = append(list, record.Response{Subject: int32(s), Item: int32(i), Value: c.values[(s+i)%len(c.values)]})
			}
		}
		for i := range 10 {
			d.Items.ID = append(d.Items.ID, fmt.Sprint("q", i))
		}
		d.Responses = record.PackResponses(list)
		if f := shares(d, 0); f.Remedy != c.want || (f.Count > 0) != (c.want != "") || f.Of != len(list) && f.Count > 0 {
			t.Errorf("%s: %+v, want %q", c.name, f, c.want)
		}
	}
}
