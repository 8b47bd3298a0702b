// Package embodied has the subjects that act: bodies that stand in a world, see what is in sight, remember it, choose
// where to go and walk there. Whether a body passes an item is nowhere written down: it reached the reward in time, or
// it did not, and then for a cause.
//
// A Body is cut into five parts, each a file: what it perceives (sight.go), what it believes about what it no longer
// sees (belief.go), what it goes for (goal.go), how it gets there (route.go), and what goes wrong on the way (walk.go).
// Its traits are numbers. Those that are capabilities stand in the unit of the demand that they meet and act through
// the links of measurement layouts, so that the truth about a body is exact:
//
//   - a continuous capability c is drawn anew for every episode from the logistic distribution around c with scale 1,
//     by a hidden draw; a demand d is met when the draw is not below it, which has probability logistic(c − d);
//   - a capability that is a probability is a hidden coin;
//   - with probability noise nothing else counts: a coin of rate chance decides between walking to the reward with full
//     information and not walking at all.
//
// A body knows the room: its cells, and in which of them a reward could lie. Of what happens in it it knows what it
// sees. docs/theory/embodied.md explains every trait and goal, and what a layout must look like for a body's truth to be exact.
package embodied
