package posterior

import (
	"achilles/infer/nuts"
	"achilles/infer/smc"
)

// A Problem is the posterior of one subject on three scales: log odds z, unconstrained parameters q, and the parameters
// theta themselves. z has log(u/(1−u)), where u is the prior distribution function (CDF) of a parameter at the
// parameter's value. A Problem is used by one goroutine at a time.
type Problem interface {
	// Density has the log density of q: prior, Jacobian and likelihood with all their constants. The density integrates to
	// the marginal likelihood.
	Density
	// smc.Target has the likelihood as a function of z.
	smc.Target
	// FromOdds converts z to unconstrained parameters and writes them to q.
	FromOdds(z, q []float64)
	// Odds converts q to log odds and writes them to z. It may be approximate if the probability of a tail underflows.
	Odds(q, z []float64)
}

// A Density is a posterior on the scale of unconstrained parameters q. It is used by one goroutine at a time.
type Density interface {
	nuts.Target
	// Constrain converts q to the parameters themselves and writes them to theta.
	Constrain(q, theta []float64)
}
