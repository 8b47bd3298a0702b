package record_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"achilles/sim/record"
	"achilles/sim/rng"
)

// TestValues checks that the values of items that were read are those that were written, bit by bit, all together and some at a time:
// few different ones, many, more than are listed, and missing ones.
func TestValues(t *testing.T) {
	for _, n := range []int{1, 70, 66_000} {
		random := rng.Stream(uint64(n), "values")
		number := func(values func(i int) float64, missing func(i int) bool) record.Column {
			c := record.Column{Feature: record.Feature{Kind: record.Number, Role: record.Demand}, Number: make([]float64, n), Missing: make([]bool, n)}
			for i := range n {
				if c.Missing[i] = missing(i); !c.Missing[i] {
					c.Number[i] = values(i)
				}
			}
			return c
		}
		text := func(values func(i int) string) record.Column {
			c := record.Column{Feature: record.Feature{Kind: record.Text, Role: record.Condition}, Text: make([]string, n)}
			for i := range n {
				c.Text[i] = values(i)
			}
			return c
		}
		never, some := func(int) bool { return false }, func(int) bool { return random.IntN(3) == 0 }
		d := sampleOf(1, 1, n, 1)
		columns := []record.Column{
			number(func(int) float64 { return float64(random.IntN(2)) }, never),
			number(func(int) float64 { return []float64{0, math.Copysign(0, -1), -3.5, math.MaxFloat64}[random.IntN(4)] }, some),
			number(func(i int) float64 { return float64(i) / 3 }, some),
			number(func(i int) float64 { return float64(i) / 3 }, never),
			number(nil, func(int) bool { return true }),
			text(func(int) string { return []string{"", "red", "blue"}[random.IntN(3)] }),
			text(func(i int) string { return fmt.Sprint("level ", i) }),
		}
		d.Items.Columns, d.Manifest.Features = nil, nil
		for k, c := range columns {
			c.Name = fmt.Sprint("column-", k)
			if !slices.Contains(c.Missing, true) {
				c.Missing = nil
			}
			d.Items.Columns, d.Manifest.Features = append(d.Items.Columns, c), append(d.Manifest.Features, c.Feature)
		}
		got, err := record.Read(mapFS(encode(t, d)))
		if err != nil {
			t.Fatal(err)
		}
		from := n / 3
		for k, c := range d.Items.Columns {
			named, _ := got.Items.Column(c.Name)
			for _, all := range []record.Column{got.Items.Values(k), named} {
				if !sameValues(all, c, 0) {
					t.Errorf("%d items: column %d reads differently", n, k)
				}
			}
			if !sameValues(got.Items.Part(from, n-from).Columns[k], c, from) || !sameValues(d.Items.Part(from, n-from).Columns[k], c, from) {
				t.Errorf("%d items: column %d reads differently from item %d on", n, k, from)
			}
		}
	}
}

// sameValues reports whether a column has the values of c from a row on, bit by bit.
func sameValues(x, c record.Column, from int) bool {
	bits := func(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) }
	missing := func(a record.Column, i int) bool { return a.Missing != nil && a.Missing[i] }
	for i := range max(len(c.Number), len(c.Text)) - from {
		if missing(x, i) != missing(c, from+i) {
			return false
		}
	}
	if c.Kind == record.Text {
		return slices.Equal(x.Text, c.Text[from:])
	}
	return x.Name == c.Name && slices.EqualFunc(x.Number, c.Number[from:], bits)
}
