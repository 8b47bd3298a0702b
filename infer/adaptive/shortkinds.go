package adaptive

import (
	"math"

	"achilles/sim/num"
)

// kinds are the old subjects as the kinds of which a new subject may be: it responds as one of them, but for chance. By them its items
// are chosen one after the other, each from its responses to those before.
type kinds struct {
	x     [][]float64 // by kind and item: the old subject's responses
	p     [][]float64 // by kind and item: expected response of a new subject
	total []float64   // by kind: mean response
}

// The constants of kinds were chosen by cross-validation among the 282 learners of the Titanic table that train in the first of five folds
// (Liu et al. 2023; TestTitanic): absolute errors of totals from 10, 20 and 40 items grow by a sixth at most
// if one of the first three is halved or doubled.
const (
	alikeWithin = 0.005 // mean squared difference of two old subjects' responses at which the one counts 1/e in what is expected of the other's kind
	rare        = 0.005 // least probability of a response: chance
	tempered    = 0.5   // power of the likelihood: responses depend on each other beyond the kind (Holmes and Walker 2017)
	unshared    = 0.1   // variance of a response about what others say of it, in predict
)

// newKinds takes the subjects of the matrix as kinds. What is expected of a kind is the mean of the responses of all of them, weighted by
// likeness.
func newKinds(m *matrix) *kinds {
	k := &kinds{x: m.x}
	for _, x := range m.x {
		p, all := make([]float64, len(x)), 0.0
		for _, y := range m.x {
			d := 0.0
			for j, v := range y {
				d += float64((v - x[j]) * (v - x[j]))
			}
			w := num.Exp(-d / (alikeWithin * float64(max(len(x), 1))))
			all += w
			for j, v := range y {
				p[j] += float64(w * v)
			}
		}
		for j := range p {
			p[j] = min(max(p[j]/all, rare), 1-rare)
		}
		k.p, k.total = append(k.p, p), append(k.total, rest(x, make([]bool, len(x))))
	}
	return k
}

// take returns the n items that a new subject takes, given all its responses and which are known, and the posterior probability of every
// kind after them. Of an item whose response is not known nothing can be learnt: it is not taken. The next item is the one that is expected
// to leave the least variance in the total: a response with probability p lowers it by Cov(p, total)²/(E[p](1 − E[p])), as in precision.
func (k *kinds) take(row []float64, known []bool, n int) (items []int, weight []float64) {
	logs, weight := make([]float64, len(k.x)), make([]float64, len(k.x))
	mean, product := make([]float64, len(row)), make([]float64, len(row))
	taken := make([]bool, len(row))
	for {
		centre := k.weigh(logs, weight)
		if len(items) == n {
			return items, weight
		}
		clear(mean)
		clear(product)
		for s, w := range weight {
			if w == 0 {
				continue
			}
			d := w * (k.total[s] - centre)
			for j, p := range k.p[s] {
				mean[j] += float64(w * p)
				product[j] += float64(d * p)
			}
		}
		best, most := -1, 0.0
		for j, c := range product {
			if taken[j] || !known[j] {
				continue
			}
			if fall := float64(c*c) / (mean[j] * (1 - mean[j])); best < 0 || fall > most {
				best, most = j, fall
			}
		}
		if best < 0 {
			return items, weight
		}
		taken[best] = true
		items = append(items, best)
		for s := range logs {
			p := k.p[s][best]
			logs[s] += tempered * (float64(row[best]*num.Log(p)) + float64((1-row[best])*num.Log(1-p)))
		}
	}
}

// negligibleKind is the probability, as a share of the most probable kind's, below which a kind no longer counts.
const negligibleKind = 1e-9

// weigh sets the probabilities of the kinds from their log likelihoods, and returns the mean of their totals.
func (k *kinds) weigh(logs, weight []float64) (mean float64) {
	most, sum := math.Inf(-1), 0.0
	for _, l := range logs {
		most = max(most, l)
	}
	for s, l := range logs {
		weight[s] = num.Exp(l - most)
		if weight[s] < negligibleKind {
			weight[s] = 0
		}
		sum += weight[s]
	}
	for s := range weight {
		weight[s] /= sum
		mean += float64(weight[s] * k.total[s])
	}
	return mean
}

// predict returns the expected mean response to the items that were not taken: the linear regression of it on the responses to those that
// were, among the kinds with these probabilities. variance is that of this mean about it, and of what no kind says.
func (k *kinds) predict(row []float64, items []int, weight []float64) (value, variance float64) {
	asked := make([]bool, len(row))
	for _, j := range items {
		asked[j] = true
	}
	n := len(items)
	y, centre := make([]float64, len(weight)), make([]float64, n)
	for s, w := range weight {
		if w == 0 {
			continue
		}
		y[s] = rest(k.x[s], asked)
		value += float64(w * y[s])
		for i, j := range items {
			centre[i] += float64(w * k.x[s][j])
		}
	}
	factor, c, z := num.NewLower(n), make([]float64, n), make([]float64, n)
	for s, w := range weight {
		if w == 0 {
			continue
		}
		for i, j := range items {
			z[i] = k.x[s][j] - centre[i]
		}
		d := y[s] - value
		variance += float64(w * float64(d*d))
		for i := range n {
			c[i] += float64(float64(w*z[i]) * d)
			at := factor.Row(i)
			for j := range at {
				at[j] += float64(float64(w*z[i]) * z[j])
			}
		}
	}
	for i, j := range items {
		factor.Row(i)[i] += unshared
		z[i] = row[j] - centre[i]
	}
	factor.Cholesky() // unshared is above 0: the matrix is positive definite
	factor.Solve(c)
	factor.Solve(z)
	for i, v := range c {
		value += float64(v * z[i])
		variance -= float64(v * v)
	}
	return value, max(variance, 0) + near*near/4
}
