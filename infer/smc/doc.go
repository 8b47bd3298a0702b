// Package smc draws from posteriors with several modes and estimates their marginal likelihood.
//
// A target is a likelihood over the open unit cube, on which the prior is uniform. Run carries a population from the
// prior to the posterior through ever lower temperatures: the likelihood is raised to a power that grows from 0 to 1
// by as much as the effective sample size allows, the population is resampled, and walkers started from it move at
// the new temperature, every state of theirs being kept (waste-free sequential Monte Carlo: Dau and Chopin 2022,
// JRSS B 84). Walk goes on at temperature 1: ordinary Markov chains, for package diag to judge, whose moves can leap
// between the modes that a population has found.
//
// Three moves take turns by chance. Slices over the whole range of one coordinate hop between modes that lie along an
// axis (Neal 2003). Steps along the difference of two points of the population follow correlations, without gradients
// or tuning (ter Braak 2006). Leaps carry a walker from the neighbourhood of one point of the population to that of
// another, in whatever mode it is.
package smc
