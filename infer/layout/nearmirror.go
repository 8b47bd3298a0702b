package layout

import (
	"math"
	"slices"

	"achilles/infer/prior"
	"achilles/sim/num"
)

// mostNear is the largest number of parameters or pairs of them that a near mirror changes, without those on which only priors depend.
const mostNear = 3

// NearMirrors returns a change of all values, as Mirrors does, under which the likelihood stays the same, but the priors do not, or none: signs of
// abilities and slopes whose mean has a prior off 0, components of a mixture with different priors. The posterior may have another maximum near its
// image, as likely as the priors have it. Values on which only priors depend change sides or places, too, where that brings the priors nearer to
// each other. It is that of the fewest parameters that Follows, or, if none does, of the fewest, and has one image: units do not have their own.
// Unconstrained coordinates are functions of the values alone.
func (c *Cells) NearMirrors() (found []Mirror) {
	j := c.joint
	if len(j.priors) > mostMirrored || j.layout.firstBinary() != nil || slices.ContainsFunc(j.priors, unitPrior.moves) {
		return nil
	}
	s := mirrorSearch{c.NewTarget(slices.Repeat([]bool{true}, len(j.priors)), 1), true}
	points := s.points()
	if len(points) < mirrorPoints {
		return nil
	}
	n := nearSearch{mirrorSearch: s, points: points, to: make([]float64, j.Len())}
	matters := make([]bool, len(j.priors))
	for i := range matters {
		matters[i] = n.matters(i)
	}
	for _, m := range s.changes() {
		if parts := len(m.turned) + len(m.swapped); parts > mostNear || n.seen > mostSeen {
			break
		}
		if m.apart || slices.ContainsFunc(m.parameters(), func(i int) bool { return !matters[i] }) || !n.always(&m, n.likes) {
			continue
		}
		m = n.nearest(m, matters)
		if n.always(&m, func(p mirrorPoint) bool { return alike(n.logPrior(n.to), p.prior) }) {
			continue // an exact one
		}
		if m.apace = n.follows(&m); m.apace {
			return []Mirror{m}
		}
		if len(found) == 0 {
			found = append(found, m)
		}
	}
	return found
}

// A nearSearch looks for near mirrors.
type nearSearch struct {
	mirrorSearch
	points []mirrorPoint
	to     []float64
	seen   int // responses looked at
}

// matters reports whether the likelihood depends on a parameter.
func (n *nearSearch) matters(i int) bool {
	p := n.points[0]
	copy(n.to, p.q)
	for at := n.joint.first[i]; at < n.joint.first[i+1]; at++ {
		n.to[at] += 0.37
	}
	return !n.likes(p)
}

// likes reports whether the likelihood at n.to is that at a point.
func (n *nearSearch) likes(p mirrorPoint) bool {
	n.logPrior(n.to)
	n.seen += len(n.cells.used)
	return alike(n.LogLikelihood(n.theta, n.dtheta), p.likelihood)
}

// always reports whether the image of every point, in n.to, is as same says.
func (n *nearSearch) always(m *Mirror, same func(p mirrorPoint) bool) bool {
	return !slices.ContainsFunc(n.points, func(p mirrorPoint) bool {
		m.image(n.joint, p.q, n.to, nil)
		return !same(p)
	})
}

// follows reports whether priors that depend on other values are the same at the image of every point: it is then as narrow there as the point is, in
// coordinates that these values place. Slopes of the other sign than their mean are not.
func (n *nearSearch) follows(m *Mirror) bool {
	given := func(q []float64) (l float64) {
		n.logPrior(q)
		for i, p := range n.joint.priors {
			for at := n.joint.first[i]; at < n.joint.first[i+1] && p.plan != nil; at++ {
				l += n.JointTarget.points[at].LogP
			}
		}
		return l
	}
	return n.always(m, func(p mirrorPoint) bool { return alike(given(n.to), given(p.q)) })
}

