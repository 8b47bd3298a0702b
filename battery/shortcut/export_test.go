package shortcut

import (
	"achilles/gridworld"
	"achilles/gridworld/policy"
)

// Agent returns the policy as an agent that stays in an episode to its end. It only reads w.
func (p Policy) Agent(w *gridworld.World, places []gridworld.Pos) gridworld.Agent {
	room := &policy.Room{}
	room.Enter(w, places, policy.DefaultUnits())
	a := &policy.Agent{Room: room, Parameters: policy.Perfect(p.goal)}
	if a.Moves = randomMoves; p.direct {
		a.Retreat = 0
	}
	return a
}
