package infer

import (
	"bytes"
	"slices"
	"testing"
	"testing/fstest"

	"achilles/sim/part"
	"achilles/sim/record"
	"achilles/sim/rng"
)

// unitDrawsOf writes the draws of so many units, as Run does, into files of as many chains.
func unitDrawsOf(t *testing.T, units, chains int, draws []int32) (fstest.MapFS, *part.Manifest) {
	t.Helper()
	dir, m := fstest.MapFS{}, part.New(part.Inferred, nil, nil)
	for c := range chains {
		var b bytes.Buffer
		w := record.NewRowWriter[UnitDraw](&b, nil)
		for u := range units {
			var rows []UnitDraw
			for _, n := range draws {
				rows = append(rows, UnitDraw{Parameter: "difficulty", Kind: ItemUnit, Unit: "q", Chain: int32(c), Draw: n, Value: float64(1000000*u + 100000*c + int(n))})
			}
			if err := w.Write(rows); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		dir[unitDrawsFile(c)] = &fstest.MapFile{Data: b.Bytes()}
		m.AddRows(part.NewFile(unitDrawsFile(c), b.Bytes()), units*len(draws), unitDrawsAre)
	}
	return dir, m
}

// TestUnitDrawsBeyondAPage reads draws that fill several pages, from the first unit on and from each unit on.
func TestUnitDrawsBeyondAPage(t *testing.T) {
	const units, chains = 67, 2
	var numbers []int32
	for i := range 3001 {
		numbers = append(numbers, int32(3*i))
	}
	dir, m := unitDrawsOf(t, units, chains, numbers)
	d, err := newUnitDraws(dir, m, units)
	if err != nil {
		t.Fatal(err)
	}
	if d.Chains() != chains || !slices.Equal(d.Draws(), numbers) {
		t.Fatalf("%d chains of draws %v …", d.Chains(), d.Draws()[:3])
	}
	check := func(u int, draws [][]float64) {
		for c := range chains {
			for i, x := range draws[c] {
				if want := float64(1000000*u + 100000*c + 3*i); x != want {
					t.Fatalf("unit %d, chain %d, draw %d: %g, want %g", u, c, i, x, want)
				}
			}
		}
	}
	u := 0
	for draws, err := range d.All() {
		if err != nil {
			t.Fatal(err)
		}
		check(u, draws)
		u++
	}
	if u != units {
		t.Fatalf("%d units, want %d", u, units)
	}
	for _, u := range []int{0, 1, 33, units - 1} {
		draws, err := d.Of(u)
		if err != nil {
			t.Fatal(err)
		}
		check(u, draws)
	}
	if _, err := newUnitDraws(dir, m, units-1); err == nil {
		t.Error("draws of another number of parameters are taken")
	}
	if d, err := newUnitDraws(dir, part.New(part.Inferred, nil, nil), units); d != nil || err != nil {
		t.Errorf("of a result without draws: %v, %v", d, err)
	}
}

// TestKeptStep holds how many draws are kept.
func TestKeptStep(t *testing.T) {
	draws := [][][]float64{make([][]float64, 50), make([][]float64, 50)} // 100 draws
	for _, c := range []struct{ units, most, want int }{{1, 100, 1}, {1, 99, 2}, {10, 1000, 1}, {10, 334, 3}} {
		if got := keptStep(c.units, draws, c.most); got != c.want {
			t.Errorf("%d units, at most %d: step %d, want %d", c.units, c.most, got, c.want)
		}
	}
}

// TestHeavyAny checks that draws of a Cauchy variable among those of a parameter take the means of all its units away, and that those of normal
// variables and of one that is constant do not.
func TestHeavyAny(t *testing.T) {
	r := rng.Stream(1, "heavy tails")
	draws := make([][][]float64, 4)
	for c := range draws {
		for range 1000 {
			draws[c] = append(draws[c], []float64{r.Norm(), 1, r.Norm() / r.Norm(), r.Norm()})
		}
	}
	for _, c := range []struct {
		first, last int
		want        bool
	}{{0, 2, false}, {0, 3, true}, {2, 4, true}, {3, 4, false}, {1, 2, false}} {
		if got := heavyAny(draws, c.first, c.last); got != c.want {
			t.Errorf("values %d to %d: %t", c.first, c.last, got)
		}
	}
}
