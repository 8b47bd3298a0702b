package replay

import (
	"cmp"
	"slices"
	"strconv"

	"achilles/gridworld"
)

// A Kind is a kind of event of an episode.
type Kind uint8

// The kinds.
const (
	Hidden      Kind = iota // a reward that was in sight is not any more, in light
	Appears                 // a reward comes in sight
	LightsOut               // nothing is seen from here on
	LightsOn                // and seen again
	Released                // the actor may act
	Chosen                  // the way to where it goes and the way to some other place part
	Took                    // a key, or a reward that does not end the episode
	Unlocked                // the barrier is gone
	Stopped                 // it has come to rest, short of a reward
	Trapped                 // in a hole
	Died                    // in lava
	Reached                 // the reward
	TimedOut                // the time limit
	TrialBegins             // of what is watched
	Turned                  // the observer thinks another goal the likeliest
	kinds
)

// String is what is written beside the timeline.
func (k Kind) String() string {
	return [kinds]string{"hidden", "in sight", "lights out", "lights on", "may act", "choice", "took", "unlocked", "stop", "trapped", "died",
		"reached", "time out", "trial", "turn"}[k]
}

// An Event is something that happens in an episode.
type Event struct {
	Tick int
	Kind Kind
	Note string // why, where that is known; may be empty
}

// events lists what happens in a film, by tick and kind. Cause is why the actor stopped, empty where that is unknown.
func (f *Film) events(cause string) []Event {
	var list []Event
	add := func(tick int, k Kind, note string) { list = append(list, Event{tick, k, note}) }
	for t := 1; t < len(f.Frames); t++ {
		f.sights(t, add)
		f.doings(t, add)
	}
	if t, ok := f.choice(); ok {
		add(t, Chosen, "")
	}
	if t := f.rest(); t < f.Last() && f.Frames[f.Last()].Outcome != gridworld.Died {
		add(max(t, f.released()), Stopped, cause)
	}
	slices.SortStableFunc(list, func(a, b Event) int { return cmp.Or(a.Tick-b.Tick, int(a.Kind)-int(b.Kind)) })
	return slices.Compact(list)
}

// sights adds what tick t changes in what can be seen.
func (f *Film) sights(t int, add func(int, Kind, string)) {
	before, now := &f.Frames[t-1], &f.Frames[t]
	switch {
	case now.Dark && !before.Dark:
		add(t, LightsOut, "")
		return
	case before.Dark && !now.Dark:
		add(t, LightsOn, "")
	}
	if before.Frozen && !now.Frozen {
		add(t, Released, "")
	}
	if now.Dark {
		return
	}
	for i := range now.Things {
		if now.Things[i].Kind != gridworld.Reward || now.Things[i].State == gridworld.Taken {
			continue
		}
		seen := f.seenBefore(i, t)
		switch {
		case seen && !now.Visible[i]:
			add(t, Hidden, "")
		case !seen && now.Visible[i]:
			add(t, Appears, "")
		}
	}
}

// seenBefore says whether thing i could be seen when it was last light before tick t.
func (f *Film) seenBefore(i, t int) bool {
	for t--; t >= 0; t-- {
		if !f.Frames[t].Dark {
			return f.Frames[t].Visible[i]
		}
	}
	return false
}

// doings adds what the step to tick t brought about.
func (f *Film) doings(t int, add func(int, Kind, string)) {
	for _, e := range f.Frames[t].Happened {
		switch e.Kind {
		case gridworld.Trapped:
			if f.Frames[t].Outcome != gridworld.Finished {
				add(t, Trapped, "")
			}
		case gridworld.KeyTaken:
			add(t, Took, "key")
		case gridworld.Unlocked:
			add(t, Unlocked, "")
		case gridworld.Collected:
			if !f.Frames[t].Things[e.Thing].Final {
				add(t, Took, "reward")
			}
		case gridworld.Ended:
			switch f.Frames[t].Outcome {
			case gridworld.Finished:
				add(t, Reached, "")
			case gridworld.Died:
				add(t, Died, "")
			case gridworld.TimedOut:
				add(t, TimedOut, "")
			}
		}
	}
}

// rest is the first tick from which on the actor neither moves nor turns.
func (f *Film) rest() int {
	t := f.Last()
	for t > 0 && f.Frames[t-1].Actor == f.Frames[t].Actor {
		t--
	}
	return t
}

// released is the first tick at which the actor may act.
func (f *Film) released() int {
	t := 0
	for t < f.Last() && f.Frames[t].Frozen {
		t++
	}
	return t
}

// choice is the tick of the first step that brings the actor nearer to where it ends, but not nearer to every other
// place from which it was not cut off. It is false where there is no such step, or less than two places, and where the
// actor ends in lava.
func (f *Film) choice() (tick int, ok bool) {
	path := f.Path()
	end := path[len(path)-1]
	if len(f.Places) < 2 || f.Frames[f.Last()].Outcome == gridworld.Died {
		return 0, false
	}
	toEnd := f.field(end)
	var others []*gridworld.Field
	for _, p := range f.Places {
		if p != end {
			others = append(others, f.field(p))
		}
	}
	for t := 1; t < len(path); t++ {
		if path[t] == path[t-1] || !nearer(toEnd, path[t-1], path[t]) {
			continue
		}
		for _, other := range others {
			if _, open := other.Distance(path[t-1]); open && !nearer(other, path[t-1], path[t]) {
				return t - 1, true
			}
		}
	}
	return 0, false
}

func (f *Film) field(p gridworld.Pos) *gridworld.Field {
	to := gridworld.BoardOf(p)
	field := new(gridworld.Field)
	field.Toward(f.World, &to)
	return field
}

// nearer says whether the step from p to q shortens the way.
func nearer(f *gridworld.Field, p, q gridworld.Pos) bool {
	a, open := f.Distance(p)
	b, still := f.Distance(q)
	return open && still && b < a
}

// events lists what happens in what is watched: where trials begin, and in the test where the observer changes its
// mind about the goal.
func (w *Watch) events() []Event {
	var list []Event
	for k, t := range w.Starts {
		list = append(list, Event{t, TrialBegins, trialName(k, w.Test())})
	}
	for i := range w.Videos {
		v := &w.Videos[i]
		if w.Test() >= len(v.Minds) {
			continue
		}
		leader := -1
		for _, m := range v.Minds[w.Test()].Moments {
			best := 0
			for g, p := range m.Goals {
				if p > m.Goals[best] {
					best = g
				}
			}
			if leader >= 0 && best != leader {
				list = append(list, Event{w.Starts[w.Test()] + int(m.Frame), Turned, v.Title()})
			}
			leader = best
		}
	}
	slices.SortStableFunc(list, func(a, b Event) int { return a.Tick - b.Tick })
	return list
}

func trialName(k, test int) string {
	if k == test {
		return "test"
	}
	return strconv.Itoa(k + 1)
}
