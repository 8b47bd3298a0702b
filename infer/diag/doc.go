// Package diag has the diagnostics of Markov chains: how far they agree, how many independent draws they are worth, and
// how large the Monte Carlo error of an estimate is. It also has leave-one-out cross-validation from posterior draws.
//
// Most functions take the draws of one quantity as chains[chain][draw]. They neither keep nor change the slices. They
// panic if the chains differ in length. A figure that cannot be computed from the draws is NaN; each function says when.
// R-hat and the effective sample sizes are those of Vehtari, Gelman, Simpson, Carpenter and Bürkner (2021),
// "Rank-normalization, folding, and localization", Bayesian Analysis 16(2).
package diag
