// Package chargrid describes what success depends on, without a model of the subject: correlations with features,
// characteristic curves, conformance, agent characteristic grids, capability, robustness and areas of competence
// (Burnell et al. 2022, "Not a number").
package chargrid

import "achilles/infer/table"

// Totals has sums over the responses of some subjects, for each item: their number, and the sum and sum of squares of
// their values.
type Totals struct{ N, Sum, Square []float64 }

func newTotals(n int) Totals {
	return Totals{make([]float64, n), make([]float64, n), make([]float64, n)}
}

// Pool returns the totals of a table. It counts the responses of subject s weight[s] times; a nil weight counts every
// subject once.
func Pool(t *table.Table, weight []float64) Totals {
	sums := make([][3]float64, len(t.Items)) // side by side in memory, because most of a bootstrap's time is spent in this loop
	for from := 0; from < t.Rows(); {
		s, to := t.Subject[from], from+1
		for to < t.Rows() && t.Subject[to] == s {
			to++
		}
		w := 1.0
		if weight != nil {
			w = weight[s]
		}
		if w != 0 {
			value := t.Value[from:to]
			for i, item := range t.Item[from:to] {
				q := &sums[item]
				wv := float64(w * value[i])
				q[0] += w
				q[1] += wv
				q[2] += float64(wv * value[i])
			}
		}
		from = to
	}
	p := newTotals(len(t.Items))
	for i, q := range sums {
		p.N[i], p.Sum[i], p.Square[i] = q[0], q[1], q[2]
	}
	return p
}

// by returns the totals of groups of items. of has the group of each item, −1 for none.
func (p Totals) by(of []int32, groups int) Totals {
	q := newTotals(groups)
	for i, k := range of {
		if k >= 0 {
			q.N[k] += p.N[i]
			q.Sum[k] += p.Sum[i]
			q.Square[k] += p.Square[i]
		}
	}
	return q
}

// Mean returns the mean value of all responses. ok is false if there is none.
func (p Totals) Mean() (mean float64, ok bool) {
	n, sum := 0.0, 0.0
	for i := range p.N {
		n, sum = n+p.N[i], sum+p.Sum[i]
	}
	return sum / max(n, 1), n > 0
}

// A Set is a set of subjects for which a result is computed.
type Set struct {
	Name   string
	Weight []float64 // by subject: 1 for a member, 0 for others; nil: all subjects are members
}

// All returns the set of all subjects.
func All() Set { return Set{Name: "all"} }

// members returns the indices of the subjects of the set.
func (s Set) members(subjects int) (m []int) {
	for i := range subjects {
		if s.Weight == nil || s.Weight[i] > 0 {
			m = append(m, i)
		}
	}
	return m
}

// bySubject calls f with the totals of one subject after the other, of those in the set that have a response, over groups
// of items. of has the group of each item, −1 for none. The totals hold until f returns.
func bySubject(t *table.Table, set Set, of []int32, groups int, f func(q Totals)) {
	q := newTotals(groups)
	for from := 0; from < t.Rows(); {
		s, to := t.Subject[from], from+1
		for to < t.Rows() && t.Subject[to] == s {
			to++
		}
		if set.Weight == nil || set.Weight[s] > 0 {
			clear(q.N)
			clear(q.Sum)
			clear(q.Square)
			for i, item := range t.Item[from:to] {
				if k := of[item]; k >= 0 {
					v := t.Value[from+i]
					q.N[k]++
					q.Sum[k] += v
					q.Square[k] += float64(v * v)
				}
			}
			f(q)
		}
		from = to
	}
}
