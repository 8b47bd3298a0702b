package generate

import (
	"cmp"
	"slices"
	"strconv"

	"achilles/sim/rng"
)

// A presentation is one trial in the sequence that a subject takes.
type presentation struct {
	index      int    // index of its response among the subject's responses
	draw       uint64 // random key of the item and repetition, by which the sequence is sorted
	item       int    // index in the session
	repetition int
	trial      int // public number of the trial
}

// sequence returns the trials of a subject in the order in which it takes them. The repetitions of all items are in
// random order; the trials of one repetition follow each other in their public order. Which of two items comes first
// depends neither on other items nor on other subjects.
func (r *runner) sequence(subject int) []presentation {
	name := r.out.Subjects[subject].Name
	seed := r.id.key.Seed("order", name)
	all := make([]presentation, 0, len(r.slots(subject))*r.scenario.Repetitions)
	for k, at := range r.slots(subject) {
		for rep := range r.scenario.Repetitions {
			draw := rng.Stream(seed, r.out.Battery.Items.Name(at.item), strconv.Itoa(rep))
			all = append(all, presentation{k*r.scenario.Repetitions + rep, draw.Uint64(), at.item, rep, r.id.publicTrial(at.item, at.trial)})
		}
	}
	slices.SortFunc(all, func(a, b presentation) int {
		return cmp.Or(cmp.Compare(a.draw, b.draw), a.item-b.item, a.repetition-b.repetition, a.trial-b.trial)
	})
	return all
}

// slots returns the trials that a subject takes: one for each item if it takes items as a whole, else all trials with a
// world to act in.
func (r *runner) slots(subject int) []slot {
	if r.takesItems(&r.out.Subjects[subject]) {
		return r.whole
	}
	return r.trials
}

// places returns the place in a subject's sequence, from 1, of each of its responses.
func (r *runner) places(subject int) []int {
	sequence := r.sequence(subject)
	out := make([]int, len(sequence))
	for k, p := range sequence {
		out[p.index] = k + 1
	}
	return out
}

// number sets the Position of every response of a subject.
func (r *runner) number(subject int) {
	for i, place := range r.places(subject) {
		r.out.taken.position[r.out.taken.index(subject, i)] = int32(place)
	}
}
