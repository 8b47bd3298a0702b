package generate

import (
	"context"
	"slices"

	"achilles/gridworld"
	"achilles/gridworld/policy"
)

// learnInChosenOrder puts the trials of every body that learns into the order of the items that are chosen for it: the place of a
// trial decides how the body responds, and the response decides which item comes next. So the body acts item by item, and nothing but
// the order is kept of that. An episode depends on the order alone: when the body takes the battery in this order, like all others, it
// acts in the same way, and the choice is the same. Trials of items that are not chosen keep the places that they have.
func (r *runner) learnInChosenOrder(ctx context.Context) error {
	quiet := r.Config
	quiet.Progress = nil
	body := func(subject int) int { return slices.Index(r.bodies, subject) }
	learns := func(subject int) bool { b := body(subject); return b >= 0 && r.order[b] != nil }
	_, err := r.out.chosen(ctx, quiet, r.choice, learns, func(subject int, choosing func(respondTo) error) error {
		return choosing(r.practise(body(subject)))
	})
	return r.scenario.Place(err)
}

// practise returns a function that lets a body act in all trials of an item, in their public order, after those of all items
// before. It changes the order of the body.
func (r *runner) practise(body int) respondTo {
	byItem, place := map[int][]int{}, 0 // item → its trials
	for _, p := range r.sequences.of(r.bodies[body], r.trials) {
		item := r.trials[int(p.index)/r.scenario.Repetitions].item
		byItem[item] = append(byItem[item], int(p.index))
	}
	return func(ctx context.Context, item int) (out []Response, _ error) {
		s := r.workers.Get().(*worker)
		defer r.workers.Put(s)
		for _, k := range byItem[item] {
			it, trial := r.out.Battery.Items.At(item), r.trials[k].trial
			w := &s.start
			if err := open(w, &it, trial); err != nil {
				return nil, err
			}
			env := gridworld.Env{World: &s.world, Places: it.Trials[trial].Places}
			s.room.Enter(w, env.Places, policy.DefaultUnits())
			s.world.CopyFrom(w)
			place++
			r.order[body][k] = int32(place)
			if err := r.episode(ctx, s, &env, body, k, 0); err != nil {
				return nil, err
			}
			response := Response{Item: item, Trial: trial, Position: place}
			if s.world.Outcome() == gridworld.Finished {
				response.Value = 1
			}
			out = append(out, response)
		}
		return out, nil
	}
}
