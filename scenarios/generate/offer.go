package generate

import (
	"cmp"
	"context"
	"errors"
	"slices"
)

// choose is like Session.choose. Programs take an item when it is chosen for them; all other subjects have responded.
func (r *runner) choose(ctx context.Context, takes func(subject int) bool) error {
	given := r.out.given()
	for i := range r.out.Subjects {
		if r.acts(i) {
			r.clear(i)
		}
	}
	err := r.out.choose(ctx, r.Config, r.choice, takes, func(subject int, choosing func(respondTo) error) error {
		if !r.acts(subject) {
			return given(subject, choosing)
		}
		return r.start(subject, func(take func(context.Context, turn) error) error {
			return choosing(r.live(subject, take))
		})
	})
	return r.scenario.Place(err)
}

// acts returns whether something outside this program responds for a subject.
func (r *runner) acts(subject int) bool { return r.out.Subjects[subject].Outside() }

// clear forgets the positions of a program's responses, of which it is to give some, and names the item in its episodes.
func (r *runner) clear(subject int) {
	r.out.taken.unordered[subject] = true
	for k, at := range r.assignment.slots(subject) {
		if !r.assignment.takesItems(&r.out.Subjects[subject]) {
			r.out.Episodes[r.acted[subject]+k] = Episode{Subject: subject, Item: at.item, Trial: at.trial}
		}
	}
}

// live returns a function that lets a program take all trials of an item now, in their public order.
func (r *runner) live(subject int, take func(context.Context, turn) error) respondTo {
	trials, most := map[int][]int{}, 0 // by item: indices of the responses
	slots := r.assignment.slots(subject)
	all := r.sequences.of(subject, slots)
	for _, x := range all {
		item := slots[int(x.index)/r.scenario.Repetitions].item
		trials[item] = append(trials[item], int(x.index))
		most = max(most, len(trials[item]))
	}
	next := turn{of: min(len(all), most*r.scenario.Adaptive.Items)}
	return func(ctx context.Context, item int) (responses []Response, absent error) {
		for _, next.index = range trials[item] {
			err := take(ctx, next)
			if err != nil && !errors.Is(err, errAbsent) {
				return nil, err
			}
			absent = cmp.Or(absent, err)
			responses = append(responses, r.out.taken.at(subject, next.index))
			next.number++
		}
		next.before = append(slices.Clip(next.before), r.out.Battery.Items.Name(item))
		return responses, absent
	}
}