// nearest adds to a change those of values that do not matter to the likelihood that bring the priors at images nearer to those at the points.
func (n *nearSearch) nearest(m Mirror, matters []bool) Mirror {
	far := func(m *Mirror) (sum float64) {
		for _, p := range n.points {
			m.image(n.joint, p.q, n.to, nil)
			sum += math.Abs(n.logPrior(n.to)-p.prior) / float64(len(n.points))
		}
		return sum
	}
	by, swaps := far(&m), len(m.swapped) > 0
	for i := range n.joint.priors {
		if matters[i] || slices.Contains(m.parameters(), i) {
			continue
		}
		var more []Mirror
		for _, centre := range n.middles(i) {
			more = append(more, Mirror{turned: append(slices.Clone(m.turned), i), centre: append(slices.Clone(m.centre), centre), swapped: m.swapped})
		}
		for k := i + 1; k < len(n.joint.priors) && swaps; k++ {
			if !matters[k] && !slices.Contains(m.parameters(), k) && n.exchangeable(i, k) {
				more = append(more, Mirror{turned: m.turned, centre: m.centre, swapped: append(slices.Clone(m.swapped), [2]int{i, k})})
			}
		}
		for _, next := range more {
			if d := far(&next); d < by {
				m, by = next, d
			}
		}
	}
	m.near = true
	return m
}

// moves reports whether unconstrained coordinates depend on the arguments of a prior that are inferred: its bounds.
func (p unitPrior) moves() bool {
	return p.plan != nil && (p.family == prior.Uniform || p.family == prior.ScaledBeta)
}

// Near reports whether the likelihood alone stays the same.
func (m *Mirror) Near() bool { return m.near }

// Follows reports, of a near mirror, whether the posterior is as narrow at an image as at the point, in coordinates between scores and values: a density
// can then be folded in it.
func (m *Mirror) Follows() bool { return m.apace }

// A folded adds to a density that at the image of a point in a near mirror: the sum has the mirror, so that a chain need not find both images. A draw of it,
// moved to its image with the probability that the image has of the two (Images.Move), is one of the density itself.
type folded struct {
	t               *JointTarget // all of it centred; its priors alone
	mirror          Mirror
	q, to           []float64
	slope, opposite []float64
}

// Fold makes t a density that is folded in these near mirrors, of which there is one at most; nil: it is not.
func Fold(t *JointTarget, near []Mirror) {
	t.fold = nil
	if len(near) > 0 {
		n := t.Dim()
		t.fold = &folded{t.cells.NewTarget(slices.Repeat([]bool{true}, len(t.joint.priors)), 1), near[0], make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)}
	}
}

// add returns the log of what the sum of both densities is over that at theta, and adds its derivatives to grad. Likelihoods are the same.
func (f *folded) add(theta, grad []float64) float64 {
	f.t.Unconstrain(theta, f.q)
	f.mirror.image(f.t.joint, f.q, f.to, nil)
	above := f.prior(f.to, f.opposite)
	above -= f.prior(f.q, f.slope)
	if !(above > -700) {
		return 0
	}
	f.mirror.reflect(f.t.joint, f.opposite)
	share := num.Logistic(above)
	for at, d := range f.t.points {
		grad[at] += float64(share*(f.opposite[at]-f.slope[at])) / d.ThetaQ
	}
	return num.Softplus(above)
}

// prior returns the log prior density at q, and writes its gradient to grad.
func (f *folded) prior(q, grad []float64) (l float64) {
	l = mirrorSearch{JointTarget: f.t}.logPrior(q)
	clear(f.t.dtheta)
	for k := len(f.t.joint.order) - 1; k >= 0; k-- {
		l += f.t.reversePrior(f.t.joint.order[k], grad)
	}
	return l
}

// reflect turns derivatives by the image into those by the point.
func (m *Mirror) reflect(j *Joint, grad []float64) {
	for _, i := range m.turned {
		for at := j.first[i]; at < j.first[i+1]; at++ {
			grad[at] = -grad[at]
		}
	}
	for _, s := range m.swapped {
		for u := range j.Units(s[0]) {
			a, b := j.first[s[0]]+u, j.first[s[1]]+u
			grad[a], grad[b] = grad[b], grad[a]
		}
	}
}
