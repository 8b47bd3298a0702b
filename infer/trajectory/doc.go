// Package trajectory is Team B's theory of how a subject moves. It reads a trial's public world, works out what an actor of
// a given profile would do in it, and says where it would walk, step by step.
//
// The theory is what docs/theory/embodied.md and docs/reference/worlds.md say in public, no more. A Scene is a trial's world with its
// places. A Course is what one kind of walker does in it, tick by tick: it is simulated once, with gridworld's own
// stepping. A Mind is one draw of a profile; what it does in an episode is a course that breaks off, at the step for
// which its endurance does not last or at the tick at which it has forgotten. So a fan of hundreds of paths costs a
// handful of simulations.
//
// A Scene keeps the courses that it has worked out and must not be used by two goroutines at once. Everything else is a
// value. Nothing here is random but what comes from the stream that a caller gives.
package trajectory
