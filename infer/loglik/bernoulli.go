package loglik

import "achilles/sim/expr"

// A bernoulli is the likelihood of successes with probability q = (1−alpha)·A·B + alpha·c in every row. A and B are the
// last two factors of a product. c is a rate that is equal in all rows, such as a rate of guessing. One loop computes
// A·B, the mixture with c, and the likelihood. If the expression has no such mixture, alpha is the constant 0.
type bernoulli struct {
	a, b, alpha, c int       // offsets of A, B, alpha and c in the slab
	ia, ib         []uint32  // row → element of A and of B
	trials         []float64 // number of trials in each row; nil: 1
}

func (l *lowerer) bernoulli(p Node, trials []float64) *bernoulli {
	zero := l.emit(l.Const(0)).off
	t := &bernoulli{alpha: zero, c: zero, trials: trials}
	if s := l.syms[p]; s.kind == isOp && s.op == expr.Mix && !s.scalar && l.syms[s.args[0]].scalar && l.syms[s.args[2]].scalar {
		t.alpha, t.c = l.emit(s.args[0]).off, l.emit(s.args[2]).off
		p = s.args[1]
	}
	f := l.merge(l.factors(p), 2)
	if len(f) == 1 {
		f = append(f, l.emit(l.Const(1)))
	}
	t.a, t.b, t.ia, t.ib = f[0].off, f[1].off, f[0].pl.of, f[1].pl.of
	return t
}

func (t *bernoulli) output(w *Workspace, _ int, out []float64) {
	a, b, alpha, c := w.v[t.a:], w.v[t.b:], w.v[t.alpha], w.v[t.c]
	for r := range out {
		q := float64(alpha*c) + float64((1-alpha)*float64(a[t.ia[r]]*b[t.ib[r]]))
		out[r] = min(max(q, 0), 1) // rounding can move q out of [0, 1]
	}
}

// counts has the observations of a bernoulli. It leaves out rows without observations. The other rows are in three
// groups, so that no loop takes the logarithm of the probability of an outcome that was not observed.
type counts struct {
	*bernoulli
	success, both, failure group // rows with successes only, with both outcomes, with failures only
	logq, logr             logs  // logarithms of q and of r = 1−q
	constant               float64
}

// A group is a set of rows. Every slice has one element for each row.
type group struct {
	ia, ib   []uint32
	s, f     []float64 // numbers of successes and failures
	qAt, rAt []uint32  // indices of q and r in the logs
}

func (t *bernoulli) observe(obs []Observation) (observed, error) {
	s, f := make([]float64, len(t.ia)), make([]float64, len(t.ia))
	c := &counts{bernoulli: t}
	for _, o := range obs {
		n := 1.0
		if t.trials != nil {
			n = t.trials[o.Row]
		}
		if err := checkCount(o.Value, n); err != nil {
			return nil, err
		}
		s[o.Row] += float64(o.Value * o.Count)
		f[o.Row] += float64((n - o.Value) * o.Count)
		c.constant += float64(o.Count * logChoose(n, o.Value))
	}
	qAt, rAt := c.logq.place(s), c.logr.place(f)
	for r := range s {
		g := &c.both
		switch {
		case s[r] == 0 && f[r] == 0:
			continue
		case f[r] == 0:
			g = &c.success
		case s[r] == 0:
			g = &c.failure
		}
		g.ia, g.ib = append(g.ia, t.ia[r]), append(g.ib, t.ib[r])
		g.s, g.f = append(g.s, s[r]), append(g.f, f[r])
		g.qAt, g.rAt = append(g.qAt, qAt[r]), append(g.rAt, rAt[r])
	}
	return c, nil
}

func (c *counts) logLik(w *Workspace) float64 {
	a, b, alpha := w.v[c.a:], w.v[c.b:], w.v[c.alpha]
	c0, c1 := float64(alpha*w.v[c.c]), 1-alpha
	q, r := c.logq.buf, c.logr.buf
	g := &c.success
	for i, k := range g.ia {
		q[g.qAt[i]] = c0 + float64(c1*float64(a[k]*b[g.ib[i]]))
	}
	g = &c.both
	for i, k := range g.ia {
		p := c0 + float64(c1*float64(a[k]*b[g.ib[i]]))
		q[g.qAt[i]] = p
		r[g.rAt[i]] = 1 - p
	}
	g = &c.failure
	for i, k := range g.ia {
		r[g.rAt[i]] = 1 - (c0 + float64(c1*float64(a[k]*b[g.ib[i]])))
	}
	return c.logq.sum() + c.logr.sum() + c.constant
}

