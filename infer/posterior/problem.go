package posterior

import (
	"achilles/infer/nuts"
	"achilles/infer/smc"
)

// Problem is one subject's posterior on three scales: log odds z of the prior distribution functions, unconstrained
// positions q, and parameters theta. It is used by one goroutine at a time.
type Problem interface {
	// nuts.Target is the log density on the unconstrained scale: prior, Jacobian and likelihood with all their constants. The
	// density integrates to the marginal likelihood.
	nuts.Target
	// smc.Target is the likelihood as a function of z.
	smc.Target
	// FromOdds writes the unconstrained position of z into q.
	FromOdds(z, q []float64)
	// Odds writes the log odds of the position q into z. It may be approximate where a tail underflows.
	Odds(q, z []float64)
	// Constrain writes the parameters at q into theta.
	Constrain(q, theta []float64)
}
