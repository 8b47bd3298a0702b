package generate

import (
	"context"
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
	world   gridworld.World
	actions []gridworld.Action
	options gridworld.Options
}

func newWorker() *worker {
	w := &worker{}
	w.actor.Room = &w.room
	w.options.Record = func(_ gridworld.Observation, a gridworld.Action) { w.actions = append(w.actions, a) }
	return w
}

// trial opens trial k and lets every body act in it, once for each repetition.
func (r *runner) trial(ctx context.Context, k int) error {
	s := r.workers.Get().(*worker)
	defer r.workers.Put(s)
	at := r.trials[k]
	it := &r.out.Battery.Items[at.item]
	w, err := open(it, at.trial)
	if err != nil {
		return err
	}
	env := gridworld.Env{World: &s.world, Places: it.Trials[at.trial].Places}
	s.room.Enter(w, env.Places, policy.DefaultUnits())
	for b, subject := range r.bodies {
		s.actor.Disposition = r.embodied[b].Taking(at.item)
		for rep := range r.scenario.Repetitions {
			s.world.CopyFrom(w)
			s.actions = s.actions[:0]
			env.Key = rng.NewKey(r.out.Root, "episode", r.out.Subjects[subject].Name, it.Name, strconv.Itoa(at.trial), strconv.Itoa(rep))
			if _, err := sim.Run(ctx, &env, &s.actor, s.options); err != nil {
				return err
			}
			episode := r.keep(subject, k, rep, s.actions, &s.world, s.actor.Cause(&s.world).String())
			episode.Eyes, episode.Beliefs = seal.EncodeEyes(s.actor.Sight()), seal.EncodeBeliefs(s.actor.Beliefs.List())
		}
	}
	return nil
}

func open(it *battery.Item, trial int) (*gridworld.World, error) {
	w, err := it.Trials[trial].Open()
	if err != nil {
		return nil, fmt.Errorf("item %s, trial %d: %w", it.Name, trial, err)
	}
	w.CanStep(w.Actor().Pos, gridworld.North) // CanStep computes all legal steps, so that the copies of w share them
	return w, nil
}

// keep records an episode that ended in w, and its response: 1 if the trial was passed, else 0. It returns the episode.
func (r *runner) keep(subject, trial, repetition int, actions []gridworld.Action, w *gridworld.World, cause string) *Episode {
	at, k := r.trials[trial], trial*r.scenario.Repetitions+repetition
	episode := &r.out.Episodes[r.acted[subject]+k]
	*episode = Episode{
		Subject: subject, Item: at.item, Trial: at.trial, Repetition: repetition, Moves: seal.EncodeMoves(actions), Cause: cause,
	}
	response := Response{Subject: subject, Item: at.item, Trial: at.trial, Repetition: repetition}
	if w.Outcome() == gridworld.Finished {
		response.Value = 1
	}
	r.out.Responses[r.first[subject]+k] = response
	return episode
}
