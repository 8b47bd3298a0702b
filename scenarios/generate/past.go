package generate

import (
	"achilles/gridworld"
	"achilles/gridworld/policy"
)

// remind gives the body that is to take trial k what it did in the earlier trials of its block.
func (a *acting) remind(w *worker, b *body, k, rep int) {
	w.actor.Past = nil
	if b.tried == nil {
		return
	}
	item := a.trials[k].item
	w.past.Trials, w.past.Round = w.past.Trials[:0], int(a.blocks.Round[item])
	first, _ := a.find(slot{item: int(a.blocks.First[item])})
	for j := first; j < k; j++ {
		w.past.Trials = append(w.past.Trials, b.tried[j*a.repetitions+rep])
	}
	w.actor.Past = &w.past
}

// went returns where the body went in trial k, which it has just taken.
func (a *acting) went(w *worker, k int) policy.Tried {
	_ = w.choice() // notes where it is in the end
	t := policy.Tried{At: gridworld.Nowhere(), Round: int(a.blocks.Round[a.trials[k].item]), Forced: len(w.room.Places()) == 1}
	if n := len(w.visit.entered); n > 0 {
		if t.At, t.Found = w.room.Places()[w.visit.entered[n-1]-1], w.passed(); w.world.Gain() == 0 {
			t.Gone, t.After = w.actor.Missed(t.At)
		}
	}
	return t
}
