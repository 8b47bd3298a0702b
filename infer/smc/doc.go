// Package smc draws from posteriors with several modes and estimates their marginal likelihood.
//
// A target is a likelihood over coordinates with independent standard logistic priors: each is the log odds of a prior
// distribution function, so that both tails have the same precision. Run moves a population from the prior to the
// posterior by tempering: the likelihood is raised to a power that grows from 0 to 1, each time by as much as the
// effective sample size allows. At each power the population is resampled, and walkers that start from it move; all
// their states make the next population (waste-free sequential Monte Carlo: Dau and Chopin 2022, JRSS B 84). Walk draws
// ordinary Markov chains at power 1 whose moves can jump between the modes that a population has found.
//
// Each move is one of three, at random. Slices over the whole range of one coordinate cross between modes that lie along
// an axis (Neal 2003). Steps along the difference of two points of the population follow correlations, without gradients
// or tuning (ter Braak 2006). Jumps move a walker from the neighbourhood of one point of the population to that of
// another, in whatever mode that is.
package smc
