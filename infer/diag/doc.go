// Package diag judges Markov chains: how far they agree, how many independent draws they are worth, and how much
// of an estimate is Monte Carlo error.
//
// Every function takes one quantity as chains[chain][draw]; the slices are read, never kept or changed. Chains of
// unequal length are the caller's mistake and panic. A quantity that the draws cannot settle is NaN, and each
// function says when: fewer than four draws a chain, a draw that is NaN or infinite, or draws that are all the
// same. R-hat and the effective sample sizes are those of Vehtari, Gelman, Simpson, Carpenter and Bürkner (2021),
// "Rank-normalization, folding, and localization", Bayesian Analysis 16(2).
package diag
