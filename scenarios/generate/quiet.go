package generate

import (
	"achilles/gridworld"
	"achilles/gridworld/policy"
)

// A quiet says when nothing can happen in a trial as long as the actor stays. The replay of an episode passes over these ticks.
type quiet struct {
	never bool // something may happen at any tick: what is touched and stays is an event at each
	limit int  // of the episode
	free  int  // from this tick on, the actor is not held
	held  int  // number of ticks at which it is
	over  int  // the last tick at which the schedule changes something
}

// quietOf returns the quiet of a trial that begins in w.
func quietOf(w *gridworld.World) quiet {
	q := quiet{limit: w.Rules().Limit}
	for i := range w.Len() {
		q.never = q.never || w.Thing(i).Kind == gridworld.Shape
	}
	dark, frozen := w.Windows()
	for _, v := range frozen {
		q.free = max(q.free, v.To)
	}
	for t := range q.free {
		for _, v := range frozen {
			if v.Has(t) {
				q.held++
				break
			}
		}
	}
	q.over = q.free
	for _, v := range dark {
		q.over = max(q.over, v.To)
	}
	for _, c := range w.Cues() {
		q.over = max(q.over, c.Tick)
	}
	return q
}

// shorten returns a replay of an episode's moves, and whether its Env may skip ticks. expires is true if the replay ends when nothing
// happens any more but that the time runs out.
func (q *quiet) shorten(moves []gridworld.Action) (replay policy.Replay, skips, expires bool) {
	n, first, last := len(moves), 0, len(moves)
	if q.never {
		return policy.Replay{Actions: moves}, false, false
	}
	for first < n && moves[first] == gridworld.Stay {
		first++
	}
	for last > 0 && moves[last-1] == gridworld.Stay {
		last--
	}
	// The last move may change something at the next tick, and the schedule at `over`: that tick is replayed too.
	if end := max(last, q.over) + 1; end < n && n == q.limit {
		moves, expires = moves[:end], true
	}
	if skips = first >= q.free && len(moves) >= q.free; skips { // while held, the replay stays by itself
		moves = moves[q.held:]
	}
	return policy.Replay{Actions: moves, Waits: skips}, skips, expires
}
