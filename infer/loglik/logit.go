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
	z        int
	iz       []uint32
	s, n     []float64 // numbers of successes and of trials in each row
	constant float64
}

func (t *logit) observe(obs []Observation) (observed, error) {
	s, n := make([]float64, len(t.iz)), make([]float64, len(t.iz))
	c := &logitCounts{z: t.z, iz: make([]uint32, 0, len(s)), s: make([]float64, 0, len(s)), n: make([]float64, 0, len(s))}
	for _, o := range obs {
		k := 1.0
		if t.trials != nil {
			k = t.trials[o.Row]
		}
		if err := checkCount(o.Value, k); err != nil {
			return nil, err
		}
		s[o.Row] += float64(o.Value * o.Count)
		n[o.Row] += float64(k * o.Count)
		c.constant += float64(o.Count * logChoose(k, o.Value))
	}
	for r, k := range n {
		if k > 0 {
			c.iz, c.s, c.n = append(c.iz, t.iz[r]), append(c.s, s[r]), append(c.n, k)
		}
	}
	return c, nil
}

// logLik returns Σ s·z − n·log(1 + e^z) over rows.
func (c *logitCounts) logLik(w *Workspace) float64 { return c.evaluate(w, nil) }

func (c *logitCounts) gradient(w *Workspace) float64 { return c.evaluate(w, w.d[c.z:]) }

// evaluate returns the log likelihood and adds its derivatives s − n·logistic(z) to d, unless d is nil. It uses
// log(1 + e^z) = max(z, 0) + log(1 + e^−|z|), and takes one logarithm for several rows with one trial.
func (c *logitCounts) evaluate(w *Workspace, d []float64) float64 {
	const most = 0x1p60 // no product of factors up to 2 overflows below this limit
	z, s, n := w.v[c.z:], c.s[:len(c.iz)], c.n[:len(c.iz)]
	l, product := c.constant, 1.0
	for i, k := range c.iz {
		x := z[k]
		e := num.Exp(-math.Abs(x))
		q := 1 / (1 + e)
		l += float64(s[i]*x) - float64(n[i]*max(x, 0))
		if x < 0 {
			q = float64(e * q)
		}
		if n[i] == 1 {
			product *= 1 + e
			if product > most {
				l -= num.Log(product)
				product = 1
			}
		} else {
			l -= float64(n[i] * num.Log1p(e))
		}
		if d != nil {
			d[k] += s[i] - float64(n[i]*q)
		}
	}
	return l - num.Log(product)
}
