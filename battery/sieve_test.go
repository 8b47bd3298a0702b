package battery_test

import (
	"reflect"
	"testing"

	"achilles/battery"
	"achilles/sim/rng"
)

// TestSieve checks that a design is the same whether the exchanges that gain nothing are ruled out by tables or weighed: with
// few and many levels, equal levels, texts, and more factors than the tables have room for.
func TestSieve(t *testing.T) {
	r := rng.Stream(1, "sieve")
	for root := range uint64(60) {
		var factors []battery.Factor
		for range 2 + r.IntN(14) {
			factors = append(factors, anyFactor(&r))
		}
		n := 2 + r.IntN(200)
		got, err := battery.Balance(t.Context(), rng.Stream(root), factors, n)
		if want := battery.BalanceExactly(rng.Stream(root), factors, n); err != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("root %d: %d points of %v differ", root, n, factors)
		}
	}
}

// TestSieveWithin checks the same under a rule: one that allows half of the combinations of the first two factors.
func TestSieveWithin(t *testing.T) {
	r := rng.Stream(1, "sieve", "within")
	found := 0
	for root := range uint64(60) {
		factors := []battery.Factor{{Number: []float64{0, 1, 2}}, {Text: []string{"a", "b", "c"}}}
		for range 1 + r.IntN(6) {
			factors = append(factors, anyFactor(&r))
		}
		allowed := r.Uint64() | 0b100_010_001
		rule := battery.Rule{
			Faults: func(p []int) int { return int(1 &^ (allowed >> (3*p[0] + p[1]))) },
			Alike: func(f, level int) int {
				if f < 2 || root%2 == 0 { // of even roots, so many kinds that points are looked at
					return level
				}
				return 0
			},
		}
		n := 2 + r.IntN(300)
		got, ok := battery.BalanceWithin(t.Context(), rng.Stream(root), factors, n, rule)
		want, can := battery.BalanceWithinExactly(rng.Stream(root), factors, n, rule)
		if ok != can || !reflect.DeepEqual(got, want) {
			t.Fatalf("root %d: %d points of %v differ", root, n, factors)
		}
		found += len(got)
	}
	if found < 3000 {
		t.Errorf("%d points are too few for a test", found)
	}
}

func anyFactor(r *rng.Rand) battery.Factor {
	levels := 1 + r.IntN(9)
	if r.IntN(20) == 0 {
		levels = 40
	}
	f := battery.Factor{Text: []string{"a", "b", "c", "d", "e", "f"}[:1+r.IntN(6)]}
	if r.IntN(3) > 0 {
		f = battery.Factor{Number: make([]float64, levels)}
		for i := range f.Number {
			f.Number[i] = float64(r.IntN(levels))
		}
	}
	return f
}
