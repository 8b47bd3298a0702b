// Package embodied has the subjects that act: bodies that stand in a world, see what is in sight, remember it, choose
// where to go and walk there, as package policy describes it. Whether a body passes an item is nowhere written down: it
// reached the reward in time, or it did not, and then for a cause.
//
// What is a body's own are its traits. They are numbers, and sealed. Those that are capabilities stand in the unit of the
// demand that they meet and act through the links of measurement layouts, so that the truth about a body is exact:
//
//   - a continuous capability c is drawn anew for every episode from the logistic distribution around c with scale 1,
//     by a hidden draw; a demand d is met when the draw is not below it, which has probability logistic(c − d);
//   - a capability that is a probability is a hidden coin;
//   - with probability noise nothing else counts: a coin of rate chance decides between walking to the reward with full
//     information and not walking at all.
//
// docs/theory/embodied.md explains every trait and goal, and what a layout must look like for a body's truth to be exact.
package embodied
