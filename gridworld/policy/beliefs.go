package policy

import "achilles/gridworld"

// A How says what an agent holds about where the reward is that it wants.
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

// A Belief is what an agent holds from a tick on.
type Belief struct {
	Tick  int
	How   How
	Place gridworld.Pos // 0, 0 where How has none
}

// Beliefs are what an Agent has held in an episode, as it changed. The zero Beliefs are empty.
type Beliefs struct{ list []Belief }

// List has the changes only, the first at the first tick at which the agent looked. It is valid until the next Reset.
func (b *Beliefs) List() []Belief { return b.list }

// note notes what the agent holds after it has looked and decided at a tick. One that is held does not look at every
// tick, but only when something may be new: what it finds then is so since the tick after it looked before.
func (b *Beliefs) note(a *Agent, tick int) {
	since := a.looked + 1
	how, place := a.belief()
	if how == AtALoss {
		since = b.loses(a, since, tick)
	}
	b.add(Belief{since, how, place})
}

func (b *Beliefs) add(x Belief) {
	if n := len(b.list); n > 0 && b.list[n-1].How == x.How && b.list[n-1].Place == x.Place {
		return
	}
	b.list = append(b.list, x)
}

// loses is the tick, from since to tick, at which memory ran out. Up to then the agent still held where the reward is.
func (b *Beliefs) loses(a *Agent, since, tick int) int {
	for i := range a.traces {
		t := &a.traces[i]
		if !t.forgotten || !a.Persists {
			continue
		}
		lasts := min(max(a.lasts(i), 0), float64(tick-t.tick))
		at := min(max(t.tick+int(lasts)+1, since), tick)
		if p, ok := a.infer(i); ok && at > since && b.list[len(b.list)-1].How == Sees {
			b.add(Belief{since, Infers, p})
		}
		return at
	}
	return since
}

func (a *Agent) belief() (How, gridworld.Pos) {
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
