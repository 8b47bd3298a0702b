package mml

import (
	"cmp"
	"math"
	"slices"

	"achilles/sim/num"
)

// A pattern is a set of responses that one or more subjects of a group have in common.
type pattern struct {
	y      []int8 // category by item, −1: none; the first where there are several
	items  []int  // with a response
	counts []answer
	taken  int // responses
	group  int
	n      float64 // subjects
	lo, hi int     // the nodes at which its likelihood counts
	own    *grid   // nodes of its own; nil: those of all
}

// An answer is a category of an item that subjects of a pattern gave n times, which count as so many in the likelihood.
type answer struct {
	item int32
	y    int8
	n    int32
	as   float64
}

// answers returns the categories that a subject gave, sorted by item and category, and the number of responses: those of row, and further
// ones, which are sorted.
func (d *Data) answers(row []int8, again []Again) (out []answer, taken int) {
	at := 0
	for i, y := range row {
		if y < 0 {
			continue
		}
		taken++
		own := []answer{{item: int32(i), y: y, n: 1}}
		n := 1.0
		for ; at < len(again) && int(again[at].Item) == i; at++ {
			more := answer{item: int32(i), y: again[at].Category, n: again[at].times()}
			n += float64(more.n)
			taken += int(more.n)
			k := slices.IndexFunc(own, func(a answer) bool { return a.y >= more.y })
			switch {
			case k < 0:
				own = append(own, more)
			case own[k].y == more.y:
				own[k].n += more.n
			default:
				own = slices.Insert(own, k, more)
			}
		}
		for k := range own {
			own[k].as = float64(own[k].n) / (1 + float64((n-1)*d.Alike))
		}
		out = append(out, own...)
	}
	return out, taken
}

// repeated reports whether a subject has several responses to an item.
func (of patterns) repeated() bool {
	return slices.ContainsFunc(of, func(p pattern) bool { return p.taken > len(p.items) })
}

// narrow leaves a pattern the nodes that have weight w, and as many again around them.
func (p *pattern) narrow(w []float64) {
	lo, hi := p.lo, p.hi
	for lo < hi-1 && w[lo] < 1e-16 {
		lo++
	}
	for hi > lo+1 && w[hi-1] < 1e-16 {
		hi--
	}
	pad := max(6, (hi-lo)/2)
	for q := p.lo; q < max(p.lo, lo-pad); q++ {
		w[q] = 0
	}
	p.lo, p.hi = max(0, lo-pad), min(len(w), hi+pad)
	for q := range w {
		if q < p.lo || q >= p.hi {
			w[q] = 0
		}
	}
}

// patterns are the different ones of a set of data, sorted by group and responses.
type patterns []pattern

// collapse returns the different patterns with a response, sorted by group and responses, and the index of each subject's, −1 where it has none. What
// is inferred depends on no order of subjects.
func (d *Data) collapse() (out patterns, of []int) {
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
	again := make([][]Again, len(d.Responses))
	for _, x := range d.Again {
		again[x.Subject] = append(again[x.Subject], x)
	}
	byItem := func(a, b Again) int {
		return cmp.Or(cmp.Compare(a.Item, b.Item), cmp.Compare(a.Category, b.Category), cmp.Compare(a.times(), b.times()))
	}
	for _, list := range again {
		slices.SortFunc(list, byItem)
	}
	order := num.Indices(len(d.Responses))
	compare := func(a, b int) int {
		if g := group(a) - group(b); g != 0 {
			return g
		}
		if c := slices.Compare(d.Responses[a], d.Responses[b]); c != 0 {
			return c
		}
		return slices.CompareFunc(again[a], again[b], byItem)
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
			p.counts, p.taken = d.answers(p.y, again[s])
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

// restCorrelation returns the correlation of responses to an item with the mean of the others, weighted by subjects; 0 where there is none.
func (of patterns) restCorrelation(i int, total []float64, categories int) float64 {
	var n, x, y, xx, yy, xy float64
	for u := range of {
		p := &of[u]
		if p.y[i] < 0 || len(p.items) < 2 {
			continue
		}
		k := float64(len(p.items))
		a := float64(p.y[i]) / float64(categories-1)
		b := (float64(total[u]*k) - a) / (k - 1)
		n, x, y = n+p.n, x+float64(p.n*a), y+float64(p.n*b)
		xx, yy, xy = xx+float64(p.n*a*a), yy+float64(p.n*b*b), xy+float64(p.n*a*b)
	}
	if n == 0 {
		return 0
	}
	vx, vy := xx/n-float64(x*x)/(n*n), yy/n-float64(y*y)/(n*n)
	if !(vx > 1e-12 && vy > 1e-12) {
		return 0
	}
	return (xy/n - float64(x*y)/(n*n)) / math.Sqrt(float64(vx*vy))
}

// fewestOfDesign is the smallest number of subjects with responses to the same items that are compared by their totals.
const fewestOfDesign = 50

// A design is the set of items that some subjects answered.
type design struct {
	items    []int
	patterns []int
	n        float64
}

// designs returns those of enough subjects, in the order of their first patterns.
func (of patterns) designs() (out []*design) {
	at := map[string]*design{}
	var all []*design
	for u := range of {
		p := &of[u]
		key := make([]byte, len(p.y))
		for i, y := range p.y {
			if y >= 0 {
				key[i] = 1
			}
		}
		d := at[string(key)]
		if d == nil {
			d = &design{items: p.items}
			at[string(key)] = d
			all = append(all, d)
		}
		d.patterns = append(d.patterns, u)
		d.n += p.n
	}
	for _, d := range all {
		if d.n >= fewestOfDesign && len(d.items) > 2 {
			out = append(out, d)
		}
	}
	return out
}
