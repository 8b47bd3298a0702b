package table

import (
	"math"
	"slices"

	"achilles/sim/num"
	"achilles/sim/record"
)

// Limits of categories that have no order.
const (
	folds            = 5       // parts of the subjects, of which the others say what categories stand for
	levelOfItem      = 0.05    // of an item to be named, once all together are beyond alarm
	mostForOrder     = 1 << 19 // responses; of more, the search would take seconds
	fewestForOrder   = 40      // subjects
	fewestCategories = 3       // of an item
	mostCategories   = 12      // of an item
	leastDisorder    = 0.25    // proportion of what categories say of the other responses that no order of theirs explains
	mostAlike        = 0.7     // proportion of the differences that all items have in common
	leastUnordered   = 0.2     // proportion of items
)

// unordered finds items whose categories are numbered in no order: answers that were chosen, coded 1 to 5. Each category has a number by which the
// items agree most (the first dimension of a multiple correspondence analysis; Greenacre 1984), found for each fifth of the subjects in the
// other four. Subjects with one category of an item are then compared by the mean of their other items' numbers. Of ordered categories that mean
// rises, or falls, from each to the next; what rising or falling means leave over, summed over items, is beyond alarm by chance. Items are named of
// which it is at least a quarter of all differences and beyond levelOfItem. Where the same categories stand out in all of them, people answered in
// a style of their own (in the middle, or at the ends), which says nothing of the order.
func (t *Table) unordered(d *record.Dataset, m uint8) Finding {
	none := Finding{}
	if d.Manifest.Measures[m].Family != record.Choice || t.Rows() > mostForOrder {
		return none
	}
	c := newCategorical(t)
	if c == nil {
		return none
	}
	c.score()
	by, all, of := make([]disorder, len(t.Items)), disorder{}, 0
	for i := range t.Items {
		by[i] = c.disorder(i)
		all.left, all.mean, all.variance = all.left+by[i].left, all.mean+by[i].mean, all.variance+by[i].variance
		if by[i].mean > 0 {
			of++
		}
	}
	same, squares := make([]float64, mostCategories), 0.0
	f := named(t.Items, func(i int) bool {
		is := by[i].left >= leastDisorder*by[i].differences && by[i].tail() < levelOfItem
		for k, x := range by[i].profile {
			if is {
				same[k] += x
				squares += float64(x * x)
			}
		}
		return is
	}, Finding{Kind: NotOrdered, What: "items whose categories, as they are numbered, have no order"})
	f.Of = of
	for k := range same {
		squares -= float64(same[k]*same[k]) / float64(max(1, f.Count)) / mostAlike
	}
	if squares < 0 || f.Count == 0 || float64(f.Count) < leastUnordered*float64(of) || all.tail() >= alarm {
		return none
	}
	f.Grave = true
	f.Meaning = "who chose a category in the middle does better, or worse, on the other items than who chose one below or above it: as ordered categories these numbers mean nothing"
	f.When, f.Remedy = "If they are answers that were chosen", "--key FILE, which has the right ones"
	f.doubt = "its categories have no order"
	return f
}

// A disorder says how much the means of the other items' numbers differ between the categories of an item.
type disorder struct {
	differences    float64   // χ² of all differences
	left           float64   // what is left over by means that rise or fall
	mean, variance float64   // of left, of ordered categories that hardly differ; 0: there is nothing to compare
	profile        []float64 // how far each category lies from their mean, in standard errors
}

// tail returns the probability that as much is left over.
func (d *disorder) tail() float64 {
	if !(d.mean > 0) {
		return 1
	}
	_, q := num.GammaTails(d.mean*d.mean/d.variance, d.left*d.mean/d.variance)
	return q
}

// A categorical has the categories of responses.
type categorical struct {
	of    [][]placed  // by subject: item and category, one response to each
	rest  [][]float64 // the same: the mean of the other items' numbers
	size  []int       // categories of each item
	from  []int       // index of an item's first category among all
	total int
}

type placed struct{ item, category int32 }

// newCategorical returns the categories of a table; nil: there are too few subjects, or an item has too many categories.
func newCategorical(t *Table) *categorical {
	levels := make([][]float64, len(t.Items))
	for r, v := range t.Value {
		l := levels[t.Item[r]]
		if k, ok := slices.BinarySearch(l, v); !ok {
			if levels[t.Item[r]] = slices.Insert(l, k, v); len(l) == mostCategories {
				return nil
			}
		}
	}
	c := &categorical{of: make([][]placed, len(t.Subjects))}
	for _, l := range levels {
		c.from = append(c.from, c.total)
		c.size = append(c.size, len(l))
		c.total += len(l)
	}
	there := 0
	for r, v := range t.Value {
		s, i := t.Subject[r], t.Item[r]
		if n := len(c.of[s]); n > 0 && c.of[s][n-1].item == i {
			continue // a further response to it
		} else if n == 0 {
			there++
		}
		k, _ := slices.BinarySearch(levels[i], v)
		c.of[s] = append(c.of[s], placed{i, int32(k)})
	}
	if there < fewestForOrder {
		return nil
	}
	return c
}

