// Package smc draws from posteriors with several modes and estimates their marginal likelihood.
//
// A target is a likelihood over coordinates with independent standard logistic priors. Each coordinate is the log odds
// of a prior distribution function, so that both tails have the same precision. Run moves a population from the prior to
// the posterior by tempering: the likelihood is raised to a power that grows from 0 to 1, each time by as much as the
// effective sample size allows. At each power the population is resampled, and a walker starts from each resampled
// point. All states of all walkers are the next population (waste-free sequential Monte Carlo: Dau and Chopin 2022, JRSS
// B 84). Walk draws ordinary Markov chains at power 1 that can jump between the modes that a population has found.
//
// Each move is of a random kind. A slice draws one coordinate over its whole range, and so crosses between modes that
// lie along an axis (Neal 2003). A step goes along the difference of two points of the population, and so follows
// correlations without gradients or tuning (ter Braak 2006). A jump moves a walker from the neighbourhood of one point
// of the population to that of another, which may be in another mode. A leap, in Walk only, proposes a draw from a
// mixture that was fitted to the modes.
package smc
