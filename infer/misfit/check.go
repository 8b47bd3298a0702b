package misfit

import (
	"fmt"
	"math"

	"achilles/sim/num"
)

// A check is a statistic of the residuals whose distribution under the model is known. It is computed from the sums of
// the residuals in groups, or from weighted sums of all residuals.
type check struct {
	name     string
	groups   *groups   // sums of the residuals in groups; nil: the check uses clusters or contrast
	largest  bool      // with groups: the statistic is the largest square of a sum, not the sum of the squares
	clusters *clusters // sum of the squares of sums in many small groups; nil: the check uses contrast
	contrast []contrast
	weight   float64 // by which its p-value is divided before it is compared with those of others
}

// A value is the outcome of a check: the statistic, the probability p of a larger statistic under the model, and the
// index at of the sum or contrast with the smallest p-value (0 for a sum of squares).
type value struct {
	statistic, p float64
	at           int
}

// Shares of the level, of the checks by columns, of how success depends on what is expected, of likeness and of order: there are many times
// as many by columns as others, and no fault that these find should be lost among them.
const (
	columnShare = 0.4
	curveShare  = 0.2
	alikeShare  = 0.2
	orderShare  = 0.2
)

// checks returns all checks of the responses, with weights of mean 1.
func (r *residuals) checks(d *Data) (out []check) {
	all := 0.0
	for _, family := range []struct {
		share  float64
		checks []check
	}{{columnShare, r.columnwise(d)}, {curveShare, r.curved()}, {alikeShare, r.alikeWithin()}, {orderShare, r.ordered()}} {
		if n := float64(len(family.checks)); n > 0 {
			all += family.share
			for _, c := range family.checks {
				c.weight = family.share / n
				out = append(out, c)
			}
		}
	}
	for i := range out {
		out[i].weight *= float64(len(out)) / all
	}
	return out
}

// columnwise returns the checks by columns of the items, by repetition and by trial.
func (r *residuals) columnwise(d *Data) (out []check) {
	for _, g := range d.groupings() {
		if gs := r.newGroups(g); gs != nil {
			out = append(out, check{name: g.name, groups: gs})
			if gs.variances() > 1 {
				out = append(out, check{name: g.name + ", largest", groups: gs, largest: true})
			}
		}
	}
	columns := d.numbers()
	for i, a := range columns {
		if a.levels > 2 {
			out = r.withContrast(out, "trend with "+a.name, weights{a: &a.values}, "rises more with "+a.name, "falls more with "+a.name)
		}
		for _, b := range columns[:i] {
			if max(a.levels, b.levels) > 2 {
				out = r.withContrast(out, b.name+" with "+a.name, weights{&a.values, &b.values}, fmt.Sprintf("is higher where %s and %s are both large or both small", b.name, a.name), fmt.Sprintf("is lower where %s and %s are both large or both small", b.name, a.name))
			}
		}
	}
	return out
}

// withContrast adds the check of the sum of the residuals with weights w, unless the sum has hardly any variance or the
// fit leaves too little of it (leastLeft). up and down say in words what a positive and a negative sum mean.
func (r *residuals) withContrast(out []check, name string, w weights, up, down string) []check {
	c, ok := r.newContrast(w, up, down)
	if !ok {
		return out
	}
	return append(out, check{name: name, contrast: []contrast{c}})
}

// evaluate returns the outcome of the check for these residuals.
func (c *check) evaluate(residual []float64) value {
	if c.clusters != nil {
		s := c.clusters.squares(residual)
		return value{statistic: s, p: above(s, c.clusters.mean, c.clusters.spread)}
	}
	if c.groups == nil {
		return evaluateContrasts(c.contrast, residual)
	}
	sums := c.groups.sums(nil, residual)
	if c.largest {
		return c.groups.most(sums)
	}
	return c.groups.sum(sums)
}

