package misfit

import (
	"maps"
	"math"
	"slices"

	"achilles/sim/num"
)

// A hardness is what the responses of all subjects say of the difficulty of each item beyond what the models of the subjects expect, in log odds:
// posterior weights at nodes. The distribution of difficulties is inferred too, and has no form (Laird 1978, Journal of the
// American Statistical Association 73): where subjects are few it decides how often they agree, and items are often very easy or very hard.
type hardness struct {
	odds [][]float64   // [subject][response] odds of success without any difficulty
	of   map[int]*hard // by key
}

// A hard has weights of nodes from one on; those of others are next to nothing.
type hard struct {
	low  int
	each []float64
}

const (
	widest     = 8.0   // log odds of the outermost nodes
	apart      = 0.25  // of neighbouring nodes
	leastOdds  = 1e-4  // smallest distance of probabilities from 0 and 1, where odds are computed
	negligible = 1e-14 // weight, beside the largest, of nodes that are left out
	inTurn     = 40    // of abilities in turn with difficulties, at most
	inRound    = 30    // steps of the distribution of difficulties in each
	settled    = 0.01  // log odds that no ability moves by
	inProduct  = 16    // probabilities whose product is a normal number
)

// nodes has the odds that a node of difficulty multiplies by.
func nodes() (out []float64) {
	for x := -widest; x <= widest; x += apart {
		out = append(out, num.Exp(x))
	}
	return out
}

// hardnessOf returns that of all items.
func hardnessOf(all []Answers) *hardness {
	h := &hardness{of: map[int]*hard{}}
	type response struct{ subject, at int }
	by := map[int][]response{}
	for s, a := range all {
		odds := make([]float64, len(a.P))
		for i, k := range a.Key {
			p := min(max(a.P[i], leastOdds), 1-leastOdds)
			odds[i] = p / (1 - p)
			by[k] = append(by[k], response{s, i})
		}
		h.odds = append(h.odds, odds)
	}
	keys := slices.Sorted(maps.Keys(by))
	node := nodes()
	prior := make([]float64, len(node))
	for q := range prior {
		prior[q] = 1 / float64(len(prior))
	}
	for _, k := range keys {
		h.of[k] = &hard{each: slices.Clone(prior)}
	}
	likelihood := make([][]float64, len(keys))
	for range inTurn {
		for n, k := range keys {
			w := h.of[k]
			l := make([]float64, len(w.each))
			product := make([]float64, len(l))
			for q := range product {
				product[q] = 1
			}
			for n, r := range by[k] {
				odds, hit := h.odds[r.subject][r.at], all[r.subject].Passed[r.at]
				for q := range l {
					x := odds * node[w.low+q]
					if hit {
						product[q] *= x / (1 + x)
					} else {
						product[q] /= 1 + x
					}
				}
				if (n+1)%inProduct == 0 || n == len(by[k])-1 {
					for q := range l {
						l[q] += num.Log(product[q])
						product[q] = 1
					}
				}
			}
			most := slices.Max(l)
			for q := range l {
				l[q] = num.Exp(l[q] - most)
			}
			likelihood[n] = l
		}
		for range inRound {
			next := make([]float64, len(prior))
			for n, k := range keys {
				w, sum := h.of[k], 0.0
				for q, l := range likelihood[n] {
					w.each[q] = float64(l * prior[w.low+q])
					sum += w.each[q]
				}
				for q := range w.each {
					w.each[q] /= sum
					next[w.low+q] += w.each[q]
				}
			}
			for q := range next {
				prior[q] = next[q] / float64(len(keys))
			}
		}
		for _, w := range h.of {
			w.narrow()
		}
		moved := 0.0
		for s := range all {
			moved = max(moved, math.Abs(h.recentre(s, &all[s], node)))
		}
		if moved < settled {
			break
		}
	}
	return h
}

// narrow leaves out the nodes at both ends that have next to no weight.
func (w *hard) narrow() {
	least := negligible * slices.Max(w.each)
	for w.each[0] < least {
		w.each = w.each[1:]
		w.low++
	}
	for w.each[len(w.each)-1] < least {
		w.each = w.each[:len(w.each)-1]
	}
}

// recentre multiplies the odds of all responses of a subject by a number, so that it expects as many successes as there are: one step of
// Newton's method, with a standard normal prior. It returns the logarithm of the number.
func (h *hardness) recentre(s int, a *Answers, node []float64) float64 {
	slope, curvature := 0.0, 1.0
	for i, k := range a.Key {
		p, square := 0.0, 0.0
		w := h.of[k]
		for q, v := range w.each {
			x := h.odds[s][i] * node[w.low+q]
			x /= 1 + x
			p, square = p+float64(v*x), square+float64(v*x*x)
		}
		if slope -= p; a.Passed[i] {
			slope++
		}
		curvature += p - square
	}
	by := min(max(slope/curvature, -1), 1)
	for i := range a.P {
		h.odds[s][i] *= num.Exp(by)
	}
	return by
}

// expected returns the mean success probability of a response over the difficulty of the item.
func (h *hardness) expected(s, i, key int, node []float64) (p float64) {
	w := h.of[key]
	for q, v := range w.each {
		x := h.odds[s][i] * node[w.low+q]
		p += float64(v*x) / (1 + x)
	}
	return p
}

// alike returns the probability that two subjects respond alike to an item, of whose difficulty only the others say something.
func (h *hardness) alike(all []Answers, a, i, b, k int, node []float64) float64 {
	w := h.of[all[a].Key[i]]
	sum, same := 0.0, 0.0
	for q, v := range w.each {
		x, y := h.odds[a][i]*node[w.low+q], h.odds[b][k]*node[w.low+q]
		x, y = x/(1+x), y/(1+y)
		v /= float64(likely(x, all[a].Passed[i]) * likely(y, all[b].Passed[k]))
		sum += v
		same += float64(v * alike(x, y))
	}
	return same / sum
}

// likely returns the probability of a response.
func likely(p float64, passed bool) float64 {
	if passed {
		return p
	}
	return 1 - p
}
