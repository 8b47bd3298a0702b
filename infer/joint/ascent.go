package joint

import (
	"errors"
	"math"
	"slices"

	"achilles/infer/lbfgs"
	"achilles/sim/num"
	"achilles/sim/rng"
)

// Errors of the approximation.
var (
	errFlat    = errors.New("no maximum with a curvature in every direction was found with subjects integrated out, which engine laplace needs: around that of subjects and items together, intervals are too narrow; rerun with --engine nuts")
	errRestive = errors.New("no maximum of the marginal density of the SDs was found, which engine laplace needs; rerun with --engine nuts")
)

// Largest distances of the scales from the maximum, in standard deviations: of an approximation whose draws are the result, and of
// one in whose coordinates NUTS moves.
const (
	resultSlack = 0.2
	metricSlack = 1
)

// maximise returns the peak at the scales of the highest marginal density that L-BFGS reaches from a point. Derivatives by the
// scales are differences.
func (m *marginal) maximise(from []float64) (*peak, error) {
	at := m.peakAt(from, nil, m.deflate(from))
	if math.IsInf(at.value, -1) {
		return nil, errFlat
	}
	if len(m.scales) == 0 {
		return at, nil
	}
	units := m.units(at)
	origin := at.q
	look := func(x []float64) *peak {
		to := make([]float64, len(x))
		for i, s := range m.scales {
			to[i] = origin[s] + float64(x[i]*units[i])
		}
		p := m.near(at, to)
		if p.shape != nil {
			at = p
		}
		return p
	}
	slopes := func(x, g []float64) *peak {
		p := look(x)
		m.differ(p, units)
		for i := range p.slope {
			g[i] = -float64(p.slope[i] * units[i])
		}
		return p
	}
	x, g := make([]float64, len(units)), make([]float64, len(units))
	lbfgs.Minimise(x, func(x, g []float64) float64 { return -slopes(x, g).value },
		lbfgs.Limits{Store: 10, Bisect: true, Slope: roughly, Steps: 50, Evaluations: 50 * searchSteps})
	if slopes(x, g).shape == nil { // no peak where the climb ended, and so no slopes
		return nil, errRestive
	}
	for _, s := range g {
		if !(math.Abs(s) <= m.slack) {
			return nil, errRestive
		}
	}
	if at.slope == nil { // the last point has no peak, and the one before is not where the climb ended
		return nil, errRestive
	}
	return at, m.bendAt(at, units)
}

// units returns rough standard deviations of the scales, from second differences at a peak.
func (m *marginal) units(p *peak) []float64 {
	m.differ(p, m.steps)
	units := make([]float64, len(m.scales))
	for i := range units {
		units[i] = m.steps[i]
		if b := p.bend.Row(i)[i]; b > 0 {
			units[i] = min(1/math.Sqrt(b), 4*m.steps[i])
		}
	}
	p.slope = nil // the next differences have steps of other lengths
	return units
}

// peakAt climbs from q, in coordinates w of its free values, and integrates them out there.
func (m *marginal) peakAt(q, tilt []float64, w coordinates) *peak {
	p := &peak{q: slices.Clone(q), value: math.Inf(-1), tilt: tilt}
	if !m.arrive(p, w) {
		return p
	}
	p.density = m.target.LogDensity(p.q, make([]float64, len(q)))
	shape := newArrow(m.target.Curvature(p.q, m.held))
	if half, ok := shape.factor(max(m.config.Jobs, 1)); ok {
		p.shape = shape
		p.value = p.density + float64(num.LogSqrt2Pi*float64(len(m.free))) - half
	}
	return p
}

// mostTilts is the largest number of climbs with corrected tilts.
const mostTilts = 30

// arrive moves p to the maximum of the log density with a tilt, corrects the tilt there, and so on until it stays. It reports whether
// the tilt does; without tilts, it always does.
func (m *marginal) arrive(p *peak, w coordinates) bool {
	for relax, i := (relaxation{share: 1}), 0; i < mostTilts; i++ {
		m.tilt = p.tilt
		climbed, _ := m.climb(p.q, w, precisely, climbSteps)
		m.tilt = nil
		if math.IsInf(climbed, -1) {
			return false
		}
		if m.untilted {
			return true
		}
		next := m.tiltAt(p.q)
		if next == nil {
			return false
		}
		if m.correct(p, next, w, &relax) {
			return true
		}
	}
	return false
}

// A relaxation says how far to go towards the next tilt: the whole way to begin with, and then as far as is right if tilts depend
// linearly on the way (Irons and Tuck 1969).
type relaxation struct {
	share float64
	last  []float64 // the difference before, in coordinates of a climb
}

// correct changes the tilt of p towards the next one, but moves the maximum by about a standard deviation at most, and reports whether
// the two agree.
func (m *marginal) correct(p *peak, next []float64, w coordinates, r *relaxation) bool {
	if p.tilt == nil {
		p.tilt = make([]float64, len(next))
	}
	by := make([]float64, len(m.free))
	for i, k := range m.free {
		by[i] = next[k] - p.tilt[k]
	}
	w.spreadTransposed(by)
	most, along, change := 0.0, 0.0, 0.0
	for i, x := range by {
		most = max(most, math.Abs(x))
		if r.last != nil {
			d := x - r.last[i]
			along, change = along-float64(r.last[i]*d), change+float64(d*d)
		}
	}
	if change > 0 {
		r.share = min(max(r.share*(along/change), 0.05), 5)
	}
	r.share, r.last = min(r.share, 1/most), by
	tilt := slices.Clone(p.tilt)
	for _, k := range m.free {
		tilt[k] += float64((next[k] - tilt[k]) * r.share)
	}
	p.tilt = tilt
	return most < 10*precisely
}

