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

// AtPart writes to p the density of the partly centred coordinate z = share·mean + (x − mean)/sd^(1−share), where x is the parameter or
// its logarithm and share lies in [0, 1]: 0 is the standard score, 1 is x itself (Papaspiliopoulos, Roberts and Sköld 2007). log is
// share·log sd, and power is sd^share: many parameters have one sd. AtPart panics for families without scores.
func (f Family) AtPart(z, share, log, power float64, args []float64, p *Density) {
	if share == 0 {
		f.AtScore(z, args, p)
		return
	}
	mean, sd, inverse := args[0], args[1], 1/power
	score := float64((z - float64(share*mean)) * inverse)
	square := float64(score * score)
	p.LogP, p.LogPQ = -0.5*square-log-num.LogSqrt2Pi, -float64(score*inverse)
	p.LogPA = [2]float64{float64(float64(score*share) * inverse), float64(share*(square-1)) / sd}
	p.Theta, p.ThetaQ = mean+float64(sd*score), float64(sd*inverse)
	p.ThetaA = [2]float64{1 - float64(share*p.ThetaQ), float64((1 - share) * score)}
	switch f {
	case Normal:
	case LogNormal:
		p.Theta = num.Exp(p.Theta)
		p.ThetaQ = float64(p.ThetaQ * p.Theta)
		p.ThetaA = [2]float64{float64(p.ThetaA[0] * p.Theta), float64(p.ThetaA[1] * p.Theta)}
	default:
		panic("prior: a family without scores")
	}
}

// Part returns the coordinate of AtPart at which the parameter, or its logarithm, is x.
func Part(x, share float64, args []float64) float64 {
	return float64(share*args[0]) + float64((x-args[0])*num.Exp(float64((share-1)*num.Log(args[1]))))
}

// Whole returns the parameter, or its logarithm, at a coordinate of AtPart. It is the inverse of Part.
func Whole(z, share float64, args []float64) float64 {
	return args[0] + float64((z-float64(share*args[0]))*num.Exp(float64((1-share)*num.Log(args[1]))))
}
