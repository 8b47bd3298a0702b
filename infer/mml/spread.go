package mml

import (
	"math"

	"achilles/sim/num"
)

// Limits of the standard error of the spread where parameters are too many for their covariances.
const (
	mostProducts = 200 // products with the information
	mostOfThem   = 1e7 // responses × nodes, up to which they are taken
	solved       = 1e-10
)

// spreadError returns the standard error of the slope that all items have, which allows for the error of all other parameters: the square root of its
// element of the inverse of the observed information (Louis 1982). That is not made: conjugate gradients need its products alone.
// It returns 0 where there is none: with several groups or anchors, at a bound, or of too many responses.
func (e *engine) spreadError() float64 {
	spread := e.items[0].at[0]
	work := 0
	for u := range e.patterns {
		work += len(e.patterns[u].counts) * (e.patterns[u].hi - e.patterns[u].lo)
	}
	if spread < 0 || e.abilities > 1 || len(e.groups) > 1 || e.groups[0].at[0] >= 0 || float64(work) > mostOfThem {
		return 0
	}
	times := e.information()
	v, r := make([]float64, e.params), make([]float64, e.params)
	v[spread] = 1
	scale := times.complete()
	copy(r, v)
	x, z := make([]float64, e.params), make([]float64, e.params)
	precondition := func() (rz float64) {
		for a := range z {
			if z[a] = 0; scale[a] > solved {
				z[a] = r[a] / scale[a]
			}
			rz += float64(r[a] * z[a])
		}
		return rz
	}
	rz := precondition()
	first := rz
	copy(v, z)
	for range mostProducts {
		av := times.vector(v)
		bend := num.Dot(v, av)
		if !(bend > 0) {
			return 0
		}
		for a := range x {
			x[a] += float64(rz / bend * v[a])
			r[a] -= float64(rz / bend * av[a])
		}
		next := precondition()
		if next < float64(solved*first) {
			return math.Sqrt(max(x[spread], 0))
		}
		for a := range v {
			v[a] = z[a] + float64(next/rz*v[a])
		}
		rz = next
	}
	return 0
}

// An information gives products with the observed information about all parameters: that if abilities were known, less what is lost because
// they are not.
type information struct {
	e      *engine
	blocks [][]float64 // by item, slot × slot: the former
	table  [][]float64 // derivatives
	first  []int
	weight [][]float64 // by pattern, of its nodes
}

func (e *engine) information() *information {
	x := &information{e: e, table: e.derivatives(), first: e.firsts()}
	c, nodes := e.expect(false), len(e.grid.theta)
	for i := range e.items {
		it := &e.items[i]
		n, m := it.core(), len(it.at)
		b := make([]float64, m*m)
		for k := range len(it.d) + 1 {
			for q, theta := range e.grid.theta {
				r := c.item[i][k*nodes+q]
				if r < 1e-12 {
					continue
				}
				h := x.table[x.first[i]+k][q*(n+n*n)+n:]
				for j := range m {
					cj, fj := it.slot(j, theta)
					for l := range m {
						cl, fl := it.slot(l, theta)
						b[j*m+l] -= float64(r * fj * fl * h[cj*n+cl])
					}
				}
			}
		}
		x.blocks = append(x.blocks, b)
	}
	w := make([]float64, nodes)
	for u := range e.patterns {
		p := &e.patterns[u]
		e.posterior(p, w)
		x.weight = append(x.weight, append([]float64{}, w[p.lo:p.hi]...))
	}
	return x
}

// complete returns the information about each parameter if abilities and all other parameters were known.
func (x *information) complete() []float64 {
	out := make([]float64, x.e.params)
	for i := range x.e.items {
		at := x.e.items[i].at
		for j, a := range at {
			if a >= 0 {
				out[a] += x.blocks[i][j*len(at)+j]
			}
		}
	}
	return out
}

// vector returns the product with a vector.
func (x *information) vector(v []float64) []float64 {
	e, out := x.e, make([]float64, len(v))
	for i := range e.items {
		at := e.items[i].at
		for j, a := range at {
			for l, b := range at {
				if a >= 0 && b >= 0 {
					out[a] += float64(x.blocks[i][j*len(at)+l] * v[b])
				}
			}
		}
	}
	for u := range e.patterns {
		p, w := &e.patterns[u], x.weight[u]
		along := make([]float64, len(w)) // the score in the vector's direction
		each := func(of func(q, a int, s float64)) {
			for _, r := range p.counts {
				it := &e.items[r.item]
				n := it.core()
				t := x.table[x.first[r.item]+int(r.y)]
				for j, a := range it.at {
					for q := range w {
						if a >= 0 {
							c, f := it.slot(j, e.grid.theta[p.lo+q])
							of(q, a, float64(r.as*f*t[(p.lo+q)*(n+n*n)+c]))
						}
					}
				}
			}
		}
		each(func(q, a int, s float64) { along[q] += float64(s * v[a]) })
		mean := num.Dot(w, along)
		for q := range w {
			along[q] = float64(p.n * w[q] * (along[q] - mean))
		}
		each(func(q, a int, s float64) { out[a] -= float64(along[q] * s) })
	}
	return out
}
