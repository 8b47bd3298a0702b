package embedding

import (
	"context"
	"math"

	"achilles/infer/predict"
	"achilles/infer/table"
	"achilles/sim/num"
)

// Measure fits the model and returns its traits.
func (o Predictor) Measure(ctx context.Context, t *table.Table, level float64, root uint64) (predict.Traits, error) {
	m, err := o.fit(ctx, t, nil, root)
	if err != nil {
		return predict.Traits{}, err
	}
	return m.Traits(level), nil
}

// Traits returns the subjects' abilities, the items' parameters and the items' masks, which say how much each item needs each
// skill. level is the level of the intervals.
//
// Models that were trained as the paper's released code trains them have the abilities that this code reports, without
// intervals. Such an ability is θ in IRT; the mean of σ over the subject's parameters
// in MIRT, Camilla-Base and NeuralCD; the mean of the subject's parameters in MF, where sign and scale are arbitrary; and in
// Camilla σ(A) weighted by how much the items need each skill (Eq. 13 of the paper).
//
// In models that were trained until they converged, the ability is θ in IRT, where its prior is standard normal. In the other
// models it is the subject's expected success rate over all items, and Skills has the expected success rates over the items
// that need a skill. These abilities have intervals, except those of the two networks, NeuralCD and Camilla, whose parameters
// have no priors.
func (m *Model) Traits(level float64) predict.Traits {
	t := predict.Traits{Mask: m.mask, Negative: m.negative()}
	t.Difficulty, t.Discrimination = make([]float64, len(m.t.Items)), make([]float64, len(m.t.Items))
	n := float64(len(m.fits))
	for _, f := range m.fits {
		for j := range t.Difficulty {
			d, a := f.describe(int32(j))
			t.Difficulty[j] += d / n
			t.Discrimination[j] += a / n
		}
	}
	if l, ok := m.plan.link.(network); ok && l.mask == nil {
		t.Mask = make([][]float64, len(m.t.Items))
		for j := range t.Mask {
			t.Mask[j] = m.fits[0].masked(int32(j), l)
		}
	}
	t.Infit, t.Outfit = m.itemFit()
	if m.published {
		for s := range m.t.Subjects {
			t.Ability = append(t.Ability, predict.Ability{Value: m.coded(int32(s), t.Mask), Low: math.NaN(), High: math.NaN()})
		}
		return t
	}
	if m.kind == IRT { // θ
		t.Ability = m.abilities(level)
		return t
	}
	t.Ability = m.expected(func(int) float64 { return 1 }, level)
	if m.mask != nil {
		for k := range m.mask[0] {
			t.Skills = append(t.Skills, m.expected(func(j int) float64 { return m.mask[j][k] }, level))
		}
	}
	return t
}

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

// abilities returns θ of the first fit. Its intervals are those of Laplace's normal approximation, with the items' parameters
// taken as known.
func (m *Model) abilities(level float64) (out []predict.Ability) {
	f, bounds, z := m.fits[0], m.t.Bounds(), num.NormalQuantile(0.5+level/2)
	e := f.link.at(f.w, nil)
	for s := range m.t.Subjects {
		u, known := f.subject(int32(s)), m.plan.onSubject[0].precision
		for i := bounds[s]; i < bounds[s+1]; i++ {
			j := m.t.Item[i]
			p, a := e.forward(u, f.item(j), int(j)), f.item(j)[0]
			known += float64(a * a * p * (1 - p))
		}
		half := z / math.Sqrt(known)
		out = append(out, predict.Ability{Value: u[0], Low: u[0] - half, High: u[0] + half})
	}
	return out
}

// masked returns the learnt skills of item j.
func (f *fit) masked(j int32, l network) []float64 {
	q := make([]float64, l.dimensions)
	softmax(f.item(j)[l.dimensions+1:], q)
	return q
}

