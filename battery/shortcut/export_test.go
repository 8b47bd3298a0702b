package shortcut

import (
	"achilles/gridworld"
	"achilles/gridworld/policy"
)

// Agent is the policy as an agent that stays in an episode to its end, in a world that it only reads.
func (p Policy) Agent(w *gridworld.World, places []gridworld.Pos) gridworld.Agent {
	room := &policy.Room{}
	room.Enter(w, places, policy.DefaultUnits())
	a := &policy.Agent{Room: room, Parameters: policy.Perfect(p.goal)}
	a.Moves = randomMoves
	return a
}
