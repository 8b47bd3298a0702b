package misfit

import (
	"fmt"
	"math"
	"slices"

	"achilles/sim/num"
)

// leastVariance is the smallest expected variance of the sum of a group's residuals. Groups with a smaller variance are
// pooled; if the variance of the pool is also smaller, the pool is left out. The squared residual of very few responses
// has a heavier tail than a gamma distribution with its moments.
const leastVariance = 1

// groups has the distribution, under the model, of the sums of the residuals in the groups of a grouping.
type groups struct {
	grouping
	sumOf    []uint8   // [cell] index of its sum, which pooled groups share; len(variance): left out
	variance []float64 // [sum] variance if no parameter were fitted
	left     []float64 // [sum] variance that the fit has left
	fourth   []float64 // [sum] fourth cumulant of the sum
	mean     float64   // mean of the sum of squares
	spread   float64   // variance of the sum of squares
}

// newGroups returns the groups of a grouping. It returns nil if every group is left out, or if the fit has left too
// little variance of each sum.
func (r *residuals) newGroups(g grouping) *groups {
	out := &groups{grouping: g}
	variance := make([]float64, len(g.names))
	var buffer [block]uint8
	for from := 0; from < g.responses(); from += block {
		for i, k := range g.place(&buffer, g.group, from) {
			variance[k] += r.variance[r.data.Class[from+i]]
		}
	}
	out.pool(variance)
	if len(out.variance) == 0 {
		return nil
	}
	out.fourth = make([]float64, len(out.variance))
	loads := num.Rows(len(out.variance), len(r.taken)) // [sum][direction]
	for from := 0; from < g.responses(); from += block {
		for i, s := range g.place(&buffer, out.sumOf, from) {
			if int(s) < len(loads) {
				out.fourth[s] += r.fourth(from + i)
				r.addLoads(loads[s], from+i, 1)
			}
		}
	}
	if out.moments(r, loads); out.variances() == 0 {
		return nil
	}
	return out
}

// pool gives every group with enough variance its own sum. All other groups share one sum if this has enough variance,
// and are left out otherwise.
func (g *groups) pool(variance []float64) {
	rest := 0.0
	sumOf := make([]uint8, len(variance)) // [group]
	for k, v := range variance {
		if v < leastVariance {
			rest += v
			continue
		}
		sumOf[k] = uint8(len(g.variance))
		g.variance = append(g.variance, v)
	}
	last := uint8(len(g.variance)) // of the groups that share a sum, or have none
	for k, v := range variance {
		if v < leastVariance {
			sumOf[k] = last
		}
	}
	if rest >= leastVariance {
		g.variance = append(g.variance, rest)
	}
	for _, k := range g.group {
		g.sumOf = append(g.sumOf, sumOf[k])
	}
}

// moments sets the mean and the variance of the sum over groups of r²/v, with r the residual and v its variance if no
// parameter were fitted. The fit makes residuals correlated: with M the covariance matrix of r/√v, the mean is tr M, and
// the variance is 2·tr M² plus, for every group, its excess kurtosis times the square of its diagonal element of M.
func (g *groups) moments(r *residuals, loads [][]float64) {
	n := len(g.variance)
	g.left = make([]float64, n)
	for a := range n {
		for b := range a + 1 {
			m := 0.0
			if a == b {
				m = 1
			}
			whole := math.Sqrt(g.variance[a] * g.variance[b])
			for k, x := range loads[a] {
				m -= float64(r.taken[k].share*x*loads[b][k]) / whole
			}
			if a == b {
				m = max(m, 0)
				g.left[a] = float64(m * g.variance[a])
				g.mean += m
				g.spread += float64(2*m*m) + float64(float64(m*m)*max(g.fourth[a]/float64(g.variance[a]*g.variance[a]), -1))
				continue
			}
			g.spread += float64(4 * m * m)
		}
	}
}

