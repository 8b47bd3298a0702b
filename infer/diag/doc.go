// Package diag has the diagnostics of Markov chains: how far they agree, how many independent draws they are worth, and
// how large the Monte Carlo error of an estimate is. It also has leave-one-out cross-validation from posterior draws.
//
// Every function takes one quantity as chains[chain][draw]. The slices are read, never kept or changed. Chains of
// unequal length panic. A figure that the draws cannot give is NaN, and each function says when. R-hat and the effective sample sizes are those of Vehtari, Gelman, Simpson, Carpenter and Bürkner (2021),
// "Rank-normalization, folding, and localization", Bayesian Analysis 16(2).
package diag
