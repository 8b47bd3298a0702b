package gridworld

import (
	"achilles/sim"
	"achilles/sim/rng"
)

// An Agent is a sim.Agent that acts in an Env.
type Agent = sim.Agent[Observation, Action]

// Options say how an episode in an Env is run.
type Options = sim.Options[Observation, Action]

// An Env is one episode in a World: the environment in which sim.Run lets an agent act. Its episode is over when the
// World has an outcome.
type Env struct {
	World  *World  // the present state; every step changes it
	Brief  string  // what the agent is told, in one line
	Places []Pos   // cells in which a reward could lie; must not change
	Key    rng.Key // key of the agent's random choices in this episode; it differs between episodes and is the same in every run
	Number int     // number of this episode, from 0, among the agent's Of episodes
	Of     int
	Skips  bool // Step passes over ticks at which the actor is held and nothing changes

	Happened []Event // events of the last step; valid until the next
}

var _ sim.Env[Observation, Action] = (*Env)(nil)

// Observe returns what can be observed now, and whether the episode is over.
func (e *Env) Observe() (Observation, bool) { return Observation{e}, e.World.outcome != Running }

// Step carries out an action.
func (e *Env) Step(a Action) {
	if e.Skips && e.World.outcome == Running {
		e.World.rest(e.World.rules.Limit)
	}
	e.Happened = e.World.Step(a)
}

// An Observation is what can be observed in an Env at one tick; it is valid until the next step. The state of the world
// can be seen only through a Viewer, which says how well the agent sees. Every agent knows the rest.
type Observation struct{ env *Env }

// View fills v with what a viewer sees, as World.View does.
func (o Observation) View(viewer Viewer, v *View) { o.env.World.View(viewer, v) }

// Layout sets w to the cells and rules of the world, without its actor, things and schedule (World.CopyLayout): what an
// agent knows in advance.
func (o Observation) Layout(w *World) { w.CopyLayout(o.env.World) }

// Rules returns the rules of the world.
func (o Observation) Rules() Rules { return o.env.World.rules }

// Tick returns the number of steps taken.
func (o Observation) Tick() int { return o.env.World.tick }

// Self returns the position and the heading of the agent.
func (o Observation) Self() Actor { return o.env.World.actor }

// Dark says whether the lights are out.
func (o Observation) Dark() bool { return o.env.World.Dark() }

// Frozen says whether an action at this tick will have no effect.
func (o Observation) Frozen() bool { return o.env.World.Frozen() }

// Outcome says whether and how the episode ended.
func (o Observation) Outcome() Outcome { return o.env.World.outcome }

// Brief returns what the agent is told, in one line.
func (o Observation) Brief() string { return o.env.Brief }

// Places returns the cells in which a reward could lie. They must not be changed.
func (o Observation) Places() []Pos { return o.env.Places }

// Key returns the key of the agent's random choices in this episode.
func (o Observation) Key() rng.Key { return o.env.Key }

// Number returns the number of this episode, from 0, and how many episodes the agent has.
func (o Observation) Number() (number, of int) { return o.env.Number, o.env.Of }
