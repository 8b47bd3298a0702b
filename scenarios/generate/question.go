package generate

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"achilles/agents"
	"achilles/battery"
	"achilles/sim/rng"
)

// A question is an item that asks a question, with the options for the answer.
type question struct {
	text    string
	options []string
	right   int // index of the right option
}

// questionsOf returns the questions of all items. It returns none if any item is not a question.
func questionsOf(b *battery.Battery) (list []question) {
	for i, it := range b.Items.All() {
		text, options, ok := b.Question(i)
		if !ok {
			return nil
		}
		list = append(list, question{text, options, slices.Index(options, it.Answer)})
	}
	return list
}

// A quiz has the answers of subjects to questions.
type quiz struct {
	*taken
	root      uint64
	questions []question // by item; nil if the items are not questions
	answers   []int      // by response: the index of an option, or noAnswer
}

// noAnswer stands for the answer of a subject that chose none of the question's options.
const noAnswer = -1

// solve lets a solver answer all items. If it finds no answer, the response is wrong.
func (z *quiz) solve(subject int) {
	spec := &z.subjects[subject]
	for item, q := range z.questions {
		for rep := range z.repetitions {
			draw := z.stream(subject, item, rep)
			z.settle(subject, item, rep, spec.Solver.Answer(q.text, q.options, &draw), "")
		}
	}
}

// settle records the answer of a subject: the index of an option, or noAnswer, and why it is not scored, if so.
func (z *quiz) settle(subject, item, rep, answer int, reason string) {
	k := item*z.repetitions + rep
	z.set(subject, k, answer == z.questions[item].right, reason, Choice{})
	z.answers[z.index(subject, k)] = answer
}

// stream returns the random stream for one answer of a subject.
func (z *quiz) stream(subject, item, rep int) rng.Rand {
	return rng.Stream(z.root, "answer", z.subjects[subject].Name, z.items.Name(item), strconv.Itoa(rep))
}

// invent draws the answers of a subject with rules. Rules only decide whether the response is right. If it is
// right, the answer is the right option; if not, it is any other option with equal probability.
func (z *quiz) invent(subject int) {
	if z.questions == nil {
		return
	}
	for item, q := range z.questions {
		for rep := range z.repetitions {
			k := z.index(subject, item*z.repetitions+rep)
			if z.answers[k] = q.right; z.outcome[k] == passed {
				continue
			}
			draw := z.stream(subject, item, rep)
			if z.answers[k] = draw.IntN(len(q.options) - 1); z.answers[k] >= q.right {
				z.answers[k]++
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
	it, q := r.out.Battery.Items.At(item), &r.quiz.questions[item]
	path := []string{r.out.Subjects[subject].Name, it.Name, "answer", strconv.Itoa(rep)}
	name := r.notebook.name(r.asTold(subject, path), t)
	done, err := r.notebook.recall(name)
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
