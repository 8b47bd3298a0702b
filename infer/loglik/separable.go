package loglik

import (
	"math"

	"achilles/sim/expr"
	"achilles/sim/num"
)

// A separable is a logit with z = a + sign·b of few values of a and of b, such as abilities and difficulties: e^z = e^a·e^(sign·b) then takes an
// exponential for each value, in place of one for each row.
type separable struct {
	*logit
	late         int // index among the late steps of the one that computes z
	a, b         int // offsets of a and b in the slab
	sign         float64
	ia, ib       []uint32 // row → element of a and of b
	expA, expB   int      // offsets of e^a and e^(sign·b) in the slab
	sizeA, sizeB int
}

// separable returns the likelihood, or nil if z is no sum or difference, or has too few rows for it.
func (l *lowerer) separable(z Node, trials []float64) *separable {
	s := l.syms[z]
	_, done := l.refs[z]
	_, affine := l.affineOf(z)
	if done || affine || s.kind != isOp || s.op != expr.Add && s.op != expr.Sub {
		return nil
	}
	a, b := l.emit(s.args[0]), l.emit(s.args[1])
	if 2*(a.pl.n+b.pl.n) > l.rows {
		return nil
	}
	r := l.gathered(step{kind: applyStep, op: s.op, late: true}, []ref{a, b})
	t := &separable{logit: &logit{r.off, r.pl.of, trials}, late: len(l.plan.late) - 1, a: a.off, b: b.off, sign: 1, ia: a.pl.of, ib: b.pl.of, sizeA: a.pl.n, sizeB: b.pl.n}
	if s.op == expr.Sub {
		t.sign = -1
	}
	t.expA, t.expB = l.slot(a.pl, onParameters).off, l.slot(b.pl, onParameters).off
	return t
}

// separableCounts has the observations of a separable.
type separableCounts struct {
	*logitCounts
	of     *separable
	start  []int     // element of a → its first place in rows; one more at the end
	rows   []uint32  // element of b of each row that has an observation, by element of a
	sa, sb []float64 // numbers of successes in the rows of each element
}

func (t *separable) observe(obs []Observation) (observed, error) {
	o, err := t.logit.observe(obs)
	if err != nil {
		return nil, err
	}
	c := &separableCounts{logitCounts: o.(*logitCounts), of: t}
	s := make([]float64, len(t.ia))
	n := make([]int, len(t.ia))
	for _, x := range obs {
		s[x.Row] += float64(x.Value * x.Count)
		n[x.Row]++
		if x.Count != 1 || n[x.Row] > 1 || t.trials != nil && t.trials[x.Row] != 1 {
			return c, nil // c.rows is nil: the logarithms of such rows count several times
		}
	}
	c.take(s, n)
	return c, nil
}

// take sorts the rows that have an observation.
func (c *separableCounts) take(s []float64, n []int) {
	t := c.of
	c.sa, c.sb, c.start = make([]float64, t.sizeA), make([]float64, t.sizeB), make([]int, t.sizeA+1)
	for r, k := range n {
		c.start[t.ia[r]+1] += k
		c.sa[t.ia[r]] += s[r]
		c.sb[t.ib[r]] += s[r]
	}
	for e := range t.sizeA {
		c.start[e+1] += c.start[e]
	}
	c.rows = make([]uint32, c.start[t.sizeA])
	next := append([]int(nil), c.start...)
	for r, k := range n {
		if k > 0 {
			e := t.ia[r]
			c.rows[next[e]] = t.ib[r]
			next[e]++
		}
	}
}

func (c *separableCounts) recount(obs []Observation) error {
	c.rows = nil
	return c.logitCounts.recount(obs)
}

func (c *separableCounts) logLik(w *Workspace) float64 {
	if c.exponentials(w) {
		return c.linear(w) - c.normalisers(w)
	}
	w.plan.late[c.of.late].forward(w)
	return c.logitCounts.logLik(w)
}

func (c *separableCounts) gradient(w *Workspace) float64 {
	if !c.exponentials(w) {
		z := &w.plan.late[c.of.late]
		z.forward(w)
		l := c.logitCounts.gradient(w)
		z.reverse(w)
		return l
	}
	l := c.linear(w) - c.slopes(w)
	t := c.of
	for e, q := range w.d[t.expA:][:t.sizeA] {
		w.d[t.a+e] += c.sa[e] - q
	}
	for e, q := range w.d[t.expB:][:t.sizeB] {
		w.d[t.b+e] += float64(t.sign * (c.sb[e] - q))
	}
	return l
}

// exponentials computes e^a and e^(sign·b). It returns false if a product of two could overflow, or if rows are not single trials.
func (c *separableCounts) exponentials(w *Workspace) bool {
	t := c.of
	if c.rows == nil {
		return false
	}
	a, b := w.v[t.expA:][:t.sizeA], w.v[t.expB:][:t.sizeB]
	copy(a, w.v[t.a:])
	for e, x := range w.v[t.b:][:t.sizeB] {
		b[e] = float64(t.sign * x)
	}
	for _, side := range [2][]float64{a, b} {
		for _, x := range side {
			if !(math.Abs(x) <= mostExponent) {
				return false
			}
		}
	}
	num.ExpEach(a)
	num.ExpEach(b)
	return true
}

// linear returns Σ s·z.
func (c *separableCounts) linear(w *Workspace) float64 {
	t := c.of
	return c.constant + num.Dot(c.sa, w.v[t.a:][:t.sizeA]) + float64(t.sign*num.Dot(c.sb, w.v[t.b:][:t.sizeB]))
}

// mostProduct is far enough below the largest double for a product with the factors of two more rows, of which each is below
// 1 + e^(2·mostExponent).
const mostProduct = 0x1p400

// normalisers returns Σ log(1 + e^z).
func (c *separableCounts) normalisers(w *Workspace) float64 {
	t := c.of
	b := w.v[t.expB:][:t.sizeB]
	l, product := 0.0, 1.0
	for e, x := range w.v[t.expA:][:t.sizeA] {
		for _, k := range c.rows[c.start[e]:c.start[e+1]] {
			if product *= 1 + float64(x*b[k]); product > mostProduct {
				l += num.Log(product)
				product = 1
			}
		}
	}
	return l + num.Log(product)
}

// slopes is normalisers, and writes the sums of its derivatives logistic(z) over the rows of each element to w.d, in the places of
// e^a and e^(sign·b). Two rows share one division.
func (c *separableCounts) slopes(w *Workspace) float64 {
	t := c.of
	b, db := w.v[t.expB:][:t.sizeB], w.d[t.expB:][:t.sizeB]
	da := w.d[t.expA:][:t.sizeA]
	l, product := 0.0, 1.0
	for e, x := range w.v[t.expA:][:t.sizeA] {
		rows, sum := c.rows[c.start[e]:c.start[e+1]], 0.0
		for ; len(rows) > 1; rows = rows[2:] {
			i, k := rows[0], rows[1]
			y, z := float64(x*b[i]), float64(x*b[k])
			u, v := 1+y, 1+z
			both := float64(u * v)
			inverse := 1 / both
			p, q := float64(float64(y*v)*inverse), float64(float64(z*u)*inverse)
			sum += p + q
			db[i] += p
			db[k] += q
			if product *= both; product > mostProduct {
				l += num.Log(product)
				product = 1
			}
		}
		if len(rows) == 1 {
			y := float64(x * b[rows[0]])
			u := 1 + y
			p := y / u
			sum += p
			db[rows[0]] += p
			if product *= u; product > mostProduct {
				l += num.Log(product)
				product = 1
			}
		}
		da[e] = sum
	}
	return l + num.Log(product)
}
