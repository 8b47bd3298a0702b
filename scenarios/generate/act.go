package generate

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"achilles/agents/embodied"
	"achilles/battery"
	"achilles/gridworld"
	"achilles/gridworld/policy"
	"achilles/scenarios/seal"
	"achilles/sim"
	"achilles/sim/rng"
)

// A worker has what one goroutine needs to run trials of bodies. The goroutine uses it for one trial after another.
type worker struct {
	room    policy.Room
	actor   embodied.Actor
	item    battery.Item
	start   gridworld.World // of the trial
	world   gridworld.World
	actions []gridworld.Action
	options gridworld.Options
	packer  packer
}

func newWorker() *worker {
	w := &worker{}
	w.actor.Room, w.actor.Leaves = &w.room, true
	w.options.Record = func(now gridworld.Observation, a gridworld.Action) {
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

// trial opens trial k and lets every body act in it, once for each repetition.
func (r *runner) trial(ctx context.Context, k int) error {
	s := r.workers.Get().(*worker)
	defer r.workers.Put(s)
	at, it := r.trials[k], &s.item
	r.out.Battery.Items.Read(at.item, it)
	w := &s.start
	if err := open(w, it, at.trial); err != nil {
		return err
	}
	env := gridworld.Env{World: &s.world, Places: it.Trials[at.trial].Places, Skips: true}
	s.room.Enter(w, env.Places, policy.DefaultUnits())
	s.packer.plain.Reset() // a trial that failed may have left episodes
	for b, subject := range r.bodies {
		for rep := range r.scenario.Repetitions {
			s.world.CopyFrom(w)
			if err := r.episode(ctx, s, &env, b, k, rep); err != nil {
				return err
			}
			r.out.taken.set(subject, k*r.scenario.Repetitions+rep, s.world.Outcome() == gridworld.Finished, "")
			s.packer.add(&Episode{
				Subject: subject, Repetition: rep, Moves: seal.EncodeMoves(s.actions), Cause: s.actor.Cause(&s.world).String(),
				Eyes: seal.EncodeEyes(s.actor.Sight()), Beliefs: seal.EncodeBeliefs(s.actor.Beliefs.List()),
			})
		}
	}
	r.out.packed.at[k] = r.out.packed.packed.Put(s.packer.pack())
	return nil
}

// episode lets a body, given by its index in r.bodies, act in trial k, whose world s and env have. Ticks at which the body is held or has
// given up, and nothing changes, are passed over.
func (r *runner) episode(ctx context.Context, s *worker, env *gridworld.Env, body, k, rep int) error {
	at, name := r.trials[k], r.out.Subjects[r.bodies[body]].Name
	s.actor.Disposition = r.embodied[body].Taking(at.item)
	if order := r.order[body]; order != nil {
		s.actor.Disposition = s.actor.Disposition.At(int(order[k*r.scenario.Repetitions+rep]))
	}
	s.actions = s.actions[:0]
	env.Key = rng.NewKey(r.out.Root, "episode", name, r.out.Battery.Items.Name(at.item), strconv.Itoa(at.trial), strconv.Itoa(rep))
	_, err := sim.Run(ctx, env, &s.actor, s.options)
	if errors.Is(err, sim.ErrLeft) { // the body stays where it is, and nothing happens to it any more
		s.world.Expire()
		err = nil
	}
	s.stay(s.world.Tick())
	return err
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
