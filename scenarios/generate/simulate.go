package generate

import (
	"cmp"
	"context"
	"errors"

	"achilles/agents"
	"achilles/scenarios/scenario"
)

// Run builds the battery and the subjects of a scenario. Every subject takes every item, or the items that are chosen for it, or
// responses are drawn from the layout of the battery. Responses that are drawn, or to chosen items, are in the session's
// Responses, sorted by subject, item and repetition, or by subject and position; All gives all. Scenes for observers are made
// later, when they are published. The error is a *conf.Error if the scenario is at fault, and that of the context if it was
// cancelled.
func Run(ctx context.Context, s *scenario.Scenario, c Config) (*Session, error) {
	if s.Battery.Layout != "" {
		return draw(ctx, s, c)
	}
	r, err := newRunner(ctx, s, c)
	if err != nil {
		return nil, err
	}
	if r.choice != nil {
		if err := r.learnInChosenOrder(ctx); err != nil {
			return nil, err
		}
	}
	if err := r.rememberOutcomes(ctx); err != nil {
		return nil, err
	}
	each(ctx, r.pieces(), c, func(i int) { r.do(ctx, i) })
	if err := cmp.Or(ctx.Err(), r.firstError()); err != nil {
		return nil, err
	}
	if why := r.out.Battery.Items.Err(); why != nil && c.Warn != nil {
		c.Warn(why)
	}
	if r.acting.told == nil {
		r.out.taken.goBack(&r.out.Battery)
	}
	for _, subject := range r.collectives {
		if err := r.vote(subject); err != nil {
			return nil, err
		}
	}
	if r.choice != nil {
		err = r.choose(ctx, everybody)
	}
	r.out.NotConfined = r.free.Load()
	return r.out, cmp.Or(ctx.Err(), err)
}

// draw builds the battery and the subjects of a scenario, and draws the responses from a layout.
func draw(ctx context.Context, s *scenario.Scenario, c Config) (*Session, error) {
	out, err := newSession(ctx, s, c)
	if err != nil {
		return nil, err
	}
	if len(out.Subjects)*out.Battery.Items.Len()*s.Repetitions > maxResponses {
		return nil, s.TooMany(maxResponses)
	}
	if c.Draw == nil {
		return nil, s.LayoutFault(errNoDraw)
	}
	choice, err := out.beginChoice(c)
	if err != nil {
		return nil, s.ChoiceFault(err)
	}
	if err := c.Draw(ctx, out); err != nil {
		return nil, cmp.Or(ctx.Err(), s.LayoutFault(err))
	}
	if choice != nil {
		err = out.choose(ctx, c, choice, everybody, out.given())
	}
	return out, cmp.Or(ctx.Err(), err)
}

var errNoDraw = errors.New("nothing here draws responses from a layout")

// pieces returns the number of pieces of work.
func (r *runner) pieces() int {
	n := len(r.rules) + len(r.commands)
	if len(r.acting.bodies) > 0 && r.acting.told == nil {
		n += len(r.assignment.trials)
	}
	return n
}

// do runs piece i. The first pieces are the programs, which take longest; then come rules and solvers, then trials.
func (r *runner) do(ctx context.Context, i int) {
	switch k := i - len(r.commands); {
	case k < 0:
		r.failed.note(i, r.command(ctx, r.commands[i]))
	case k < len(r.rules):
		r.failed.note(i, r.rule(r.rules[k]))
	default:
		r.failed.note(i, r.trial(ctx, k-len(r.rules)))
	}
}

func (r *runner) firstError() error {
	if r.failed.err == nil {
		return nil
	}
	return r.scenario.Place(r.failed.err)
}

// rule sets the responses of one subject with rules or a solver.
func (r *runner) rule(subject int) error {
	if r.out.Subjects[subject].Solver != nil {
		r.quiz.solve(subject)
		return nil
	}
	a, err := agents.Compile(&r.out.Subjects[subject], r.items)
	if err != nil {
		return err
	}
	n := r.out.Battery.Items.Len() * r.scenario.Repetitions
	for k := range n {
		r.out.taken.set(subject, k, a.Succeeds(r.out.Root, k/r.scenario.Repetitions, k%r.scenario.Repetitions), "", Choice{})
	}
	r.quiz.invent(subject)
	return nil
}

// trial lets every body act in trial k, once for each repetition, and records whether it passes.
func (r *runner) trial(ctx context.Context, k int) error {
	w := r.workers.Get().(*worker)
	defer r.workers.Put(w)
	if err := w.open(&r.out.Battery.Items, r.assignment.trials[k]); err != nil {
		return err
	}
	for i := range r.acting.bodies {
		for rep := range r.scenario.Repetitions {
			if err := r.acting.episode(ctx, w, i, k, rep); err != nil {
				return err
			}
			r.out.taken.set(r.acting.bodies[i].subject, k*r.scenario.Repetitions+rep, w.passed(), "", w.choice())
		}
	}
	return nil
}
