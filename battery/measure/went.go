package measure

import (
	"context"

	"achilles/gridworld"
	"achilles/gridworld/policy"
	"achilles/sim"
	"achilles/sim/record"
)

// A Witness watches a trial until the actor may act, and says what every place stands for. It is for one goroutine at a time.
type Witness struct {
	world   gridworld.World
	env     gridworld.Env
	watcher policy.Watcher
}

// Went appends to dst, for each place of the room, what a subject goes to that goes there, and returns the result: the right place is
// where the reward will lie in the end; A is the one where it was hidden and found most often. room has been entered for the world w,
// which is at tick 0 and is only read.
func (x *Witness) Went(dst []record.Went, w *gridworld.World, room *policy.Room) []record.Went {
	first := len(dst)
	for range room.Places() {
		dst = append(dst, record.ToOther)
	}
	x.world.CopyFrom(w)
	x.env = gridworld.Env{World: &x.world, Places: room.Places(), Skips: true}
	x.watcher.Room, x.watcher.Parameters = room, policy.Perfect(policy.LastSeen)
	_, _ = sim.Run(context.Background(), &x.env, &x.watcher, gridworld.Options{}) // the only possible error is that the watcher leaves
	for _, y := range []struct {                                                  // what counts most comes last
		place int
		went  record.Went
	}{
		{x.watcher.LeadsTo(policy.NearestPlace), record.ToNearest}, {x.watcher.LeadsTo(policy.LastSeen), record.ToLastSeen},
		{x.watcher.LeadsTo(policy.Habit), record.ToA}, {room.Right(), record.ToRight},
	} {
		if y.place != policy.NoPlace {
			dst[first+y.place] = y.went
		}
	}
	return dst
}
