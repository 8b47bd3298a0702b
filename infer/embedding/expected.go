package embedding

import (
	"math"

	"achilles/infer/predict"
	"achilles/sim/num"
)

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
		each := make([]float64, len(values))
		for k := range values {
			each[k] = values[k][s]
		}
		p, between := num.Moments(each)
		if len(each) < 2 {
			between = 0
		}
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
		spread += float64(h * h * num.Dot(x, x))
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
	return value / all, (num.Dot(slope, slope) + spread) / float64(all*all)
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
