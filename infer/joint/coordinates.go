package joint

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strconv"

	"achilles/infer/layout"
	"achilles/infer/posterior"
	"achilles/sim/num"
	"achilles/sim/rng"
)

// A placement is a map, linear but for a constant, from the coordinates x of a sampler to the values q of a target.
type placement interface {
	place(x, q []float64)            // writes the values at x to q
	locate(q, x []float64)           // writes the x of values q to x, which place undoes
	spreadTransposed(grad []float64) // turns derivatives by q into derivatives by x
}

// A placed is a target in other coordinates, of about unit spread, so that a sampler that has learnt nothing yet can move.
type placed struct {
	target *layout.JointTarget
	placement
	q              []float64
	*layout.Images                // nil: the posterior has no mirror
	across         *layout.Images // in a near mirror in which the target is not folded; nil: there is none
	theta          []float64
}

// newPlaced returns a target in coordinates, folded in those near mirrors in which it can be, with images in all mirrors.
func newPlaced(t *layout.JointTarget, p placement, images, across *layout.Images) *placed {
	return &placed{t, p, make([]float64, t.Dim()), images, across, make([]float64, t.Dim())}
}

func (p *placed) Dim() int { return len(p.q) }

// LogDensity returns the log density of q, and writes its gradient by x to grad.
func (p *placed) LogDensity(x, grad []float64) float64 {
	p.place(x, p.q)
	l := p.target.LogDensity(p.q, grad)
	p.spreadTransposed(grad)
	return l
}

// Constrain converts x to the parameters themselves.
func (p *placed) Constrain(x, theta []float64) {
	p.place(x, p.q)
	p.target.Constrain(p.q, theta)
}

// Cross moves x to its image in a mirror in which the target is not folded, with the probability that it has of the two.
func (p *placed) Cross(x []float64, r *rng.Rand) bool {
	if p.across == nil {
		return false
	}
	if p.Constrain(x, p.theta); !p.across.Move(p.theta, r) {
		return false
	}
	p.target.Unconstrain(p.theta, p.q)
	p.locate(p.q, x)
	return true
}

// prepare returns the posterior in coordinates in which a sampler can move, evaluated by a number of goroutines, and a point for each
// chain to begin at. Where the prior of a value depends on others, its coordinate lies between the value and its score, by what the
// responses tell of it at the peak (centring). These coordinates are placed by the normal approximation around the peak if there is one
// peak, and otherwise one by one. Units and what they share, such as the mean of all abilities and that of all difficulties, are often so
// strongly correlated that a chain in scaled coordinates needs trajectories five times as long.
func prepare(ctx context.Context, cells *layout.Cells, c posterior.Config, root uint64, path ...string) (density func(workers int) *placed, starts [][]float64, err error) {
	m, limit := newMarginal(ctx, cells, c, metricSlack)
	var across []layout.Mirror
	for _, near := range cells.NearMirrors() {
		if near.Follows() {
			m.folds = append(m.folds, near)
		} else {
			across = append(across, near)
		}
	}
	tops, err := m.tops(root, path...)
	if err != nil {
		return nil, nil, err
	}
	top, one := m.summit(tops, limit == nil)
	if ctx.Err() != nil {
		return nil, nil, ctx.Err()
	}
	ends := m.ends(top)
	shares, scale := m.centring(top, ends)
	mirrors := append(m.mirrors, m.folds...)
	target := func(workers int) *layout.JointTarget {
		t := cells.NewTarget(allCentred(cells.Joint()), workers)
		t.Centre(shares)
		layout.Fold(t, m.folds)
		return t
	}
	first := target(1)
	mean, tangent := make([]float64, len(shares)), first.Tangent(top.q)
	m.target.In(first, top.q, mean)
	if one {
		if !tangent.Alone(m.scales) { // no way back (normal.locate)
			across = nil
		}
		along := m.between(first, ends)
		density = func(workers int) *placed {
			return newPlaced(target(workers), m.normal(top, mean, along, tangent), cells.NewImages(mirrors), cells.NewImages(across))
		}
	} else {
		tangent.Scale(scale)
		density = func(workers int) *placed {
			return newPlaced(target(workers), scales(scale), cells.NewImages(mirrors), cells.NewImages(across))
		}
	}
	for i := range c.Chains {
		r := rng.Stream(root, append(slices.Clone(path), "start", strconv.Itoa(i))...)
		at := make([]float64, len(shares))
		if !one { // around the peak of its own
			m.target.In(first, tops[i].q, at)
			for k, s := range scale {
				at[k] /= s
			}
		}
		starts = append(starts, around(density(1), at, &r))
	}
	return density, starts, nil
}

// summit returns the peak around which a sampler moves: the highest one with the scales at the maximum of their marginal density, with
// subjects integrated out if that can be; otherwise the end of a climb with the scales at the middle of their priors, whose standard
// deviations they then have. one says that all climbs lead to it and that its curvature is known, which is not asked for without whole.
func (m *marginal) summit(tops []*peak, whole bool) (p *peak, one bool) {
	for _, m.untilted = range []bool{false, true} {
		if !whole {
			break
		}
		var copies []*peak
		for _, t := range tops {
			copies = append(copies, &peak{q: slices.Clone(t.q), density: t.density})
		}
		if p, elsewhere, err := m.highest(copies); err == nil {
			for i, t := range copies {
				tops[i].q = t.q
			}
			return p, elsewhere == 0
		}
	}
	p = slices.MaxFunc(tops, func(a, b *peak) int { return cmp.Compare(a.density, b.density) })
	if !whole {
		return p, false
	}
	if p = m.peakAt(p.q, nil, m.deflate(p.q)); p.shape == nil {
		return p, false
	}
	p.bend = num.NewLower(len(m.scales))
	for i, step := range m.steps {
		p.bend.Row(i)[i] = 1 / float64(5*step)
	}
	for _, t := range tops {
		if t.apart(p, m.free, m.rough) {
			return p, false
		}
	}
	return p, true
}

