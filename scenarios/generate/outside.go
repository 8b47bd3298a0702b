package generate

import (
	"cmp"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"

	"achilles/gridworld"
	"achilles/gridworld/policy"
	"achilles/scenarios/seal"
	"achilles/sim"
	"achilles/sim/rng"
)

// A Player is an agent outside this program that acts for one subject, in one trial after another. An error other than
// that of the context is fatal, unless it has a method Unscored() string. This method says why the episode cannot be
// scored; then the next trial can be taken. If the error also has a method Later() bool that returns true, the trial
// can be offered again in a later run: the journal does not store the episode, and the moves in it do not count.
type Player interface {
	gridworld.Agent
	io.Closer
}

// A Journal stores data under names that are valid file names, so that a stopped run can go on where it stopped.
type Journal interface {
	Get(name string) ([]byte, error) // nil if there is nothing under the name
	Put(name string, data []byte) error
}

var errNoOutside = errors.New("generate: a subject acts by a command, and nothing is there to start it")

// unscorable is the error of a Player whose episode cannot be scored.
type unscorable interface {
	error
	Unscored() string
}

// free reports whether a player is a program that was not confined: it could read what its user can.
func free(p any) bool {
	u, ok := p.(interface{ Unconfined() bool })
	return ok && u.Unconfined()
}

// later returns whether the trial can be offered again.
func later(err unscorable) bool {
	l, ok := err.(interface{ Later() bool })
	return ok && l.Later()
}

// command runs the program of one subject through all its trials or questions.
func (r *runner) command(ctx context.Context, subject int) error {
	return r.start(subject, func(take func(context.Context, turn) error) error {
		all := r.sequences.of(subject, r.slots(subject))
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
	p, err := r.Outside(spec)
	if err != nil {
		return fmt.Errorf("agent %s: %w", spec.Name, err)
	}
	take := func(ctx context.Context, t turn) error { return r.play(ctx, p, subject, t) }
	if r.questions != nil {
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

// played is the journal's record of an episode or an answer.
type played struct {
	Moves    string `json:"moves"`
	Unscored string `json:"unscored,omitempty"`
	Cause    string `json:"cause,omitempty"`
	Answer   string `json:"answer,omitempty"` // the answer to a question; empty for an episode
	Free     bool   `json:"not_confined,omitempty"`
}

// play gets an episode from the journal. If the journal does not have it, the player plays it, and play stores it in
// the journal.
func (r *runner) play(ctx context.Context, p Player, subject int, t turn) error {
	trial, rep := t.index/r.scenario.Repetitions, t.index%r.scenario.Repetitions
	at := r.trials[trial]
	it := r.out.Battery.Items.At(at.item)
	w := &gridworld.World{}
	if err := open(w, &it, at.trial); err != nil {
		return err
	}
	path := []string{r.out.Subjects[subject].Name, it.Name, strconv.Itoa(at.trial), strconv.Itoa(rep)}
	name := r.pieceName(path, t)
	done, err := r.recall(name)
	if err != nil {
		return err
	}
	again := false
	if done == nil {
		env := &gridworld.Env{
			Brief: it.Brief, World: w.Clone(), Places: it.Trials[at.trial].Places, Key: rng.NewKey(r.key.Seed("act", path...)),
			Number: t.number, Of: t.of,
		}
		r.waits(subject, t)
		if done, again, err = perform(ctx, env, p); err != nil {
			return err
		}
		done.Free = free(p)
		if err := r.remember(name, done, again); err != nil {
			return err
		}
	}
	return cmp.Or(r.settle(ctx, subject, trial, rep, w, done), r.absence(again))
}

// absence returns errAbsent if a trial of an item that was chosen can be offered again.
func (r *runner) absence(again bool) error {
	if again && r.choice != nil {
		return errAbsent
	}
	return nil
}

// waits calls Waiting if it is not nil.
func (r *runner) waits(subject int, t turn) {
	if r.Waiting != nil {
		r.Waiting(r.out.Subjects[subject].Name, t.number+1, t.of)
	}
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
	if _, err := sim.Run(ctx, &gridworld.Env{World: w}, &policy.Replay{Actions: actions}, gridworld.Options{}); err != nil && !errors.Is(err, sim.ErrLeft) {
		return err
	}
	cause := done.Cause
	if cause == "" && w.Outcome() != gridworld.Finished {
		cause = w.Outcome().String()
	}
	at := r.trials[trial]
	r.out.Episodes[r.acted[subject]+trial*r.scenario.Repetitions+rep] = Episode{
		Subject: subject, Item: at.item, Trial: at.trial, Repetition: rep, Moves: seal.EncodeMoves(actions), Cause: cause,
	}
	r.out.taken.set(subject, trial*r.scenario.Repetitions+rep, w.Outcome() == gridworld.Finished, done.Unscored)
	return nil
}

// unconfined notes in the session if a program that was not confined took a trial or answered.
func (r *runner) unconfined(done *played) {
	if done.Free {
		r.free.Store(true)
	}
}

// recall returns the journal's record of an episode or answer, or nil if it has none.
func (r *runner) recall(name string) (*played, error) {
	if r.Journal == nil {
		return nil, nil
	}
	data, err := r.Journal.Get(name)
	if err != nil || data == nil {
		return nil, err
	}
	p := new(played)
	if err := json.Unmarshal(data, p); err != nil {
		return nil, fmt.Errorf("journal: %w", err)
	}
	return p, nil
}

// remember stores an episode or answer in the journal, unless it can be offered again.
func (r *runner) remember(name string, p *played, again bool) error {
	if again || r.Journal == nil {
		return nil
	}
	data, err := json.Marshal(p)
	if err != nil {
		return err
	}
	return r.Journal.Put(name, data)
}

// pieceName returns the name of an episode or answer in the journal. It also depends on the scenario's text, the root seed,
// and the items that were chosen before.
func (r *runner) pieceName(path []string, t turn) string {
	parts := slices.Concat([]string{r.out.Scenario}, path, t.before)
	sum := r.key.Sum("journal", parts...)
	return hex.EncodeToString(sum[:16]) + ".json"
}
