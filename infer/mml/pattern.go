package mml

import "slices"

// A pattern is a set of responses that one or more subjects of a group have in common.
type pattern struct {
	y      []int8 // category by item, −1: none
	items  []int  // with a response
	group  int
	n      float64 // subjects
	lo, hi int     // the nodes at which its likelihood counts
	own    *grid   // nodes of its own; nil: those of all
}

// collapse returns the different patterns with a response, sorted by group and responses, and the index of each subject's, −1 where it has none. What
// is inferred depends on no order of subjects.
func (d *Data) collapse() (out []pattern, of []int) {
	weight := func(s int) float64 {
		if d.Weight == nil {
			return 1
		}
		return d.Weight[s]
	}
	group := func(s int) int {
		if d.Group == nil {
			return 0
		}
		return d.Group[s]
	}
	order := make([]int, len(d.Responses))
	for s := range order {
		order[s] = s
	}
	compare := func(a, b int) int {
		if g := group(a) - group(b); g != 0 {
			return g
		}
		return slices.Compare(d.Responses[a], d.Responses[b])
	}
	slices.SortStableFunc(order, compare)
	of = make([]int, len(d.Responses))
	last := -1
	for _, s := range order {
		if of[s] = -1; weight(s) <= 0 || !slices.ContainsFunc(d.Responses[s], func(y int8) bool { return y >= 0 }) {
			continue
		}
		if last < 0 || compare(last, s) != 0 {
			p := pattern{y: d.Responses[s], group: group(s)}
			for i, y := range p.y {
				if y >= 0 {
					p.items = append(p.items, i)
				}
			}
			out = append(out, p)
		}
		last = s
		of[s] = len(out) - 1
		out[len(out)-1].n += weight(s)
	}
	return out, of
}
