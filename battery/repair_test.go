package battery

import (
	"slices"
	"testing"

	"achilles/sim/rng"
)

// TestRepairFindsTheFirst compares repair with a search through all points, one after another, by a rule over a few kinds of levels.
func TestRepairFindsTheFirst(t *testing.T) {
	const n = 400
	factors := []Factor{{Name: "a", Number: make([]float64, 2)}, {Name: "b", Number: make([]float64, 5)}, {Name: "c", Number: make([]float64, 3)}, {Name: "own", Number: make([]float64, n)}}
	alike := func(f, level int) int {
		switch f {
		case 0, 1:
			return level
		case 3:
			if level < n/3 {
				return 1
			}
		}
		return 0
	}
	solved := 0
	for root := range uint64(40) {
		r := rng.Stream(root, "repair")
		var forbidden [2][5][2]bool
		for a := range 2 {
			for b := range 5 {
				for own := range 2 {
					forbidden[a][b][own] = r.Bernoulli(0.4)
				}
			}
		}
		faults := func(p []int) (n int) {
			if forbidden[p[0]][p[1]][alike(3, p[3])] {
				n++
			}
			if p[1] == 4 && alike(3, p[3]) == 1 {
				n++
			}
			return n
		}
		points := shuffled(&r, factors, n)
		want := make([][]int, n)
		for i, p := range points {
			want[i] = slices.Clone(p)
		}
		again := r
		rule := Rule{faults, alike}
		ok := rule.repair(t.Context(), &r, points, rule.alike(factors))
		if ok != repairSlowly(&again, want, faults) || r != again {
			t.Fatalf("root %d: repaired %v, and one by one otherwise", root, ok)
		}
		for i, p := range points {
			if !slices.Equal(p, want[i]) {
				t.Fatalf("root %d: point %d is %v, and one by one %v", root, i, p, want[i])
			}
		}
		if ok {
			solved++
		}
	}
	if solved < 5 || solved > 35 {
		t.Errorf("%d of 40 rules can be kept: too few or too many for a test", solved)
	}
}

// repairSlowly is repair, but tries all points in turn.
func repairSlowly(r *rng.Rand, points [][]int, faults func([]int) int) bool {
	for _, x := range points {
	again:
		for before := faults(x); before > 0; before = faults(x) {
			first := r.IntN(len(points))
			for k := range points {
				y := points[(first+k)%len(points)]
				others := faults(y)
				for f := range x {
					x[f], y[f] = y[f], x[f]
					if faults(x) < before && faults(y) <= others {
						continue again
					}
					x[f], y[f] = y[f], x[f]
				}
			}
			return false
		}
	}
	return true
}

// TestIndexSet compares the next number of a set with a search through all numbers.
func TestIndexSet(t *testing.T) {
	for root := range uint64(20) {
		r := rng.Stream(root, "indices")
		n := 1 + r.IntN(20_000)
		s, in := newIndexSet(n), make([]bool, n)
		for range 300 {
			i := r.IntN(n)
			if in[i] = !in[i]; in[i] {
				s.add(i)
			} else {
				s.remove(i)
			}
			from, want := r.IntN(n), -1
			for k := range n {
				if at := (from + k) % n; in[at] {
					want = at
					break
				}
			}
			if got := s.next(from); got != want {
				t.Fatalf("root %d, n %d: after %d comes %d, want %d", root, n, from, got, want)
			}
		}
	}
}
