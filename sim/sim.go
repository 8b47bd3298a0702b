// Package sim has what every experiment is made of: an agent, an environment, and the loop in which the one acts in the
// other. The words are those of dm_env (Muldal et al. 2019) and Gymnasium (Towers et al. 2024).
package sim

import (
	"context"
	"errors"
)

// An Agent acts in episodes of environments in which observations are O and actions are A. It takes one episode after
// the other and is for one goroutine at a time.
type Agent[O, A any] interface {
	// Reset begins an episode, of which it is given the first observation. What the agent does from now on depends on
	// this episode alone: it forgets all others, whether they came to their end or not. An error means that the episode
	// does not take place.
	Reset(ctx context.Context, first O) error
	// Act decides on an action that is legal in the environment, given what can be observed now. It only reads the
	// observation, which is good until Act returns. An error ends the episode: that of the context, one that wraps
	// ErrLeft, or the agent's own.
	Act(ctx context.Context, now O) (A, error)
}

// An Ender is an Agent that is told how an episode ended.
type Ender[O any] interface {
	// End is given the last observation of an episode that came to its end, at which there is nothing more to do.
	End(ctx context.Context, last O) error
}

// ErrLeft is the error of an agent that does not go on with an episode: a person who leaves, or a policy that has given
// up and has nothing more to wait for.
var ErrLeft = errors.New("the agent has left")

// An Env is an environment in one episode, from its start on.
type Env[O, A any] interface {
	// Observe returns what can be observed now, good until the next Step, and whether the episode is over.
	Observe() (now O, done bool)
	// Step carries out an action, whatever it is.
	Step(action A)
}

// Options say how an episode is run. The zero Options leave its end to the environment and record nothing.
type Options[O, A any] struct {
	Limit  int                   // most actions; 0: as many as the environment wants
	Record func(now O, action A) // gets every action with what it answers, before it is carried out; may be nil
}

// Run lets an agent act in an environment until the episode is over. It is truncated where the limit came before the
// end that the environment makes. The error is that of the context, or of the agent; what was done until then stands.
func Run[O, A any](ctx context.Context, env Env[O, A], agent Agent[O, A], o Options[O, A]) (truncated bool, err error) {
	now, done := env.Observe()
	if err := agent.Reset(ctx, now); err != nil {
		return false, err
	}
	for n := 0; !done; n++ {
		if o.Limit > 0 && n == o.Limit {
			truncated = true
			break
		}
		if err := ctx.Err(); err != nil {
			return false, err
		}
		action, err := agent.Act(ctx, now)
		if err != nil {
			return false, err
		}
		if o.Record != nil {
			o.Record(now, action)
		}
		env.Step(action)
		now, done = env.Observe()
	}
	if e, ok := agent.(Ender[O]); ok {
		return truncated, e.End(ctx, now)
	}
	return truncated, nil
}
