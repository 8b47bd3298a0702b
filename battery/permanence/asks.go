package permanence

import (
	"context"
	"math"

	"achilles/gridworld"
	"achilles/gridworld/policy"
	"achilles/sim"
)

// What an item asks for, beside sight, memory and a choice of place.
type asks struct {
	hidings, moves, tubes, timing int

	room  policy.Room
	agent policy.Agent
	world gridworld.World
	env   gridworld.Env
}

// of finds out what a built draft asks for, by letting agents act that lack something. It is false where that is not what
// the paradigm is about: a test asks for its load and no less, others for nothing.
func (a *asks) of(d *draft) bool {
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
		return a.are(d.load*test, 0, 0, 0)
	case "tubes":
		return a.are(0, 0, d.load*test, 0)
	case "tunnel": // straight on there is a well, or none
		return a.are(0, 0, a.tubes, test)
	}
	return a.are(0, d.load*test, 0, 0)
}

func (a *asks) are(hidings, moves, tubes, timing int) bool {
	return a.hidings == hidings && a.moves == moves && a.tubes == tubes && a.timing == timing
}

// limits are those of an agent that can do just what the item asks for; what it does not ask for may be missing altogether.
func (a *asks) limits() (inhibit, follow float64) {
	least := func(n int) float64 {
		if n == 0 {
			return math.Inf(-1)
		}
		return float64(n)
	}
	return least(a.hidings), least(a.moves)
}

// passes lets an agent act that is perfect but for a limit.
func (a *asks) passes(d *draft, limit func(*policy.Parameters)) bool {
	a.agent.Room, a.agent.Leaves, a.agent.Parameters = &a.room, true, policy.Perfect(policy.Reward)
	limit(&a.agent.Parameters)
	a.world.CopyFrom(&d.world)
	a.env = gridworld.Env{World: &a.world, Places: d.places}
	_, _ = sim.Run(context.Background(), &a.env, &a.agent, gridworld.Options{}) // the error is that it leaves
	return a.world.Outcome() == gridworld.Finished
}
