package tables

import (
	"math"
	"slices"
)

// Few rows agree by chance: a sum must hold in fewestSummed rows, a difference of two of many columns in fewestDifferent.
const (
	fewestSummed    = 5
	fewestDifferent = 8
	mostDifferent   = 12 // columns among which differences are looked for: their number grows with the third power
)

// A sumOf is a column that may be made of others: which, and what it can still be after the rows so far.
type sumOf struct {
	column             *profile
	at                 int
	item               bool // whether it could be a response itself
	sum, mean, percent bool
	differences        [][2]int // pairs of responses of which it is the first less the second
	is                 string
}

// summed returns the columns of cells that are made of those that could be responses: their sum or mean, or the difference of two, in every row without a gap. What
// could itself be a response must be beyond the others' range to be a sum, not whole to be a mean, and below 0 somewhere to be a difference.
func (s *surveyed) summed(cells, could []*profile) (out []*sumOf, err error) {
	among, his, negative, vary := map[*profile]bool{}, []float64{math.Inf(-1), math.Inf(-1)}, 0, 0
	for _, c := range could {
		among[c], his = true, append(his, c.hi)
		if c.lo < 0 {
			negative++
		}
		if !c.constant() {
			vary++
		}
	}
	slices.Sort(his)
	most, second := his[len(his)-1], his[len(his)-2]
	var open []*sumOf
	for _, c := range cells {
		item := among[c]
		others, varied := len(could), vary
		if item {
			others, varied = others-1, varied-1
		}
		if others < 2 || varied == 0 || c.constant() || !c.numeric() {
			continue
		}
		x := &sumOf{column: c, at: s.src.column(c.name), item: item}
		x.sum, x.mean, x.percent = !item || c.hi == most && most > second, !item || c.broken > 0, !item
		if others <= mostDifferent && (!item || c.lo < 0 && negative == 1) {
			for a, p := range could {
				for b, q := range could {
					if a != b && p != c && q != c {
						x.differences = append(x.differences, [2]int{a, b})
					}
				}
			}
		}
		if x.sum || x.mean || x.percent || x.differences != nil {
			open = append(open, x)
		}
	}
	if open == nil {
		return nil, nil
	}
	at := make([]int, len(could))
	for i, c := range could {
		at[i] = s.src.column(c.name)
	}
	rows, values := 0, make([]float64, len(could))
	for row, err := range s.src.Each {
		if err != nil || len(open) == 0 {
			return nil, err
		}
		total, ok := 0.0, true
		for i, c := range at {
			if values[i], ok = s.read.number(row.Cells[c]); !ok {
				break
			}
			total += values[i]
		}
		if !ok {
			continue
		}
		rows++
		open = slices.DeleteFunc(open, func(x *sumOf) bool {
			v, ok := s.read.number(row.Cells[x.at])
			if !ok {
				return !missing(row.Cells[x.at])
			}
			n, others := float64(len(could)), total
			if x.item {
				n, others = n-1, total-v
			}
			x.sum, x.mean, x.percent = x.sum && near(v, others, x), x.mean && near(v, others/n, x), x.percent && near(v, 100*others/n, x)
			x.differences = slices.DeleteFunc(x.differences, func(d [2]int) bool { return !near(v, values[d[0]]-values[d[1]], x) })
			return !x.sum && !x.mean && !x.percent && x.differences == nil
		})
	}
	for _, x := range open {
		switch {
		case rows < fewestSummed:
		case x.sum:
			x.is = "the sum of the others"
		case x.mean:
			x.is = "the mean of the others"
		case x.percent:
			x.is = "the mean of the others, in per cent"
		case rows >= fewestDifferent && len(x.differences) > 0:
			d := x.differences[0]
			x.is = could[d[0]].name + " less " + could[d[1]].name
		}
	}
	return slices.DeleteFunc(open, func(x *sumOf) bool { return x.is == "" }), nil
}

// rounding is what two decimals leave out.
const rounding = .0051

// near reports whether a number of a column is another, to the digits that tables are printed with.
func near(v, of float64, x *sumOf) bool {
	most := 1e-6 * max(1, math.Abs(of))
	if x.column.broken > 0 && x.column.width() > 100*rounding {
		most = rounding
	}
	return math.Abs(v-of) <= most
}