// near returns the peak at other scales than those of p.
func (m *marginal) near(p *peak, to []float64) *peak {
	q, same := slices.Clone(p.q), true
	for i, s := range m.scales {
		by := to[i] - p.q[s]
		same = same && by == 0
		if p.follow != nil {
			num.AddTo(q, by, p.follow[i])
		}
		q[s] = to[i]
	}
	switch {
	case same:
		return p
	case p.shape == nil:
		return m.peakAt(q, nil, m.deflate(q))
	}
	return m.peakAt(q, p.tilt, p.shape)
}

// differ sets p.slope, p.up, p.follow and the diagonal of p.bend by differences over a quarter of the units.
func (m *marginal) differ(p *peak, units []float64) {
	if p.slope != nil || p.shape == nil {
		return
	}
	p.slope, p.up, p.follow, p.bend = make([]float64, len(units)), make([]float64, len(units)), nil, num.NewLower(len(units))
	follow := make([][]float64, len(units))
	for i := range units {
		h := units[i] / 4
		up, down := m.near(p, m.shifted(p, i, h)), m.near(p, m.shifted(p, i, -h))
		p.up[i], p.slope[i] = up.value, (up.value-down.value)/(2*h)
		p.bend.Row(i)[i] = (2*p.value - up.value - down.value) / float64(h*h)
		follow[i] = make([]float64, len(p.q))
		for _, k := range m.free {
			follow[i][k] = (up.q[k] - down.q[k]) / (2 * h)
		}
	}
	p.follow = follow
}

// shifted returns the scales of p with some of them moved: number i by h, and so on.
func (m *marginal) shifted(p *peak, i int, h float64) []float64 {
	to := make([]float64, len(m.scales))
	pick(to, p.q, m.scales)
	to[i] += h
	return to
}

// bendAt completes the second derivatives at p, whose first ones are known, and factors them.
func (m *marginal) bendAt(p *peak, units []float64) error {
	for i := range units {
		for k := range i {
			hi, hk := units[i]/4, units[k]/4
			to := m.shifted(p, i, hi)
			to[k] += hk
			p.bend.Row(i)[k] = (p.up[i] + p.up[k] - p.value - m.near(p, to).value) / float64(hi*hk)
		}
	}
	if !p.bend.Cholesky() {
		return errRestive
	}
	return nil
}

// The number of pairs of points over which centre averages, and of its steps.
const (
	centrePairs = 64
	centreSteps = 3
)

// centre moves p from the maximum to about the mean given the scales, which is where the gradient of the log density, averaged over a
// normal density around it, is 0 (Opper and Archambeau 2009). It takes steps of Newton's method, with pairs of opposite points. It
// reports whether the steps got there: where a step is longer than farApart allows, the density is far from normal, and p stays at the
// maximum.
func (m *marginal) centre(p *peak, r *rng.Rand) bool {
	mean, maximum := make([]float64, len(m.free)), slices.Clone(p.q)
	for range centreSteps {
		m.averageSlope(p, mean, r)
		p.shape.spreadTransposed(mean)
		if farApart(mean) {
			p.q = maximum
			return false
		}
		p.shape.spread(mean)
		for i, k := range m.free {
			p.q[k] += mean[i]
		}
	}
	return true
}

// farApart reports whether a step, in standard deviations, is longer than a half in the root mean square of all directions, or longer
// than three in one. Where all units of a parameter move together, single directions with a step above one are usual.
func farApart(step []float64) bool {
	sum := 0.0
	for _, x := range step {
		if !(math.Abs(x) <= 3) {
			return true
		}
		sum += float64(x * x)
	}
	return sum > 0.25*float64(len(step))
}

// averageSlope writes the gradient by the free values, averaged over a normal density around p, to mean.
func (m *marginal) averageSlope(p *peak, mean []float64, r *rng.Rand) {
	z, q, grad := make([]float64, len(m.free)), slices.Clone(p.q), make([]float64, len(p.q))
	clear(mean)
	for range centrePairs {
		for i := range z {
			z[i] = r.Norm()
		}
		p.shape.spread(z)
		for _, sign := range []float64{1, -1} {
			for i, k := range m.free {
				q[k] = p.q[k] + float64(sign*z[i])
			}
			m.slope(q, grad)
			for i, k := range m.free {
				mean[i] += grad[k] / (2 * centrePairs)
			}
		}
	}
}

// along returns how all values change with each scale at a peak, the scale itself included.
func (m *marginal) along(p *peak) (out [][]float64) {
	for i, at := range m.scales {
		a := slices.Clone(p.follow[i])
		a[at]++
		out = append(out, a)
	}
	return out
}

// draw returns draws from the normal approximation around p.
func (m *marginal) draw(p *peak, n int, r *rng.Rand) (out [][]float64) {
	normal, x := m.normal(p, p.q, m.along(p), nil), make([]float64, len(p.q))
	for range n {
		for i := range x {
			x[i] = r.Norm()
		}
		theta := make([]float64, len(x))
		normal.place(x, theta)
		m.target.Constrain(theta, theta)
		out = append(out, theta)
	}
	return out
}
