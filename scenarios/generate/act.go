package generate

import (
	"fmt"

	"achilles/agents/embodied"
	"achilles/battery"
	"achilles/gridworld"
	"achilles/gridworld/policy"
)

// A worker has what one goroutine needs to let bodies act. The goroutine uses it for one trial after another.
type worker struct {
	item    battery.Item
	opened  gridworld.World // memory for the world in which a trial begins
	start   *gridworld.World
	room    policy.Room
	actor   embodied.Actor
	world   gridworld.World
	env     gridworld.Env // in world
	actions []gridworld.Action
	options gridworld.Options
	visit   visit
	number  int // of the body that took the last trial, among those of its subject
	past    policy.Past
}

func newWorker() *worker {
	w := &worker{}
	w.actor.Room, w.actor.Leaves = &w.room, true
	w.env.World, w.env.Skips = &w.world, true
	w.options.Record = func(now gridworld.Observation, a gridworld.Action) {
		w.visit.at(now.Self().Pos, now.Tick())
		w.stay(now.Tick())
		w.actions = append(w.actions, a)
	}
	return w
}

// stay notes that the actor has stayed at all ticks before this one at which it has done nothing else.
func (w *worker) stay(tick int) {
	for len(w.actions) < tick {
		w.actions = append(w.actions, gridworld.Stay)
	}
}

// enter makes w ready for a trial that begins in a world with these places. The world must not change until w is ready for another.
func (w *worker) enter(start *gridworld.World, places []gridworld.Pos) {
	w.start, w.env.Places = start, places
	w.room.Enter(start, places, policy.DefaultUnits())
	w.visit.enter(start, &w.room)
}

// open reads a trial of a battery, and makes w ready for it.
func (w *worker) open(items *battery.Items, at slot) error {
	items.Read(at.item, &w.item)
	if err := open(&w.opened, &w.item, at.trial); err != nil {
		return err
	}
	w.enter(&w.opened, w.item.Trials[at.trial].Places)
	return nil
}

// open makes w the world of a trial.
func open(w *gridworld.World, it *battery.Item, trial int) error {
	if err := it.Trials[trial].Read(w); err != nil {
		return fmt.Errorf("item %s, trial %d: %w", it.Name, trial, err)
	}
	allSteps(w)
	return nil
}

// allSteps computes all legal steps in w, so that the copies of w share them.
func allSteps(w *gridworld.World) { w.CanStep(w.Actor().Pos, gridworld.North) }

// choice returns where the body went in the last episode of w.
func (w *worker) choice() Choice { return w.visit.choice(&w.world) }

// passed reports whether the body passed the trial in the last episode of w.
func (w *worker) passed() bool { return w.world.Outcome() == gridworld.Finished }
