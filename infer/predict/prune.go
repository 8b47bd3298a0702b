package predict

import "achilles/sim/num"

// A pruning estimates the errors of a leaf by an upper confidence limit (Quinlan 1993, §4.2).
type pruning struct{ confidence float64 }

// errors returns n times the upper confidence limit of the error rate after e errors in n rows, one-sided at level 1 −
// confidence (Clopper and Pearson 1934). e and n may be fractions.
func (p pruning) errors(e, n float64) float64 {
	if n-e < 1e-9 {
		return n
	}
	return n * num.BetaQuantile(1-p.confidence, e+1, n-e)
}

// prune replaces every subtree, from the bottom up, by a leaf if the leaf is expected to make at most a tenth of an error more.
// It returns the expected number of errors of the pruned tree.
func (n *node) prune(p pruning) float64 {
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
