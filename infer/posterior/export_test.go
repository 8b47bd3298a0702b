package posterior

import (
	"achilles/infer/evidence"
	"achilles/infer/smc"
)

// Missing returns the doubts about chains of one parameter from its pilot points, steps of them a walker, and from the
// log evidence of both, with standard errors of 0.1.
func Missing(pilots []float64, steps int, chains [][]float64, pilotEvidence, chainEvidence float64) []Doubt {
	s := &scout{best: &smc.Population{Steps: steps, LogEvidence: pilotEvidence, LogEvidenceError: 0.1}}
	for _, x := range pilots {
		s.theta = append(s.theta, []float64{x})
	}
	d := &drawn{evidence: evidence.Estimate{LogEvidence: chainEvidence, Error: 0.1}}
	for _, c := range chains {
		var draws [][]float64
		for _, x := range c {
			draws = append(draws, []float64{x})
		}
		d.theta = append(d.theta, draws)
	}
	d.summarise()
	f := &fitter{names: []string{"x"}, config: Default()}
	return f.missing(d, s)
}
