package generate

import (
	"context"
	"errors"
	"slices"
	"strconv"

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
