package loglik

import (
	"math"

	"achilles/sim/num"
)

// proportions is a rowFamily some of whose arguments are probabilities. In rows in which rounding would tell, because one of them is so close to 1 that
// its complement has lost digits, or so small that the doubles end, it is evaluated from logarithms (chances): a beta distribution whose mean rounds
// to 1 has no density otherwise.
type proportions interface {
	rowFamily
	// probability reports whether argument k is one.
	probability(k int) bool
	// logProbFar is logProb where the probabilities are in p and the other arguments in args; it writes the derivatives by log p and log(1 − p) of the
	// probabilities to by, and by the other arguments to d.
	logProbFar(stats, args []float64, p []chance, d []float64, by []chance) float64
}

// far reports whether rounding would tell in a row with these arguments.
func (t *rowwise) far(x []float64) bool {
	for k, c := range t.exact {
		if c != nil && (x[k] < c.least || 1-x[k] < c.leastNot) {
			return true
		}
	}
	return false
}

// atFar returns the log probability of the observations of a row in which rounding would tell, and adds its derivatives to w.d if they are wanted. x are
// the arguments.
func (t *rowwise) atFar(w *Workspace, row int, stats, x []float64, derive bool) float64 {
	var p, by [maxProportions]chance
	var d [maxProportions]float64
	for k, c := range t.exact {
		switch {
		case c == nil:
		case len(c.nodes) > 0:
			p[k] = c.at(w, uint32(row))
		default:
			p[k] = chance{num.Log(x[k]), num.Log1p(-x[k])}
		}
	}
	l := t.family.(proportions).logProbFar(stats, x, p[:], d[:], by[:])
	for k, c := range t.exact {
		if !derive {
			break
		}
		switch at := t.args[k] + int(t.ix[k][row]); {
		case c == nil:
			w.d[at] += d[k]
		case len(c.nodes) > 0:
			c.at(w, uint32(row)) // the scratch is that of the last argument
			c.reverse(w, uint32(row), by[k])
		default:
			w.d[at] += over(by[k].yes, x[k]) - over(by[k].no, 1-x[k])
		}
	}
	return l
}

// maxProportions is the largest number of arguments of a family of proportions.
const maxProportions = 4

func (betaFamily) probability(k int) bool { return k == 0 }

func (betaFamily) logProbFar(s, args []float64, p []chance, d []float64, by []chance) float64 {
	k := args[1]
	if !(k > 0) {
		return math.Inf(-1)
	}
	logA, logB := p[0].yes+num.Log(k), p[0].no+num.Log(k)
	a, b := num.Exp(logA), num.Exp(logB)
	psi := num.Digamma(k)
	slope := func(x, sum float64) float64 { // by log x
		if x < leastShape {
			return s[0]
		}
		return float64(x * (sum - float64(s[0]*(num.Digamma(x)-psi))))
	}
	by[0] = chance{slope(a, s[1]), slope(b, s[2])}
	d[1] = (by[0].yes + by[0].no) / k
	var norm float64 // −log B(a, b)
	switch {
	case a < leastShape:
		norm = logA
	case b < leastShape:
		norm = logB
	default:
		norm = -num.LogBeta(a, b)
	}
	return float64((a-1)*s[1]) + float64((b-1)*s[2]) + float64(s[0]*norm)
}

// leastShape is a shape of a beta distribution below which 1/B(a, b) is that shape: the next term is smaller by this factor.
const leastShape = 1e-200

func (inflatedFamily) probability(k int) bool { return k != 1 }

func (inflatedFamily) logProbFar(s, args []float64, p []chance, d []float64, by []chance) float64 {
	zeros, ones, between := s[1], s[2], s[3]
	by[2], by[3] = chance{zeros + ones, between}, chance{ones, zeros}
	l := times(zeros+ones, p[2].yes) + times(between, p[2].no) + times(ones, p[3].yes) + times(zeros, p[3].no)
	if between == 0 {
		return l
	}
	return l + betaFamily{}.logProbFar(s[3:], args, p, d, by)
}
