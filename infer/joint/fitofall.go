package joint

import (
	"fmt"
	"math"
	"slices"

	"achilles/infer/mml"
	"achilles/infer/posterior"
	"achilles/sim/num"
)

// mostUnseen is the largest probability of values that no response has up to which they are left out of the means.
const mostUnseen = 1e-3

// fitOfAll returns the test of all items that were estimated by the responses alone, or why there is none.
func (s *settled) fitOfAll() (*posterior.FitOfAll, string) {
	place := map[int]int{} // item → its place among those that are tested
	_, items := s.cells.Size()
	for i := range items {
		if !s.bounded(i) && slices.Contains(s.at.Of, i) {
			place[i] = len(place)
		}
	}
	if len(place) > 60 {
		return nil, "there are more than 60 items"
	}
	sample, subjects := s.moments(place)
	if all := s.responding(); subjects < all { // the test is for estimates from those whose means it looks at
		return nil, fmt.Sprintf("%.0f of %.0f subjects have one response to every item, and all must", subjects, all)
	}
	t := s.density()
	m, unseen := t.marginal(s.mean, place)
	if unseen > mostUnseen {
		return nil, "no response has some values that are possible"
	}
	const step = 1e-4
	var slope [][]float64
	for i, k := range s.keep {
		if s.fixed.prior[k] != "" {
			continue
		}
		q := slices.Clone(s.mean)
		q[i] += step
		above, _ := t.marginal(q, place)
		q[i] -= 2 * step
		below, _ := t.marginal(q, place)
		row, low := above.Expected(), below.Expected()
		for a := range row {
			row[a] = (row[a] - low[a]) / (2 * step)
		}
		slope = append(slope, row)
	}
	out := m.Test(sample, subjects, slope)
	if out.DF < 1 && len(place) < items {
		return nil, fmt.Sprintf("%d of %d items are estimated by their responses alone, too few to test", len(place), items)
	}
	if out.Impossible != "" {
		return nil, out.Impossible
	}
	return &posterior.FitOfAll{M2: out.M2, DF: out.DF, P: out.P, RMSEA: out.RMSEA, Low: out.Low, High: out.High, Subjects: subjects, Items: len(place)}, ""
}

// responding returns the number of subjects with a response.
func (s *settled) responding() (n float64) {
	for i := range s.patterns {
		if len(s.at.Outcomes[s.patterns[i].units[0]]) > 0 {
			n += float64(len(s.patterns[i].units))
		}
	}
	return n
}

// bounded reports whether the prior of a value of an item counts.
func (s *settled) bounded(item int) bool {
	j := s.cells.Joint()
	for i, p := range j.Layout().Parameters {
		if s.fixed.prior[j.First(i)+item] != "" && ofItem(&p) {
			return true
		}
	}
	return false
}

// moments returns the sums of the responses to items, and of products of two of them, over subjects with one response to each.
func (s *settled) moments(place map[int]int) (sums []float64, subjects float64) {
	n := len(place)
	sums = make([]float64, n+n*(n-1)/2)
	for i := range s.patterns {
		units := s.patterns[i].units
		y := slices.Repeat([]float64{math.NaN()}, n)
		count := 0
		for _, o := range s.at.Outcomes[units[0]] {
			if k, ok := place[s.at.Of[o]]; ok {
				y[k] = s.at.Value[o]
				count++
			}
		}
		if count != n || slices.ContainsFunc(y, math.IsNaN) {
			continue
		}
		times := float64(len(units))
		subjects += times
		k := n
		for a := range n {
			sums[a] += float64(times * y[a])
			for b := range a {
				sums[k] += float64(times * y[a] * y[b])
				k++
			}
		}
	}
	return sums, subjects
}

// marginal returns what is expected where the values that are kept have coordinates q, and the largest probability of an item's values that no
// response has.
func (t *integrated) marginal(q []float64, place map[int]int) (m mml.Marginal, unseen float64) {
	t.move(q)
	nodes := len(t.prior)
	m.Weight = slices.Clone(t.prior)
	seen := make([]float64, len(place))
	for range place {
		m.First, m.Second = append(m.First, make([]float64, nodes)), append(m.Second, make([]float64, nodes))
	}
	for o, item := range t.integral.at.Of {
		k, ok := place[item]
		if !ok {
			continue
		}
		v, top := t.integral.at.Value[o], num.Exp(t.highest[o])
		for node, p := range t.likely[t.integral.at.First[o] : t.integral.at.First[o]+nodes] {
			p *= top
			m.First[k][node] += float64(v * p)
			m.Second[k][node] += float64(v * v * p)
			seen[k] += float64(t.prior[node] * p)
		}
	}
	for _, p := range seen {
		unseen = max(unseen, 1-p)
	}
	return m, unseen
}
