package loglik

import (
	"fmt"
	"math"

	"achilles/sim/num"
)

// A rowFamily is a family that is evaluated row by row, from sufficient statistics of the observations in the row.
type rowFamily interface {
	// gather adds an observation to the statistics of its row; stats[0] is the number of observations.
	gather(stats []float64, value, count float64) error
	// size returns the length of stats.
	size() int
	// logProb returns the log probability of the observations of a row. If d is not nil, it writes the derivatives of this
	// log probability by the arguments to d.
	logProb(stats, args, d []float64) float64
}

type rowwise struct {
	name   Family
	family rowFamily
	args   []int
	ix     [][]uint32 // [argument] row → element
	exact  []*chances // argument of a family of proportions → its chances; nil: it is no probability
}

func (l *lowerer) rowwise(like Likelihood, f rowFamily) *rowwise {
	t := &rowwise{name: like.Family, family: f}
	for k, n := range like.Args {
		r := l.emit(n)
		t.args = append(t.args, r.off)
		t.ix = append(t.ix, r.pl.of)
		if p, ok := f.(proportions); ok {
			var c *chances
			if p.probability(k) {
				c = l.chances(n)
			}
			t.exact = append(t.exact, c)
		}
	}
	l.plan.arity = max(l.plan.arity, len(like.Args))
	return t
}

func (t *rowwise) output(w *Workspace, k int, out []float64) {
	for r := range out {
		out[r] = w.v[t.args[k]+int(t.ix[k][r])]
	}
}

func (t *rowwise) logProb(w *Workspace, row int, value float64) float64 {
	x := w.x[:len(t.args)]
	t.load(w, row, x)
	if t.far(x) {
		stats := make([]float64, t.family.size())
		if err := t.family.gather(stats, value, 1); err != nil {
			return math.Inf(-1)
		}
		return t.atFar(w, row, stats, x, false)
	}
	return LogProb(t.name, x, value, 1)
}

// A rowData has the rows with observations, and their statistics.
type rowData struct {
	*rowwise
	rows  []int
	stats []float64
	all   []float64 // statistics of all rows, while they are gathered
}

func (t *rowwise) observe(obs []Observation) (observed, error) {
	d := &rowData{rowwise: t}
	err := d.recount(obs)
	d.all = nil
	return d, err
}

func (d *rowData) recount(obs []Observation) error {
	k := d.family.size()
	if d.all == nil {
		d.all = make([]float64, len(d.ix[0])*k)
	}
	clear(d.all)
	for _, o := range obs {
		if err := d.family.gather(d.all[o.Row*k:][:k], o.Value, o.Count); err != nil {
			return err
		}
	}
	d.rows, d.stats = d.rows[:0], d.stats[:0]
	for r := range len(d.ix[0]) {
		if x := d.all[r*k:][:k]; x[0] > 0 {
			d.rows, d.stats = append(d.rows, r), append(d.stats, x...)
		}
	}
	return nil
}

func (d *rowData) logLik(w *Workspace) float64 {
	l, k, x := 0.0, d.family.size(), w.x[:len(d.args)]
	for i, r := range d.rows {
		d.load(w, r, x)
		if d.far(x) {
			l += d.atFar(w, r, d.stats[i*k:][:k], x, false)
			continue
		}
		l += d.family.logProb(d.stats[i*k:][:k], x, nil)
	}
	return l
}

func (t *rowwise) load(w *Workspace, row int, x []float64) {
	for k, a := range t.args {
		x[k] = w.v[a+int(t.ix[k][row])]
	}
}

func (d *rowData) gradient(w *Workspace) float64 {
	l, k, x, dx := 0.0, d.family.size(), w.x[:len(d.args)], w.dx[:len(d.args)]
	for i, r := range d.rows {
		d.load(w, r, x)
		if d.far(x) {
			l += d.atFar(w, r, d.stats[i*k:][:k], x, true)
			continue
		}
		l += d.family.logProb(d.stats[i*k:][:k], x, dx)
		for j, a := range d.args {
			w.d[a+int(d.ix[j][r])] += dx[j]
		}
	}
	return l
}

// normalFamily is the normal family. Its statistics are the number of observations, their mean, and their sum of squares
// about the mean (Welford 1962).
type normalFamily struct{}

func (normalFamily) size() int { return 3 }

func (normalFamily) gather(s []float64, v, count float64) error {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return fmt.Errorf("value %g is not finite", v)
	}
	n := s[0] + count
	delta := v - s[1]
	s[1] += float64(delta*count) / n
	s[2] += float64(float64(count*delta) * (v - s[1]))
	s[0] = n
	return nil
}

func (normalFamily) logProb(s, args, d []float64) float64 {
	n, sd := s[0], args[1]
	if !(sd > 0) {
		return math.Inf(-1)
	}
	e := s[1] - args[0]
	squares := (s[2] + float64(n*float64(e*e))) / float64(sd*sd)
	if d != nil {
		d[0] = float64(n*e) / float64(sd*sd)
		d[1] = (squares - n) / sd
	}
	return -0.5*squares - float64(n*(num.Log(sd)+num.LogSqrt2Pi))
}

// betaFamily is the beta family. Its statistics are the number of observations, and the sums of log y and log(1−y).
type betaFamily struct{}

func (betaFamily) size() int { return 3 }

func (betaFamily) gather(s []float64, v, count float64) error {
	if !(v > 0 && v < 1) {
		return fmt.Errorf("value %g is outside the open interval (0, 1)", v)
	}
	s[0] += count
	s[1] += float64(count * num.Log(v))
	s[2] += float64(count * num.Log1p(-v))
	return nil
}

func (betaFamily) logProb(s, args, d []float64) float64 {
	m, k := args[0], args[1]
	a, b := float64(m*k), float64((1-m)*k)
	if !(a > 0 && b > 0) {
		return math.Inf(-1)
	}
	if d != nil {
		psi := num.Digamma(k)
		da := s[1] - float64(s[0]*(num.Digamma(a)-psi))
		db := s[2] - float64(s[0]*(num.Digamma(b)-psi))
		d[0] = float64(k * (da - db))
		d[1] = float64(m*da) + float64((1-m)*db)
	}
	return float64((a-1)*s[1]) + float64((b-1)*s[2]) - float64(s[0]*num.LogBeta(a, b))
}

// choiceFamily is the family of choices. Its statistics are the number of all observations, and the number of
// observations in each category.
type choiceFamily struct{ categories int }

func (c choiceFamily) size() int { return c.categories + 1 }

func (c choiceFamily) gather(s []float64, v, count float64) error {
	if !(v >= 0 && v < float64(c.categories) && v == math.Trunc(v)) {
		return fmt.Errorf("value %g is not a category from 0 to %d; achilles layouts new writes a layout with the categories of the data", v, c.categories-1)
	}
	s[0] += count
	s[1+int(v)] += count
	return nil
}

func (c choiceFamily) logProb(s, args, d []float64) float64 {
	total := num.LogSumExp(args)
	l := 0.0
	for k, u := range args {
		l += float64(s[1+k] * (u - total))
		if d != nil {
			d[k] = s[1+k] - float64(s[0]*num.Exp(u-total))
		}
	}
	return l
}
