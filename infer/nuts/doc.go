// Package nuts draws from a density with gradient by the No-U-Turn sampler: Hamiltonian trajectories grown by
// doubling until they turn, a draw chosen along them in proportion to its weight.
//
// It is the multinomial variant (Betancourt 2017, arXiv 1701.02434, appendix A) with the generalised U-turn
// criterion, checked also across the seam of every two subtrees, biased progressive sampling at the top level, dual
// averaging of the step size (Hoffman and Gelman 2014) and a metric adapted in growing windows. One call of Sample
// is one chain; it is deterministic in its stream and safe beside others as long as each has a Target of its own.
package nuts
