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

// describe returns the difficulty b and the discrimination a of an item: with one ability θ, p = σ(a(θ − b)). With several, θ is the
// subject's mean log odds over all items, standardised over the subjects, and the item's log odds are a(θ − b) in the least squares over
// the subjects. No linear change of the space of abilities moves either, and abilities that few items need do not count as Reckase's
// length of all slopes does. b is NaN if a is 0.
func (f *fit) describe(j int32, in *space) (difficulty, discrimination float64) {
	v := f.item(j)
	switch l := f.link.(type) {
	case curve:
		return v[1], max(v[0], leastSlope)
	case additive:
		return -num.Dot(f.w[l.dimensions:2*l.dimensions], v), 1
	case dot:
		b := v[l.dimensions]
		switch {
		case l.dimensions == 0:
			return b, 1
		case l.dimensions == 1 && !l.level:
			a := v[0]
			if l.mask != nil {
				a *= l.mask[j][0]
			}
			return b / math.Copysign(max(math.Abs(a), 1e-6), a), a
		}
		a := l.subjectRow(v, int(j))
		discrimination = in.product(a, in.overall) / math.Sqrt(in.product(in.overall, in.overall))
		if math.Abs(discrimination) < 1e-9 {
			return math.NaN(), discrimination
		}
		return (b - num.Dot(a, in.mean)) / discrimination, discrimination
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

// A space has the mean and the covariance of the subjects' parameters in a dot, and the mean slopes over the items: the direction of
// ability overall.
type space struct {
	mean, overall []float64
	covariance    [][]float64
}

// space returns that of a dot, and nil for other links.
func (f *fit) space(size counts) *space {
	l, ok := f.link.(dot)
	if !ok {
		return nil
	}
	s := &space{mean: make([]float64, f.ku), overall: make([]float64, f.ku), covariance: make([][]float64, f.ku)}
	for i := range size.subjects {
		for k, x := range f.subject(int32(i)) {
			s.mean[k] += x / float64(size.subjects)
		}
	}
	for k := range s.covariance {
		s.covariance[k] = make([]float64, f.ku)
		for i := range size.subjects {
			x := f.subject(int32(i))
			for m := range x {
				s.covariance[k][m] += float64((x[k] - s.mean[k]) * (x[m] - s.mean[m]) / float64(size.subjects))
			}
		}
	}
	for j := range size.items {
		for k, a := range l.subjectRow(f.item(int32(j)), j) {
			s.overall[k] += a / float64(size.items)
		}
	}
	return s
}

// product returns the covariance over the subjects of two weighted sums of their parameters.
func (s *space) product(a, b []float64) float64 {
	sum := 0.0
	for k := range a {
		sum += float64(a[k] * num.Dot(s.covariance[k], b))
	}
	return sum
}

// masked returns the learnt skills of item j.
func (f *fit) masked(j int32, l network) []float64 {
	q := make([]float64, l.dimensions)
	softmax(f.item(j)[l.dimensions+1:], q)
	return q
}

// negative returns the share of the items with a discrimination below 0 or, with a mask, of the slopes by skill of the first fit: of those on
// which more ability means less success. It is 0 in a monotone network and in a curve, whose slopes cannot be
// negative, and NaN if items have no slopes.
func (m *Model) negative(discrimination []float64) float64 {
	below, n := 0.0, 0.0
	count := func(slope float64) {
		if n++; slope < 0 {
			below++
		}
	}
	switch l := m.plan.link.(type) {
	case additive:
		return math.NaN()
	case dot:
		switch {
		case l.dimensions == 0:
			return math.NaN()
		case l.mask == nil:
			for _, a := range discrimination {
				count(a)
			}
		default:
			for j, mask := range l.mask {
				for k, a := range l.subjectRow(m.fits[0].item(int32(j)), j)[:l.dimensions] {
					if mask[k] != 0 {
						count(a)
					}
				}
			}
		}
		return below / n
	}
	return 0
}
