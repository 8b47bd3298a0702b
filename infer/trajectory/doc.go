// Package trajectory is Team B's theory of how a subject moves. It reads a trial's public world, works out what an agent of
// a given profile would do in it, and says where it would walk, step by step.
//
// The agents are those of package policy, which is public; what goes into them are draws from a posterior. A Scene is a
// trial's world with its places. A Rollout is what one kind of agent does in it, tick by tick, with what was asked of its
// abilities: it is simulated once. Abilities are one draw of a profile; what somebody with them does in an episode is a
// rollout that breaks off, at the step for which endurance does not last or at the tick at which memory does not. So a fan
// of hundreds of paths costs a handful of simulations.
//
// A Scene keeps the rollouts that it has worked out and must not be used by two goroutines at once. Everything else is a
// value. Nothing here is random but what comes from the stream that a caller gives.
package trajectory
