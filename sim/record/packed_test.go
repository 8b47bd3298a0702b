package record_test

import (
	"math"
	"slices"
	"testing"

	"achilles/sim/record"
	"achilles/sim/rng"
)

// anyResponses returns random sorted responses, with fields of any width. They are more than one chunk now and then.
func anyResponses(r *rng.Rand) (list []record.Response) {
	bits := func(most int) uint64 { return r.Uint64() >> (64 - most) >> r.IntN(most+1) }
	values := []func() float64{
		func() float64 { return float64(r.IntN(2)) },
		func() float64 { return float64(int64(bits(54))) - 1<<53 },
		func() float64 { return math.Float64frombits(bits(64)) },
		func() float64 {
			return []float64{0, math.Copysign(0, -1), math.NaN(), math.Inf(1), -math.MaxFloat64, 1<<53 + 2, -1 << 53}[r.IntN(7)]
		},
	}
	value := values[r.IntN(len(values))]
	for range r.IntN(60) {
		list = append(list, record.Response{
			Subject: int32(r.IntN(6)), Item: int32(bits(31)), Trial: int16(bits(15)), Repetition: int16(bits(15)), Pair: int32(bits(32)), Measure: uint8(bits(8)),
			Phase: record.Phase(r.IntN(2)), Split: record.Split(r.IntN(2)), Unscored: uint8(bits(8)), Trials: int32(bits(32)), Position: int32(bits(32)), Value: value(),
			Chosen: record.Chosen{Went: record.Went(bits(3)), Place: uint8(bits(8)), Latency: int32(bits(31)), Visited: uint32(bits(32))},
		})
	}
	if r.IntN(8) == 0 {
		list = slices.Repeat(list, 1000)
	}
	record.Sort(list)
	return list
}

// equal reports whether two responses are the same, bit by bit.
func equal(a, b record.Response) bool {
	x, y := math.Float64bits(a.Value), math.Float64bits(b.Value)
	a.Value, b.Value = 0, 0
	return a == b && x == y
}

// TestPacked checks that packed responses are those of the list, one by one, all together, and subject by subject and item by item.
func TestPacked(t *testing.T) {
	for root := range uint64(100) {
		random := rng.Stream(root, "packed")
		list := anyResponses(&random)
		r := record.PackResponses(list)
		if r.Len() != len(list) || !slices.EqualFunc(r.List(), list, equal) {
			t.Fatalf("root %d: the list comes back as another", root)
		}
		for i, x := range r.All() {
			if !equal(x, list[i]) || !equal(r.At(i), list[i]) {
				t.Fatalf("root %d: response %d is %+v, want %+v", root, i, x, list[i])
			}
		}
		var subjects []record.Response
		for s := range 6 {
			subjects = append(subjects, r.Of(s)...)
		}
		if !slices.EqualFunc(subjects, list, equal) {
			t.Fatalf("root %d: the subjects have other responses", root)
		}
		if len(list) == 0 {
			continue
		}
		one := list[random.IntN(len(list))]
		n := 0
		for i, x := range r.To(int(one.Subject), int(one.Item)) {
			if n++; !equal(x, list[i]) || x.Subject != one.Subject || x.Item != one.Item {
				t.Fatalf("root %d: response %d to an item is %+v", root, i, x)
			}
		}
		of := slices.DeleteFunc(list, func(x record.Response) bool { return x.Subject != one.Subject || x.Item != one.Item })
		if n != len(of) {
			t.Fatalf("root %d: %d responses to an item, want %d", root, n, len(of))
		}
	}
}

// TestPackedSize checks what responses take in memory: a subject takes 2000 items in an order of its own, a fifth of them held out.
// Subject (4 bits in a chunk), item and position (11 each), split and value are 28 bits, three and a half bytes.
func TestPackedSize(t *testing.T) {
	var list []record.Response
	for s := range int32(100) {
		for i := range int32(2000) {
			list = append(list, record.Response{Subject: s, Item: i, Position: 1 + (i*7+s)%2000, Split: record.Split(i % 5 / 4), Value: float64(i % 2)})
		}
	}
	r := record.PackResponses(list)
	if each := float64(record.PackedSize(&r)) / float64(len(list)); each > 4 {
		t.Errorf("%.2f bytes for each response", each)
	}
}
