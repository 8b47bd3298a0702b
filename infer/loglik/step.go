package loglik

import (
	"achilles/sim/expr"
	"achilles/sim/num"
)

type stepKind uint8

const (
	affineStep stepKind = iota // offset + Σ coef·scalar, or the logistic function of this if link is set
	mulStep
	applyStep
	powerStep // base^exponent for positive bases; the third operand has the logarithms of the bases
)

// A step computes one array: n values at off in the slab.
type step struct {
	kind    stepKind
	op      expr.Op
	link    bool
	late    bool // computed only for outputs, and where a likelihood asks for it
	dep     dependence
	setting float64
	n, off  int
	args    []int       // offsets of the operands in the slab; in an affine step, offsets of the scalars
	ix      [][]uint32  // for each operand: element of the step → element of the operand
	offset  []float64   // only in an affine step
	coef    [][]float64 // only in an affine step: one vector for each scalar
	links   *links      // only in an affine step with a link; may be nil
	bases   int         // only in a power step: number of bases
	plate   *plate
}

func (s *step) forward(w *Workspace) {
	out := w.v[s.off : s.off+s.n]
	switch s.kind {
	case affineStep:
		s.affineForward(w, out)
	case mulStep:
		a, b := w.v[s.args[0]:], w.v[s.args[1]:]
		ia, ib := s.ix[0][:len(out)], s.ix[1][:len(out)]
		for e := range out {
			out[e] = float64(a[ia[e]] * b[ib[e]])
		}
	case applyStep:
		s.applyForward(w, out)
	case powerStep:
		s.powerForward(w, out)
	}
}

// applyForward computes the values of an operation. Sums, differences and links have loops of their own: they take most of
// the time where units have parameters of their own.
func (s *step) applyForward(w *Workspace, out []float64) {
	a, ia := w.v[s.args[0]:], s.ix[0][:len(out)]
	switch s.op {
	case expr.Logistic:
		for e := range out {
			out[e] = a[ia[e]]
		}
		logistics(out)
	case expr.Add:
		b, ib := w.v[s.args[1]:], s.ix[1][:len(out)]
		for e := range out {
			out[e] = a[ia[e]] + b[ib[e]]
		}
	case expr.Sub:
		b, ib := w.v[s.args[1]:], s.ix[1][:len(out)]
		for e := range out {
			out[e] = a[ia[e]] - b[ib[e]]
		}
	default:
		x := w.x[:len(s.args)]
		for e := range out {
			s.load(w, e, x)
			out[e] = value(s.op, s.setting, x)
		}
	}
}

func (s *step) load(w *Workspace, e int, x []float64) {
	for k, a := range s.args {
		x[k] = w.v[a+int(s.ix[k][e])]
	}
}

func (s *step) affineForward(w *Workspace, out []float64) {
	if s.links != nil && s.links.forward(w, out) {
		return
	}
	copy(out, s.offset)
	for k, a := range s.args {
		p, c := w.v[a], s.coef[k][:len(out)]
		for e := range out {
			out[e] += float64(p * c[e])
		}
	}
	if s.link {
		logistics(out)
	}
}

// reverse computes the derivatives of the log likelihood by the operands, given those by the step's values, and adds
// them to w.d.
func (s *step) reverse(w *Workspace) {
	g := w.d[s.off : s.off+s.n]
	switch s.kind {
	case affineStep:
		s.affineReverse(w, g)
	case mulStep:
		a, b := w.v[s.args[0]:], w.v[s.args[1]:]
		da, db := w.d[s.args[0]:], w.d[s.args[1]:]
		ia, ib := s.ix[0][:len(g)], s.ix[1][:len(g)]
		for e, t := range g {
			i, j := ia[e], ib[e]
			x, y := a[i], b[j]
			da[i] += float64(t * y)
			db[j] += float64(t * x)
		}
	case applyStep:
		s.applyReverse(w, g)
	case powerStep:
		s.powerReverse(w, g)
	}
}

func (s *step) applyReverse(w *Workspace, g []float64) {
	da, ia, v := w.d[s.args[0]:], s.ix[0][:len(g)], w.v[s.off:][:len(g)]
	switch s.op {
	case expr.Logistic:
		for e, t := range g {
			da[ia[e]] += float64(t * float64(v[e]*(1-v[e])))
		}
	case expr.Add:
		db, ib := w.d[s.args[1]:], s.ix[1][:len(g)]
		for e, t := range g {
			da[ia[e]] += t
			db[ib[e]] += t
		}
	case expr.Sub:
		db, ib := w.d[s.args[1]:], s.ix[1][:len(g)]
		for e, t := range g {
			da[ia[e]] += t
			db[ib[e]] -= t
		}
	default:
		x, dx := w.x[:len(s.args)], w.dx[:len(s.args)]
		for e, t := range g {
			s.load(w, e, x)
			s.op.Partials(s.setting, x, v[e], dx)
			for k, a := range s.args {
				w.d[a+int(s.ix[k][e])] += float64(t * dx[k])
			}
		}
	}
}

// powerForward computes e^(exponent·log base), with one logarithm for each base: items with exponents of their own share the bases of
// their demands.
func (s *step) powerForward(w *Workspace, out []float64) {
	base, y, logs := w.v[s.args[0]:], w.v[s.args[1]:], w.v[s.args[2]:][:s.bases]
	for k := range logs {
		logs[k] = num.Log(base[k])
	}
	ib, iy := s.ix[0][:len(out)], s.ix[1][:len(out)]
	for e := range out {
		out[e] = num.Exp(float64(y[iy[e]] * logs[ib[e]]))
	}
}

// powerReverse leaves out powers that are 0, whose derivatives are 0 too.
func (s *step) powerReverse(w *Workspace, g []float64) {
	base, y, logs, v := w.v[s.args[0]:], w.v[s.args[1]:], w.v[s.args[2]:], w.v[s.off:][:len(g)]
	dbase, dy, dlogs := w.d[s.args[0]:], w.d[s.args[1]:], w.d[s.args[2]:][:s.bases]
	ib, iy := s.ix[0][:len(g)], s.ix[1][:len(g)]
	for e, t := range g {
		if t = float64(t * v[e]); t == 0 {
			continue
		}
		i, j := ib[e], iy[e]
		dlogs[i] += float64(t * y[j])
		dy[j] += float64(t * logs[i])
	}
	for k, d := range dlogs {
		if d != 0 {
			dbase[k] += d / base[k]
		}
	}
}

func (s *step) affineReverse(w *Workspace, g []float64) {
	if s.link {
		v := w.v[s.off:][:len(g)]
		for e, x := range v {
			g[e] = float64(g[e] * float64(x*(1-x)))
		}
	}
	for k, a := range s.args {
		sum, c := 0.0, s.coef[k][:len(g)]
		for e, t := range g {
			sum += float64(t * c[e])
		}
		w.d[a] += sum
	}
}
