package joint

// alike returns the outcomes of one group with which a list of outcomes begins, their classes by node, and scratch for a number of every
// class; if each node is a class of its own, for which all parameters matter, the scratch is the weights themselves.
func (t *summed) alike(outcomes []int) (same, class []int, byClass []float64) {
	nodes := t.quadrature.at
	group := nodes.Group[outcomes[0]]
	n := 1
	for n < len(outcomes) && nodes.Group[outcomes[n]] == group {
		n++
	}
	first := outcomes[0]
	classes := nodes.First[first+1] - nodes.First[first]
	if classes == len(t.weights) {
		return outcomes[:n], nodes.Class[group], t.weights
	}
	clear(t.scratch[:classes])
	return outcomes[:n], nodes.Class[group], t.scratch[:classes]
}

// logDensities sets t.weights to the log posterior densities at the nodes, up to a constant. The log likelihoods of outcomes of one
// group are added up by class, and then once for every node.
func (t *summed) logDensities(outcomes []int) {
	copy(t.weights, t.prior)
	first := t.quadrature.at.First
	for len(outcomes) > 0 {
		same, class, sums := t.alike(outcomes)
		for _, o := range same {
			for c, l := range t.byClass[first[o]:first[o+1]] {
				sums[c] += l
			}
		}
		if len(sums) < len(t.weights) {
			for g, c := range class {
				t.weights[g] += sums[c]
			}
		}
		outcomes = outcomes[len(same):]
	}
}

// count adds a subject with these outcomes, whose posterior is in t.weights, to the expected numbers of subjects.
func (t *summed) count(outcomes []int) {
	first := t.quadrature.at.First
	for len(outcomes) > 0 {
		same, class, shares := t.alike(outcomes)
		if len(shares) < len(t.weights) {
			for g, c := range class {
				shares[c] += t.weights[g]
			}
		}
		for _, o := range same {
			row := t.counts[first[o]:first[o+1]]
			for c, w := range shares {
				row[c] += w
			}
		}
		outcomes = outcomes[len(same):]
	}
	for g := range t.times {
		t.times[g] += t.weights[g]
	}
}
