// Package trajectory predicts how a subject with a given profile moves in a trial's public world, step by step, and what a
// subject's trajectories say about its behaviour.
//
// The agents are those of package policy, with posterior draws as their parameters. A Scene is a trial's world with its
// places. A Rollout is what one kind of agent does in it, tick by tick, with the demands on its abilities; it is simulated
// once. Abilities are one draw of a profile. An episode of a subject with these abilities is a rollout that stops at the
// step that exceeds its endurance, or at the tick that exceeds its memory. So hundreds of sampled paths cost a handful of
// simulations.
//
// A Scene keeps its rollouts and must not be used by two goroutines at once. Everything else is a value. All randomness
// comes from the stream that a caller gives.
package trajectory
