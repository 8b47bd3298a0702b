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
