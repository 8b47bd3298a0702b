package generate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"achilles/agents"
	"achilles/gridworld"
	"achilles/gridworld/policy"
	"achilles/scenarios/seal"
	"achilles/sim"
	"achilles/sim/rng"
)

// command runs the program of one subject through all its trials or questions.
func (r *runner) command(ctx context.Context, subject int) error {
	return r.start(subject, func(take func(context.Context, turn) error) error {
		all := r.sequences.of(subject, r.assignment.slots(subject))
		for number, x := range all {
			if err := take(ctx, turn{index: int(x.index), number: number, of: len(all)}); err != nil {
				return err
			}
		}
		return nil
	})
}

// start starts the program of a subject, calls use with the function that lets the program take a trial or a question, and
// ends the program.
func (r *runner) start(subject int, use func(take func(context.Context, turn) error) error) error {
	spec := &r.out.Subjects[subject]
	p, err := r.Outside(spec, r.Journal)
	if err != nil {
		return fmt.Errorf("agent %s: %w", spec.Name, err)
	}
	take := func(ctx context.Context, t turn) error { return r.play(ctx, p, subject, t) }
	if r.quiz.questions != nil {
		a, ok := p.(answerer)
		if !ok {
			return errors.Join(fmt.Errorf("agent %s: it acts, and does not answer questions", spec.Name), p.Close())
		}
		take = func(ctx context.Context, t turn) error { return r.ask(ctx, a, subject, t) }
	}
	if err := use(take); err != nil {
		return errors.Join(fmt.Errorf("agent %s: %w", spec.Name, err), p.Close())
	}
	return p.Close()
}

// play gets an episode from the journal. If the journal does not have it, the player plays it, and play stores it in
// the journal.
func (r *runner) play(ctx context.Context, p Player, subject int, t turn) error {
	trial, rep := t.index/r.scenario.Repetitions, t.index%r.scenario.Repetitions
	at := r.assignment.trials[trial]
	it := r.out.Battery.Items.At(at.item)
	w := &gridworld.World{}
	if err := open(w, &it, at.trial); err != nil {
		return err
	}
	path := []string{r.out.Subjects[subject].Name, it.Name, strconv.Itoa(at.trial), strconv.Itoa(rep)}
	name := r.notebook.name(r.asTold(subject, path), t)
	done, err := r.notebook.recall(name)
	if err != nil {
		return err
	}
	again := false
	if done == nil {
		env := &gridworld.Env{
			Brief: it.Brief, World: w.Clone(), Places: it.Trials[at.trial].Places, Key: rng.NewKey(r.key.Seed("act", path...)),
			Number: t.number, Of: t.of,
		}
		over := r.waits(subject, t)
		done, again, err = perform(ctx, env, p)
		if over(); err != nil {
			return err
		}
		done.Free, done.Calls = free(p), calls(p)
		if err := r.notebook.remember(name, done, again); err != nil {
			return err
		}
	}
	r.blame(subject, done, again)
	return cmp.Or(r.settle(ctx, subject, trial, rep, w, done), r.absence(again))
}

// blame calls Failed, if it is not nil, for what has no score and is not offered again.
func (r *runner) blame(subject int, done *played, again bool) {
	if r.Failed != nil && done.Unscored != "" && !again {
		r.Failed(r.out.Subjects[subject].Name, done.Cause)
	}
}

// absence returns errAbsent if a trial of an item that was chosen can be offered again.
func (r *runner) absence(again bool) error {
	if again && r.choice != nil {
		return errAbsent
	}
	return nil
}

// waits calls Waiting if it is not nil, and returns what is to be called when the wait is over.
func (r *runner) waits(subject int, t turn) (over func()) {
	if r.Waiting == nil {
		return func() {}
	}
	return r.Waiting(r.out.Subjects[subject].Name, t.number+1, t.of)
}

// perform lets a player play a trial. again is true if the trial can be offered again.
func perform(ctx context.Context, env *gridworld.Env, p Player) (done *played, again bool, err error) {
	var actions []gridworld.Action
	_, err = sim.Run(ctx, env, p, gridworld.Options{
		Record: func(_ gridworld.Observation, a gridworld.Action) { actions = append(actions, a) },
	})
	var u unscorable
	switch {
	case ctx.Err() != nil:
		return nil, false, ctx.Err()
	case errors.As(err, &u) && later(u):
		return &played{Unscored: u.Unscored(), Cause: u.Error()}, true, nil
	case u != nil:
		return &played{Moves: seal.EncodeMoves(actions), Unscored: u.Unscored(), Cause: u.Error()}, false, nil
	}
	return &played{Moves: seal.EncodeMoves(actions)}, false, err
}

