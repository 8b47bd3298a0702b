package loglik

import (
	"math"
	"slices"

	"achilles/sim/expr"
)

// A ref says where the values of a node are in the slab of a workspace, and on which plate.
type ref struct {
	off int
	pl  *plate
	dep dependence
}

// A lowerer turns nodes into steps. The steps of operands come before the steps that use them.
type lowerer struct {
	*Builder
	plates *plateSet
	plan   *Plan
	refs   map[Node]ref
	counts map[Node]int // number of factors of each product
}

// emit makes the steps of n if it has not done so yet, and returns where the values of n are.
func (l *lowerer) emit(n Node) ref {
	if r, ok := l.refs[n]; ok {
		return r
	}
	r := l.make(n)
	l.refs[n] = r
	return r
}

func (l *lowerer) make(n Node) ref {
	s := l.syms[n]
	switch s.kind {
	case isParam:
		return ref{s.index, l.plates.whole(), onParameters}
	case isVector:
		return ref{s.index, l.plates.numbered(s.of), onParameters}
	case isInput:
		return ref{l.params + s.index, l.plates.whole(), onInputs}
	case isConst:
		return l.constant(l.plates.whole(), []float64{s.value})
	case isData:
		pl := l.plates.byValue(s.data)
		return l.constant(pl, pl.pick(s.data))
	}
	if !s.scalar {
		if s.op == expr.Logistic {
			if a, ok := l.affineOf(s.args[0]); ok {
				return l.affineStep(a, s.dep, true)
			}
		}
		if a, ok := l.affineOf(n); ok {
			return l.affineStep(a, s.dep, false)
		}
		if s.op == expr.Mul {
			f := l.factors(n)
			return l.product(l.merge(f, 1))
		}
	}
	if s.op == expr.Pow && l.syms[s.args[1]].units {
		return l.power(s)
	}
	return l.apply(s)
}

// power makes the step of a power whose exponent belongs to items or subjects.
func (l *lowerer) power(s sym) ref {
	base := l.emit(s.args[0])
	logs := l.slot(base.pl, onParameters)
	return l.gathered(step{kind: powerStep, bases: base.pl.n}, []ref{base, l.emit(s.args[1]), logs})
}

func (l *lowerer) slot(pl *plate, dep dependence) ref {
	r := ref{l.plan.size, pl, dep}
	l.plan.size += pl.n
	return r
}

func (l *lowerer) constant(pl *plate, v []float64) ref {
	r := l.slot(pl, onRows)
	l.plan.constants = append(l.plan.constants, constant{r.off, v})
	return r
}

func (l *lowerer) add(s step) ref {
	r := l.slot(s.plate, s.dep)
	s.off, s.n = r.off, s.plate.n
	switch {
	case s.late:
		l.plan.late = append(l.plan.late, s)
	case s.dep == onInputs:
		l.plan.fixed = append(l.plan.fixed, s)
	default:
		l.plan.steps = append(l.plan.steps, s)
	}
	return r
}

func (l *lowerer) affineStep(a affine, dep dependence, link bool) ref {
	vectors := [][]float64{a.offset}
	for _, t := range a.terms {
		vectors = append(vectors, t.coef)
	}
	s := step{kind: affineStep, dep: dep, link: link, plate: l.plates.byValue(vectors...)}
	s.offset = s.plate.pick(a.offset)
	for _, t := range a.terms {
		s.args = append(s.args, l.emit(t.scalar).off)
		s.coef = append(s.coef, s.plate.pick(t.coef))
	}
	if link {
		s.links = l.links(&s)
	}
	return l.add(s)
}

// factors returns the factors of a product. It expands products among them: (ab)(cd) has four factors. It does not
// expand a product with more than maxFactors, because repeated squaring of a node gives exponentially many.
func (l *lowerer) factors(n Node) []ref {
	s := l.syms[n]
	switch {
	case l.countFactors(n) == 1:
		return []ref{l.emit(n)}
	case l.countFactors(n) > maxFactors:
		return []ref{l.emit(s.args[0]), l.emit(s.args[1])}
	}
	return append(l.factors(s.args[0]), l.factors(s.args[1])...)
}

const maxFactors = 32

func (l *lowerer) countFactors(n Node) int {
	if k, ok := l.counts[n]; ok {
		return k
	}
	k := 1
	if s := l.syms[n]; s.kind == isOp && s.op == expr.Mul && !s.scalar {
		if _, ok := l.affineOf(n); !ok {
			k = min(l.countFactors(s.args[0])+l.countFactors(s.args[1]), maxFactors+1)
		}
	}
	l.counts[n] = k
	return k
}

// merge multiplies factors, two at a time, until their number is at most left. It always takes the two factors whose
// product has the smallest plate.
func (l *lowerer) merge(f []ref, left int) []ref {
	for len(f) > left && len(f) > 1 {
		bi, bj, best := 0, 1, math.MaxInt
		for i := range f {
			for j := i + 1; j < len(f); j++ {
				if n := l.plates.join(f[i].pl, f[j].pl).n; n < best {
					bi, bj, best = i, j, n
				}
			}
		}
		f[bi] = l.product([]ref{f[bi], f[bj]})
		f = slices.Delete(f, bj, bj+1)
	}
	return f
}

func (l *lowerer) product(f []ref) ref {
	if len(f) == 1 {
		return f[0]
	}
	return l.gathered(step{kind: mulStep}, f)
}

func (l *lowerer) apply(s sym) ref {
	var args []ref
	for _, a := range s.args {
		args = append(args, l.emit(a))
	}
	l.plan.arity = max(l.plan.arity, len(args))
	return l.gathered(step{kind: applyStep, op: s.op, setting: s.setting}, args)
}

// gathered completes a step with these operands and adds it to the plan. The plate of the step is the join of the
// operands' plates.
func (l *lowerer) gathered(s step, args []ref) ref {
	s.plate = l.plates.whole()
	for _, a := range args {
		s.plate = l.plates.join(s.plate, a.pl)
		s.dep = max(s.dep, a.dep)
	}
	for _, a := range args {
		s.args = append(s.args, a.off)
		s.ix = append(s.ix, s.plate.gather(a.pl))
	}
	return l.add(s)
}
