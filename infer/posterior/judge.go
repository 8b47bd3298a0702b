package posterior

import (
	"math"

	"achilles/infer/diag"
	"achilles/infer/evidence"
)

// drawn are chains that are not believed yet.
type drawn struct {
	q, theta  [][][]float64 // [chain][draw]
	logp      [][]float64
	summaries []diag.Summary
	evidence  evidence.Estimate
	chains    []Chain
}

func (d *drawn) total() int { return len(d.theta) * len(d.theta[0]) }

// summarise has every parameter's summary.
func (d *drawn) summarise() {
	d.summaries = make([]diag.Summary, len(d.theta[0][0]))
	for k := range d.summaries {
		d.summaries[k] = diag.Summarise(column(d.theta, k))
	}
}

func column(draws [][][]float64, k int) [][]float64 {
	out := make([][]float64, len(draws))
	for c, chain := range draws {
		out[c] = make([]float64, len(chain))
		for i, x := range chain {
			out[c][i] = x[k]
		}
	}
	return out
}

// disagreements are doubts about chains among themselves. A figure that is NaN, as that of a parameter that never
// moved, is no comfort.
func (f *fitter) disagreements(d *drawn) (ds []Doubt) {
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

// Limits that are not settings.
const (
	leastEBFMI = 0.3  // Betancourt 2016
	mostCutOff = 0.01 // share of draws at the largest depth
)

// troubles are what NUTS says of itself.
func (f *fitter) troubles(d *drawn) (ds []Doubt) {
	n := float64(d.total())
	diverged, cut, energy := 0, 0, math.Inf(1)
	for _, c := range d.chains {
		diverged += c.Divergences
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

// Limits of the comparison with the pilots. Over the thirty agents and both readings of the object-permanence layout
// the largest z of chains that were right is 2.0 and the largest share of points out of their range 0.9 %; of chains
// that had missed a mode of a quarter of the weight, 2.3 … 3.5 and 14 … 28 %.
const (
	mostPilotZ    = 3.0
	mostPilotOut  = 0.03
	pilotNats     = 2.0 // log evidence below the pilots', or four standard errors where that is more
	evidenceSigma = 4
)

// missing are doubts from the comparison with the pilots, which may know a mode where no chain has been.
func (f *fitter) missing(d *drawn, s *scout) (ds []Doubt) {
	for k, name := range f.names {
		if z := math.Abs(s.z(k, d.summaries[k].Mean, d.summaries[k].MCSEMean)); z > mostPilotZ {
			ds = append(ds, Doubt{Kind: PilotMean, Parameter: name, Value: z, Limit: mostPilotZ})
		}
		if out := s.outside(k, d.theta); out > mostPilotOut {
			ds = append(ds, Doubt{Kind: PilotRange, Parameter: name, Value: out, Limit: mostPilotOut})
		}
	}
	below := s.best.LogEvidence - d.evidence.LogEvidence
	limit := max(pilotNats, evidenceSigma*math.Hypot(s.best.LogEvidenceError, d.evidence.Error))
	if below > limit {
		ds = append(ds, Doubt{Kind: PilotEvidence, Value: below, Limit: limit})
	}
	return ds
}
