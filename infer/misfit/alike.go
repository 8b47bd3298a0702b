package misfit

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"achilles/sim/num"
)

// Answers are the binary responses of one subject, with what a model that was fitted to them expects.
type Answers struct {
	Subject string
	Key     []int     // [response] what was responded to, such as an item: rising, none twice
	Passed  []bool    // [response]
	P       []float64 // [response] expected success probability
	Failed  bool      // whether the subject fails a fit check: what the model expects then is not to be trusted
}

// A Pair is two subjects whose responses agree beyond chance: more often than the model of each and the difficulty of the items
// explain. One copied the other, both copied a third, or they have something in common that no model has.
type Pair struct {
	Subject  string  `json:"subject"`
	Other    string  `json:"other"`
	Agree    int     `json:"agree"`    // number of items to which both responded alike
	Of       int     `json:"of"`       // number of items to which both responded
	Expected float64 `json:"expected"` // expected number of items to which both respond alike
	P        float64 `json:"p"`        // probability of so many or more, for this pair alone
}

const (
	leastCommon = 20   // least number of items that two subjects have both taken, if they are compared
	promising   = 3    // least standardised agreement, without regard to the difficulty of items, of a pair that is looked at closely
	stillSo     = 2    // the same with the difficulties, by a rough expectation: the limit of many pairs is beyond 4
	manyPairs   = 1000 // number of pairs from which they are looked at roughly before: no two subjects then set a difficulty
	almostAll   = 0.95 // share of the items on which subjects that fail a fit check must agree
	mostAlike   = 20   // largest number of pairs that are named
)

// Alike returns the pairs of subjects whose responses agree beyond chance, the least probable first: at most mostAlike. alarm is the
// probability that any pair is named if all respond independently, by the ω index (Wollack 1997, Applied Psychological Measurement
// 21) with an exact tail and Bonferroni's limit. The difficulty of an item beyond what the model expects is estimated from all other
// subjects. The time is proportional to the number of subjects times that of responses.
func Alike(all []Answers, alarm float64) (pairs []Pair) {
	var close []twin
	compared := 0
	for i := range all {
		for k := range i {
			t := join(&all[k], &all[i])
			if len(t.a) < leastCommon {
				continue
			}
			compared++
			if t.standardised(all[k].P, all[i].P) > promising {
				t.of = [2]int{k, i}
				close = append(close, t)
			}
		}
	}
	if len(close) == 0 {
		return nil
	}
	all = slices.Clone(all) // difficulties changes it
	harder := difficulties(all)
	var rough [][]float64 // [subject][response] success probability at the mode of the difficulty
	if compared >= manyPairs {
		for _, a := range all {
			p := make([]float64, len(a.P))
			for r, k := range a.Key {
				p[r] = shifted(a.P[r], harder[k].shift)
			}
			rough = append(rough, p)
		}
	}
	for _, t := range close {
		a, b := &all[t.of[0]], &all[t.of[1]]
		if rough != nil && t.standardised(rough[t.of[0]], rough[t.of[1]]) < stillSo {
			continue
		}
		var q []float64
		expected := 0.0
		for j := range t.a {
			q = append(q, harder[a.Key[t.a[j]]].alike(a, t.a[j], b, t.b[j]))
			expected += q[j]
		}
		if (a.Failed || b.Failed) && float64(t.agree) < almostAll*float64(len(q)) {
			continue
		}
		if p := atMostApart(q, len(q)-t.agree); float64(p*float64(compared)) <= alarm {
			pairs = append(pairs, Pair{a.Subject, b.Subject, t.agree, len(q), expected, p})
		}
	}
	slices.SortStableFunc(pairs, func(x, y Pair) int { return cmp.Compare(x.P, y.P) })
	return pairs[:min(len(pairs), mostAlike)]
}

// A twin has the responses of two subjects to the same items.
type twin struct {
	of    [2]int
	a, b  []int // [item] index of the response of either
	agree int
}

func join(a, b *Answers) (t twin) {
	for i, j := 0, 0; i < len(a.Key) && j < len(b.Key); {
		switch {
		case a.Key[i] < b.Key[j]:
			i++
		case a.Key[i] > b.Key[j]:
			j++
		default:
			t.a, t.b = append(t.a, i), append(t.b, j)
			if a.Passed[i] == b.Passed[j] {
				t.agree++
			}
			i, j = i+1, j+1
		}
	}
	return t
}

// standardised returns by how many SDs the pair agrees more often than success probabilities of independent responses make expect.
func (t *twin) standardised(p, other []float64) float64 {
	expected, variance := 0.0, 0.0
	for j := range t.a {
		q := alike(p[t.a[j]], other[t.b[j]])
		expected += q
		variance += float64(q * (1 - q))
	}
	return (float64(t.agree) - expected) / math.Sqrt(variance)
}

