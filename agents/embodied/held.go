package embodied

import "achilles/gridworld"

// A How says what a body holds about where the reward is that it wants.
type How uint8

// The ways to hold something. Only Sees, Infers and Goes have a place.
const (
	Unaware How = iota // it knows of no reward
	Sees               // it is in sight there
	Infers             // it is out of sight, and must be there
	Goes               // it goes there, whatever it sees: by choice, by guess or by mistake
	AtALoss            // it knew of a reward, and no longer where
)

// String returns the word for h in lower case.
func (h How) String() string {
	return [...]string{"unaware", "sees", "infers", "goes", "lost"}[h]
}

// A Belief is what a body holds from a tick on.
type Belief struct {
	Tick  int
	How   How
	Place gridworld.Pos // 0, 0 where How has none
}

// Beliefs returns what the body has held since it began, changes only, the first at the first tick at which it looked.
// The slice is valid until the next Reset.
func (a *Actor) Beliefs() []Belief { return a.held }

// hold notes what the body holds after it has looked and decided at a tick. A body that is held does not look at every
// tick, but only when something may be new: what it finds then is so since the tick after it looked before.
func (a *Actor) hold(tick int) {
	since := a.gaze + 1
	a.gaze = tick
	how, place := a.belief()
	if how == AtALoss {
		since = a.loses(since, tick)
	}
	a.note(Belief{since, how, place})
}

func (a *Actor) note(b Belief) {
	if n := len(a.held); n > 0 && a.held[n-1].How == b.How && a.held[n-1].Place == b.Place {
		return
	}
	a.held = append(a.held, b)
}

// loses is the tick, from since to tick, at which memory ran out. Up to then the body still held where the reward is.
func (a *Actor) loses(since, tick int) int {
	for i := range a.traces {
		t := &a.traces[i]
		if !t.forgotten || !a.luck.persists {
			continue
		}
		lasts := min(max(float64(a.luck.memory*a.Room.units.TicksPerTime), 0), float64(tick-t.tick))
		at := min(max(t.tick+int(lasts)+1, since), tick)
		if p, ok := a.infer(i); ok && at > since && a.held[len(a.held)-1].How == Sees {
			a.note(Belief{since, Infers, p})
		}
		return at
	}
	return since
}

func (a *Actor) belief() (How, gridworld.Pos) {
	switch {
	case a.cause == OutOfMind:
		return AtALoss, gridworld.Pos{}
	case a.committed:
		return Goes, a.target
	}
	if i := a.wanted(); i >= 0 {
		if a.traces[i].inSight {
			return Sees, a.traces[i].thing.Pos
		}
		if p, ok := a.infer(i); ok {
			return Infers, p
		}
	}
	for i := range a.traces {
		if a.traces[i].known {
			return AtALoss, gridworld.Pos{}
		}
	}
	return Unaware, gridworld.Pos{}
}
