package replay

import (
	"cmp"
	"slices"
	"strconv"

	"achilles/gridworld"
)

// An EventKind is a kind of event.
type EventKind uint8

// Kinds of events.
const (
	Hidden      EventKind = iota // a reward goes out of sight while the lights are on
	Appears                      // a reward comes in sight
	LightsOut                    // the lights go out
	LightsOn                     // the lights go on
	Released                     // the actor may act from now on
	Chosen                       // the actor's first step towards its final cell but not towards another place (see choice)
	Took                         // the actor took a key, or a reward that does not end the episode
	Unlocked                     // a lock was opened, and the barrier disappears
	Stopped                      // the actor neither moves nor turns from now on
	Trapped                      // the actor fell into a hole
	Died                         // the actor walked into lava
	Reached                      // the actor reached the reward
	TimedOut                     // the time limit ended the episode
	TrialBegins                  // a trial of a video begins
	Turned                       // from now on, the observer believes another goal to be the most probable one
	eventKinds
)

// String returns the name of the kind.
func (k EventKind) String() string {
	return [eventKinds]string{"hidden", "in sight", "lights out", "lights on", "may act", "choice", "took", "unlocked", "stop", "trapped", "died",
		"reached", "time out", "trial", "turn"}[k]
}

// An Event is something that happens in an episode.
type Event struct {
	Tick int
	Kind EventKind
	Note string // cause of a stop, thing that was taken, number of the trial or "test", or title of the video; may be empty
}

// Name returns the name of the event on a command line: its kind, or the Note of a TrialBegins.
func (e Event) Name() string {
	if e.Kind == TrialBegins {
		return e.Note
	}
	return e.Kind.String()
}

// Caption returns the name and the note, for pictures.
func (e Event) Caption() string {
	if e.Note == "" || e.Kind == TrialBegins {
		return e.Name()
	}
	return e.Name() + ": " + e.Note
}

// events lists the events of a trajectory, sorted by tick and kind. cause says why the actor stopped; it is "" if that
// is unknown.
func (tr *Trajectory) events(cause string) []Event {
	var list []Event
	add := func(tick int, k EventKind, note string) { list = append(list, Event{tick, k, note}) }
	for t := 1; t < len(tr.States); t++ {
		tr.sightEvents(t, add)
		tr.stepEvents(t, add)
	}
	if t, ok := tr.choice(); ok {
		add(t, Chosen, "")
	}
	if t := tr.rest(); t < tr.last() && tr.States[tr.last()].Outcome != gridworld.Died {
		add(max(t, tr.released()), Stopped, cause)
	}
	slices.SortStableFunc(list, func(a, b Event) int { return cmp.Or(a.Tick-b.Tick, int(a.Kind)-int(b.Kind)) })
	return slices.Compact(list)
}

// sightEvents adds those events of tick t in which the lights go out or on, the actor is released, or a reward comes in
// sight or goes out of sight.
func (tr *Trajectory) sightEvents(t int, add func(int, EventKind, string)) {
	before, now := &tr.States[t-1], &tr.States[t]
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
		seen := tr.seenBefore(i, t)
		switch {
		case seen && !now.Visible[i]:
			add(t, Hidden, "")
		case !seen && now.Visible[i]:
			add(t, Appears, "")
		}
	}
}

// seenBefore says whether thing i was visible at the last tick before t at which the lights were on.
func (tr *Trajectory) seenBefore(i, t int) bool {
	for t--; t >= 0; t-- {
		if !tr.States[t].Dark {
			return tr.States[t].Visible[i]
		}
	}
	return false
}

// stepEvents adds the events that the step from tick t − 1 to tick t caused in the world.
func (tr *Trajectory) stepEvents(t int, add func(int, EventKind, string)) {
	for _, e := range tr.States[t].Happened {
		switch e.Kind {
		case gridworld.Trapped:
			if tr.States[t].Outcome != gridworld.Finished {
				add(t, Trapped, "")
			}
		case gridworld.KeyTaken:
			add(t, Took, "key")
		case gridworld.Unlocked:
			add(t, Unlocked, "")
		case gridworld.Collected:
			if !tr.States[t].Things[e.Thing].Final {
				add(t, Took, "reward")
			}
		case gridworld.Ended:
			switch tr.States[t].Outcome {
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

// rest returns the first tick after which the actor neither moves nor turns.
func (tr *Trajectory) rest() int {
	t := tr.last()
	for t > 0 && tr.States[t-1].Actor == tr.States[t].Actor {
		t--
	}
	return t
}

// released returns the first tick at which the actor may act.
func (tr *Trajectory) released() int {
	t := 0
	for t < tr.last() && tr.States[t].Frozen {
		t++
	}
	return t
}

// choice returns the tick of the first step that brings the actor nearer to its final cell, but not nearer to some
// other place that it can still reach. ok is false if there is no such step, if the reward could be in fewer than two
// places, or if the actor dies in lava.
func (tr *Trajectory) choice() (tick int, ok bool) {
	path := tr.Path()
	end := path[len(path)-1]
	if len(tr.Places) < 2 || tr.States[tr.last()].Outcome == gridworld.Died {
		return 0, false
	}
	toEnd := tr.field(end)
	var others []*gridworld.Field
	for _, p := range tr.Places {
		if p != end {
			others = append(others, tr.field(p))
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

func (tr *Trajectory) field(p gridworld.Pos) *gridworld.Field {
	to := gridworld.BoardOf(p)
	field := new(gridworld.Field)
	field.Toward(tr.World, &to)
	return field
}

// nearer says whether the step from p to q shortens the distance to the target of f.
func nearer(f *gridworld.Field, p, q gridworld.Pos) bool {
	a, open := f.Distance(p)
	b, still := f.Distance(q)
	return open && still && b < a
}

// events lists the ticks at which trials begin, and the ticks of the test trial from which on the observer believes
// another goal to be the most probable one.
func (w *Watched) events() []Event {
	var list []Event
	for k, t := range w.Starts {
		list = append(list, Event{t, TrialBegins, trialName(k, w.Test())})
	}
	for i := range w.Videos {
		v := &w.Videos[i]
		if w.Test() >= len(v.Beliefs) {
			continue
		}
		leader := -1
		for _, m := range v.Beliefs[w.Test()].Frames {
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
