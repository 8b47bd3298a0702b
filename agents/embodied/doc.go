// Package embodied has the subjects that act: bodies in a world that see, remember, choose where to go and walk there
// by the theory of package policy. Nothing states whether a body passes an item: it reaches the reward in time, or
// fails for a cause.
//
// What is special to a body are its traits: numbers, which are sealed. Traits that are capabilities have the unit of
// the demand that they meet, and act through the links of measurement layouts, so that the truth about a body is exact:
//
//   - a continuous capability c is drawn anew for every episode from the logistic distribution around c with scale 1,
//     by a hidden draw; a demand d is met when the draw is not below it, which has probability logistic(c − d);
//   - a capability that is a probability is a hidden coin;
//   - with probability noise nothing else counts: a coin of rate chance decides between walking to the reward with full
//     information and not walking at all.
//
// docs/theory/embodied.md explains every trait and goal, and what a layout must look like for a body's truth to be exact.
package embodied
