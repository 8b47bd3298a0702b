package layout

import (
	"math"
	"slices"
	"strings"

	"achilles/infer/prior"
	"achilles/sim/num"
	"achilles/sim/rng"
)

// A Mirror is a change of all values under which the posterior stays the same and which undoes itself: some parameters change sides, others change
// places. A posterior with a maximum has another one at its image, which no chain may visit.
type Mirror struct {
	turned  []int     // parameters whose coordinates q become 2·centre − q
	centre  []float64 // of each of these
	swapped [][2]int  // parameters that change places
	apart   bool      // whether each unit of them has an image of its own, whatever the others do
	near    bool      // whether the priors differ at the image
	apace   bool      // of a near one, whether priors that depend on other values are the same at the image
}

// Limits of the search: the number of parameters, of changes that are tried and of responses that are looked at for them all, and of points at which
// the density must be the same, some of them drawn from the prior and the others half as far from its middle; and the relative difference
// that is a rounding error.
const (
	mostMirrored  = 32
	mostTried     = 512
	mostSeen      = 10_000_000
	mirrorPoints  = 6
	mirrorTries   = 40
	mirrorRounded = 1e-9
)

// Mirrors returns the mirrors of the posterior of layout and responses that turn the priors of parameters around their middle, or exchange parameters
// with equal priors: of |ability|, of components of a mixture.
func (c *Cells) Mirrors() (found []Mirror) {
	j := c.joint
	if len(j.priors) > mostMirrored || j.layout.firstBinary() != nil {
		return nil
	}
	s := mirrorSearch{JointTarget: c.NewTarget(slices.Repeat([]bool{true}, len(j.priors)), 1)}
	points := s.points()
	if len(points) < mirrorPoints {
		return nil
	}
	to, seen := make([]float64, j.Len()), 0
	for _, m := range s.changes() {
		if seen > mostSeen {
			break
		}
		if !slices.ContainsFunc(points, func(p mirrorPoint) bool {
			m.image(j, p.q, to, nil)
			if !alike(s.logPrior(to), p.prior) {
				return true
			}
			seen += len(c.used)
			return !alike(s.LogLikelihood(s.theta, s.dtheta), p.likelihood)
		}) {
			found = append(found, m)
		}
	}
	return found
}

// A mirrorSearch looks for mirrors of a posterior.
type mirrorSearch struct {
	*JointTarget
	near bool // whether parameters of one family may change places whatever their priors
}

// A mirrorPoint is a point q with the log densities there.
type mirrorPoint struct {
	q                 []float64
	prior, likelihood float64
}

// points returns points at which the responses are possible.
func (s mirrorSearch) points() (points []mirrorPoint) {
	r := rng.Stream(0, "mirrors")
	for i := 0; i < mirrorTries && len(points) < mirrorPoints; i++ {
		q := make([]float64, s.Dim())
		s.joint.DrawNear(&r, []float64{0.5, 1}[i%2], q)
		s.Unconstrain(q, q)
		p := mirrorPoint{q, s.logPrior(q), 0}
		p.likelihood = s.LogLikelihood(s.theta, s.dtheta)
		if sum := p.prior + p.likelihood; !math.IsNaN(sum) && !math.IsInf(sum, 0) {
			points = append(points, p)
		}
	}
	return points
}

// logPrior returns the log prior density at q with the Jacobian, and sets s.theta.
func (s mirrorSearch) logPrior(q []float64) (l float64) {
	for _, i := range s.joint.order {
		l += s.forwardPrior(i, q)
	}
	return l
}

// alike reports whether two log densities differ by rounding errors.
func alike(a, b float64) bool { return math.Abs(a-b) <= mirrorRounded*(1+math.Abs(b)) }

