package posterior

import (
	"math"

	"achilles/infer/diag"
)

// sample has the draws of the chains of one engine.
type sample struct {
	draws
	theta     [][][]float64  // [chain][draw][parameter]
	summaries []diag.Summary // one for every parameter
	evidence  evidence
	chains    []Chain
}

func (d *sample) total() int { return len(d.theta) * len(d.theta[0]) }

// complete reports whether every chain has this number of draws.
func (d *sample) complete(draws int) bool { return len(d.theta[0]) == draws }

// below reports whether the evidence of d is so far below that of e that d must lack a mode. An evidence that is NaN
// counts as below one that is not.
func (d *sample) below(e *sample) bool {
	if math.IsNaN(d.evidence.log) {
		return !math.IsNaN(e.evidence.log)
	}
	return e.evidence.log-d.evidence.log > max(pilotNats, float64(evidenceSigma*math.Hypot(d.evidence.se, e.evidence.se)))
}

// summarise sets d.summaries.
func (d *sample) summarise() {
	d.summaries = diag.SummariseEach(len(d.theta[0][0]), func(k int) [][]float64 { return diag.Column(d.theta, k) })
}

// compareChains sets the R-hats of d.summaries, and nothing else of them.
func (d *sample) compareChains() {
	d.summaries = make([]diag.Summary, len(d.theta[0][0]))
	for k := range d.summaries {
		d.summaries[k].RHat = diag.RHat(diag.Column(d.theta, k))
	}
}

// chainDoubts returns the doubts from R-hat and effective sample size. A NaN is a doubt too; it is the R-hat of a
// parameter that never moved.
func (f *fitter) chainDoubts(d *sample) (ds []Doubt) {
	rhat, ess := f.config.limits(d.total())
	for k, s := range d.summaries {
		if !(s.RHat <= rhat) {
			ds = append(ds, Doubt{Kind: RHat, Parameter: f.names[k], Value: s.RHat, Limit: rhat})
		}
		if e := min(s.ESSBulk, s.ESSTail); !(e >= ess) {
			ds = append(ds, Doubt{Kind: ESS, Parameter: f.names[k], Value: e, Limit: ess})
		}
	}
	return ds
}

// Limits of samplerDoubts that cannot be set in Config.
const (
	leastEBFMI = 0.3  // Betancourt 2016
	mostCutOff = 0.01 // largest share of draws whose trajectory was cut off at the largest depth
)

// samplerDoubts returns the doubts from divergences, cut-off trajectories and energies of NUTS.
func (f *fitter) samplerDoubts(d *sample) (ds []Doubt) {
	n := float64(d.total())
	diverged, cut, energy := 0, 0, math.Inf(1)
	for _, c := range d.chains {
		diverged += len(c.Divergent)
		cut += c.Saturated
		energy = min(energy, c.EBFMI)
	}
	if share := float64(diverged) / n; share > f.config.Diverged {
		ds = append(ds, Doubt{Kind: Divergent, Value: share, Limit: f.config.Diverged})
	}
	if share := float64(cut) / n; share > mostCutOff {
		ds = append(ds, Doubt{Kind: MaxDepth, Value: share, Limit: mostCutOff})
	}
	if energy < leastEBFMI {
		ds = append(ds, Doubt{Kind: EBFMI, Value: energy, Limit: leastEBFMI})
	}
	return ds
}

// Limits of the comparison with the pilots. With thirty published agents and both variants of the object-permanence
// layout (infertest.OPVariant), chains that were right had |z| up to 2.0 and up to 0.9 % of the pilot points outside
// their range. Chains that had missed a mode with a quarter of the weight had |z| of 2.3 to 3.5 and 14 to 28 %. On tables of a product of two
// logistics (TestLayoutsByQuadrature), chains that were right had up to 1.2 % outside, and those that had missed a tail of 5 % had 1.4 and 2.5 %. Chains
// that visit a tail and leave it too soon have its range: of 789 such tables, and of sums of two (seeds 1 to 60), six had more than 2.5 % of the pilot
// points beyond the 0.5 % quantile, of which none was wrong; one that had lost a tail of 6 % had 5 %.
const (
	mostPilotZ    = 3.0
	mostPilotOut  = 0.0125
	mostOutOfFew  = 0.03  // the range of fewer draws is narrower
	mostPilotTail = 0.025 // of pilot points beyond the quantile tailQuantile of the draws on one side (pilots.beyond)
	pilotNats     = 2.0   // by how many nats the log evidence may lie below the pilots'
	evidenceSigma = 4     // or by how many standard errors, if this is more
)

// simple reports whether the posterior has a single maximum and nearly the evidence of a normal density there. Then no mode is missed, and
// pilots whose means differ are slow, as they are where there are many parameters.
func (f *fitter) simple(d *sample) bool {
	return len(f.modes) == 1 && math.Abs(f.modes[0].evidence-d.evidence.log) < simpleNats
}

// simpleNats is the largest difference in log evidence between a posterior and its normal approximation that counts as nearly normal.
const simpleNats = 2

// pilotDoubts returns the doubts from the comparison with the pilots, which may know a mode that no chain has visited.
func (f *fitter) pilotDoubts(d *sample, ps *pilots) (ds []Doubt) {
	slow := f.simple(d)
	mostOut := min(mostPilotOut*max(1, fullDraws/float64(d.total())), mostOutOfFew)
	mostTail := float64(mostPilotTail * max(1, math.Sqrt(fullDraws/float64(d.total()))))
	for k, name := range f.names {
		if z := math.Abs(ps.z(k, d.summaries[k].Mean, d.summaries[k].MCSEMean)); z > mostPilotZ && !slow {
			ds = append(ds, Doubt{Kind: PilotMean, Parameter: name, Value: z, Limit: mostPilotZ})
		}
		if out := ps.outside(k, d.theta); out > mostOut {
			ds = append(ds, Doubt{Kind: PilotRange, Parameter: name, Value: out, Limit: mostOut})
		} else if tail := ps.beyond(k, d.theta); tail > mostTail && !slow {
			ds = append(ds, Doubt{Kind: PilotTail, Parameter: name, Value: tail, Limit: mostTail})
		}
	}
	below := ps.best.LogEvidence - d.evidence.log
	limit := max(pilotNats, evidenceSigma*math.Hypot(ps.best.LogEvidenceError, d.evidence.se))
	if !(below <= limit) {
		ds = append(ds, Doubt{Kind: PilotEvidence, Value: below, Limit: limit})
	}
	return ds
}
