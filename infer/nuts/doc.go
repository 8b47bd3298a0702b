// Package nuts draws from a density with a gradient by the No-U-Turn sampler. It doubles a Hamiltonian trajectory until
// the trajectory turns back, and draws one of the trajectory's states in proportion to their weights.
//
// It is the multinomial variant (Betancourt 2017, arXiv 1701.02434, appendix A) with the generalised U-turn criterion,
// which is also checked between two subtrees, biased progressive sampling at the top level, dual averaging of the step
// size (Hoffman and Gelman 2014), and a metric adapted in growing windows. Where positions are known that are distributed like the
// target, in few dimensions, trajectories turn around their mean between gradients, which takes longer steps. Where the energy would change
// too much over a step, Config.Refine divides it. A Sampler is one chain; its random stream
// determines the chain. Chains can run in parallel if each has its own Target.
package nuts
