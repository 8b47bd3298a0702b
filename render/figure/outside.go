package figure

import (
	"achilles/render/figure/chart"
	"achilles/sim/record"
	"achilles/sim/rng"
)

// An Outside counts the observed proportions of the figure predictive that lie outside their intervals.
type Outside struct {
	N, Of    int
	Expected float64 // number in replicated data sets, on average
	Rare     bool    // whether fewer than one in a hundred replicated data sets has as many
}

// counted is the number of data sets that are replicated to count what is outside.
const counted = 400

// Outside counts proportions outside their intervals. They are not independent, since a response counts at a value of every feature, and intervals of
// few responses hold more than 90 %: how many would be outside is counted in replicated data sets. ok is false if there is no such figure.
func (m *Material) Outside() (out Outside, ok bool) {
	if !replicates(m) {
		return out, false
	}
	ids := replicable(m)
	subjects := expectations(m, ids)
	var shown []levels
	var panels []chart.ReplicatedPanel
	for l := range m.levels(record.Demand, record.Nuisance, record.Condition) {
		if p := replicatedOf(l, subjects, ids); len(p.Rates) > 0 {
			shown, panels = append(shown, l), append(panels, p)
		}
	}
	count := func(success func(s *expectation, r *scored) bool) (n, of int) {
		for k, rates := range ratesOf(shown, subjects, success) {
			for i, x := range rates {
				of++
				if r := panels[k].Rates[i]; x < r.Low || x > r.High {
					n++
				}
			}
		}
		return n, of
	}
	out.N, out.Of = count(func(_ *expectation, r *scored) bool { return r.value == 1 })
	draws := 0
	for _, s := range subjects {
		draws = max(draws, len(s.draws))
	}
	random := rng.Stream(0, append([]string{"figure", "outside"}, ids...)...)
	asMany := 0
	for d := range counted {
		at := d * draws / counted // of all chains
		n, _ := count(func(s *expectation, r *scored) bool { return random.Bernoulli(s.draws[at%len(s.draws)][r.row]) })
		out.Expected += float64(n) / counted
		if n >= out.N {
			asMany++
		}
	}
	out.Rare = 100*asMany < counted
	return out, out.Of > 0
}

// ratesOf returns the proportions of successes at each level of each feature that has responses.
func ratesOf(of []levels, subjects []expectation, success func(s *expectation, r *scored) bool) [][]float64 {
	n, passed := make([][]float64, len(of)), make([][]float64, len(of))
	for k := range of {
		n[k], passed[k] = make([]float64, len(of[k].at)), make([]float64, len(of[k].at))
	}
	for s := range subjects {
		for i := range subjects[s].responses {
			r := &subjects[s].responses[i]
			yes := success(&subjects[s], r)
			for k := range of {
				at := of[k].of[r.item]
				if at < 0 {
					continue
				}
				if n[k][at]++; yes {
					passed[k][at]++
				}
			}
		}
	}
	for k := range n {
		rates := passed[k][:0]
		for i := range n[k] {
			if n[k][i] > 0 {
				rates = append(rates, passed[k][i]/n[k][i])
			}
		}
		passed[k] = rates
	}
	return passed
}
