package infer

import (
	"maps"
	"math"
	"slices"

	"achilles/infer/layout"
	"achilles/infer/posterior"
	"achilles/infer/table"
	"achilles/sim/num"
	"achilles/sim/record"
)

// A clustered has the responses of a fit, and what is needed to widen its posterior.
type clustered struct {
	responses []record.Response // those that the layout explains
	measure   []int             // beside responses
	draws     [][]float64
	expected  func(theta, out []float64) // the expectation of each response
	logLik    func(theta, out []float64) // of each response
	bears     func(i int) []int          // the values on which response i bears
	binary    []bool                     // value → whether it is 0 or 1: nothing to widen
	target    *layout.JointTarget
	name      func(k int) Factor

	repetitions *float64 // repetitionsDiffer, where subjects are fitted one by one
}

// likeness returns for each way how much responses of a cluster are alike beyond the layout. The residuals e = y − p of a fit have the covariance of
// independent responses less the posterior covariance of their expectations, whatever the layout: so the products of pairs, with that added, are 0 on
// average. Their sum is compared with a gamma distribution of its variance (Satterthwaite 1946).
func (c *clustered) likeness(ways []table.Clustering) []AlikeWithin {
	n := len(c.responses)
	mean, square, p := make([]float64, n), make([]float64, n), make([]float64, n)
	type sums struct{ mean, square []float64 } // of the sum of expectations of a cluster, over draws
	all := make([]sums, len(ways))
	for w, way := range ways {
		k := slices.Max(way.Of) + 1
		all[w] = sums{make([]float64, k), make([]float64, k)}
	}
	whole := map[int]bool{} // measure → some value is neither 0 nor 1
	for i, x := range c.responses {
		whole[c.measure[i]] = whole[c.measure[i]] || x.Value != 0 && x.Value != 1
	}
	first, scale := make([]float64, n), slices.Repeat([]float64{1}, n)
	alone := func() { // moments of the expectation of each response
		for i := range p {
			x := p[i] - first[i] // small beside the expectations, so that squares lose nothing
			mean[i] += x
			square[i] += float64(x * x)
		}
	}
	together := func() { // of the sum of those of a cluster
		for w, way := range ways {
			sum := make([]float64, len(all[w].mean))
			for i, k := range way.Of {
				if k >= 0 {
					sum[k] += (p[i] - first[i]) / scale[i]
				}
			}
			for k, x := range sum {
				all[w].mean[k] += x
				all[w].square[k] += float64(x * x)
			}
		}
	}
	scaled := slices.Contains(slices.Collect(maps.Values(whole)), true)
	for d, theta := range c.draws {
		c.expected(theta, p)
		if d == 0 {
			copy(first, p)
		}
		if alone(); !scaled {
			together()
		}
	}
	draws := float64(len(c.draws))
	residual, variance := make([]float64, n), make([]float64, n)
	spread, of := map[int]float64{}, map[int]float64{}
	for i, x := range c.responses {
		mean[i] /= draws
		square[i] = square[i]/draws - float64(mean[i]*mean[i]) // the posterior variance of the expectation
		residual[i] = x.Value - first[i] - mean[i]
		m := c.measure[i]
		spread[m] += float64(residual[i] * residual[i])
		of[m]++
	}
	for i := range variance {
		m := c.measure[i]
		q := first[i] + mean[i]
		if variance[i] = float64(q * (1 - q)); whole[m] {
			variance[i] = 1
			scale[i] = math.Sqrt(spread[m] / of[m])
			residual[i], square[i] = residual[i]/scale[i], square[i]/float64(scale[i]*scale[i])
		}
	}
	if scaled { // what a response is divided by is known now alone
		for _, theta := range c.draws {
			c.expected(theta, p)
			together()
		}
	}
	out := make([]AlikeWithin, len(ways))
	for w, way := range ways {
		k := len(all[w].mean)
		e, v, root, count, own := make([]float64, k), make([]float64, k), make([]float64, k), make([]int, k), make([]float64, k)
		vv := make([]float64, k)
		for i, k := range way.Of {
			if k >= 0 {
				e[k] += residual[i]
				v[k] += variance[i]
				vv[k] += float64(variance[i] * variance[i])
				root[k] += math.Sqrt(max(variance[i], 0))
				own[k] += float64(residual[i]*residual[i]) + square[i]
				count[k]++
			}
		}
		var t, m, spread, pairs float64
		for k := range e {
			if count[k] < 2 {
				continue
			}
			out[w].Clusters++
			mu := all[w].mean[k] / draws
			t += float64(e[k]*e[k]) + all[w].square[k]/draws - float64(mu*mu) - own[k]
			m += v[k]
			spread += 2 * (float64(v[k]*v[k]) - vv[k])
			pairs += float64(root[k]*root[k]) - v[k]
		}
		out[w].P = 1
		if spread > 0 && pairs > 0 {
			_, out[w].P = num.GammaTails(float64(m*m)/spread, max(0, t+m)*m/spread)
			out[w].Correlation = t / pairs
		}
	}
	return out
}

// widenFit widens the posterior of a fit to cells. repetitions is that of clustered.
func widenFit(items *record.Items, f *Fit, cells *layout.Cells, post *posterior.Posterior, repetitions *float64) {
	j := cells.Joint()
	parameters := j.Layout().Parameters
	t := cells.NewTarget(slices.Repeat([]bool{true}, len(parameters)), 1)
	c := &clustered{target: t, binary: make([]bool, j.Len()), expected: t.Expected, name: valuesOf(j), repetitions: repetitions}
	var bears [][]int
	for _, k := range cells.Used() {
		x := cells.Responses()[k]
		c.responses, c.measure = append(c.responses, x), append(c.measure, int(x.Measure))
		var own []int
		for p := range parameters {
			own = append(own, j.First(p)+layout.UnitOf(j, p, int(x.Subject), int(x.Item)))
		}
		bears = append(bears, own)
	}
	c.bears = func(i int) []int { return bears[i] }
	c.logLik = func(theta, out []float64) {
		for block := range cells.Blocks() {
			from, to := cells.InBlock(block)
			t.PointwiseLogLik(block, theta, out[from:to])
		}
	}
	for p := range parameters {
		for k := j.First(p); k < j.First(p)+j.Units(p); k++ {
			c.binary[k] = parameters[p].Binary()
		}
	}
	f.widened(c.widen(items, post))
}

// valuesOf returns a function that says which value is at a place of a vector.
func valuesOf(j *layout.Joint) func(k int) Factor {
	parameters := j.Layout().Parameters
	return func(k int) Factor {
		p := 0
		for p+1 < len(parameters) && j.First(p+1) <= k {
			p++
		}
		return Factor{Parameter: parameters[p].Name, Unit: j.UnitName(p, k-j.First(p))}
	}
}
