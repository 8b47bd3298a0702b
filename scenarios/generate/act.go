package generate

import (
	"fmt"
	"strconv"

	"achilles/agents/embodied"
	"achilles/battery"
	"achilles/gridworld"
	"achilles/scenarios/seal"
	"achilles/sim/rng"
)

// A stage is what one goroutine needs to let bodies act, used again for every trial.
type stage struct {
	room    embodied.Room
	actor   embodied.Actor
	world   gridworld.World
	actions []gridworld.Action
}

// trial opens one trial and lets every body take it, as often as the scenario says.
func (r *runner) trial(k int) error {
	s := r.stages.Get().(*stage)
	defer r.stages.Put(s)
	at := r.trials[k]
	it := &r.out.Battery.Items[at.item]
	w, err := open(it, at.trial)
	if err != nil {
		return err
	}
	s.room.Enter(w, it.Trials[at.trial].Places, embodied.DefaultUnits())
	for b, subject := range r.bodies {
		policy := r.embodied[b].Policy(at.item)
		for rep := range r.scenario.Repetitions {
			draws := rng.Stream(r.out.Root, "episode", r.out.Subjects[subject].Name, it.Name, strconv.Itoa(at.trial), strconv.Itoa(rep))
			s.world.CopyFrom(w)
			s.actor.Begin(policy, &s.room, draws)
			var cause embodied.Cause
			s.actions, cause = s.actor.Play(&s.world, s.actions[:0])
			episode := r.keep(subject, k, rep, s.actions, &s.world, cause.String())
			episode.Eyes, episode.Beliefs = seal.EncodeEyes(s.actor.Eyes()), seal.EncodeBeliefs(s.actor.Beliefs())
		}
	}
	return nil
}

func open(it *battery.Item, trial int) (*gridworld.World, error) {
	w, err := it.Trials[trial].Open()
	if err != nil {
		return nil, fmt.Errorf("item %s, trial %d: %w", it.Name, trial, err)
	}
	w.CanStep(w.Actor().Pos, gridworld.North) // it works out all legal steps, once for all copies
	return w, nil
}

// keep records an episode that ended in w, and returns the record.
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
