package posterior

import (
	"achilles/infer/nuts"
	"achilles/infer/smc"
)

// A Problem is the posterior of one subject on three scales: log odds z, unconstrained parameters q, and the parameters
// theta themselves. z has log(u/(1−u)), where u is the prior distribution function (CDF) of a parameter at the
// parameter's value. A Problem is used by one goroutine at a time.
type Problem interface {
	// nuts.Target has the log density of q: prior, Jacobian and likelihood with all their constants. The density
	// integrates to the marginal likelihood.
	nuts.Target
	// smc.Target has the likelihood as a function of z.
	smc.Target
	// FromOdds converts z to unconstrained parameters and writes them to q.
	FromOdds(z, q []float64)
	// Odds converts q to log odds and writes them to z. It may be approximate if the probability of a tail underflows.
	Odds(q, z []float64)
	// Constrain converts q to parameters and writes them to theta.
	Constrain(q, theta []float64)
}
