package loglik

import "achilles/sim/expr"

// A bernoulli is the likelihood of successes with probability q = (1−alpha)·A·B + alpha·c in every row. A and B are the
// last two factors of a product. c is a rate that is equal in all rows, such as a rate of guessing. One loop computes
// A·B, the mixture with c, and the likelihood. If the expression has no such mixture, alpha is the constant 0.
//
// Where rounding would tell, because q is so close to 1 that 1−q has lost digits or so small that the doubles end, the row is computed from
// logarithms (chances).
type bernoulli struct {
	a, b, alpha, c int       // offsets of A, B, alpha and c in the slab
	ia, ib         []uint32  // row → element of A and of B
	trials         []float64 // number of trials in each row; nil: 1
	exact          *chances
}

func (l *lowerer) bernoulli(root Node, trials []float64) *bernoulli {
	p, zero := root, l.emit(l.Const(0)).off
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
	t.exact = l.chances(root)
	return t
}

func (t *bernoulli) output(w *Workspace, _ int, out []float64) {
	for r := range out {
		out[r] = t.success(w, r)
	}
}

// success returns q in a row.
func (t *bernoulli) success(w *Workspace, row int) float64 {
	alpha := w.v[t.alpha]
	q := float64(alpha*w.v[t.c]) + float64((1-alpha)*float64(w.v[t.a+int(t.ia[row])]*w.v[t.b+int(t.ib[row])]))
	return min(max(q, 0), 1) // rounding can move q out of [0, 1]
}

func (t *bernoulli) logProb(w *Workspace, row int, value float64) float64 {
	n := 1.0
	if t.trials != nil {
		n = t.trials[row]
	}
	q := t.success(w, row)
	if value > 0 && q < t.exact.least || value < n && 1-q < t.exact.leastNot {
		c := t.exact.at(w, uint32(row))
		return logChoose(n, value) + times(value, c.yes) + times(n-value, c.no)
	}
	return LogProb(Bernoulli, []float64{q}, value, n)
}

// counts has the observations of a bernoulli. It leaves out rows without observations. The other rows are in three
// groups, so that no loop takes the logarithm of the probability of an outcome that was not observed.
type counts struct {
	*bernoulli
	success, both, failure group // rows with successes only, with both outcomes, with failures only
	logq, logr             logs  // logarithms of q and of r = 1−q
	constant               float64
	s, f                   []float64 // numbers of successes and failures in each row, while they are counted
	far                    []farRow  // rows of the last evaluation in which rounding would tell; there is room for all
	nowhere                []uint32  // row → 0; nil: there was no recount
}

// A farRow is a row with its numbers of successes and failures.
type farRow struct {
	row  uint32
	s, f float64
}

// A group is a set of rows. Every slice has one element for each row.
type group struct {
	rows     []uint32
	ia, ib   []uint32
	s, f     []float64 // numbers of successes and failures
	qAt, rAt []uint32  // indices of q and r in the logs
}

func (t *bernoulli) observe(obs []Observation) (observed, error) {
	n := len(t.ia)
	c := &counts{bernoulli: t, s: make([]float64, n), f: make([]float64, n)}
	if err := c.take(obs); err != nil {
		return nil, err
	}
	c.gather(c.logq.place(c.s), c.logr.place(c.f))
	c.s, c.f = nil, nil
	c.far = make([]farRow, 0, len(c.success.rows)+len(c.both.rows)+len(c.failure.rows))
	return c, nil
}

// recount leaves out logarithms: all numbers go to one place that is not looked at.
func (c *counts) recount(obs []Observation) error {
	if n := len(c.ia); c.nowhere == nil {
		c.s, c.f, c.far, c.nowhere = make([]float64, n), make([]float64, n), make([]farRow, 0, n), make([]uint32, n)
		c.logq, c.logr = logs{buf: []float64{1}}, logs{buf: []float64{1}}
	}
	clear(c.s)
	clear(c.f)
	c.success.clear()
	c.both.clear()
	c.failure.clear()
	if err := c.take(obs); err != nil {
		return err
	}
	c.gather(c.nowhere, c.nowhere)
	return nil
}

// take adds observations to the numbers of each row.
func (c *counts) take(obs []Observation) error {
	c.constant = 0
	for _, o := range obs {
		n := 1.0
		if c.trials != nil {
			n = c.trials[o.Row]
		}
		if err := checkCount(o.Value, n); err != nil {
			return err
		}
		c.s[o.Row] += float64(o.Value * o.Count)
		c.f[o.Row] += float64((n - o.Value) * o.Count)
		c.constant += float64(o.Count * logChoose(n, o.Value))
	}
	return nil
}

// gather puts each row with observations in its group. qAt and rAt have its places in the logs.
func (c *counts) gather(qAt, rAt []uint32) {
	for r, s := range c.s {
		f, g := c.f[r], &c.both
		switch {
		case s == 0 && f == 0:
			continue
		case f == 0:
			g = &c.success
		case s == 0:
			g = &c.failure
		}
		g.rows, g.ia, g.ib = append(g.rows, uint32(r)), append(g.ia, c.ia[r]), append(g.ib, c.ib[r])
		g.s, g.f = append(g.s, s), append(g.f, f)
		g.qAt, g.rAt = append(g.qAt, qAt[r]), append(g.rAt, rAt[r])
	}
}

