package generate

import (
	"context"
	"slices"
)

// learnInChosenOrder puts the trials of every body that learns into the order of the items that are chosen for it: the place of a
// trial decides how the body responds, and the response decides which item comes next. So the body acts item by item, and nothing but
// the order is kept of that. An episode depends on the order alone: when the body takes the battery in this order, like all others, it
// acts in the same way, and the choice is the same. Trials of items that are not chosen keep the places that they have.
func (r *runner) learnInChosenOrder(ctx context.Context) error {
	quiet := r.Config
	quiet.Progress = nil
	body := func(subject int) int {
		return slices.IndexFunc(r.acting.bodies, func(b body) bool { return b.subject == subject })
	}
	learns := func(subject int) bool { i := body(subject); return i >= 0 && r.acting.bodies[i].order != nil }
	_, err := r.out.chosen(ctx, quiet, r.choice, learns, func(subject int, choosing func(respondTo) error) error {
		return choosing(r.practise(body(subject)))
	})
	return r.scenario.Place(err)
}

// practise returns a function that lets a body act in all trials of an item, in their public order, after those of all items
// before. It changes the order of the body.
func (r *runner) practise(i int) respondTo {
	b := &r.acting.bodies[i]
	byItem, place, went := map[int][]int{}, 0, atFirst // item → its trials
	for _, p := range r.sequences.of(b.subject, r.assignment.trials) {
		item := r.assignment.trials[int(p.index)/r.scenario.Repetitions].item
		byItem[item] = append(byItem[item], int(p.index))
	}
	return func(ctx context.Context, item int) (out []Response, _ error) {
		w := r.workers.Get().(*worker)
		defer r.workers.Put(w)
		for _, k := range byItem[item] {
			if err := w.open(&r.out.Battery.Items, r.assignment.trials[k]); err != nil {
				return nil, err
			}
			place++
			if b.order[k] = int32(place); b.before != nil {
				b.before[k] = went
			}
			if err := r.acting.episode(ctx, w, i, k, 0); err != nil {
				return nil, err
			}
			went = w.last()
			response := Response{Item: item, Trial: r.assignment.trials[k].trial, Position: place}
			if w.passed() {
				response.Value = 1
			}
			out = append(out, response)
		}
		return out, nil
	}
}
