package diag

import (
	"math"
	"slices"
)

// A place is a number with its index. Keys order as the numbers do.
type place struct {
	key uint64
	at  int
}

// ascending returns the places of numbers in ascending order, equal ones in the order of their indices. NaN is not allowed.
func ascending(xs []float64) []place { return new(sorter).ascending(xs) }

// A sorter has memory for lists that are sorted one after another.
type sorter struct{ places, next []place }

// ascending is the function ascending, whose result is valid until the next call. It sorts by radix, from the lowest byte to the
// highest (Knuth 1998, section 5.2.5), and skips bytes that are the same in all keys.
func (s *sorter) ascending(xs []float64) []place {
	var counts [8][256]int
	s.places, s.next = slices.Grow(s.places[:0], len(xs))[:len(xs)], slices.Grow(s.next[:0], len(xs))[:len(xs)]
	places, next := s.places, s.next
	for i, x := range xs {
		k := math.Float64bits(x + 0) // −0 is 0
		k ^= uint64(int64(k)>>63) | 1<<63
		places[i] = place{k, i}
		for b := range counts {
			counts[b][k>>(8*b)&255]++
		}
	}
	for b := range counts {
		start, same := &counts[b], false
		from := 0
		for d, n := range start {
			start[d] = from
			from += n
			same = same || n == len(xs)
		}
		if same {
			continue
		}
		for _, p := range places {
			d := p.key >> (8 * b) & 255
			next[start[d]] = p
			start[d]++
		}
		places, next = next, places
	}
	return places
}
