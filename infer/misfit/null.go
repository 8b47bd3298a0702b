package misfit

import (
	"cmp"
	"math"
	"slices"

	"achilles/sim/rng"
)

// exceeded limits the simulation. It stops after this number of simulated data sets whose smallest p-value is at most the
// observed one, because the observed one is then not unusual (Besag and Clifford 1991, Biometrika 78).
const exceeded = 8

// overwhelming is a factor on Bonferroni's limit, which is alarm/(number of checks). If the smallest p-value is below the
// product, the responses clearly do not come from the model, and nothing is simulated.
const overwhelming = 1e-3

// familywise returns the probability under the model that the smallest weighted p-value of all checks is at most least. It simulates,
// because checks of the same responses are dependent.
func (r *residuals) familywise(checks []check, least, alarm float64, random *rng.Rand) float64 {
	if most := slices.MaxFunc(checks, func(a, b check) int { return cmp.Compare(a.weight, b.weight) }); least*most.weight > alarm {
		return 1 // that check alone is so small more often
	}
	if bound := float64(len(checks)) * least; bound < overwhelming*alarm {
		return bound
	}
	pools := newPooling(checks, len(r.observed))
	all := make([]simulated, len(checks))
	for i, c := range checks {
		all[i].limits = c.limits(min(least*c.weight, 1))
		if i > 0 && c.groups != nil && c.groups == checks[i-1].groups { // the two checks of one grouping
			all[i].pooled, all[i].check = all[i-1].pooled, all[i-1].check
			all[i].largest = c.largest
			continue
		}
		all[i].check, all[i].pooled = pools.pooled(c)
	}
	most := int(math.Ceil(exceeded/alarm)) - 1
	failed := 0
	residual, pooled := make([]float64, len(r.observed)), make([]float64, len(pools.first))
	for n := range most {
		r.simulate(residual, random)
		pools.sums(pooled, residual)
		if exceeds(all, residual, pooled) {
			failed++
		}
		if failed == exceeded {
			return float64(failed) / float64(n+1)
		}
	}
	return float64(failed+1) / float64(most+1)
}

// simulate draws responses from a posterior draw, and writes to residual the residuals that a fit to these responses
// would leave. Along each direction a fit removes the share h of the residual. A normal variable of variance h(1 − h) is
// added, because the parameters of a subject lie at a random distance from the centre of the prior. The variance along
// the direction is then (1 − h)² + h(1 − h) = 1 − h, as for subjects from the prior.
func (r *residuals) simulate(residual []float64, random *rng.Rand) {
	draw := r.expected.draw(random.IntN(r.data.Draws))
	along := make([]float64, len(r.taken))
	for i := range residual {
		c := r.data.Class[i]
		if r.data.Binary[i] {
			residual[i] = -draw[c]
			if random.Bernoulli(min(max(draw[c], 0), 1)) {
				residual[i]++
			}
		} else {
			residual[i] = float64(math.Sqrt(r.variance[c]) * random.Norm())
		}
		r.addAlong(along, i, residual[i])
	}
	for k, d := range r.taken {
		along[k] = float64(d.share*along[k]) + float64(math.Sqrt(d.share*(1-d.share))*random.Norm())
	}
	r.take(residual, along)
}

// limits returns the statistics at which the p-value of a check is p: one, or one for each group or contrast.
func (c *check) limits(p float64) (out []float64) {
	switch {
	case c.clusters != nil:
		out = []float64{critical(p, c.clusters.mean, c.clusters.spread)}
	case c.groups == nil:
		for k := range c.contrast {
			out = append(out, critical(oneOf(p, len(c.contrast)), 1, c.contrast[k].second))
		}
	case c.largest:
		for s, left := range c.groups.left {
			if left <= leastLeft*c.groups.variance[s] {
				out = append(out, math.Inf(1))
				continue
			}
			out = append(out, critical(oneOf(p, c.groups.variances()), 1, c.groups.second(s)))
		}
	default:
		out = []float64{critical(p, c.groups.mean, c.groups.spread)}
	}
	return out
}

// A simulated check has its limits, and may be one of pools.
type simulated struct {
	check
	limits []float64
	pooled bool
}

// exceeds reports whether a statistic of the residuals, or of their sums in pools, reaches its limit.
func exceeds(checks []simulated, residual, pooled []float64) bool {
	var sums []float64
	var summed *groups // groups to which sums belong; the two checks of one grouping share the sums
	for i := range checks {
		c := &checks[i]
		of := residual
		if c.pooled {
			of = pooled
		}
		if c.clusters != nil {
			if c.clusters.squares(of) >= c.limits[0] {
				return true
			}
			continue
		}
		if c.groups == nil {
			for k := range c.contrast {
				if s, _ := c.contrast[k].square(of); s >= c.limits[k] {
					return true
				}
			}
			continue
		}
		if c.groups != summed {
			sums, summed = c.groups.sums(sums, of), c.groups
		}
		if c.groups.reach(sums, c.limits, c.largest) {
			return true
		}
	}
	return false
}
