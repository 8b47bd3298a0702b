package embedding

import (
	"math"

	"achilles/infer/table"
	"achilles/sim/num"
)

// A whole computes the objective of a model whose link is a dot over all rows at once: the mean loss, plus −log prior divided by
// the number of all rows. It is what trainer.gradient computes row by row, several times faster, and it has the value, too.
type whole struct {
	*trainer
	link   dot
	t      *table.Table // the rows
	bounds []int
	z, e   []float64 // of the rows of one subject: log odds, then the derivative by them; and e^−|z|
	v, gv  []float64 // slopes times mask, and b, of all items; and the gradient by them: the items' own where there is no mask
	use    [][]int32 // by item: its dimensions, where the mask leaves some out or there are few; nil: all
}

// few is the number of dimensions below which they are gone through one by one.
const few = 4

func newWhole(r *trainer, link dot, t *table.Table) *whole {
	w := &whole{trainer: r, link: link, t: t, bounds: t.Bounds(), v: r.v, gv: r.gv}
	longest := 0
	for s := range t.Subjects {
		longest = max(longest, w.bounds[s+1]-w.bounds[s])
	}
	w.z, w.e = make([]float64, longest), make([]float64, longest)
	if link.mask != nil {
		w.v, w.gv = make([]float64, len(r.v)), make([]float64, len(r.v))
	}
	if link.mask != nil || link.dimensions < few {
		w.use = make([][]int32, len(t.Items))
		for j := range w.use {
			for k := range link.dimensions {
				if link.mask == nil || link.mask[j][k] != 0 {
					w.use[j] = append(w.use[j], int32(k))
				}
			}
		}
	}
	return w
}

// gradient sets r.grad to the gradient of the objective, and returns its value.
func (w *whole) gradient() (value float64) {
	clear(w.grad)
	k, kv, n := w.link.dimensions, w.kv, float64(w.t.Rows())
	if w.link.mask != nil {
		clear(w.gv)
		w.masked(w.trainer.v, w.v)
	}
	for s := range w.t.Subjects {
		from, to := w.bounds[s], w.bounds[s+1]
		u, gu, level := w.subject(int32(s)), w.gu[s*w.ku:(s+1)*w.ku], 0.0
		if w.link.level {
			level = u[k]
		}
		items, y, z := w.t.Item[from:to], w.t.Value[from:to], w.z[:to-from]
		if w.use != nil {
			for i, j := range items {
				v := w.v[int(j)*kv : int(j)*kv+kv]
				sum := level - v[k]
				for _, q := range w.use[j] {
					sum += float64(u[q] * v[q])
				}
				z[i] = sum
			}
		} else {
			for i, j := range items {
				v := w.v[int(j)*kv : int(j)*kv+kv]
				z[i] = level - v[k] + num.DotInFour(u[:k], v[:k])
			}
		}
		value += w.losses(z, y)
		for i, j := range items {
			d, at := z[i]/n, int(j)*kv
			level, v, gv := d, w.v[at:at+kv], w.gv[at:at+kv]
			gv[k] -= d
			if w.link.level {
				gu[k] += level
			}
			if w.use == nil {
				spread(d, u[:k], v[:k], gu[:k], gv[:k])
				continue
			}
			for _, q := range w.use[j] {
				gu[q] += float64(d * v[q])
				gv[q] += float64(d * u[q])
			}
		}
	}
	if w.link.mask != nil {
		w.masked(w.gv, w.trainer.gv)
	}
	all := float64(w.trainer.t.Rows())
	return value/n + penalise(w.u, w.gu, w.onSubject, all) + penalise(w.trainer.v, w.trainer.gv, w.onItem, all)
}

// masked writes x times the mask to y; both have the parameters of all items.
func (w *whole) masked(x, y []float64) {
	copy(y, x)
	for j, mask := range w.link.mask {
		for k, q := range mask {
			y[j*w.kv+k] = float64(q * x[j*w.kv+k])
		}
	}
}

// losses returns the sum of the losses of responses y whose log odds are z, and replaces z by the derivatives.
func (w *whole) losses(z, y []float64) (sum float64) {
	e := w.e[:len(z)]
	for i, x := range z {
		e[i] = -math.Abs(x)
	}
	num.ExpEach(e)
	entropy := w.Loss != Squared && w.Loss != Absolute
	for i, x := range z {
		a := 1 + e[i]
		p := 1 / a
		if x < 0 {
			p = e[i] / a
		}
		switch d := p - y[i]; {
		case entropy:
			sum += max(x, 0) - float64(y[i]*x)
			e[i], z[i] = a, d
		case w.Loss == Squared:
			sum += float64(d * d)
			z[i] = 2 * float64(d*p*(1-p))
		default:
			sum += math.Abs(d)
			z[i] = math.Copysign(p*(1-p), d)
		}
	}
	if entropy {
		sum += num.LogProduct(e)
	}
	return sum
}

// spread adds d·v to gu and d·u to gv. All have the same length.
func spread(d float64, u, v, gu, gv []float64) {
	v, gu, gv = v[:len(u)], gu[:len(u)], gv[:len(u)]
	for k, x := range u {
		gu[k] += float64(d * v[k])
		gv[k] += float64(d * x)
	}
}