// alike returns the probability that two independent responses are equal.
func alike(p, q float64) float64 { return float64(p*q) + float64((1-p)*(1-q)) }

// leastOdds is the smallest distance of probabilities from 0 and 1, where log odds are computed.
const leastOdds = 1e-4

// shifted returns the success probability with this much more log odds.
func shifted(p, by float64) float64 {
	p = min(max(p, leastOdds), 1-leastOdds)
	return num.Logistic(num.Log(p) - num.Log1p(-p) + by)
}

// residual returns the response minus its expectation on an item whose log odds are shifted.
func (a *Answers) residual(i int, by float64) float64 {
	if a.Passed[i] {
		return 1 - shifted(a.P[i], by)
	}
	return -shifted(a.P[i], by)
}

// A difficulty is by how much the log odds of an item are higher than the models of the subjects expect: the mode of the posterior
// with a normal prior, and its curvature.
type difficulty struct{ shift, curvature float64 }

// alike returns the probability that two subjects respond alike to an item, of whose difficulty only the others say something. It is a
// mean over the posterior of the difficulty, by Gauss and Hermite's quadrature.
func (d difficulty) alike(a *Answers, i int, b *Answers, k int) (q float64) {
	pa, pb := shifted(a.P[i], d.shift), shifted(b.P[k], d.shift)
	curvature := d.curvature - float64(pa*(1-pa)) - float64(pb*(1-pb))
	mean := d.shift - (a.residual(i, d.shift)+b.residual(k, d.shift))/curvature // to first order
	sd := 1 / math.Sqrt(curvature)
	for j, x := range hermite {
		by := mean + float64(sd*x)
		q += float64(hermiteWeight[j] * alike(shifted(a.P[i], by), shifted(b.P[k], by)))
	}
	return q
}

// hermite has the points of a standard normal distribution whose weighted sums are exact for polynomials of degree 9.
var (
	hermite       = [5]float64{-2.8569700138728056, -1.3556261799742659, 0, 1.3556261799742659, 2.8569700138728056}
	hermiteWeight = [5]float64{0.011257411327720691, 0.22207592200561266, 8.0 / 15, 0.22207592200561266, 0.011257411327720691}
)

// difficulties returns the difficulties of all items, by key, and shifts the log odds that the models of the subjects expect, so that
// each still expects as many successes as there are beside items that differ. The variance of the prior of the difficulties is
// estimated from them (EM).
func difficulties(all []Answers) map[int]difficulty {
	type response struct{ subject, at int }
	by := map[int][]response{}
	for s := range all {
		all[s].P = slices.Clone(all[s].P)
		for i, k := range all[s].Key {
			by[k] = append(by[k], response{s, i})
		}
	}
	keys := slices.Sorted(maps.Keys(by))
	out := map[int]difficulty{}
	variance := 1.0
	for range 12 {
		sum := 0.0
		for _, k := range keys {
			d := out[k]
			for range 3 { // Newton, no step longer than 1
				slope := -d.shift / variance
				d.curvature = 1 / variance
				for _, r := range by[k] {
					a := &all[r.subject]
					p := shifted(a.P[r.at], d.shift)
					slope += a.residual(r.at, d.shift)
					d.curvature += float64(p * (1 - p))
				}
				d.shift += min(max(slope/d.curvature, -1), 1)
			}
			out[k] = d
			sum += float64(d.shift*d.shift) + 1/d.curvature
		}
		variance = max(sum/float64(len(keys)), 0.01)
		for s := range all {
			all[s].recentre(out)
		}
	}
	return out
}

// recentre shifts the log odds of all responses of a subject alike, with a standard normal prior, by one step of Newton's to the mode.
func (a *Answers) recentre(items map[int]difficulty) {
	slope, curvature := 0.0, 1.0
	for i, k := range a.Key {
		p := shifted(a.P[i], items[k].shift)
		slope += a.residual(i, items[k].shift)
		curvature += float64(p * (1 - p))
	}
	by := min(max(slope/curvature, -1), 1)
	for i := range a.P {
		a.P[i] = shifted(a.P[i], by)
	}
}

// atMostApart returns the probability that at most n of independent pairs of responses differ, given the probabilities that they are
// equal.
func atMostApart(equal []float64, n int) float64 {
	p := make([]float64, n+1) // [number that differ]
	p[0] = 1
	for _, q := range equal {
		for k := n; k > 0; k-- {
			p[k] = float64(p[k]*q) + float64(p[k-1]*(1-q))
		}
		p[0] *= q
	}
	sum := 0.0
	for _, x := range p {
		sum += x
	}
	return min(sum, 1)
}