// score fills rest: in each fifth of the subjects by the numbers of the others.
func (c *categorical) score() {
	c.rest = make([][]float64, len(c.of))
	all := c.numbers(folds)
	for fold := range folds {
		x, sign := c.numbers(fold), 0.0
		for k := range x {
			sign += x[k] * all[k]
		}
		for s := fold; s < len(c.of); s += folds {
			sum, n := 0.0, float64(len(c.of[s])-1)
			for _, p := range c.of[s] {
				sum += c.at(x, p)
			}
			for _, p := range c.of[s] {
				c.rest[s] = append(c.rest[s], math.Copysign((sum-c.at(x, p))/n, (sum-c.at(x, p))*sign))
			}
		}
	}
}

// at returns the number of a category.
func (c *categorical) at(x []float64, p placed) float64 { return x[c.from[p.item]+int(p.category)] }

// numbers returns a number for each category, those by which the items agree most in all subjects but one fifth.
func (c *categorical) numbers(without int) []float64 {
	count, x, sum := make([]float64, c.total), make([]float64, c.total), make([]float64, c.total)
	for k := range x {
		x[k] = math.Sin(float64(7 * (k + 1))) // any start
	}
	for range 60 {
		clear(sum)
		clear(count)
		for s := range c.of {
			if s%folds == without {
				continue
			}
			mean := 0.0
			for _, p := range c.of[s] {
				mean += c.at(x, p) / float64(len(c.of[s]))
			}
			for _, p := range c.of[s] {
				sum[c.from[p.item]+int(p.category)] += mean
				count[c.from[p.item]+int(p.category)]++
			}
		}
		size := 0.0
		for i, from := range c.from { // numbers of an item have mean 0
			n, mean := 0.0, 0.0
			for k := from; k < from+c.size[i]; k++ {
				n, mean = n+count[k], mean+sum[k]
			}
			for k := from; k < from+c.size[i]; k++ {
				if x[k] = 0; count[k] > 0 {
					x[k] = sum[k]/count[k] - mean/n
				}
				size += float64(count[k] * x[k] * x[k])
			}
		}
		if !(size > 0) {
			return x
		}
		for k := range x {
			x[k] /= math.Sqrt(size)
		}
	}
	return x
}

// disorder returns that of an item. What is left over by the better of rising and falling means has no more than the distribution that it has
// for one of these where means are equal: a mixture of χ² whose degrees of freedom are the categories less the number of records in a random
// order (Robertson, Wright and Dykstra 1988, section 2.3).
func (c *categorical) disorder(item int) (d disorder) {
	type group struct{ n, mean float64 }
	groups := make([]group, c.size[item])
	within, n := 0.0, 0.0
	for s := range c.of {
		k := slices.IndexFunc(c.of[s], func(p placed) bool { return int(p.item) == item })
		if k < 0 || len(c.of[s]) < 3 {
			continue
		}
		at, rest := c.of[s][k].category, c.rest[s][k]
		g := &groups[at]
		g.n++
		off := rest - g.mean
		g.mean += off / g.n
		within += float64(off * (rest - g.mean))
		n++
	}
	grand, k := 0.0, 0
	for _, g := range groups {
		if g.n > 0 {
			k++
			grand += float64(g.n*g.mean) / n
		}
	}
	if k < fewestCategories || n < 10+float64(k) || !(within > 0) {
		return d
	}
	variance := within / (n - float64(k))
	for _, g := range groups {
		x := (g.mean - grand) * math.Sqrt(g.n/variance)
		d.differences += float64(x * x)
		d.profile = append(d.profile, x)
	}
	for at := 1; at <= k; at++ {
		x := 1 / float64(at)
		d.mean += 1 - x
		d.variance += 2*(1-x) + x - float64(x*x)
	}
	groups = slices.DeleteFunc(groups, func(g group) bool { return g.n == 0 })
	// pool neighbours that are out of order (Ayer et al. 1955)
	over := func(sign float64) (sum float64) {
		type block struct{ n, mean float64 }
		var blocks []block
		var of []int
		for _, g := range groups {
			blocks = append(blocks, block{g.n, sign * g.mean})
			of = append(of, 1)
			for b := len(blocks) - 1; b > 0 && blocks[b-1].mean > blocks[b].mean; b-- {
				w := blocks[b-1].n + blocks[b].n
				blocks[b-1] = block{w, (float64(blocks[b-1].n*blocks[b-1].mean) + float64(blocks[b].n*blocks[b].mean)) / w}
				of[b-1] += of[b]
				blocks, of = blocks[:b], of[:b]
			}
		}
		at := 0
		for b, x := range blocks {
			for range of[b] {
				g := groups[at]
				sum += float64(g.n*(sign*g.mean-x.mean)*(sign*g.mean-x.mean)) / variance
				at++
			}
		}
		return sum
	}
	d.left = min(over(1), over(-1))
	return d
}
