package permanence

import (
	"context"
	"math"
	"slices"

	"achilles/gridworld"
	"achilles/gridworld/policy"
	"achilles/sim"
)

// An ability is what tests of some paradigms ask for, besides sight, memory and a choice of place. How much of it an item
// asks for is a feature.
type ability struct {
	name, unit, doc string  // of the feature
	most            float64 // its largest value
	graded          bool    // there is more or less of it; otherwise a subject has it or not
	load            int     // index of the factor that says how much of it an item asks for; −1: none
	tests           []string
	always          bool                              // controls of these paradigms ask for it too
	may             []string                          // paradigms of which some tests ask for it too
	give            func(*policy.Parameters, float64) // makes an agent have this much of it; 0: nothing
}

// abilities returns the abilities that the paradigms of c are about.
func (c Coding) abilities() []ability {
	switch c {
	case Radial:
		return []ability{
			{"visits", "arms", "how many arms were seen to be emptied, to which a subject must not go; 0 where none was, or the reward is in sight", 4, true, byVisits, []string{"radial-maze"}, false, nil,
				func(p *policy.Parameters, x float64) { p.Visits = x }},
			{"unbaited", "arms", "in how many arms no reward was ever seen; 0 where the reward is in sight", 3, true, byUnbaited, []string{"radial-maze"}, false, nil,
				func(p *policy.Parameters, x float64) { p.Unbaited = x }},
		}
	case Comparative:
		return []ability{
			{"retreat", "cells", "by how many cells the way round a barrier leads away from the reward; 0 where no way does", 6, true, byRetreat, []string{"detour"}, true, nil,
				func(p *policy.Parameters, x float64) { p.Retreat = x }},
			{"openings", "0 or 1", "passing requires taking the width of openings into account", 1, false, -1, []string{"aperture"}, false, nil,
				func(p *policy.Parameters, x float64) { p.Openings = x > 0 }},
			{"sizes", "0 or 1", "passing requires taking the size of covers into account", 1, false, -1, []string{"size"}, false, nil,
				func(p *policy.Parameters, x float64) { p.Sizes = x > 0 }},
			{"number", "rewards", "how many rewards have to be told from one fewer elsewhere; 0 where all are in one place", 6, true, byNumber, []string{"number"}, true, nil,
				func(p *policy.Parameters, x float64) { p.Number = x }},
			{"when", "0 or 1", "passing requires taking into account how long rewards last", 1, false, -1, []string{"what-where-when"}, false, nil,
				func(p *policy.Parameters, x float64) { p.When = x > 0 }},
		}
	}
	return []ability{
		{"hidings", "hidings", "number of earlier hidings elsewhere; 0 if perseveration passes", 6, true, byHidings, []string{"a-not-b"}, false, nil,
			func(p *policy.Parameters, x float64) { p.Inhibit = x }},
		{"moves", "moves", "number of moves of its cover to a well; 0 if the item can be passed without tracking", 3, true, byMoves, []string{"transposition", "displacement", "rotation"}, false, nil,
			func(p *policy.Parameters, x float64) { p.Follow = x }},
		{"tubes", "0 or 1", "passing requires taking tubes into account", 1, false, byGravity, []string{"tubes"}, false, []string{"tunnel"}, // straight on from a tunnel there may be a well
			func(p *policy.Parameters, x float64) { p.Tubes = x > 0 }},
		{"timing", "0 or 1", "passing requires taking travel times into account", 1, false, -1, []string{"tunnel"}, false, nil,
			func(p *policy.Parameters, x float64) { p.Timing = x > 0 }},
	}
}

// asks says how much of every ability an item asks for.
type asks struct {
	abilities []ability
	loads     []int // values of the features of the abilities; 0: the item does not ask for the ability
	steps     int   // number of steps of an agent that passes

	room  policy.Room
	agent policy.Agent
	world gridworld.World
	env   gridworld.Env
}

// find sets the fields of a to what a built draft asks for: the abilities without which an otherwise perfect agent
// fails. It returns false if they are not those of the paradigm, or if an agent that has just enough of them fails. A test
// must ask for its whole load, and items that are no tests for none.
func (a *asks) find(d *draft) bool {
	a.room.Enter(&d.world, d.places, policy.DefaultUnits())
	a.loads = a.loads[:0]
	for _, b := range a.abilities {
		lacking, load := 0.0, 1
		if b.graded {
			load = d.loadOf(b)
			lacking = float64(load) - 0.5
		}
		a.loads = append(a.loads, load*is(!a.passes(d, func(p *policy.Parameters) { b.give(p, lacking) })))
	}
	if !a.passes(d, a.justEnough) {
		return false
	}
	a.steps = a.agent.Demands().Steps
	for i, b := range a.abilities {
		test := is(!d.congruent && (d.occluder || b.always) && slices.Contains(b.tests, d.name))
		if a.loads[i] != d.loadOf(b)*test && !(slices.Contains(b.may, d.name) && d.occluder && !d.congruent) {
			return false
		}
	}
	return true
}

// loadOf returns how much of an ability a test asks for. Of an ability of other paradigms it is as much as of the first of
// its own.
func (p *point) loadOf(b ability) int {
	return p.loads[max(slices.Index(p.loadBy, b.load), 0)]
}

// justEnough limits the graded abilities of an agent to what the item asks for: it lacks those for which it does not ask.
func (a *asks) justEnough(p *policy.Parameters) {
	for i, b := range a.abilities {
		switch {
		case !b.graded:
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
	a.env = gridworld.Env{World: &a.world, Places: d.places}
	_, _ = sim.Run(context.Background(), &a.env, &a.agent, gridworld.Options{}) // the only possible error is that the agent leaves
	return a.world.Outcome() == gridworld.Finished
}