// changes returns what may be mirrors, those of few parameters first.
func (s mirrorSearch) changes() (out []Mirror) {
	j := s.joint
	var grow func(m Mirror, from int, left int)
	used := make([]bool, len(j.priors))
	grow = func(m Mirror, from, left int) {
		if left == 0 {
			m.apart = s.apart(m.parameters())
			m.turned, m.centre, m.swapped = slices.Clone(m.turned), slices.Clone(m.centre), slices.Clone(m.swapped)
			out = append(out, m)
			return
		}
		for i := from; i < len(j.priors) && len(out) < mostTried; i++ {
			if used[i] {
				continue
			}
			used[i] = true
			for _, centre := range s.middles(i) {
				grow(Mirror{turned: append(m.turned, i), centre: append(m.centre, centre), swapped: m.swapped}, i+1, left-1)
			}
			for k := i + 1; k < len(j.priors) && left > 1; k++ {
				if !used[k] && s.exchangeable(i, k) {
					used[k] = true
					grow(Mirror{turned: m.turned, centre: m.centre, swapped: append(m.swapped, [2]int{i, k})}, i+1, left-2)
					used[k] = false
				}
			}
			used[i] = false
		}
	}
	for n := 1; n <= len(j.priors); n++ {
		grow(Mirror{}, 0, n)
	}
	return out
}

// middles returns the coordinates q around which the prior of parameter i may be symmetric: that of values on both sides of one, or between two bounds;
// of a near mirror also 0.
func (s mirrorSearch) middles(i int) []float64 {
	p := &s.joint.priors[i]
	switch p.family {
	case prior.Normal:
		if p.plan != nil || p.values[0] == 0 {
			return []float64{0}
		}
		if s.near {
			return []float64{p.values[0], 0}
		}
		return p.values[:1]
	case prior.Uniform, prior.Beta, prior.ScaledBeta:
		return []float64{0}
	}
	return nil
}

// exchangeable reports whether two parameters have the same units and, as it is written, the same prior.
func (s mirrorSearch) exchangeable(i, k int) bool {
	l := s.joint.layout
	same := l.Parameters[i].Prior == l.Parameters[k].Prior || s.near && s.joint.priors[i].family == s.joint.priors[k].family
	return same && SameUnits(l, i, k)
}

// parameters returns those that a mirror changes.
func (m *Mirror) parameters() []int {
	all := slices.Clone(m.turned)
	for _, s := range m.swapped {
		all = append(all, s[:]...)
	}
	return all
}

// Names names what changes sides or places, as in "-ability -slope" and "a=b".
func (m *Mirror) Names(l *Layout) string {
	var names []string
	for _, i := range m.turned {
		names = append(names, "-"+l.Parameters[i].Name)
	}
	for _, s := range m.swapped {
		names = append(names, l.Parameters[s[0]].Name+"="+l.Parameters[s[1]].Name)
	}
	slices.Sort(names)
	return strings.Join(names, " ")
}

// Apart reports whether each unit has an image of its own, whatever the others do.
func (m *Mirror) Apart() bool { return m.apart }

// apart reports whether units of these parameters are independent given all others: they are units of the same kind, several of them, and none
// depends on the unit before.
func (s mirrorSearch) apart(parameters []int) bool {
	of := s.joint.layout.Parameters
	first := &of[parameters[0]]
	return first.Group != Shared && !slices.ContainsFunc(parameters, func(i int) bool {
		p := &of[i]
		return p.walks || p.of() != first.of() || p.Per != first.Per || p.Within != first.Within
	})
}

// image writes the image of q to to; if units is not nil, of these units alone.
func (m *Mirror) image(j *Joint, q, to []float64, units func(unit int) bool) {
	copy(to, q)
	for n, i := range m.turned {
		for u := range j.Units(i) {
			if at := j.first[i] + u; units == nil || units(u) {
				to[at] = float64(2*m.centre[n]) - q[at]
			}
		}
	}
	for _, s := range m.swapped {
		for u := range j.Units(s[0]) {
			if a, b := j.first[s[0]]+u, j.first[s[1]]+u; units == nil || units(u) {
				to[a], to[b] = q[b], q[a]
			}
		}
	}
}

