package worlds

import (
	"context"
	"math"
	"slices"

	"achilles/gridworld"
	"achilles/gridworld/policy"
	"achilles/sim"
)

// asks says how much of every ability an item asks for.
type asks struct {
	abilities []ability
	loads     []int // values of the features of the abilities; 0: the item does not ask for the ability
	steps     int   // number of steps of an agent that passes
	others    []int // places besides the right one in which the reward could lie by all that it has seen
	lacked    int   // the first ability that the item asks for; -1: none
	mistake   int   // the place to which an agent goes that lacks that; policy.NoPlace: none

	room  policy.Room
	agent policy.Agent
	world gridworld.World
	env   gridworld.Env
}

// find sets the fields of a to what a built draft asks for: the abilities without which an otherwise perfect agent
// fails. It returns false if they are not those of the paradigm, or if an agent that has just enough of them fails. A test
// must ask for its whole load, and items that are no tests for none.
func (a *asks) find(d *draft) bool {
	if len(a.abilities) == 0 {
		return true
	}
	a.room.Enter(&d.world, d.cells, policy.DefaultUnits())
	a.loads, a.lacked = a.loads[:0], -1
	for i, b := range a.abilities {
		lacking, load := 0.0, 1
		if b.graded() {
			load = d.loadOf(b)
			lacking = float64(load) - 0.5
		}
		load *= is(!a.passes(d, func(p *policy.Parameters) { b.give(p, lacking) }))
		if a.loads = append(a.loads, load); load > 0 && a.lacked < 0 {
			a.lacked, a.mistake = i, slices.Index(d.cells, a.world.Actor().Pos)
		}
	}
	if !a.passes(d, a.justEnough) {
		return false
	}
	a.steps, a.others = a.agent.Demands().Steps, append(a.others[:0], a.agent.Demands().Others...)
	for i, b := range a.abilities {
		test := is(!d.congruent && (d.occluder != b.inSight || b.always) && d.asksFor(b.name))
		if a.loads[i] != d.loadOf(b)*test && !(d.may == b.name && d.occluder && !d.congruent) {
			return false
		}
	}
	return true
}

// justEnough limits the graded abilities of an agent to what the item asks for: it lacks those for which it does not ask.
func (a *asks) justEnough(p *policy.Parameters) {
	for i, b := range a.abilities {
		switch {
		case !b.graded():
		case a.loads[i] == 0:
			b.give(p, math.Inf(-1))
		default:
			b.give(p, float64(a.loads[i]))
		}
	}
}

// passes reports whether an agent passes the item if it is perfect except for a limit.
func (a *asks) passes(d *draft, limit func(*policy.Parameters)) bool {
	a.agent.Room, a.agent.Leaves, a.agent.Parameters = &a.room, true, policy.Perfect(policy.Reward)
	limit(&a.agent.Parameters)
	a.world.CopyFrom(&d.world)
	a.env = gridworld.Env{World: &a.world, Places: d.cells}
	_, _ = sim.Run(context.Background(), &a.env, &a.agent, gridworld.Options{}) // the only possible error is that the agent leaves
	return a.world.Outcome() == gridworld.Finished
}