// settle replays the moves of a program in w, and records the episode and the response.
func (r *runner) settle(ctx context.Context, subject, trial, rep int, w *gridworld.World, done *played) error {
	r.unconfined(done)
	actions, err := seal.DecodeMoves(nil, done.Moves)
	if err != nil {
		return err
	}
	worker := r.workers.Get().(*worker)
	defer r.workers.Put(worker)
	it := r.out.Battery.Items.At(r.assignment.trials[trial].item)
	worker.enter(w, it.Trials[r.assignment.trials[trial].trial].Places)
	visit := &worker.visit
	visit.begin()
	note := gridworld.Options{Record: func(now gridworld.Observation, _ gridworld.Action) { visit.at(now.Self().Pos, now.Tick()) }}
	if _, err := sim.Run(ctx, &gridworld.Env{World: w}, &policy.Replay{Actions: actions}, note); err != nil && !errors.Is(err, sim.ErrLeft) {
		return err
	}
	cause := done.Cause
	if cause == "" && w.Outcome() != gridworld.Finished {
		cause = w.Outcome().String()
	}
	at := r.assignment.trials[trial]
	r.called(done, Called{Subject: subject, Item: at.item, Trial: at.trial, Repetition: rep})
	r.out.Episodes[r.acted[subject]+trial*r.scenario.Repetitions+rep] = Episode{
		Subject: subject, Item: at.item, Trial: at.trial, Repetition: rep, Moves: seal.EncodeMoves(actions), Cause: cause,
	}
	r.out.taken.set(subject, trial*r.scenario.Repetitions+rep, w.Outcome() == gridworld.Finished, done.Unscored, visit.choice(w))
	return nil
}

// unconfined notes in the session if a program that was not confined took a trial or answered.
func (r *runner) unconfined(done *played) {
	if done.Free {
		r.free.Store(true)
	}
}

// called notes in the session what a language model was asked in a trial or a question.
func (r *runner) called(done *played, at Called) {
	if done.Calls == nil {
		return
	}
	at.Calls = *done.Calls
	r.calls.Lock()
	defer r.calls.Unlock()
	r.out.Calls = append(r.out.Calls, at)
}

// asTold returns the name of a trial, and behind it what the subject is told besides what is in the scenario.
func (r *runner) asTold(subject int, path []string) []string {
	if m := r.out.Subjects[subject].Model; m != nil && m.Instructions != "" {
		return append(slices.Clip(path), m.Instructions)
	}
	return path
}

// An answerer is a Player that can answer questions.
type answerer interface {
	// Answer returns the index of an option. Its errors are like those of a Player.
	Answer(ctx context.Context, q agents.Question) (option int, err error)
}

// ask gets an answer from the journal. If the journal does not have it, ask asks the program, and stores the answer in the
// journal.
func (r *runner) ask(ctx context.Context, a answerer, subject int, t turn) error {
	item, rep := t.index/r.scenario.Repetitions, t.index%r.scenario.Repetitions
	it, q := r.out.Battery.Items.At(item), &r.quiz.questions[item]
	path := []string{r.out.Subjects[subject].Name, it.Name, "answer", strconv.Itoa(rep)}
	name := r.notebook.name(r.asTold(subject, path), t)
	done, err := r.notebook.recall(name)
	if err != nil {
		return err
	}
	again := false
	if done == nil {
		over := r.waits(subject, t)
		option, err := a.Answer(ctx, agents.Question{
			Brief: it.Brief, Text: q.text, Options: q.options, Seed: uint32(r.key.Seed("ask", path...)),
			Number: t.number, Of: t.of,
		})
		over()
		if done, again, err = answered(ctx, q, option, err); err != nil {
			return err
		}
		done.Free, done.Calls = free(a), calls(a)
		if err := r.notebook.remember(name, done, again); err != nil {
			return err
		}
	}
	r.unconfined(done)
	r.blame(subject, done, again)
	r.called(done, Called{Subject: subject, Item: item, Repetition: rep})
	option := noAnswer
	if done.Unscored == "" {
		if option = slices.Index(q.options, done.Answer); option < 0 {
			return fmt.Errorf("journal: item %s: %q is not an option", it.Name, done.Answer)
		}
	}
	r.quiz.settle(subject, item, rep, option, done.Unscored)
	return r.absence(again)
}
