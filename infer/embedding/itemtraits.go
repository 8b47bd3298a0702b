package embedding

import (
	"math"

	"achilles/sim/num"
)

// itemFit returns the infit and the outfit (see predict.Traits) of every item.
func (m *Model) itemFit() (infit, outfit []float64) {
	p := make([]float64, m.t.Rows())
	m.Predict(m.t.Subject, m.t.Item, p)
	items := len(m.t.Items)
	infit, outfit = make([]float64, items), make([]float64, items)
	expected, n := make([]float64, items), make([]float64, items)
	for i, j := range m.t.Item {
		q := min(max(p[i], 1e-6), 1-1e-6)
		v, d := float64(q*(1-q)), m.t.Value[i]-q
		infit[j] += float64(d * d)
		outfit[j] += float64(d*d) / v
		expected[j] += v
		n[j]++
	}
	for j := range infit {
		infit[j] /= expected[j] // NaN without responses
		outfit[j] /= n[j]
	}
	return infit, outfit
}

// describe returns the difficulty and the discrimination of an item. For a dot they are those of Reckase (2009), which do not
// change if the space of abilities is rotated: the distance from the origin to the points with p = ½, and the slope of the log
// odds there. With one ability θ, the discrimination a has the sign of the slope, and p = σ(a(θ − difficulty)).
func (f *fit) describe(j int32) (difficulty, discrimination float64) {
	v := f.item(j)
	switch l := f.link.(type) {
	case curve:
		return v[1], max(v[0], leastSlope)
	case additive:
		return -num.Dot(f.w[l.dimensions:2*l.dimensions], v), 1
	case dot:
		square := 0.0
		for k, a := range v[:l.dimensions] {
			if l.mask != nil {
				a = float64(a * l.mask[j][k])
			}
			square += float64(a * a)
		}
		if l.level {
			square++
		}
		discrimination = math.Sqrt(square)
		difficulty = v[l.dimensions] / max(discrimination, 1e-6)
		if l.dimensions == 1 && !l.level && v[0] < 0 {
			discrimination, difficulty = -discrimination, -difficulty // p = ½ at θ = difficulty
		}
		return difficulty, discrimination
	case network:
		m := l.mask
		weights := make([]float64, l.dimensions)
		if m != nil {
			copy(weights, m[j])
		} else {
			copy(weights, f.masked(j, l))
		}
		sum, all := 0.0, 0.0
		for k, w := range weights {
			sum += float64(w * num.Logistic(v[k]))
			all += w
		}
		return sum / max(all, 1e-6), num.Logistic(v[l.dimensions])
	}
	panic("embedding: unknown link")
}

// masked returns the learnt skills of item j.
func (f *fit) masked(j int32, l network) []float64 {
	q := make([]float64, l.dimensions)
	softmax(f.item(j)[l.dimensions+1:], q)
	return q
}

// negative returns the share of the slopes of the first fit that are negative: more ability means less success. It is 0 in a
// monotone network and in a curve, whose slopes cannot be negative, and NaN if items have no slopes. In a converged model
// without a mask, the sign of an ability is arbitrary: a slope counts as negative if its sign is not that of the sum of the
// ability's slopes over the items.
func (m *Model) negative() float64 {
	switch l := m.plan.link.(type) {
	case additive:
		return math.NaN()
	case dot:
		f, below, n := m.fits[0], 0.0, 0.0
		for k := range l.dimensions {
			sum := 0.0
			for j := range m.t.Items {
				sum += f.item(int32(j))[k]
			}
			for j := range m.t.Items {
				if l.mask != nil && l.mask[j][k] == 0 {
					continue
				}
				n++
				if a := f.item(int32(j))[k]; a < 0 != (l.mask == nil && !m.published && sum < 0) {
					below++
				}
			}
		}
		return below / n
	}
	return 0
}
