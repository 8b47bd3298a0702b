package posterior

import (
	"math"

	"achilles/infer/smc"
	"achilles/sim/rng"
)

// Missing returns the doubts about chains of one parameter in comparison with its pilot points. steps is the number of
// points of each walker. Both log evidences have standard error 0.1.
func Missing(points []float64, steps int, chains [][]float64, pilotEvidence, chainEvidence float64) []Doubt {
	best := &smc.Population{Steps: steps, LogEvidence: pilotEvidence, LogEvidenceError: 0.1}
	ps := &pilots{best: best, runs: []*smc.Population{best}}
	for _, x := range points {
		ps.theta = append(ps.theta, []float64{x})
	}
	d := &sample{evidence: evidence{log: chainEvidence, se: 0.1}}
	for _, c := range chains {
		var theta [][]float64
		for _, x := range c {
			theta = append(theta, []float64{x})
		}
		d.theta = append(d.theta, theta)
	}
	d.summarise()
	f := &fitter{names: []string{"x"}, config: Default()}
	return f.pilotDoubts(d, ps)
}

// Maxima returns the parameters at the maxima of the modes with enough weight (roughGap) that this number of ascents
// finds.
func Maxima(p Problem, ascents int, rng rng.Rand) (thetas [][]float64) {
	found := make([]mode, ascents)
	for i := range found {
		found[i], _ = findMode(p, &rng)
	}
	modes := distinct(p, found)
	best := math.Inf(-1)
	for _, m := range modes {
		best = max(best, m.evidence)
	}
	for _, m := range modes {
		if m.evidence >= best-roughGap {
			theta := make([]float64, p.Dim())
			p.Constrain(m.q, theta)
			thetas = append(thetas, theta)
		}
	}
	return thetas
}

// Below reports whether a sample with log evidence a must lack a mode that a sample with log evidence b has. Both have
// standard error se.
func Below(a, b, se float64) bool {
	return (&sample{evidence: evidence{log: a, se: se}}).below(&sample{evidence: evidence{log: b, se: se}})
}

// Choose returns the engine of the reported sample. The sample of NUTS has doubts why and log evidence a. That of the
// tempered engine has log evidence b, or is missing because of err. Both have standard error 0.1.
func Choose(a float64, why []Doubt, b float64, err error) (Engine, error) {
	of := func(log float64) *sample {
		return &sample{theta: [][][]float64{{{0}}}, evidence: evidence{log: log, se: 0.1}}
	}
	f := &fitter{names: []string{"x"}, config: Config{Sampling: Sampling{Draws: 1}}}
	p, err := f.choose(of(a), why, of(b), nil, err)
	if err != nil {
		return Auto, err
	}
	return p.Engine, nil
}

// Closest is exported because modes are tested by the nearest points alone.
var Closest = closest

// Johnson is a map of a margin.
type Johnson = johnson

var (
	NewJohnson  = fitJohnson
	Gaussianise = gaussianise
)

// At returns the value at y.
func (j *johnson) At(y float64) float64 {
	g := gaussianise(nil, []johnson{*j})
	g.bent = false
	g.at([]float64{y})
	return g.q[0]
}

// Inverse calls inverse.
func (j *johnson) Inverse(q float64) float64 { return j.inverse(q) }

// Bend and Unbend are the maps of coordinates before margins.
var (
	Bend   = bend
	Unbend = unbend
)

// Original calls original.
func Original(g *gaussianised, ys [][]float64, logp []float64) [][]float64 {
	return g.original(ys, logp)
}

// Ascend climbs from a position.
var Ascend = ascend

// PriorDraw returns a draw of the prior.
func PriorDraw(p Problem, rng *rng.Rand) []float64 {
	q := make([]float64, p.Dim())
	priorDraw(p, q, rng)
	return q
}

// Cure returns what a warning about draws of an engine says to rerun with.
func Cure(e Engine, d Doubt) string { return d.cure(e) }
