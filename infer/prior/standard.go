package prior

import "achilles/sim/num"

// HasScore reports whether AtScore and Score apply to the family: its parameter, or the logarithm of it, is normal.
func (f Family) HasScore() bool { return f == Normal || f == LogNormal }

// AtScore writes to p the density of the standard score z = (x − mean)/sd, where x is the parameter or its logarithm. It is
// At for the unconstrained z in place of q. Scores are independent of mean and sd under the prior, and therefore better
// coordinates for a sampler than the parameters themselves, if responses say little about each parameter (Papaspiliopoulos,
// Roberts and Sköld 2007: "non-centred"). It panics for families without scores.
func (f Family) AtScore(z float64, args []float64, p *Density) {
	p.LogP, p.LogPQ, p.LogPA = -0.5*float64(z*z)-num.LogSqrt2Pi, -z, [2]float64{}
	p.Theta, p.ThetaQ, p.ThetaA = args[0]+float64(args[1]*z), args[1], [2]float64{1, z}
	switch f {
	case Normal:
	case LogNormal:
		p.Theta = num.Exp(p.Theta)
		p.ThetaQ = float64(p.ThetaQ * p.Theta)
		p.ThetaA = [2]float64{p.Theta, float64(z * p.Theta)}
	default:
		panic("prior: a family without scores")
	}
}
