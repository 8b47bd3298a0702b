package policy

import (
	"context"

	"achilles/gridworld"
	"achilles/sim"
)

// LeadsTo returns the index of the place to which one of the goals Habit, LastSeen and NearestPlace leads an agent that has watched what
// a has, and NoPlace if it leads to none. Habit leads to where a reward was hidden and found most often.
func (a *Agent) LeadsTo(g Goal) int {
	switch g {
	case Habit:
		k, _ := a.habit(gridworld.Nowhere())
		return k
	case LastSeen:
		if t := a.closest(a.room.start.Pos); t != nil {
			return a.room.index(t.thing.Pos)
		}
		return NoPlace
	case NearestPlace:
		return a.room.Nearest(0)
	}
	panic("policy: such a goal leads to no place")
}

// toOther aims at the place nearest to the start, other than the one nearest to where the nearest reward is or was seen.
func (a *choice) toOther(self gridworld.Actor) (gridworld.Pos, bool) {
	t := a.closest(self.Pos)
	if t == nil || t.inSight && !a.atRest(t) {
		return gridworld.Pos{}, false
	}
	shunned, best := a.nearestTo(t.thing.Pos), NoPlace
	start := a.room.start.Pos
	for k, p := range a.room.places {
		if k != shunned && (best == NoPlace || p.Manhattan(start) < a.room.places[best].Manhattan(start)) {
			best = k
		}
	}
	if best == NoPlace {
		return a.quit(NoWay)
	}
	a.stray(a.room.places[best])
	return a.target, true
}

// Right returns the index of the place where the goal will lie after the last cue, and NoPlace if it will lie elsewhere.
func (r *Room) Right() int {
	if r.goal < 0 {
		return NoPlace
	}
	return r.index(r.final)
}

// A Watcher is an agent that watches until its actor may act, and then leaves.
type Watcher struct{ Agent }

// Act looks. The error is sim.ErrLeft as soon as the actor may act.
func (w *Watcher) Act(ctx context.Context, now gridworld.Observation) (gridworld.Action, error) {
	if now.Tick() >= w.Room.Free() {
		return gridworld.Stay, sim.ErrLeft
	}
	return w.Agent.Act(ctx, now)
}
