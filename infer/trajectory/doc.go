// Package trajectory predicts how a subject with a given profile moves in a trial's public world, step by step. It also
// computes how much a subject's trajectories support hypotheses about its behaviour.
//
// The agents are those of package policy, with posterior draws as their parameters. A Scene is a trial's world with its
// places. A Rollout is what one kind of agent does in it, tick by tick, with the demands on the agent's abilities; it is
// simulated once. Abilities are one draw of a profile. An episode of a subject with these abilities is a rollout that
// stops at the step that exceeds its endurance, or at the tick that exceeds its memory. Hundreds of sampled paths
// therefore need only a few simulations.
//
// A Scene stores its rollouts and must not be used by two goroutines at once; everything else may. All randomness comes
// from the stream that the caller gives.
package trajectory
