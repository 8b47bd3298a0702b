package predict

import "achilles/sim/num"

// A pessimist judges a leaf by the error rate that its errors would not exceed by chance alone (Quinlan 1993, §4.2).
type pessimist struct{ confidence float64 }

// errors is n times the upper limit, at the confidence, of the error rate of which e errors in n rows were seen:
// exactly, with fractions of rows (Clopper and Pearson 1934).
func (p pessimist) errors(e, n float64) float64 {
	if n-e < 1e-9 {
		return n
	}
	return n * num.BetaQuantile(1-p.confidence, e+1, n-e)
}

// prune makes a leaf of every subtree that is not expected to err less than the leaf would, from the bottom up, and
// returns the expected errors.
func (n *node) prune(p pessimist) float64 {
	leaf := p.errors(n.counts.errors(), n.n)
	if n.column < 0 {
		return leaf
	}
	sum := 0.0
	for _, c := range n.children {
		sum += c.prune(p)
	}
	if leaf <= sum+0.1 { // ties go to the smaller tree; a tenth of an error is the margin that C4.5 uses
		n.column, n.children, n.branch = -1, nil, nil
		return leaf
	}
	return sum
}
