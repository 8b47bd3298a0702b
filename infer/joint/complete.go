package joint

import (
	"slices"

	"achilles/infer/layout"
	"achilles/sim/rng"
)

// A completer draws the values of units given the others.
type completer struct {
	*integrated
	whole *layout.JointTarget // of cells
	q     []float64           // of cells: a possible point
	sums  []float64           // node of a box → sum of the weights up to it
}

// completer returns one for a goroutine.
func (g *integral) completer() *completer {
	j := g.cells.Joint()
	shares := make([]float64, j.Len())
	for i, k := range g.keep {
		shares[k] = g.shares[g.here[i]]
	}
	c := &completer{integrated: g.density(), whole: g.cells.NewTarget(allCentred(j), 1), q: make([]float64, j.Len())}
	c.whole.Centre(shares)
	r := rng.Stream(0, "middle")
	j.DrawNear(&r, 0, c.q)
	c.whole.Unconstrain(c.q, c.q)
	return c
}

// complete returns all values of cells, n times: those that are kept, whose coordinates are q, and a draw of the others given these.
func (c *completer) complete(q []float64, n int, r *rng.Rand) (out [][]float64) {
	place(c.q, c.keep, q)
	for range n {
		out = append(out, slices.Clone(c.q))
	}
	c.move(q)
	first := make([]int, len(c.unit))
	for k, i := range c.unit {
		first[k] = c.cells.Joint().First(i)
	}
	for i := range c.patterns {
		p := &c.patterns[i]
		c.weigh(p)
		c.sharpen(p)
		for _, u := range p.units {
			for _, to := range out {
				node, _ := slices.BinarySearch(c.sums, float64((1-r.Float64())*c.sums[len(c.sums)-1])) // above 0, so that it finds no node of weight 0
				for k := len(c.unit) - 1; k >= 0; k-- {
					if c.binary {
						to[first[k]+int(u)] = c.grid.value(k, node)
						continue
					}
					at := float64(p.from[k]+node%p.n[k]) + r.Float64() - r.Float64()
					node /= p.n[k]
					to[first[k]+int(u)] = c.axes[k].coordinate(at)
				}
			}
		}
	}
	for _, to := range out {
		c.whole.Constrain(to, to)
	}
	return out
}

// sharpen sets c.sums from the weights of a pattern less a twelfth of their second differences along every axis. A draw goes to a node and
// then away from it by the difference of two uniform numbers, which adds a sixth of a step's square to the variance; this takes it out
// again: means, variances and covariances are those of the sums over nodes, and the density is interpolated to the fourth order. Patterns of binary
// values are drawn by the weights themselves.
func (c *completer) sharpen(p *pattern) {
	w, spread := c.weights[:p.nodes()], float64(len(c.unit))/6
	if c.binary {
		spread = 0
	}
	c.sums = c.sums[:0]
	for _, x := range w {
		c.sums = append(c.sums, float64(x*(1+spread)))
	}
	stride := 1
	for k := len(c.unit) - 1; k >= 0 && !c.binary; k-- {
		plane := stride * p.n[k]
		for at := 0; at < len(w); at += plane {
			low, high := c.sums[at:at+plane-stride], c.sums[at+stride:at+plane]
			for i, x := range w[at+stride : at+plane] {
				low[i] -= x / 12
			}
			for i, x := range w[at : at+plane-stride] {
				high[i] -= x / 12
			}
		}
		stride = plane
	}
	sum := 0.0
	for i, x := range c.sums {
		sum += max(x, 0)
		c.sums[i] = sum
	}
}

// cost returns about how many nanoseconds a value of the density takes.
func (g *integral) cost() float64 {
	n := float64(60*len(g.at.Used()) + 2*len(g.parent)*g.nodes())
	for i := range g.patterns {
		p := &g.patterns[i]
		n += float64(p.nodes()*(len(p.products)+2) + 50)
	}
	return n
}