// variances returns the number of sums of whose variance the fit has left more than the share leastLeft.
func (g *groups) variances() (n int) {
	for s, v := range g.left {
		if v > leastLeft*g.variance[s] {
			n++
		}
	}
	return n
}

// sums returns the sums of the residuals, in the order of the indices in sumOf. It writes them to the memory of out if that
// is large enough.
func (g *groups) sums(out, residual []float64) []float64 {
	n := len(g.variance)
	out = slices.Grow(out[:0], n+1)[:n+1] // the last is the sum of what is left out
	clear(out)
	var buffer [block]uint8
	for from := 0; from < len(residual); from += block {
		at := g.place(&buffer, g.sumOf, from)
		residual := residual[from:][:len(at)]
		for i, s := range at {
			out[s] += residual[i]
		}
	}
	return out[:n]
}

func (g *groups) squares(sums []float64) (total float64) {
	for s, x := range sums {
		total += float64(x*x) / g.variance[s]
	}
	return total
}

// sum returns the outcome for the sum of squares.
func (g *groups) sum(sums []float64) value {
	total := g.squares(sums)
	return value{statistic: total, p: above(total, g.mean, g.spread)}
}

// most returns the outcome for the square of a sum, divided by the variance that the fit has left, with the smallest
// p-value. It corrects this p-value for the number of sums.
func (g *groups) most(sums []float64) value {
	out, n := value{p: 1}, 0
	for s, x := range sums {
		if g.left[s] <= leastLeft*g.variance[s] {
			continue
		}
		n++
		square := float64(x*x) / g.left[s]
		if p := above(square, 1, g.second(s)); p < out.p {
			out = value{square, p, s}
		}
	}
	out.p = anyOf(out.p, n)
	return out
}

// reach reports whether the statistic reaches its limit. If largest is true, this means that the square of any sum
// reaches the sum's entry of limits; otherwise, that the sum of squares reaches limits[0].
func (g *groups) reach(sums, limits []float64, largest bool) bool {
	if !largest {
		return g.squares(sums) >= limits[0]
	}
	for s, x := range sums {
		if float64(x*x)/max(g.left[s], floor) >= limits[s] {
			return true
		}
	}
	return false
}

// second returns the variance of a squared standardised sum.
func (g *groups) second(s int) float64 {
	return 2 + max(g.fourth[s]/float64(g.left[s]*g.left[s]), -1)
}

// worst describes the group with the largest standardised residual. If some groups have a material residual, it chooses
// among these, and material is true.
func (g *groups) worst(r *residuals) (material bool, statement string) {
	type tally struct{ n, seen, expected, variance float64 }
	tallies := make([]tally, len(g.names))
	var buffer [block]uint8
	for from := 0; from < g.responses(); from += block {
		for i, k := range g.place(&buffer, g.group, from) {
			t := &tallies[k]
			c := r.data.Class[from+i]
			t.n++
			t.seen += r.data.Responses[from+i].Value
			t.expected += r.mean[c]
			t.variance += r.variance[c]
		}
	}
	// A material residual is large, not only significant: it is at least a fifth of the number of responses, of which there
	// are at least 20, and at least four standard deviations.
	large := func(t *tally) bool {
		d := math.Abs(t.seen - t.expected)
		return t.n >= 20 && d >= float64(0.2*t.n) && d >= 4*math.Sqrt(t.variance)
	}
	best, at := -1.0, -1
	for k := range tallies {
		t := &tallies[k]
		if t.variance < leastVariance {
			continue
		}
		z := math.Abs(t.seen-t.expected) / math.Sqrt(t.variance)
		if m := large(t); at < 0 || m && !material || m == material && z > best {
			best, at, material = z, k, m
		}
	}
	if at < 0 {
		return false, "in small groups of responses, pooled"
	}
	t := tallies[at]
	return material, fmt.Sprintf("where %s, success rate %.2f (n = %.0f), expected %.2f", g.names[at], t.seen/t.n, t.n, t.expected/t.n)
}
