package loglik

import (
	"math"

	"achilles/sim/num"
)

// A logit is the likelihood of successes with probability logistic(z) in every row, where z depends on vectors of
// parameters. It works on z, so that a far-off z gives a finite log likelihood, where a bernoulli sees a probability that
// rounds to 0 or 1.
type logit struct {
	z      int       // offset of z in the slab
	iz     []uint32  // row → element of z
	trials []float64 // number of trials in each row; nil: 1
}

func (l *lowerer) logit(z Node, trials []float64) *logit {
	r := l.emit(z)
	return &logit{r.off, r.pl.of, trials}
}

func (t *logit) output(w *Workspace, _ int, out []float64) {
	for r := range out {
		out[r] = logistic(w.v[t.z+int(t.iz[r])])
	}
}

func (t *logit) logProb(w *Workspace, row int, value float64) float64 {
	n := 1.0
	if t.trials != nil {
		n = t.trials[row]
	}
	z, l := w.v[t.z+int(t.iz[row])], logChoose(n, value)
	if value > 0 {
		l += float64(value * num.LogLogistic(z))
	}
	if n > value {
		l += float64((n - value) * num.LogLogistic(-z))
	}
	return l
}

// logitCounts has the observations of a logit, without rows that have none.
type logitCounts struct {
	*logit
	iz       []uint32
	s, n     []float64 // numbers of successes and of trials in each row
	constant float64
	all      []float64 // s and n of all rows in turn, while they are counted
	q        []float64 // scratch of a recount; nil: there was none
}

func (t *logit) observe(obs []Observation) (observed, error) {
	n := len(t.iz)
	c := &logitCounts{logit: t, iz: make([]uint32, 0, n), s: make([]float64, 0, n), n: make([]float64, 0, n), all: make([]float64, 2*n)}
	err := c.take(obs)
	c.all = nil
	return c, err
}

func (c *logitCounts) recount(obs []Observation) error {
	if n := len(c.logit.iz); c.q == nil {
		c.all, c.q = make([]float64, 2*n), make([]float64, n)
	}
	c.iz, c.s, c.n = c.iz[:0], c.s[:0], c.n[:0]
	return c.take(obs)
}

// take sets the numbers of each row.
func (c *logitCounts) take(obs []Observation) error {
	clear(c.all)
	c.constant = 0
	for _, o := range obs {
		k := 1.0
		if c.trials != nil {
			k = c.trials[o.Row]
		}
		if err := checkCount(o.Value, k); err != nil {
			return err
		}
		c.all[2*o.Row] += float64(o.Value * o.Count)
		c.all[2*o.Row+1] += float64(k * o.Count)
		c.constant += float64(o.Count * logChoose(k, o.Value))
	}
	for r, at := range c.logit.iz {
		if k := c.all[2*r+1]; k > 0 {
			c.iz, c.s, c.n = append(c.iz, at), append(c.s, c.all[2*r]), append(c.n, k)
		}
	}
	return nil
}

// logLik returns Σ s·z − n·log(1 + e^z) over rows.
func (c *logitCounts) logLik(w *Workspace) float64 { return c.evaluate(w, nil) }

func (c *logitCounts) gradient(w *Workspace) float64 {
	if c.q != nil {
		c.derive(w.v[c.z:], w.d[c.z:])
		return 0
	}
	return c.evaluate(w, w.d[c.z:])
}

// derive adds the derivatives s − n·logistic(z) to d.
func (c *logitCounts) derive(z, d []float64) {
	s, n, q := c.s[:len(c.iz)], c.n[:len(c.iz)], c.q[:len(c.iz)]
	for i, k := range c.iz {
		q[i] = z[k]
	}
	logistics(q)
	for i, k := range c.iz {
		d[k] += s[i] - float64(n[i]*q[i])
	}
}

// evaluate returns the log likelihood and adds its derivatives s − n·logistic(z) to d, unless d is nil. It uses
// log(1 + e^z) = max(z, 0) + log(1 + e^−|z|), and takes one logarithm for several rows with one trial.
func (c *logitCounts) evaluate(w *Workspace, d []float64) float64 {
	const (
		most = 0x1p60             // no product of factors up to 2 overflows below this limit
		one  = 0x3ff0000000000000 // the bits of 1
	)
	z := w.v[c.z:]
	l, product := c.constant, 1.0
	var block [64]float64 // e^−|z| of some rows at once: they are computed side by side, and stay in the cache
	for from := 0; from < len(c.iz); from += len(block) {
		to := min(from+len(block), len(c.iz))
		iz, s, n, e := c.iz[from:to], c.s[from:to], c.n[from:to], block[:to-from]
		for i, k := range iz {
			e[i] = -math.Abs(z[k])
		}
		num.ExpEach(e)
		s, n, e = s[:len(iz)], n[:len(iz)], e[:len(iz)]
		for i, k := range iz {
			x, u := z[k], 1+e[i]
			negative := uint64(int64(math.Float64bits(x)) >> 63) // all bits or none: a processor cannot predict the sign
			l += float64(s[i]*x) - float64(n[i]*math.Float64frombits(math.Float64bits(x)&^negative))
			if n[i] == 1 {
				if product *= u; product > most {
					l -= num.Log(product)
					product = 1
				}
			} else {
				l -= float64(n[i] * num.Log1p(e[i]))
			}
			if d != nil {
				q := math.Float64frombits(math.Float64bits(e[i])&negative | one&^negative)
				d[k] += s[i] - float64(n[i]*(q/u))
			}
		}
	}
	return l - num.Log(product)
}
