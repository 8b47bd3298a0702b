package embedding

import (
	"math"
	"slices"

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

// expected returns, for each of several weights of the items, the expected success rate of every subject, averaged over the items with these
// weights. The interval is
// symmetric in the log odds of the rate. Its variance is that of the subject's parameters given the items' and that of the
// items' parameters given the subjects', both by Laplace's approximation, plus the variance between fits from different
// starts.
func (m *Model) expected(weights [][]float64, level float64) [][]predict.Ability {
	bounds, z := m.t.Bounds(), num.NormalQuantile(0.5+level/2)
	factors := make([][]num.Lower, len(m.fits))
	for k, f := range m.fits {
		if l, ok := f.link.(dot); ok {
			factors[k] = f.itemFactors(m, l)
		}
	}
	out := make([][]predict.Ability, len(weights))
	each := num.Rows(len(weights), len(m.fits)) // by weights and fit
	for s := range m.t.Subjects {
		within := make([]float64, len(weights))
		for k, f := range m.fits {
			for q, r := range f.rates(m, int32(s), weights, bounds[s], bounds[s+1], factors[k]) {
				each[q][k] = r.value
				within[q] += r.variance / float64(len(m.fits))
			}
		}
		for q, values := range each {
			p, between := num.Moments(values)
			if len(values) < 2 {
				between = 0
			}
			a := predict.Ability{Value: p, Low: math.NaN(), High: math.NaN()}
			if sd := math.Sqrt(within[q] + between); !math.IsNaN(sd) && p > 0 && p < 1 {
				odds, half := num.Log(p/(1-p)), float64(z*sd)/float64(p*(1-p))
				a.Low, a.High = num.Logistic(odds-half), num.Logistic(odds+half)
			}
			out[q] = append(out[q], a)
		}
	}
	return out
}

// A rate is an expected success rate and its variance, which is NaN if the model has no priors. all is the sum of the items' weights.
type rate struct {
	value, variance, all float64
	slope                []float64 // gradient of value by the subject's parameters
}

// rates returns the expected success rate of subject s, whose rows of the table are from … to−1, for each of several weights of the
// items. items has the result of itemFactors.
func (f *fit) rates(m *Model, s int32, weights [][]float64, from, to int, items []num.Lower) []rate {
	out := make([]rate, len(weights))
	for q := range out {
		out[q].slope = make([]float64, f.ku)
	}
	l, isDot := f.link.(dot)
	e, u, x := f.link.at(f.w, nil), f.subject(s), make([]float64, f.kv)
	for j := range m.t.Items {
		if !slices.ContainsFunc(weights, func(w []float64) bool { return w[j] != 0 }) {
			continue
		}
		p := e.forward(u, f.item(int32(j)), j)
		h, of := float64(p*(1-p)), 0.0
		var row []float64
		if isDot {
			row = l.subjectRow(f.item(int32(j)), j)
			copy(x, l.itemRow(u, j))
			items[j].Solve(x)
			of = float64(h * h * num.Dot(x, x))
		}
		for q, weight := range weights {
			w, r := weight[j], &out[q]
			if w == 0 {
				continue
			}
			r.value += float64(w * p)
			r.all += w
			r.variance += float64(w * w * of)
			num.AddTo(r.slope, w*h, row)
		}
	}
	a := num.NewLower(f.ku)
	if isDot {
		for i := from; i < to; i++ {
			j := m.t.Item[i]
			p := e.forward(u, f.item(j), int(j))
			information(a, l.subjectRow(f.item(j), int(j)), float64(p*(1-p)))
		}
		invertible(a, m.plan.onSubject)
	}
	for q := range out {
		r := &out[q]
		if isDot {
			a.Solve(r.slope)
			r.variance = (r.variance + num.Dot(r.slope, r.slope)) / float64(r.all*r.all)
		} else {
			r.variance = math.NaN()
		}
		r.value /= r.all // NaN of no items
	}
	return out
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
		num.AddTo(a.Row(i), h*v, x[:i+1])
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
