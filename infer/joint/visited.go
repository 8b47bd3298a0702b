package joint

import "achilles/infer/mixture"

// told returns 1 for the values of which the responses tell much: whose scores under the prior have, at the points visited, less than half the
// variance that the prior gives them. This is information·spread² > 1 (pilot), unit by unit.
func (g *gibbs) told() []float64 {
	n := len(g.first)
	scored := g.cells.NewTarget(make([]bool, len(g.cells.Joint().Layout().Parameters)), 1)
	x, mean, square, points := make([]float64, n), make([]float64, n), make([]float64, n), 0.0
	for _, s := range g.chains {
		for _, q := range s.lately() {
			s.target.In(scored, q, x)
			points++
			for i, v := range x {
				d := v - mean[i]
				mean[i] += d / points
				square[i] += float64(d * (v - mean[i]))
			}
		}
	}
	out := make([]float64, n)
	for i := range out {
		if square[i] < 0.5*points {
			out[i] = 1
		}
	}
	return out
}

// propose gives every subject of every chain the same mixture, with a part for what each chain has visited in each round. A mode that all
// chains have left keeps its part.
func (g *gibbs) propose() {
	for k, one := range g.chains[0].subjects {
		var groups [][][]float64
		for _, s := range g.chains {
			for _, round := range s.rounds {
				groups = append(groups, some(round, one.index))
			}
		}
		m, ok := mixture.FitGroups(groups)
		if !ok {
			continue
		}
		m.Widen()
		for _, s := range g.chains {
			s.subjects[k].proposal = m.Copy()
		}
	}
}
