// Package sim has the parts of every experiment: an agent, an environment, and the loop in which the agent acts in the
// environment. The words are those of dm_env (Muldal et al. 2019) and Gymnasium (Towers et al. 2024).
package sim

import (
	"context"
	"errors"
)

// An Agent acts in episodes of environments with observations O and actions A. It acts in one episode after another, in
// one goroutine at a time.
type Agent[O, A any] interface {
	// Reset begins an episode with its first observation. From now on the agent's behaviour depends on this episode
	// alone: it forgets all others, finished or not. After an error the episode does not take place.
	Reset(ctx context.Context, first O) error
	// Act returns an action that is legal in the environment, given the present observation. It must not change the
	// observation, which is valid until Act returns. An error ends the episode: the context's, one that wraps ErrLeft,
	// or the agent's own.
	Act(ctx context.Context, now O) (A, error)
}

// An Ender is an Agent that is told how its episodes end.
type Ender[O any] interface {
	// End receives the last observation of an episode that was over or truncated.
	End(ctx context.Context, last O) error
}

// ErrLeft means that the agent does not go on with an episode: a person who leaves, or a policy that has given up and
// has nothing to wait for.
var ErrLeft = errors.New("the agent has left")

// An Env is an environment in one episode.
type Env[O, A any] interface {
	// Observe returns what can be observed now, valid until the next Step, and whether the episode is over.
	Observe() (now O, done bool)
	// Step carries out an action, legal or not.
	Step(action A)
}

// Options control an episode. The zero Options set no limit and record nothing.
type Options[O, A any] struct {
	Limit  int                   // largest number of actions; 0: no limit
	Record func(now O, action A) // called with every observation and the action that answers it, before the action is carried out; may be nil
}

// Run lets an agent act in an environment until the episode is over. truncated is true if o.Limit ended the episode
// first. The error is that of the context or of the agent; the actions carried out before it remain.
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
