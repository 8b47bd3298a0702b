package replay

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

// An Order is how the rows that are left are sorted.
type Order uint8

// The orders. Rows that are alike keep their place.
const (
	AsListed Order = iota
	MostSurprising
	Longest
	Orders // their number
)

// String is the name of the order.
func (o Order) String() string { return [...]string{"as listed", "most surprising", "longest"}[o] }

// A Choice says which rows to show. The zero Choice is all of them as they are listed. Choices can be compared.
type Choice struct {
	Value  [Fields]int // 0: any; otherwise 1 + the index in Values
	Search string      // words; each must be found in one of the texts of a row, whatever its case
	Order  Order
}

// Select appends the indices of the rows that c leaves to dst, in its order.
func (s *Shelf) Select(dst []int32, c Choice) []int32 {
	words := s.words(c.Search)
	start := len(dst)
	for i := range s.rows {
		if s.passes(i, &c, Fields) && s.found(i, words) {
			dst = append(dst, int32(i))
		}
	}
	switch left := dst[start:]; c.Order {
	case MostSurprising:
		slices.SortStableFunc(left, func(a, b int32) int { return cmp.Compare(s.urgency(b), s.urgency(a)) })
	case Longest:
		slices.SortStableFunc(left, func(a, b int32) int { return cmp.Compare(s.rows[b].Steps, s.rows[a].Steps) })
	}
	return dst
}

// Counts says for every value of a field how many rows it would leave under the rest of c.
func (s *Shelf) Counts(f Field, c Choice) []int {
	counts := make([]int, len(s.Values(f)))
	words := s.words(c.Search)
	for i := range s.rows {
		if !s.passes(i, &c, f) || !s.found(i, words) {
			continue
		}
		if f != Surprise {
			if k := s.columns[f].code[i]; int(k) < len(counts) {
				counts[k]++
			}
			continue
		}
		for class := range counts {
			if s.rows[i].Surprise >= s.cut[class] {
				counts[class]++
			}
		}
	}
	return counts
}

// urgency sorts rows without a surprise behind all others.
func (s *Shelf) urgency(i int32) float64 {
	if x := s.rows[i].Surprise; !math.IsNaN(x) {
		return x
	}
	return math.Inf(-1)
}

// passes says whether row i is left by the filters of all fields but one.
func (s *Shelf) passes(i int, c *Choice, except Field) bool {
	for f, v := range c.Value {
		switch {
		case v == 0 || Field(f) == except:
		case Field(f) == Surprise:
			if !(s.rows[i].Surprise >= s.cut[min(v-1, classes-1)]) {
				return false
			}
		case int(s.columns[f].code[i]) != v-1:
			return false
		}
	}
	return true
}

// A word says, by column, which texts contain it.
type word [Fields][]bool

func (s *Shelf) words(search string) []word {
	var words []word
	for _, w := range strings.Fields(strings.ToLower(search)) {
		var in word
		for f := range s.columns {
			in[f] = make([]bool, len(s.columns[f].lower))
			for k, text := range s.columns[f].lower {
				in[f][k] = strings.Contains(text, w)
			}
		}
		words = append(words, in)
	}
	return words
}

// found says whether row i has every word in some column.
func (s *Shelf) found(i int, words []word) bool {
	for w := range words {
		if !s.foundIn(i, &words[w]) {
			return false
		}
	}
	return true
}

func (s *Shelf) foundIn(i int, w *word) bool {
	for f := range s.columns {
		if w[f][s.columns[f].code[i]] {
			return true
		}
	}
	return false
}
