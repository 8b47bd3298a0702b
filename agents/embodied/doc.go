// Package embodied has the subjects that act: bodies in a world that see, remember, choose where to go and walk there
// by the theory of package policy. A body has no stated probability of success: it passes an item if it reaches the
// reward in time, and otherwise fails for a cause.
//
// Bodies differ in their traits: numbers, which are sealed. Traits that are capabilities have the unit of the demand that
// they meet. The probability of meeting a demand is the linking function of measurement layouts, so that a layout can be
// exactly true of a body:
//
//   - a continuous capability c: every episode draws a number from the logistic distribution around c with scale 1, and
//     the body meets a demand d if the number is at least d, which has probability logistic(c − d);
//   - a capability that is a probability: every episode draws with this probability whether the body meets the demand;
//   - the traits noise and chance: with probability noise an episode ignores all other traits. Then, with probability
//     chance, the body walks to the reward with full information, and otherwise it does not walk at all.
//
// docs/theory/embodied.md explains every trait and goal, and what a layout must look like for a body's truth to be exact.
package embodied
