package loglik

import (
	"slices"

	"achilles/sim/expr"
)

// An affine is the form offset + Σ coef·scalar. offset and each coef have one constant number for each row; the scalars
// change between evaluations. Margins are affine in the capabilities and biases.
type affine struct {
	offset []float64
	terms  []term
}

type term struct {
	scalar Node
	coef   []float64
}

// affineOf returns the affine form of n, or false if n has none. It computes each form once.
func (b *Builder) affineOf(n Node) (affine, bool) {
	f, known := b.affines[n]
	if !known {
		if a, ok := b.findAffine(n); ok {
			f = &a
		}
		b.affines[n] = f
	}
	if f == nil {
		return affine{}, false
	}
	return *f, true
}

func (b *Builder) findAffine(n Node) (affine, bool) {
	s := &b.syms[n]
	switch {
	case s.dep == onRows:
		return affine{offset: b.rowsOf(n)}, true
	case s.scalar:
		return affine{make([]float64, b.rows), []term{{n, b.filled(1)}}}, true
	case s.kind != isOp:
		return affine{}, false
	}
	switch s.op {
	case expr.Add, expr.Sub, expr.Neg:
		return b.affineSum(s)
	case expr.Mul:
		return b.affineProduct(s.args[0], s.args[1])
	case expr.Div:
		if x, ok := b.affineOf(s.args[0]); ok && b.syms[s.args[1]].dep == onRows {
			d := b.rowsOf(s.args[1])
			return x.mapped(func(v float64, r int) float64 { return v / d[r] }), true
		}
	case expr.Present: // 1 − b + ab
		x, ok := b.affineOf(s.args[1])
		y, ok2 := b.affineProduct(s.args[0], s.args[1])
		if ok && ok2 {
			return affine{offset: b.filled(1)}.plus(x.scaled(b.filled(-1))).plus(y), true
		}
	case expr.Mix: // b + a(c−b)
		x, ok := b.affineOf(s.args[1])
		y, ok2 := b.affineProduct(s.args[0], b.Apply(expr.Sub, 0, s.args[2], s.args[1]))
		if ok && ok2 {
			return x.plus(y), true
		}
	}
	return affine{}, false
}

func (b *Builder) affineSum(s *sym) (affine, bool) {
	x, ok := b.affineOf(s.args[0])
	if !ok || s.op == expr.Neg {
		return x.scaled(b.filled(-1)), ok
	}
	y, ok := b.affineOf(s.args[1])
	if !ok {
		return affine{}, false
	}
	if s.op == expr.Sub {
		y = y.scaled(b.filled(-1))
	}
	return x.plus(y), true
}

// affineProduct returns the affine form of m·n. It has one if one factor depends on rows only and the other is affine.
func (b *Builder) affineProduct(m, n Node) (affine, bool) {
	if b.syms[m].dep != onRows {
		m, n = n, m
	}
	if b.syms[m].dep != onRows {
		return affine{}, false
	}
	x, ok := b.affineOf(n)
	return x.scaled(b.rowsOf(m)), ok
}

func (b *Builder) filled(v float64) []float64 {
	out := slices.Repeat([]float64{v}, b.rows)
	return out
}

// rowsOf returns the values of a node that depends on rows only.
func (b *Builder) rowsOf(n Node) []float64 {
	if s := &b.syms[n]; s.kind == isData {
		return s.data
	}
	return b.filled(b.syms[n].value)
}

func (a affine) mapped(f func(v float64, row int) float64) affine {
	apply := func(v []float64) []float64 {
		out := make([]float64, len(v))
		for r := range v {
			out[r] = f(v[r], r)
		}
		return out
	}
	out := affine{offset: apply(a.offset)}
	for _, t := range a.terms {
		out.terms = append(out.terms, term{t.scalar, apply(t.coef)})
	}
	return out
}

func (a affine) scaled(by []float64) affine {
	return a.mapped(func(v float64, r int) float64 { return float64(v * by[r]) })
}

// plus returns the sum of two affines. It adds up the coefficients of the same scalar, and drops terms whose coefficients
// are all 0.
func (a affine) plus(c affine) affine {
	out := a.mapped(func(v float64, r int) float64 { return v })
	add := func(to, v []float64) {
		for r := range v {
			to[r] += v[r]
		}
	}
	add(out.offset, c.offset)
	for _, t := range c.terms {
		i := slices.IndexFunc(out.terms, func(u term) bool { return u.scalar == t.scalar })
		if i < 0 {
			out.terms = append(out.terms, term{t.scalar, slices.Clone(t.coef)})
			continue
		}
		add(out.terms[i].coef, t.coef)
	}
	out.terms = slices.DeleteFunc(out.terms, func(u term) bool {
		return !slices.ContainsFunc(u.coef, func(v float64) bool { return v != 0 })
	})
	return out
}
