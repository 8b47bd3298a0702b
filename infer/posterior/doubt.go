package posterior

import "math"

// Limits that are not settings.
const (
	leastEBFMI = 0.3  // Betancourt 2016
	mostCutOff = 0.01 // share of draws at the largest depth
	pilotMeanZ = 4.0
	pilotNats  = 2.0 // log evidence below the pilots', beyond four standard errors
)

// doubts are the reasons not to believe the chains.
func (f *fitter) doubts(d *drawn, s *scout) []Doubt {
	ds := f.disagreements(d)
	ds = append(ds, f.trouble(d)...)
	ds = append(ds, f.againstPilots(d, s)...)
	return ds
}

// disagreements are of the chains among themselves. Figures that are NaN, as those of a parameter that never moved,
// are no comfort.
func (f *fitter) disagreements(d *drawn) (ds []Doubt) {
	for k, s := range d.summaries {
		if !(s.RHat <= f.config.RHat) {
			ds = append(ds, Doubt{RHat, f.names[k], s.RHat, f.config.RHat})
		}
		if e := min(s.ESSBulk, s.ESSTail); !(e >= f.config.ESS) {
			ds = append(ds, Doubt{ESS, f.names[k], e, f.config.ESS})
		}
	}
	return ds
}

// trouble is what NUTS says of itself.
func (f *fitter) trouble(d *drawn) (ds []Doubt) {
	n := float64(f.config.Chains * f.config.Draws)
	diverged, cut, energy := 0, 0, math.Inf(1)
	for _, c := range d.chains {
		diverged += c.Divergences
		cut += c.Saturated
		energy = min(energy, c.EBFMI)
	}
	if share := float64(diverged) / n; share > f.config.Diverged {
		ds = append(ds, Doubt{Divergent, "", share, f.config.Diverged})
	}
	if share := float64(cut) / n; share > mostCutOff {
		ds = append(ds, Doubt{MaxDepth, "", share, mostCutOff})
	}
	if energy < leastEBFMI {
		ds = append(ds, Doubt{EBFMI, "", energy, leastEBFMI})
	}
	return ds
}

// againstPilots compares means, and the evidence: pilots that saw more of it have been in a mode where no chain was.
func (f *fitter) againstPilots(d *drawn, s *scout) (ds []Doubt) {
	for k := range f.names {
		if z := s.z(k, d.summaries[k].Mean, d.summaries[k].MCSEMean); !(math.Abs(z) <= pilotMeanZ) {
			ds = append(ds, Doubt{PilotMean, f.names[k], math.Abs(z), pilotMeanZ})
		}
	}
	below := s.level - d.evidence.LogEvidence
	limit := max(pilotNats, 4*math.Hypot(s.error, d.evidence.Error))
	if !(below <= limit) {
		ds = append(ds, Doubt{PilotEvidence, "", below, limit})
	}
	return ds
}

// pilotError multiplies the standard errors of pilot means: walkers share ancestors, so that the spread between them
// shows half of the error.
const pilotError = 2

// z is the difference of a mean from that of the pilots, in their standard errors together.
func (s *scout) z(k int, mean, mcse float64) float64 {
	var walkers []float64
	for i := 0; i < len(s.theta); i += s.steps {
		m := 0.0
		for _, theta := range s.theta[i : i+s.steps] {
			m += theta[k] / float64(s.steps)
		}
		walkers = append(walkers, m)
	}
	n := float64(len(walkers))
	centre, square := 0.0, 0.0
	for _, m := range walkers {
		centre += m / n
	}
	for _, m := range walkers {
		square += float64((m - centre) * (m - centre))
	}
	se := pilotError * math.Sqrt(square/(n-1)/n)
	if mean == centre {
		return 0
	}
	return (mean - centre) / math.Hypot(se, mcse)
}
