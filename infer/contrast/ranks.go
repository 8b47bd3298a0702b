package contrast

import (
	"cmp"
	"math"
	"slices"

	"achilles/infer/table"
	"achilles/sim/num"
)

// A Rank is the place of a subject, or group, among all that responses connect with it: the first has the highest mean. Low and High are its interval: all
// those that were found to be above are above, and so those below, with probability 0.95 for all ranks together.
type Rank struct {
	Name            string
	Part            int     // of the subjects that shared items connect, from 1
	Above           float64 // mean difference from those that it was compared with
	Rank, Low, High int
	Of              int      // number of those in the part
	Ties            []string // those of the part from whom responses cannot tell it
}

// Ranks ranks all that differences name.
func Ranks(list []Difference) []Rank {
	var out []Rank
	at := num.Numbering[string]{}
	for _, d := range list {
		for _, name := range [2]string{d.A, d.B} {
			if at.Of(name) == len(out) {
				out = append(out, Rank{Name: name})
			}
		}
	}
	part := num.Indices(len(out))
	var root func(i int) int
	root = func(i int) int {
		if part[i] != i {
			part[i] = root(part[i])
		}
		return part[i]
	}
	n, above, below, over := make([]float64, len(out)), make([]int, len(out)), make([]int, len(out)), make([]int, len(out))
	for _, d := range list {
		a, b := at[d.A], at[d.B]
		if d.Items == 0 || math.IsNaN(d.Mean) {
			continue
		}
		part[max(root(a), root(b))] = min(root(a), root(b))
		n[a], n[b] = n[a]+1, n[b]+1
		out[a].Above, out[b].Above = out[a].Above+d.Mean, out[b].Above-d.Mean
		switch d.Found() {
		case 1:
			below[a]++
			above[b]++
		case -1:
			above[a]++
			below[b]++
		}
	}
	number := map[int]int{}
	for i := range out {
		if n[i] > 0 {
			out[i].Above /= n[i]
		}
		k := root(i)
		if number[k] == 0 {
			number[k] = len(number) + 1
		}
		out[i].Part = number[k]
	}
	for i := range out {
		for j := range out {
			if out[j].Part != out[i].Part {
				continue
			}
			if out[i].Of++; out[j].Above > out[i].Above+tiny {
				over[i]++
			}
		}
		out[i].Rank, out[i].Low, out[i].High = over[i]+1, above[i]+1, out[i].Of-below[i]
	}
	for _, d := range list {
		a, b := at[d.A], at[d.B]
		if out[a].Part == out[b].Part && d.Found() == 0 {
			out[a].Ties, out[b].Ties = append(out[a].Ties, d.B), append(out[b].Ties, d.A)
		}
	}
	slices.SortStableFunc(out, func(x, y Rank) int { return cmp.Or(x.Part-y.Part, x.Rank-y.Rank) })
	return out
}

// A Together is a column of items within whose values the differences of pairs go together, so that intervals by item are too narrow.
type Together struct {
	Column string
	table.Likeness
}

// Together returns such columns. They are looked for in the differences of the pairs that are compared, each less its own mean.
func (r *Responses) Together(list []Difference) (out []Together) {
	at := map[string]int{}
	for i, name := range r.Subjects {
		at[name] = i
	}
	for _, c := range r.columns {
		var residual []float64
		var cluster []int
		number := num.Numbering[[2]int]{}
		fitted := 0
		for pair, d := range list {
			if len(residual) > mostResiduals {
				break
			}
			if d.Items == 0 {
				continue
			}
			fitted++
			r.shared(at[d.A], at[d.B], func(item int32, x float64) {
				k := -1
				if c.of[item] >= 0 {
					k = number.Of([2]int{pair, int(c.of[item])})
				}
				residual, cluster = append(residual, x-d.Mean), append(cluster, k)
			})
		}
		l, ok := table.LikenessOf(residual, cluster, fitted)
		if ok && l.Alike(0.01/float64(len(r.columns))) {
			out = append(out, Together{c.name, l})
		}
	}
	return out
}

// mostResiduals is the number of differences from which on no more pairs are looked at.
const mostResiduals = 1 << 20
