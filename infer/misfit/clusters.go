package misfit

import (
	"fmt"
	"math"

	"achilles/sim/num"
	"achilles/sim/record"
)

// clusters has the distribution, under the model, of the sum of the squares of the sums of residuals in clusters of responses, which may be
// many and small. It is large where the responses of a cluster are alike beyond the model.
type clusters struct {
	what         string    // of the responses, in words
	of           []int32   // [response] its cluster; −1: none
	weight       []float64 // [class] of a residual; nil: 1
	class        []int32   // [response]
	mean, spread float64   // mean and variance of the statistic
	sums         []float64
}

// withClusters adds the check of clusters, unless hardly any has two responses or the fit leaves too little variance.
func (r *residuals) withClusters(out []check, name, what string, of []int32, n int) []check {
	return r.withWeighted(out, name, what, of, n, nil)
}

// withWeighted adds the check of clusters of residuals with a weight by class.
func (r *residuals) withWeighted(out []check, name, what string, of []int32, n int, weight []float64) []check {
	c := &clusters{what: what, of: of, weight: weight, class: r.data.Class, sums: make([]float64, n)}
	variance, fourth := make([]float64, n), make([]float64, n)
	loads := make([]float64, n*len(r.taken))
	responses := 0
	for i, g := range of {
		if g < 0 {
			continue
		}
		responses++
		w := c.weightOf(i)
		variance[g] += float64(w * w * r.variance[r.data.Class[i]])
		fourth[g] += float64(w*w*w*w) * r.fourth(i)
		r.addLoads(loads[int(g)*len(r.taken):][:len(r.taken)], i, w)
	}
	all := 0.0
	for g, v := range variance {
		all += v
		for k, l := range loads[g*len(r.taken):][:len(r.taken)] {
			v -= float64(r.taken[k].share * l * l)
		}
		v = max(v, 0)
		c.mean += v
		c.spread += float64(2*v*v) + max(fourth[g], float64(-2*v*v))
	}
	if 2*n > responses || all < leastVariance || c.mean <= leastLeft*all || !(c.spread > 0) {
		return out
	}
	return append(out, check{name: name, clusters: c})
}

// weightOf returns the weight of a response.
func (c *clusters) weightOf(i int) float64 {
	if c.weight == nil {
		return 1
	}
	return c.weight[c.class[i]]
}

// squares returns the statistic. It is not safe for concurrent use.
func (c *clusters) squares(residual []float64) float64 {
	clear(c.sums)
	for i, g := range c.of {
		if g >= 0 {
			c.sums[g] += float64(c.weightOf(i) * residual[i])
		}
	}
	return num.Dot(c.sums, c.sums)
}

func (c *clusters) say(statistic float64) string {
	return fmt.Sprintf("%s are alike beyond the layout: sums of residuals vary %.1f times as much as expected", c.what, statistic/c.mean)
}

// alikeWithin returns the checks of likeness within items that were taken several times, and within columns with more levels than a grouping
// has.
func (r *residuals) alikeWithin() (out []check) {
	d := r.data
	of := make([]int32, len(d.Responses))
	for i := range d.Responses {
		of[i] = d.Responses[i].Item
	}
	out = r.withClusters(out, "alike within item", "responses to one item", of, d.Items.Len())
	for _, column := range d.Items.Columns {
		col, _ := d.Items.Column(column.Name)
		level, n := exactLevels(col)
		if n <= mostNames || n == len(level) {
			continue
		}
		of := make([]int32, len(d.Responses))
		for i := range d.Responses {
			of[i] = level[d.Responses[i].Item]
		}
		out = r.withClusters(out, "alike within "+column.Name, "responses to items with one value of "+column.Name, of, n)
	}
	return out
}

// exactLevels returns for every item the index of its value in a column, −1 where it is missing, and the number of values, of which a missing one
// is another.
func exactLevels(col record.Column) (of []int32, n int) {
	of = make([]int32, max(len(col.Text), len(col.Number)))
	words, numbers := num.Numbering[string]{}, num.Numbering[uint64]{}
	absent := 0
	for i := range of {
		switch {
		case col.Missing != nil && col.Missing[i]:
			of[i], absent = -1, 1
		case col.Kind == record.Text:
			of[i] = int32(words.Of(col.Text[i]))
		default:
			of[i] = int32(numbers.Of(math.Float64bits(col.Number[i])))
		}
	}
	return of, len(words) + len(numbers) + absent
}
