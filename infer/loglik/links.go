package loglik

import (
	"math"
	"slices"

	"achilles/sim/num"
)

// A links has the logistic function of an affine form as 1/(1 + e^−offset·Π e^(−coef·scalar)). The first factor is constant, and each
// scalar has few coefficients in all elements together, so that hardly any exponential is taken at an evaluation.
type links struct {
	each   []float64   // e^−offset of each element
	same   []sameCoef  // scalars with one coefficient
	tables []coefTable // scalars with several
}

type sameCoef struct {
	arg  int // offset of the scalar in the slab
	coef float64
}

type coefTable struct {
	arg   int
	coefs []float64
	of    []uint32 // element → its coefficient
	off   int      // offset of the factors e^(−coef·scalar) in the slab
}

// Limits within which no product of factors underflows or overflows where the exponential of the sum would not.
const (
	mostTables   = 2
	mostOffset   = 300.0
	mostExponent = 100.0 // of one factor that is not constant
)

// links returns the links of an affine step, or nil if exponentials are too many or out of range.
func (l *lowerer) links(s *step) *links {
	out := &links{each: make([]float64, len(s.offset))}
	for e, x := range s.offset {
		if !(math.Abs(x) <= mostOffset) {
			return nil
		}
		out.each[e] = num.Exp(-x)
	}
	exponentials := 1
	for k, coef := range s.coef {
		t := coefTable{arg: s.args[k], of: make([]uint32, len(coef))}
		for e, c := range coef {
			i := slices.Index(t.coefs, c)
			if i < 0 {
				i = len(t.coefs)
				t.coefs = append(t.coefs, c)
			}
			if exponentials+len(t.coefs) > len(coef) {
				return nil
			}
			t.of[e] = uint32(i)
		}
		if len(t.coefs) == 1 {
			out.same = append(out.same, sameCoef{t.arg, t.coefs[0]})
			continue
		}
		exponentials += len(t.coefs)
		t.off = l.plan.size
		l.plan.size += len(t.coefs)
		out.tables = append(out.tables, t)
	}
	if len(out.tables) > mostTables {
		return nil
	}
	return out
}

// forward computes the values of the step. It returns false, with out unchanged, if a scalar is out of range.
func (t *links) forward(w *Workspace, out []float64) bool {
	x := 0.0
	for _, s := range t.same {
		x += float64(s.coef * w.v[s.arg])
	}
	if !(math.Abs(x) <= mostExponent) {
		return false
	}
	factor := num.Exp(-x)
	for i := range t.tables {
		if !t.tables[i].fill(w, &factor) {
			return false
		}
	}
	each := t.each[:len(out)]
	switch len(t.tables) {
	case 0:
		for e, x := range each {
			out[e] = 1 / (1 + float64(x*factor))
		}
	case 1:
		f, of := t.tables[0].factors(w), t.tables[0].of[:len(out)]
		for e, x := range each {
			out[e] = 1 / (1 + float64(x*f[of[e]]))
		}
	case 2:
		f, of := t.tables[0].factors(w), t.tables[0].of[:len(out)]
		g, and := t.tables[1].factors(w), t.tables[1].of[:len(out)]
		for e, x := range each {
			out[e] = 1 / (1 + float64(x*float64(f[of[e]]*g[and[e]])))
		}
	}
	return true
}

func (t *coefTable) factors(w *Workspace) []float64 { return w.v[t.off : t.off+len(t.coefs)] }

// fill computes the factors times another, which is 1 afterwards. It returns false if a factor is out of range.
func (t *coefTable) fill(w *Workspace, other *float64) bool {
	s, f := w.v[t.arg], t.factors(w)
	for i, c := range t.coefs {
		x := float64(c * s)
		if !(math.Abs(x) <= mostExponent) {
			return false
		}
		f[i] = -x
	}
	num.ExpEach(f)
	if *other != 1 {
		for i := range f {
			f[i] = float64(f[i] * *other)
		}
		*other = 1
	}
	return true
}