// describe returns the difficulty and the discrimination of an item. For a dot they are those of Reckase (2009), which do not
// change if the space of abilities is rotated: the distance from the origin to the points with p = ½, and the slope of the log
// odds there. With one ability, the discrimination has the sign of the slope.
func (f *fit) describe(j int32) (difficulty, discrimination float64) {
	v := f.item(j)
	switch l := f.link.(type) {
	case curve:
		return v[1], max(v[0], leastSlope)
	case additive:
		return -inner(f.w[l.dimensions:2*l.dimensions], v), 1
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
			discrimination = -discrimination
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

// coded returns the overall ability of subject s by the formula of the released code (see Traits).
func (m *Model) coded(s int32, mask [][]float64) float64 {
	u := m.fits[0].subject(s)
	switch m.kind {
	case IRT:
		return u[0]
	case MF:
		return mean(len(u), func(k int) float64 { return u[k] })
	case Camilla:
		return mean(len(mask), func(j int) float64 {
			sum := 0.0
			for k, q := range mask[j] {
				sum += float64(q * num.Logistic(u[k]))
			}
			return sum
		})
	}
	return mean(len(u), func(k int) float64 { return num.Logistic(u[k]) })
}

func mean(n int, of func(k int) float64) float64 {
	sum := 0.0
	for k := range n {
		sum += of(k)
	}
	return sum / float64(n)
}

// expected returns the expected success rate of every subject, averaged over the items with the given weights. The interval is
// symmetric in the log odds of the rate. Its variance is that of the subject's parameters given the items' and that of the
// items' parameters given the subjects', both by Laplace's approximation, plus the variance between fits from different
// starts.
func (m *Model) expected(weight func(item int) float64, level float64) []predict.Ability {
	values, within := make([][]float64, len(m.fits)), make([]float64, len(m.t.Subjects))
	bounds := m.t.Bounds()
	for k, f := range m.fits {
		values[k] = make([]float64, len(m.t.Subjects))
		var items []num.Lower
		if l, ok := f.link.(dot); ok {
			items = f.itemFactors(m, l)
		}
		for s := range values[k] {
			var v float64
			values[k][s], v = f.rate(m, int32(s), weight, bounds[s], bounds[s+1], items)
			within[s] += v / float64(len(m.fits))
		}
	}
	out := make([]predict.Ability, len(m.t.Subjects))
	z := num.NormalQuantile(0.5 + level/2)
	for s := range out {
		p := mean(len(m.fits), func(k int) float64 { return values[k][s] })
		between := mean(len(m.fits), func(k int) float64 { return (values[k][s] - p) * (values[k][s] - p) })
		out[s] = predict.Ability{Value: p, Low: math.NaN(), High: math.NaN()}
		if sd := math.Sqrt(within[s] + between); !math.IsNaN(sd) && p > 0 && p < 1 {
			odds, half := num.Log(p/(1-p)), float64(z*sd)/float64(p*(1-p))
			out[s].Low, out[s].High = num.Logistic(odds-half), num.Logistic(odds+half)
		}
	}
	return out
}

// rate returns the expected success rate of subject s, whose rows of the table are from … to−1, and the variance of this rate,
// which is NaN if the model has no priors. items has the result of itemFactors.
func (f *fit) rate(m *Model, s int32, weight func(item int) float64, from, to int, items []num.Lower) (value, variance float64) {
	e := f.link.at(f.w, nil)
	u, all := f.subject(s), 0.0
	slope, spread := make([]float64, f.ku), 0.0
	x := make([]float64, f.kv)
	for j := range m.t.Items {
		w := weight(j)
		if w == 0 {
			continue
		}
		p := e.forward(u, f.item(int32(j)), j)
		value += float64(w * p)
		all += w
		l, ok := f.link.(dot)
		if !ok {
			continue
		}
		h := float64(w * p * (1 - p))
		for k, d := range l.subjectRow(f.item(int32(j)), j) {
			slope[k] += float64(h * d)
		}
		copy(x, l.itemRow(u, j))
		items[j].Solve(x)
		spread += float64(h * h * inner(x, x))
	}
	if all == 0 {
		return math.NaN(), math.NaN()
	}
	l, ok := f.link.(dot)
	if !ok {
		return value / all, math.NaN()
	}
	a := num.NewLower(f.ku)
	for i := from; i < to; i++ {
		j := m.t.Item[i]
		p := e.forward(u, f.item(j), int(j))
		information(a, l.subjectRow(f.item(j), int(j)), float64(p*(1-p)))
	}
	invertible(a, m.plan.onSubject)
	a.Solve(slope)
	return value / all, (inner(slope, slope) + spread) / float64(all*all)
}

// itemFactors returns, for every item, the Cholesky factor of the posterior precision of its parameters, given those of the
// subjects.
func (f *fit) itemFactors(m *Model, l dot) []num.Lower {
	out := make([]num.Lower, len(m.t.Items))
	for j := range out {
		out[j] = num.NewLower(f.kv)
	}
	e := f.link.at(f.w, nil)
	for i, j := range m.t.Item {
		u := f.subject(m.t.Subject[i])
		p := e.forward(u, f.item(j), int(j))
		information(out[j], l.itemRow(u, int(j)), float64(p*(1-p)))
	}
	for _, a := range out {
		invertible(a, m.plan.onItem)
	}
	return out
}

// subjectRow returns the gradient of the log odds by the parameters of the subject. v has the parameters of item j.
func (l dot) subjectRow(v []float64, j int) []float64 {
	x := make([]float64, l.dimensions, l.dimensions+1)
	for k := range x {
		x[k] = v[k]
		if l.mask != nil {
			x[k] = float64(v[k] * l.mask[j][k])
		}
	}
	if l.level {
		x = append(x, 1)
	}
	return x
}

// itemRow returns the gradient of the log odds by the parameters of item j. u has the parameters of the subject.
func (l dot) itemRow(u []float64, j int) []float64 {
	x := make([]float64, l.dimensions+1)
	for k := range l.dimensions {
		x[k] = u[k]
		if l.mask != nil {
			x[k] = float64(u[k] * l.mask[j][k])
		}
	}
	x[l.dimensions] = -1
	return x
}

// information adds h x xᵀ to a: what a response adds to the Fisher information, where h = p(1 − p).
func information(a num.Lower, x []float64, h float64) {
	for i, v := range x {
		row, hv := a.Row(i), float64(h*v)
		for k := range row {
			row[k] += float64(hv * x[k])
		}
	}
}

// invertible adds the precisions of the priors to the diagonal of a, and replaces a by its Cholesky factor.
func invertible(a num.Lower, prior []normal) {
	for k, q := range prior {
		a.Row(k)[k] += q.precision
	}
	if !a.Cholesky() {
		panic("embedding: information is not positive definite")
	}
}