// gradient adds the derivatives of the log likelihood to w.d and returns the log likelihood. A row with s successes and
// f failures has success probability q = alpha·c + (1−alpha)P with P = A·B. With u = s/q − f/(1−q), the derivatives are
// u(c−P) by alpha, u·alpha by c, u(1−alpha)B by A and u(1−alpha)A by B.
func (c *counts) gradient(w *Workspace) float64 {
	var sum, sumP float64 // sums of u and of u·P
	alpha := w.v[c.alpha]
	c0, c1 := float64(alpha*w.v[c.c]), 1-alpha
	u, p := c.gradientSuccess(w, c0, c1)
	sum, sumP = u, p
	u, p = c.gradientBoth(w, c0, c1)
	sum, sumP = sum+u, sumP+p
	u, p = c.gradientFailure(w, c0, c1)
	sum, sumP = sum+u, sumP+p
	w.d[c.alpha] += float64(w.v[c.c]*sum) - sumP
	w.d[c.c] += float64(alpha * sum)
	return c.logq.sum() + c.logr.sum() + c.constant
}

func (c *counts) gradientSuccess(w *Workspace, c0, c1 float64) (sum, sumP float64) {
	a, b, da, db := w.v[c.a:], w.v[c.b:], w.d[c.a:], w.d[c.b:]
	g, buf := &c.success, c.logq.buf
	ib, qAt, s := g.ib[:len(g.ia)], g.qAt[:len(g.ia)], g.s[:len(g.ia)]
	for i, k := range g.ia {
		j := ib[i]
		x, y := a[k], b[j]
		p := float64(x * y)
		q := c0 + float64(c1*p)
		buf[qAt[i]] = q
		u := s[i] / q
		sum += u
		sumP += float64(u * p)
		u = float64(u * c1)
		da[k] += float64(u * y)
		db[j] += float64(u * x)
	}
	return sum, sumP
}

func (c *counts) gradientBoth(w *Workspace, c0, c1 float64) (sum, sumP float64) {
	a, b, da, db := w.v[c.a:], w.v[c.b:], w.d[c.a:], w.d[c.b:]
	g, qs, rs := &c.both, c.logq.buf, c.logr.buf
	ib, qAt, rAt := g.ib[:len(g.ia)], g.qAt[:len(g.ia)], g.rAt[:len(g.ia)]
	s, f := g.s[:len(g.ia)], g.f[:len(g.ia)]
	for i, k := range g.ia {
		j := ib[i]
		x, y := a[k], b[j]
		p := float64(x * y)
		q := c0 + float64(c1*p)
		r := 1 - q
		qs[qAt[i]] = q
		rs[rAt[i]] = r
		u := (float64(s[i]*r) - float64(f[i]*q)) / float64(q*r)
		sum += u
		sumP += float64(u * p)
		u = float64(u * c1)
		da[k] += float64(u * y)
		db[j] += float64(u * x)
	}
	return sum, sumP
}

func (c *counts) gradientFailure(w *Workspace, c0, c1 float64) (sum, sumP float64) {
	a, b, da, db := w.v[c.a:], w.v[c.b:], w.d[c.a:], w.d[c.b:]
	g, buf := &c.failure, c.logr.buf
	ib, rAt, f := g.ib[:len(g.ia)], g.rAt[:len(g.ia)], g.f[:len(g.ia)]
	for i, k := range g.ia {
		j := ib[i]
		x, y := a[k], b[j]
		p := float64(x * y)
		r := 1 - (c0 + float64(c1*p))
		buf[rAt[i]] = r
		u := -f[i] / r
		sum += u
		sumP += float64(u * p)
		u = float64(u * c1)
		da[k] += float64(u * y)
		db[j] += float64(u * x)
	}
	return sum, sumP
}
