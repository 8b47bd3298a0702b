package loglik

import (
	"math"

	"achilles/sim/num"
)

// at returns the probability in a row, and leaves those of all nodes in w.chances.
func (c *chances) at(w *Workspace, row uint32) chance {
	of := w.chances
	for i := range c.nodes {
		of[i] = c.nodes[i].at(w, row, of)
	}
	return of[len(c.nodes)-1]
}

func (n *chanceNode) at(w *Workspace, row uint32, of []chance) chance {
	switch n.kind {
	case aLogistic:
		x := n.margin.value(w, row)
		return chance{num.LogLogistic(x), num.LogLogistic(-x)}
	case aProbit:
		x := n.margin.value(w, row)
		return chance{num.LogNormalCDF(x), num.LogNormalCDF(-x)}
	case anExp:
		x := min(n.margin.value(w, row), 0)
		return chance{x, log1mExp(x)}
	case aProduct:
		a, b := of[n.args[0]], of[n.args[1]]
		return chance{a.yes + b.yes, num.LogAddExp(a.no, a.yes+b.no)}
	case aMixture:
		s, a, b := of[n.args[0]], of[n.args[1]], of[n.args[2]]
		return chance{num.LogAddExp(s.no+a.yes, s.yes+b.yes), num.LogAddExp(s.no+a.no, s.yes+b.no)}
	case aSum:
		out := chance{math.Inf(-1), n.rest[row]}
		for k, a := range n.args {
			out.yes = num.LogAddExp(out.yes, n.weights[k][row]+of[a].yes)
			out.no = num.LogAddExp(out.no, n.weights[k][row]+of[a].no)
		}
		return out
	case aPower:
		return of[n.args[0]].power(n.margin.value(w, row))
	case aComplement:
		a := of[n.args[0]]
		return chance{a.no, a.yes}
	}
	p := min(max(n.margin.value(w, row), 0), 1)
	return chance{num.Log(p), num.Log1p(-p)}
}

// power returns the probability to the power r, which is not negative.
func (c chance) power(r float64) chance {
	if r == 0 {
		return certain
	}
	if c.no < nearOne {
		c.yes = num.Log1p(-num.Exp(c.no))
	}
	yes := float64(r * c.yes)
	if c.no < nextToIt && c.no+num.Log(r) < nextToIt { // 1 − p^r = r(1 − p), with relative error r(1 − p)
		return chance{yes, num.Log(r) + c.no}
	}
	return chance{yes, log1mExp(yes)}
}

// log1mExp returns log(1 − e^x) of an x that is not positive (Mächler 2012).
func log1mExp(x float64) float64 {
	if x > -math.Ln2 {
		return num.Log(-num.Expm1(x))
	}
	return num.Log1p(-num.Exp(x))
}

// reverse adds to w.d the derivatives of d.yes·log p + d.no·log(1 − p) in a row, after at.
func (c *chances) reverse(w *Workspace, row uint32, d chance) {
	of, slopes := w.chances, w.slopes[:len(c.nodes)]
	clear(slopes)
	slopes[len(slopes)-1] = d
	for i := len(c.nodes) - 1; i >= 0; i-- {
		if s := slopes[i]; s != (chance{}) {
			c.nodes[i].reverse(w, row, of[i], s, of, slopes)
		}
	}
}

// share returns e^(x − total), the share of a part in a sum of positive numbers, all as logarithms.
func share(x, total float64) float64 {
	if math.IsInf(x, -1) {
		return 0
	}
	return num.Exp(x - total)
}

// reverse passes the derivatives d by a chance on to its arguments. p is its value.
func (n *chanceNode) reverse(w *Workspace, row uint32, p, d chance, of, slopes []chance) {
	switch n.kind {
	case aLogistic:
		n.margin.add(w, row, float64(d.yes*num.Exp(p.no))-float64(d.no*num.Exp(p.yes)))
	case aProbit:
		x := n.margin.value(w, row)
		density := -0.5*float64(x*x) - num.LogSqrt2Pi
		n.margin.add(w, row, float64(d.yes*num.Exp(density-p.yes))-float64(d.no*num.Exp(density-p.no)))
	case anExp:
		n.margin.add(w, row, d.yes-times(d.no, num.Exp(p.yes-p.no)))
	case aProduct:
		a, b := of[n.args[0]], of[n.args[1]]
		first, second := float64(d.no*share(a.no, p.no)), float64(d.no*share(a.yes+b.no, p.no))
		slopes[n.args[0]].yes += d.yes + second
		slopes[n.args[0]].no += first
		slopes[n.args[1]].yes += d.yes
		slopes[n.args[1]].no += second
	case aMixture:
		mix, a, b := &slopes[n.args[0]], &slopes[n.args[1]], &slopes[n.args[2]]
		s, x, y := of[n.args[0]], of[n.args[1]], of[n.args[2]]
		each := [...]float64{ // by (1 − first)·second and first·third, and by the same of the complements
			float64(d.yes * share(s.no+x.yes, p.yes)), float64(d.yes * share(s.yes+y.yes, p.yes)),
			float64(d.no * share(s.no+x.no, p.no)), float64(d.no * share(s.yes+y.no, p.no)),
		}
		mix.no += each[0] + each[2]
		mix.yes += each[1] + each[3]
		a.yes += each[0]
		b.yes += each[1]
		a.no += each[2]
		b.no += each[3]
	case aSum:
		for k, a := range n.args {
			slopes[a].yes += float64(d.yes * share(n.weights[k][row]+of[a].yes, p.yes))
			slopes[a].no += float64(d.no * share(n.weights[k][row]+of[a].no, p.no))
		}
	case aPower:
		n.reversePower(w, row, p, d, of[n.args[0]], &slopes[n.args[0]])
	case aComplement:
		slopes[n.args[0]].yes += d.no
		slopes[n.args[0]].no += d.yes
	case aValue:
		if !n.fixed {
			v := n.margin.value(w, row)
			n.margin.add(w, row, over(d.yes, v)-over(d.no, 1-v))
		}
	}
}

// reversePower passes the derivatives d by p = a^r on to a and r.
func (n *chanceNode) reversePower(w *Workspace, row uint32, p, d, a chance, to *chance) {
	r := n.margin.value(w, row)
	if a.no >= nearOne {
		odds := times(d.no, share(p.yes, p.no))
		to.yes += float64(r * (d.yes - odds))
		n.margin.add(w, row, times(d.yes-odds, a.yes))
		return
	}
	logA := num.Log1p(-num.Exp(a.no))
	to.no += float64(r * (times(d.no, num.Exp(p.yes-logA+a.no-p.no)) - float64(d.yes*num.Exp(a.no-logA))))
	if a.no < nextToIt {
		n.margin.add(w, row, float64(d.yes*logA)+times(d.no, num.Exp(p.yes+a.no-p.no)))
		return
	}
	n.margin.add(w, row, float64(logA*(d.yes-times(d.no, num.Exp(p.yes-p.no)))))
}
