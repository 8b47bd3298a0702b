package loglik

// CompileValues makes a plan without likelihoods. Workspace.Values evaluates the nodes in every row, and
// Workspace.Reverse gives their derivatives. The priors of units are such nodes: their arguments depend on other
// parameters.
func (b *Builder) CompileValues(nodes []Node) *Plan {
	l := b.newLowerer()
	for _, n := range nodes {
		l.plan.values = append(l.plan.values, l.emit(n))
	}
	return l.plan
}

// Values writes the value of node k of CompileValues in row r at params to out[k][r].
func (w *Workspace) Values(params []float64, out [][]float64) {
	w.forward(params)
	for k, ref := range w.plan.values {
		for r := range out[k] {
			out[k][r] = w.v[ref.off+int(ref.pl.of[r])]
		}
	}
}

// Reverse writes the derivatives of Σ weights[k][r]·(node k in row r) by the parameters to grad. The parameters are those
// of the last call of Values.
func (w *Workspace) Reverse(weights [][]float64, grad []float64) {
	clear(w.d)
	for k, ref := range w.plan.values {
		for r, x := range weights[k] {
			w.d[ref.off+int(ref.pl.of[r])] += x
		}
	}
	for i := len(w.plan.steps) - 1; i >= 0; i-- {
		w.plan.steps[i].reverse(w)
	}
	copy(grad[:w.plan.params], w.d)
}