// above returns the probability that a sum of squares with this mean and variance is larger than statistic, from the
// gamma distribution with the same mean and variance (Satterthwaite 1946).
func above(statistic, mean, variance float64) float64 {
	_, q := num.GammaTails(mean*mean/variance, statistic*mean/variance)
	return q
}

// anyOf returns the p-value of the largest of n independent statistics, if the p-value of this statistic alone is p
// (Šidák 1967).
func anyOf(p float64, n int) float64 { return -num.Expm1(float64(n) * num.Log1p(-p)) }

// oneOf is the inverse of anyOf: anyOf(oneOf(p, n), n) = p.
func oneOf(p float64, n int) float64 { return -num.Expm1(num.Log1p(-p) / float64(n)) }

// critical returns the sum of squares that is exceeded with probability p. It lowers this limit by a millionth, so that a
// statistic reaches a limit that it equals up to rounding. Statistics of few responses often are equal.
func critical(p, mean, variance float64) float64 {
	return (1 - 1e-6) * variance / mean * num.Exp(num.LogGammaQuantile(1-p, mean*mean/variance))
}

// A contrast is a weighted sum of residuals.
type contrast struct {
	w        weights
	variance float64
	second   float64 // variance of the squared standardised sum
	up, down string  // what a positive and a negative sum mean, in words
}

// leastLeft is a limit for sums of residuals. The model was fitted to the same responses, which lowers the variance of a
// sum. A sum is checked only if more than this share of the variance is left.
const leastLeft = 0.05

func (r *residuals) newContrast(w weights, up, down string) (contrast, bool) {
	c := contrast{w: w, up: up, down: down}
	all, fourth := 0.0, 0.0
	taken := make([]float64, len(r.taken))
	var buffer [block]float64
	for from := 0; from < len(r.observed); from += block {
		part := buffer[:min(block, len(r.observed)-from)]
		w.fill(part, from)
		for i, x := range part {
			square := float64(x * x)
			all += float64(square * r.variance[r.data.Class[from+i]])
			fourth += float64(square * square * r.fourth(from+i))
			r.addLoads(taken, from+i, x)
		}
	}
	c.variance = all
	for k, t := range taken {
		c.variance -= float64(r.taken[k].share * t * t)
	}
	if !(c.variance > leastLeft*all) || all < floor {
		return c, false
	}
	c.second = 2 + max(fourth/float64(c.variance*c.variance), -1)
	return c, true
}

// square returns the squared standardised sum, and whether the sum is positive.
func (c *contrast) square(residual []float64) (square float64, positive bool) {
	s := 0.0
	var buffer [block]float64
	for from := 0; from < len(residual); from += block {
		part := buffer[:min(block, len(residual)-from)]
		c.w.fill(part, from)
		residual := residual[from:][:len(part)]
		for i, x := range part {
			s += float64(x * residual[i])
		}
	}
	return float64(s*s) / c.variance, s > 0
}

// evaluateContrasts returns the outcome of the contrast with the smallest p-value. It corrects this p-value for the
// number of contrasts.
func evaluateContrasts(all []contrast, residual []float64) value {
	out := value{p: 1}
	for k := range all {
		s, _ := all[k].square(residual)
		if p := above(s, 1, all[k].second); p < out.p {
			out = value{s, p, k}
		}
	}
	out.p = anyOf(out.p, len(all))
	return out
}

// describe says in words how a check failed, and whether a group is the reason that has a material residual.
func (c *check) describe(v value, r *residuals) (material bool, statement string) {
	if c.groups != nil {
		return c.groups.worst(r)
	}
	if c.clusters != nil {
		return false, c.clusters.say(v.statistic)
	}
	k := &c.contrast[v.at]
	s, up := k.square(r.observed)
	what := k.down
	if up {
		what = k.up
	}
	return false, fmt.Sprintf("success %s than expected, by %.1f standard deviations", what, math.Sqrt(s))
}
