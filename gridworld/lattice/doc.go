// Package lattice plans on the pixels of a scene: an open square lattice with eight neighbours, where an orthogonal
// step costs 1, a diagonal one √2, and no corner is cut. A World has at most 64 cells a side and things in it; a
// Map has a node for every pixel and knows nothing but where one can be, which is what trajectories in pixels need.
//
// Costs are whole numbers, so equal ways compare equal and every platform gives the same bytes. The package is pure:
// no randomness, no input or output, no clock.
package lattice
