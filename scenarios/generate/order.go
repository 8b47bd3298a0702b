package generate

import (
	"cmp"
	"slices"
	"strconv"

	"achilles/sim/rng"
)

// A presentation is one trial as a subject takes it.
type presentation struct {
	index      int    // of its response, from the subject's first
	draw       uint64 // of the item and the repetition, which are taken together
	item       int    // in the session
	repetition int
	trial      int // public
}

// sequence lists what a subject takes in the order in which it does. The items, each as often as it is repeated, are in
// random order; the trials of an item follow in the order in which the public part has them. The place of two items to
// each other depends on nobody else and on no other item.
func (r *runner) sequence(subject int) []presentation {
	name := r.out.Subjects[subject].Name
	seed := r.id.key.Seed("order", name)
	all := make([]presentation, 0, len(r.slots(subject))*r.scenario.Repetitions)
	for k, at := range r.slots(subject) {
		for rep := range r.scenario.Repetitions {
			draw := rng.Stream(seed, r.out.Battery.Items[at.item].Name, strconv.Itoa(rep))
			all = append(all, presentation{k*r.scenario.Repetitions + rep, draw.Uint64(), at.item, rep, r.id.publicTrial(at.item, at.trial)})
		}
	}
	slices.SortFunc(all, func(a, b presentation) int {
		return cmp.Or(cmp.Compare(a.draw, b.draw), a.item-b.item, a.repetition-b.repetition, a.trial-b.trial)
	})
	return all
}

// slots are the trials that a subject takes: one of every item where it takes items as a whole, else all that can be acted in.
func (r *runner) slots(subject int) []slot {
	if r.takesItems(&r.out.Subjects[subject]) {
		return r.whole
	}
	return r.trials
}

// number fills in the positions of the responses of a subject in its sequence.
func (r *runner) number(subject int) {
	for k, p := range r.sequence(subject) {
		r.out.Responses[r.first[subject]+p.index].Position = k + 1
	}
}
