// Package lattice plans on the pixels of a scene: a square lattice with eight neighbours, where an orthogonal step
// costs 1, a diagonal one √2, and no corner is cut. Unlike a World, which has at most 64 cells on a side and holds
// things, a Map has a node for every pixel and says only where an actor can be, as trajectories in pixels need it.
//
// Costs are integers, so that equal costs compare equal and every platform gives the same bytes. The package is pure:
// no randomness, no input or output, no clock.
package lattice
