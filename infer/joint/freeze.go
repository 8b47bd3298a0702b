package joint

import (
	"math"
	"slices"

	"achilles/sim/num"
)

// survey returns what the posterior of every pattern takes of every axis of the whole grid, where the others are at some points. Nodes of weights
// beneath a share of the highest do not count.
func (g *integral) survey(points [][]float64, beneath float64) (out [][mostAxes]extent) {
	t, whole := g.density(), g.whole()
	for n, q := range points {
		t.move(q)
		for i := range g.patterns {
			p := pattern{products: g.patterns[i].products, box: whole}
			t.weigh(&p)
			e := g.extents(&whole, t.weights, beneath)
			if n == 0 {
				out = append(out, e)
				continue
			}
			for k := range g.axes {
				out[i][k] = out[i][k].wider(e[k])
			}
		}
	}
	return out
}

// shrink gives every pattern the box that it needs; of binary parameters, the whole.
func (g *integral) shrink(to [][mostAxes]extent) {
	if g.binary {
		return
	}
	for i, e := range to {
		var from, n [mostAxes]int
		for k, a := range g.axes {
			from[k], n[k] = e[k].first, e[k].last-e[k].first+1
			if n[k] < 1 { // no node has a weight: the whole axis
				from[k], n[k] = 0, a.n
			}
		}
		g.patterns[i].box = g.box(from, n)
	}
}

// freeze gives every pattern the box that it needs at some points, the first of which is the maximum, and returns the mesh that is needed there:
// the same one if it is fine enough. All patterns of binary parameters are always enough.
func (s *settler) freeze(g *integral, points [][]float64) (mesh, error) {
	if g.binary {
		return g.mesh, nil
	}
	to, next := g.survey(points, s.beneath), g.mesh
	if len(g.axes) <= mostWithPriors { // of three, few nodes, and no more than the change below asks for
		for k := range g.axes {
			next[k] = g.finer(k, s.steps, to)
		}
	}
	if next != g.mesh {
		return next, nil
	}
	g.shrink(to)
	values := g.values(points)
	for k := range g.axes {
		half := g.mesh
		half[k].step /= 2
		finer, err := g.on(half, 2*s.pairs)
		if err != nil {
			return next, err
		}
		finer.shrink(finer.like(g, k, to))
		change := rootMeanSquare(finer.values(points), values)
		if !(change <= s.change) {
			next[k].step /= math.Sqrt2
		}
	}
	return next, nil
}

// like returns the extents that those of h, whose nodes are twice as far apart on axis k, have on g.
func (g *grid) like(h *integral, k int, to [][mostAxes]extent) (out [][mostAxes]extent) {
	first := func(node int) int { return int(2*(h.axes[k].first+float64(node)) - g.axes[k].first) }
	for _, e := range to {
		e[k].first, e[k].last = max(first(e[k].first), 0), min(first(e[k].last), g.axes[k].n-1)
		out = append(out, e)
	}
	return out
}

// rootMeanSquare returns how far the differences of two lists are from their mean, in the root mean square.
func rootMeanSquare(a, b []float64) float64 {
	mean, square, n := 0.0, 0.0, 0.0
	for i, v := range a {
		if by := v - b[i]; !math.IsNaN(by) {
			mean, square, n = mean+by, square+float64(by*by), n+1
		}
	}
	return math.Sqrt(max(square/n-float64(mean/n*(mean/n)), 0))
}

// values returns the log densities at points, relative to the first.
func (g *integral) values(points [][]float64) (out []float64) {
	t := g.density()
	for _, q := range points {
		out = append(out, t.value(q))
	}
	for i := len(out) - 1; i >= 0; i-- {
		out[i] -= out[0]
	}
	return out
}

// centre gives the values that are kept the coordinates between score and value that their information asks for, and returns the maximum
// there with its curvature. In coordinates nearer to the value there may be none: the density grows without bound as values and their
// spread shrink together. Then coordinates are half as near, and at last the scores.
func (s *settler) centre(g *integral, top []float64, factor num.Lower) ([]float64, num.Lower) {
	scores, told := g.shares, g.told(top, factor)
	for _, part := range []float64{1, 0.5} {
		shares := make([]float64, len(told))
		for k := range shares {
			shares[k] = float64(part * told[k])
		}
		g.shares = shares
		q := g.moved(top, scores, shares)
		rough, err := s.curvature(g, q)
		if err != nil {
			continue
		}
		s.climb(g, q, triangular(rough))
		if better, err := s.curvature(g, q); err == nil && distance(rough, q, g.moved(top, scores, shares)) < 3 {
			return q, better
		}
	}
	g.shares = scores
	return top, factor
}

// moved returns where the values are in coordinates with other shares that have coordinates q with some.
func (g *integral) moved(q, shares, others []float64) []float64 {
	j := g.at.Joint()
	from, into := g.at.NewTarget(allCentred(j), 1), g.at.NewTarget(allCentred(j), 1)
	from.Centre(shares)
	into.Centre(others)
	whole, to := slices.Clone(g.density().q), make([]float64, j.Len())
	place(whole, g.here, q)
	from.In(into, whole, to)
	out := make([]float64, len(q))
	pick(out, to, g.here)
	return out
}

// told returns for every value of at where its coordinate should lie between its score and the value itself (marginal.centring), by the
// curvature at a point in scores.
func (g *integral) told(top []float64, factor num.Lower) []float64 {
	j, t := g.at.Joint(), g.density()
	shares, row := make([]float64, len(t.q)), map[int]int{}
	for i, k := range g.here {
		t.q[k], row[k] = top[i], i
	}
	t.target.Constrain(t.q, t.theta)
	for i, par := range j.Layout().Parameters {
		if _, kept := row[j.First(i)]; !kept || !j.HasScores(i) {
			continue
		}
		for u, sd := range t.target.PriorSpread(t.q, i) {
			k := j.First(i) + u
			r := factor.Row(row[k]) // of the curvature by the score: 1 + I·s²
			information := max(num.Dot(r, r)-1, 0) / float64(sd*sd)
			switch by := num.Exp(3 / math.Sqrt(float64(2*j.Units(i)))); {
			case par.Centred != nil && !*par.Centred:
			case par.Centred == nil:
				shares[k] = share(information, sd/by, sd, float64(sd*by))
			default:
				shares[k] = 1
			}
		}
	}
	return shares
}