// Separates reports whether draws [chain][draw][value] of the posterior, moved to their images, lie in two separate places, which no chain may cross: what
// changes, on the unconstrained scale, has in a unit a kurtosis below that of a uniform distribution, 1.8, by a good margin, and 2 % of the draws on each side.
func (m *Mirror) Separates(c *Cells, draws [][][]float64) bool {
	const flat, least = 1.5, 0.02 // least share of a side
	j := c.joint
	t := c.NewTarget(slices.Repeat([]bool{true}, len(j.priors)), 1)
	square, fourth, above, n := make([]float64, j.Len()), make([]float64, j.Len()), make([]float64, j.Len()), 0.0
	q, to := make([]float64, j.Len()), make([]float64, j.Len())
	for _, chain := range draws {
		for _, theta := range chain {
			t.Unconstrain(theta, q)
			m.image(j, q, to, nil)
			n++
			for i, x := range to {
				d := (x - q[i]) * (x - q[i])
				square[i], fourth[i] = square[i]+d, fourth[i]+float64(d*d)
				if x > q[i] {
					above[i]++
				}
			}
		}
	}
	for i, s := range square {
		if s > 0 && fourth[i]*n < flat*float64(s*s) && min(above[i], n-above[i]) >= least*n {
			return true
		}
	}
	return false
}

// Images moves points to their images in mirrors. It is not safe for concurrent use.
type Images struct {
	target  *JointTarget // all of it centred
	mirrors []Mirror
	q, to   []float64
	chosen  []bool // unit → whether it moves
}

// NewImages returns the images of the posterior given the cells in some of its mirrors; nil, which moves nothing, without any.
func (c *Cells) NewImages(mirrors []Mirror) *Images {
	if len(mirrors) == 0 {
		return nil
	}
	n := c.joint.Len()
	all := slices.Repeat([]bool{true}, len(c.joint.priors))
	return &Images{c.NewTarget(all, 1), mirrors, make([]float64, n), make([]float64, n), make([]bool, n)}
}

// Move moves theta to one of its images, or leaves it where it is, as r has it: in each mirror, and for each unit that has one of its own, with a
// probability of a half, or, in a near one, that of the image by the priors (Barker 1965). It reports whether it has moved theta. What is distributed as
// the posterior stays so: an image turns and exchanges coordinates in which all is centred, so that it keeps volumes there, in which the priors are compared.
func (m *Images) Move(theta []float64, r *rng.Rand) (moved bool) {
	if m == nil {
		return false
	}
	m.target.Unconstrain(theta, m.q)
	m.each(func(mirror *Mirror, units int) {
		share := 0.5
		if mirror.near {
			s := mirrorSearch{JointTarget: m.target}
			mirror.image(m.target.joint, m.q, m.to, nil)
			share = num.Logistic(s.logPrior(m.to) - s.logPrior(m.q))
		}
		for u := range units {
			m.chosen[u] = r.Float64() < share
			moved = moved || m.chosen[u]
		}
	})
	m.target.Constrain(m.q, theta)
	return moved
}

// Nearest moves q, coordinates in which all is centred, to its image that is nearest to a point.
func (m *Images) Nearest(q, point []float64) {
	if m == nil {
		return
	}
	copy(m.q, q)
	m.each(func(mirror *Mirror, units int) {
		clear(m.chosen)
		mirror.image(m.target.joint, m.q, m.to, nil)
		gain := make([]float64, units)
		for _, i := range mirror.parameters() {
			for u := range m.target.joint.Units(i) {
				at := m.target.joint.first[i] + u
				was, is := m.q[at]-point[at], m.to[at]-point[at]
				gain[min(u, units-1)] += float64(was*was) - float64(is*is)
			}
		}
		for u, g := range gain {
			m.chosen[u] = g > 0
		}
	})
	copy(q, m.q)
}

// each moves m.q in one mirror after the other. choose sets for each unit that has an image of its own, or for the only one, whether it moves.
func (m *Images) each(choose func(mirror *Mirror, units int)) {
	j := m.target.joint
	for k := range m.mirrors {
		mirror := &m.mirrors[k]
		units := 1
		if mirror.apart {
			units = j.Units(mirror.parameters()[0])
		}
		choose(mirror, units)
		mirror.image(j, m.q, m.to, func(unit int) bool { return m.chosen[min(unit, units-1)] })
		m.q, m.to = m.to, m.q
	}
}
