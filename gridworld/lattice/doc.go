// Package lattice plans on the pixels of a scene: a square lattice with eight neighbours, where an orthogonal step
// costs 1, a diagonal one √2, and no corner is cut. A gridworld.World has at most 64 cells on a side and holds
// things. A Map has a node for every pixel, because trajectories are in pixels, and says only where an actor can be.
//
// Costs are integers, so that equal costs compare equal and every platform gives the same bytes. The package is pure:
// no randomness, no input or output, no clock.
package lattice