// centring returns for every value where its coordinate should lie between its score (0) and the value itself (1), and its standard
// deviation given all others, at a peak. With I the information of the responses and s the standard deviation of the prior, a coordinate
// with the share I·s²/(1 + I·s²) is nearly independent of the prior's arguments (Papaspiliopoulos, Roberts and Sköld 2007). As s is
// known within a range only, the share is the mean of this over log s: the coordinate is then equally narrow at both ends of the
// range, where the steps of a sampler must be shortest. A layout may say that a parameter is centred, or not.
func (m *marginal) centring(p *peak, ends [][2]*peak) (shares, deviations []float64) {
	j := m.cells.Joint()
	information, spread := make([]float64, j.Len()), make([]float64, j.Len())
	shares, deviations = slices.Repeat([]float64{1}, j.Len()), make([]float64, j.Len())
	low, high := slices.Clone(p.q), slices.Clone(p.q)
	for i, at := range m.scales {
		low[at], high[at] = ends[i][0].q[at], ends[i][1].q[at]
	}
	for i, par := range j.Layout().Parameters {
		inform(m.target, j, i, 1, p.q, information, spread)
		narrow, wide := m.target.PriorSpread(low, i), m.target.PriorSpread(high, i)
		for u := range j.Units(i) {
			at := j.First(i) + u
			deviations[at] = deviation(information[at], spread[at])
			switch {
			case !j.HasScores(i):
			case par.Centred != nil && !*par.Centred:
				shares[at] = 0
			case par.Centred == nil:
				shares[at] = share(max(information[at], 0), narrow[u], spread[at], wide[u])
			}
		}
	}
	return shares, deviations
}

// share returns the mean of I·s²/(1 + I·s²) over log s between two ends.
func share(information, low, middle, high float64) float64 {
	told := func(s float64) float64 { return float64(information * float64(s*s)) }
	x := told(middle) / (1 + told(middle))
	if by := num.Log(high) - num.Log(low); math.Abs(by) > 1e-3 && !math.IsInf(by, 0) {
		x = (num.Log1p(told(high)) - num.Log1p(told(low))) / float64(2*by)
	}
	if !(x >= 0) {
		return 0
	}
	return min(x, 1)
}

// The range of a scale ends where the log density is this much lower, or after so many standard deviations. The density of the logarithm
// of a SD that may be 0 falls by one for each step of one: a range that ends earlier has draws beyond it, where chains get stuck.
const (
	mostUnlikely = -9
	mostSteps    = 12
)

// ends returns the peaks at the lower and at the upper end of the range in which each scale may lie. What is known of a scale is skewed:
// it may be close to 0. Where p is not the maximum by the scales, the ends are two standard deviations of their priors away.
func (m *marginal) ends(p *peak) (out [][2]*peak) {
	for i, at := range m.scales {
		var both [2]*peak
		for side, sign := range []float64{-1, 1} {
			to := p
			switch {
			case p.shape == nil:
				to = &peak{q: slices.Clone(p.q)}
				to.q[at] += float64(10 * sign * m.steps[i])
			case p.slope == nil:
				if next := m.near(p, m.shifted(p, i, float64(10*sign*m.steps[i]))); next.shape != nil {
					to = next
				}
			default:
				row := make([]float64, len(m.scales)) // of the inverse factor
				row[i] = 1
				p.bend.Solve(row)
				step := float64(sign * math.Sqrt(num.Dot(row, row)))
				for n := 1; n <= mostSteps && to.value > p.value+mostUnlikely; n++ {
					next := m.near(to, m.shifted(p, i, float64(float64(n)*step)))
					if next.shape == nil {
						break
					}
					to = next
				}
			}
			both[side] = to
		}
		out = append(out, both)
	}
	return out
}

// between returns how the coordinates of t change with each scale, on average between its ends. A tangent at the peak would lead far
// off where a scale may be close to 0.
func (m *marginal) between(t *layout.JointTarget, ends [][2]*peak) (out [][]float64) {
	for i, at := range m.scales {
		low, high := make([]float64, t.Dim()), make([]float64, t.Dim())
		m.target.In(t, ends[i][0].q, low)
		m.target.In(t, ends[i][1].q, high)
		by := ends[i][1].q[at] - ends[i][0].q[at]
		for k, x := range low {
			if high[k] -= x; by != 0 {
				high[k] /= by
			}
		}
		high[at] = 1
		out = append(out, high)
	}
	return out
}

// around returns a point around another one, with twice the spread of the coordinates, where the density is finite and no lower than a normal one
// is at three standard deviations of every coordinate: there chains got lost between walls. It returns the point itself after a hundred tries.
func around(t posterior.Density, at []float64, r *rng.Rand) []float64 {
	x, grad := make([]float64, t.Dim()), make([]float64, t.Dim())
	least := t.LogDensity(at, grad) - float64(4.5*float64(len(at)))
	for range startTries {
		for i := range x {
			x[i] = at[i] + float64(2*r.Norm())
		}
		if l := t.LogDensity(x, grad); l >= least && !math.IsInf(l, 0) {
			return x
		}
	}
	return at
}

// pick writes the values of a vector at some indices to another, one after the other.
func pick(to, from []float64, at []int) {
	for i, k := range at {
		to[i] = from[k]
	}
}

// place writes values, one after the other, to a vector at some indices: it undoes pick.
func place(to []float64, at []int, from []float64) {
	for i, k := range at {
		to[k] = from[i]
	}
}
