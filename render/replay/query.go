package replay

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

// An Order says how rows are sorted.
type Order uint8

// Orders. Sorting is stable.
const (
	AsListed Order = iota
	MostSurprising
	MostWrong // by HeldOut.Wrong, and by HeldOut.Surprise where that is equal or not known
	WorstPath // by HeldOut.RMSE
	Longest
	Orders // number of orders
)

// String returns the name of the order.
func (o Order) String() string {
	return [...]string{"as listed", "most surprising", "most wrong", "largest path error", "longest"}[o]
}

// of returns the number of a row by which the order o sorts. Rows with greater numbers come first. It returns NaN if
// the row has no such number.
func (o Order) of(r *Row) float64 {
	switch {
	case o == MostSurprising:
		return r.Surprise
	case o == Longest:
		return float64(r.Steps)
	case r.HeldOut != nil && o == MostWrong:
		return r.HeldOut.Wrong()
	case r.HeldOut != nil && o == WorstPath:
		return r.HeldOut.RMSE
	}
	return math.NaN()
}

// surprise returns HeldOut.Surprise, or NaN without a prediction.
func surprise(r *Row) float64 {
	if r.HeldOut == nil {
		return math.NaN()
	}
	return r.HeldOut.Surprise
}

// Has says whether any row has the number by which an order sorts.
func (l *List) Has(o Order) bool {
	return o == AsListed || slices.ContainsFunc(l.rows, func(r Row) bool { return !math.IsNaN(o.of(&r)) || o == MostWrong && !math.IsNaN(surprise(&r)) })
}

// A Query says which rows to show, and in which order. The zero Query selects all rows in the order of the list. Two
// queries can be compared with ==.
type Query struct {
	Value  [Fields]int // by field; 0: any value, otherwise 1 + the index into List.Values
	Search string      // words; each must occur in at least one text of the row; case does not matter
	Order  Order
}

// Select appends the indices of the rows that match q to dst, in the order of q.
func (l *List) Select(dst []int32, q Query) []int32 {
	words := l.words(q.Search)
	start := len(dst)
	for i := range l.rows {
		if l.passes(i, &q, Fields) && l.found(i, words) {
			dst = append(dst, int32(i))
		}
	}
	if q.Order != AsListed {
		slices.SortStableFunc(dst[start:], func(i, j int32) int {
			a, b := &l.rows[i], &l.rows[j]
			order := cmp.Compare(q.Order.of(b), q.Order.of(a)) // Compare sorts NaN last
			if order == 0 && q.Order == MostWrong {
				order = cmp.Compare(surprise(b), surprise(a))
			}
			return order
		})
	}
	return dst
}

// Counts returns, for each value of field f, the number of rows that have the value and match q in everything except
// the filter of f.
func (l *List) Counts(f Field, q Query) []int {
	counts := make([]int, len(l.Values(f)))
	words := l.words(q.Search)
	for i := range l.rows {
		if !l.passes(i, &q, f) || !l.found(i, words) {
			continue
		}
		if f != Surprise {
			if k := l.columns[f].code[i]; int(k) < len(counts) {
				counts[k]++
			}
			continue
		}
		for class := range counts {
			if l.rows[i].Surprise >= l.cut[class] {
				counts[class]++
			}
		}
	}
	return counts
}

// passes says whether row i passes the filters of all fields except one.
func (l *List) passes(i int, q *Query, except Field) bool {
	for f, v := range q.Value {
		switch {
		case v == 0 || Field(f) == except:
		case Field(f) == Surprise:
			if !(l.rows[i].Surprise >= l.cut[min(v-1, classes-1)]) {
				return false
			}
		case int(l.columns[f].code[i]) != v-1:
			return false
		}
	}
	return true
}

// A word says, for one word of the search, which texts of each column contain it.
type word [Fields][]bool

func (l *List) words(search string) []word {
	var words []word
	for _, w := range strings.Fields(strings.ToLower(search)) {
		var in word
		for f := range l.columns {
			in[f] = make([]bool, len(l.columns[f].lower))
			for k, text := range l.columns[f].lower {
				in[f][k] = strings.Contains(text, w)
			}
		}
		words = append(words, in)
	}
	return words
}

// found says whether every word occurs in row i.
func (l *List) found(i int, words []word) bool {
	for w := range words {
		if !l.foundIn(i, &words[w]) {
			return false
		}
	}
	return true
}

func (l *List) foundIn(i int, w *word) bool {
	for f := range l.columns {
		if w[f][l.columns[f].code[i]] {
			return true
		}
	}
	return false
}
