package permanence

import (
	"context"
	"math"

	"achilles/gridworld"
	"achilles/gridworld/policy"
	"achilles/sim"
)

// asks are the abilities that an item asks for, besides sight, memory and a choice of place.
type asks struct {
	hidings, moves, tubes, timing int // values of the features with these names; 0: the item does not ask for the ability

	room  policy.Room
	agent policy.Agent
	world gridworld.World
	env   gridworld.Env
}

// find sets the fields of a to the abilities that a built draft asks for: those without which an otherwise perfect agent
// fails. It returns false if they are not those of the paradigm. A test must ask for its whole load, and items that are no
// tests for none.
func (a *asks) find(d *draft) bool {
	a.room.Enter(&d.world, d.places, policy.DefaultUnits())
	without := func(limit func(*policy.Parameters)) int { return is(!a.passes(d, limit)) }
	load := float64(d.load)
	a.hidings = d.load * without(func(p *policy.Parameters) { p.Inhibit = load - 0.5 })
	a.moves = d.load * without(func(p *policy.Parameters) { p.Follow = load - 0.5 })
	a.tubes = without(func(p *policy.Parameters) { p.Tubes = false })
	a.timing = without(func(p *policy.Parameters) { p.Timing = false })
	if without(func(p *policy.Parameters) { p.Inhibit, p.Follow = a.limits() }) == 1 {
		return false
	}
	test := is(d.occluder && !d.congruent)
	switch d.name {
	case "a-not-b":
		return a.equal(d.load*test, 0, 0, 0)
	case "tubes":
		return a.equal(0, 0, d.load*test, 0)
	case "tunnel": // a test may also ask for tubes, because straight on there may be a well
		return a.equal(0, 0, a.tubes, test)
	}
	return a.equal(0, d.load*test, 0, 0)
}

func (a *asks) equal(hidings, moves, tubes, timing int) bool {
	return a.hidings == hidings && a.moves == moves && a.tubes == tubes && a.timing == timing
}

// limits returns the parameters of an agent that can do exactly what the item asks for, and lacks the abilities that it
// does not ask for.
func (a *asks) limits() (inhibit, follow float64) {
	least := func(n int) float64 {
		if n == 0 {
			return math.Inf(-1)
		}
		return float64(n)
	}
	return least(a.hidings), least(a.moves)
}

// passes reports whether an agent passes the item if it is perfect except for a limit.
func (a *asks) passes(d *draft, limit func(*policy.Parameters)) bool {
	a.agent.Room, a.agent.Leaves, a.agent.Parameters = &a.room, true, policy.Perfect(policy.Reward)
	limit(&a.agent.Parameters)
	a.world.CopyFrom(&d.world)
	a.env = gridworld.Env{World: &a.world, Places: d.places}
	_, _ = sim.Run(context.Background(), &a.env, &a.agent, gridworld.Options{}) // the only possible error is that the agent leaves
	return a.world.Outcome() == gridworld.Finished
}
