package generate

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"achilles/agents"
	"achilles/sim/rng"
)

// A question is an item that asks a question, with the options for the answer.
type question struct {
	text    string
	options []string
	right   int // index of the right option
}

// listQuestions lists the questions of all items. It lists none if any item is not a question.
func (r *runner) listQuestions() {
	b := &r.out.Battery
	for i, it := range b.Items.All() {
		text, options, ok := b.Question(i)
		if !ok {
			r.questions = nil
			return
		}
		r.questions = append(r.questions, question{text, options, slices.Index(options, it.Answer)})
	}
}

// takesItems returns whether a subject responds to items as a whole. Other subjects act in the trials of items.
func (r *runner) takesItems(spec *agents.Spec) bool {
	switch {
	case spec.Collective != nil:
		return !slices.ContainsFunc(spec.Collective.Members, func(name string) bool {
			m := r.subject(name)
			return m >= 0 && !r.takesItems(&r.out.Subjects[m])
		})
	case len(spec.Command) > 0:
		return r.questions != nil
	}
	return len(spec.Rule) > 0 || spec.Solver != nil
}

// takes returns the number of items or trials that a subject takes, without repetitions.
func (r *runner) takes(spec *agents.Spec) int {
	if r.takesItems(spec) {
		return r.out.Battery.Items.Len()
	}
	return len(r.trials)
}

// noAnswer stands for the answer of a subject that chose none of the question's options.
const noAnswer = -1

// solve lets a solver answer all items. If it finds no answer, the response is wrong.
func (r *runner) solve(subject int) {
	spec := &r.out.Subjects[subject]
	for item, q := range r.questions {
		for rep := range r.scenario.Repetitions {
			draw := r.answerStream(subject, item, rep)
			r.settleAnswer(subject, item, rep, spec.Solver.Answer(q.text, q.options, &draw), "")
		}
	}
}

// settleAnswer records the answer of a subject: the index of an option, or noAnswer, and why it is not scored, if so.
func (r *runner) settleAnswer(subject, item, rep, answer int, reason string) {
	k := item*r.scenario.Repetitions + rep
	r.out.taken.set(subject, k, answer == r.questions[item].right, reason)
	r.answers[r.first[subject]+k] = answer
}

// answerStream returns the random stream for one answer of a subject.
func (r *runner) answerStream(subject, item, rep int) rng.Rand {
	return rng.Stream(r.out.Root, "answer", r.out.Subjects[subject].Name, r.out.Battery.Items.Name(item), strconv.Itoa(rep))
}

// inventAnswers draws the answers of a subject with rules. Rules only decide whether the response is right. If it is
// right, the answer is the right option; if not, it is any other option with equal probability.
func (r *runner) inventAnswers(subject int) {
	if r.questions == nil {
		return
	}
	for item, q := range r.questions {
		for rep := range r.scenario.Repetitions {
			k := r.first[subject] + item*r.scenario.Repetitions + rep
			if r.answers[k] = q.right; r.out.taken.outcome[k] == passed {
				continue
			}
			draw := r.answerStream(subject, item, rep)
			if r.answers[k] = draw.IntN(len(q.options) - 1); r.answers[k] >= q.right {
				r.answers[k]++
			}
		}
	}
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
	it, q := r.out.Battery.Items.At(item), &r.questions[item]
	path := []string{r.out.Subjects[subject].Name, it.Name, "answer", strconv.Itoa(rep)}
	name := r.pieceName(path, t)
	done, err := r.recall(name)
	if err != nil {
		return err
	}
	again := false
	if done == nil {
		r.waits(subject, t)
		option, err := a.Answer(ctx, agents.Question{
			Brief: it.Brief, Text: q.text, Options: q.options, Seed: uint32(r.key.Seed("ask", path...)),
			Number: t.number, Of: t.of,
		})
		if done, again, err = answered(ctx, q, option, err); err != nil {
			return err
		}
		done.Free = free(a)
		if err := r.remember(name, done, again); err != nil {
			return err
		}
	}
	r.unconfined(done)
	option := noAnswer
	if done.Unscored == "" {
		if option = slices.Index(q.options, done.Answer); option < 0 {
			return fmt.Errorf("journal: item %s: %q is no option", it.Name, done.Answer)
		}
	}
	r.settleAnswer(subject, item, rep, option, done.Unscored)
	return r.absence(again)
}

// answered returns the journal's record of an answer. again is true if the question can be asked again.
func answered(ctx context.Context, q *question, option int, err error) (done *played, again bool, _ error) {
	var u unscorable
	switch {
	case ctx.Err() != nil:
		return nil, false, ctx.Err()
	case errors.As(err, &u):
		return &played{Unscored: u.Unscored(), Cause: u.Error()}, later(u), nil
	case err != nil:
		return nil, false, err
	}
	return &played{Answer: q.options[option]}, false, nil
}