func (g *group) clear() {
	*g = group{g.rows[:0], g.ia[:0], g.ib[:0], g.s[:0], g.f[:0], g.qAt[:0], g.rAt[:0]}
}

func (c *counts) logLik(w *Workspace) float64 {
	a, b, alpha := w.v[c.a:], w.v[c.b:], w.v[c.alpha]
	c0, c1 := float64(alpha*w.v[c.c]), 1-alpha
	q, r := c.logq.buf, c.logr.buf
	least, leastNot := c.exact.least, c.exact.leastNot
	c.far = c.far[:0]
	g := &c.success
	for i, k := range g.ia {
		p := c0 + float64(c1*float64(a[k]*b[g.ib[i]]))
		if p < least {
			p = c.leave(g, i)
		}
		q[g.qAt[i]] = p
	}
	g = &c.both
	for i, k := range g.ia {
		p := c0 + float64(c1*float64(a[k]*b[g.ib[i]]))
		o := 1 - p
		if p < least || o < leastNot {
			p = c.leave(g, i)
			o = p
		}
		q[g.qAt[i]] = p
		r[g.rAt[i]] = o
	}
	g = &c.failure
	for i, k := range g.ia {
		o := 1 - (c0 + float64(c1*float64(a[k]*b[g.ib[i]])))
		if o < leastNot {
			o = c.leave(g, i)
		}
		r[g.rAt[i]] = o
	}
	return c.logq.sum() + c.logr.sum() + c.constant + c.logLikFar(w, false)
}

// leave leaves row i of a group to logLikFar, and returns the factor 1, which stands for it among all others.
func (c *counts) leave(g *group, i int) float64 {
	c.far = append(c.far, farRow{g.rows[i], g.s[i], g.f[i]})
	return 1
}

// logLikFar returns the log likelihood of the rows that were left to it, and adds its derivatives to w.d if they are wanted.
func (c *counts) logLikFar(w *Workspace, derive bool) float64 {
	l := 0.0
	for _, f := range c.far {
		p := c.exact.at(w, f.row)
		l += times(f.s, p.yes) + times(f.f, p.no)
		if derive {
			c.exact.reverse(w, f.row, chance{f.s, f.f})
		}
	}
	return l
}

// gradient adds the derivatives of the log likelihood to w.d and returns the log likelihood. A row with s successes and
// f failures has success probability q = alpha·c + (1−alpha)P with P = A·B. With u = s/q − f/(1−q), the derivatives are
// u(c−P) by alpha, u·alpha by c, u(1−alpha)B by A and u(1−alpha)A by B.
func (c *counts) gradient(w *Workspace) float64 {
	var sum, sumP float64 // sums of u and of u·P
	alpha := w.v[c.alpha]
	c0, c1 := float64(alpha*w.v[c.c]), 1-alpha
	c.far = c.far[:0]
	u, p := c.gradientSuccess(w, c0, c1)
	sum, sumP = u, p
	u, p = c.gradientBoth(w, c0, c1)
	sum, sumP = sum+u, sumP+p
	u, p = c.gradientFailure(w, c0, c1)
	sum, sumP = sum+u, sumP+p
	w.d[c.alpha] += float64(w.v[c.c]*sum) - sumP
	w.d[c.c] += float64(alpha * sum)
	return c.logq.sum() + c.logr.sum() + c.constant + c.logLikFar(w, true)
}

func (c *counts) gradientSuccess(w *Workspace, c0, c1 float64) (sum, sumP float64) {
	a, b, da, db := w.v[c.a:], w.v[c.b:], w.d[c.a:], w.d[c.b:]
	g, buf := &c.success, c.logq.buf
	ib, qAt, s := g.ib[:len(g.ia)], g.qAt[:len(g.ia)], g.s[:len(g.ia)]
	least := c.exact.least
	for i, k := range g.ia {
		j := ib[i]
		x, y := a[k], b[j]
		p := float64(x * y)
		q := c0 + float64(c1*p)
		if q < least {
			buf[qAt[i]] = c.leave(g, i)
			continue
		}
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
	least, leastNot := c.exact.least, c.exact.leastNot
	for i, k := range g.ia {
		j := ib[i]
		x, y := a[k], b[j]
		p := float64(x * y)
		q := c0 + float64(c1*p)
		r := 1 - q
		if q < least || r < leastNot {
			qs[qAt[i]] = c.leave(g, i)
			rs[rAt[i]] = 1
			continue
		}
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
	leastNot := c.exact.leastNot
	for i, k := range g.ia {
		j := ib[i]
		x, y := a[k], b[j]
		p := float64(x * y)
		r := 1 - (c0 + float64(c1*p))
		if r < leastNot {
			buf[rAt[i]] = c.leave(g, i)
			continue
		}
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
