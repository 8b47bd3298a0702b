package policy

import "achilles/gridworld"

// A How is a kind of belief: what an agent believes about the place of the reward that it wants.
type How uint8

// The kinds of belief. Only Sees, Infers and Goes have a place.
const (
	Unaware How = iota // the agent knows of no reward
	Sees               // the agent sees the reward at the place
	Infers             // the agent infers that the hidden reward is at the place
	Goes               // the agent goes to the place whatever it sees: by choice, by guess or by mistake
	AtALoss            // the agent knows of a reward, and not where it is: it has forgotten, or waits where it comes out of a tube
)

// String returns the word for h in lower case.
func (h How) String() string {
	return [...]string{"unaware", "sees", "infers", "goes", "lost"}[h]
}

// A Belief is what an agent believes from a tick on.
type Belief struct {
	Tick  int
	How   How
	Place gridworld.Pos // 0, 0 if How has no place
}

// Beliefs has the beliefs of an Agent in an episode. The zero Beliefs is empty.
type Beliefs struct{ list []Belief }

// List returns the beliefs in order, one for every change; the first is at the tick at which the agent first looked.
// The list is valid until the next Reset.
func (b *Beliefs) List() []Belief { return b.list }

// note records what the agent believes after it has looked and decided at a tick. An agent that cannot act yet looks
// only when something may be new. What it finds then has therefore been true since the tick after it last looked.
func (b *Beliefs) note(a *Agent, tick int) {
	since := a.looked + 1
	how, place := a.belief()
	switch {
	case how == AtALoss:
		since = b.loses(a, since, tick)
	case how == Infers: // what came out of a tube, or did not, since the agent last looked is known since then
		since = max(since, min(a.traces[a.wanted()].learned, tick))
	}
	b.add(Belief{since, how, place})
}

func (b *Beliefs) add(x Belief) {
	if n := len(b.list); n > 0 && b.list[n-1].How == x.How && b.list[n-1].Place == x.Place {
		return
	}
	b.list = append(b.list, x)
}

// loses returns the tick, between since and tick, at which the agent forgot the reward. If the agent saw the reward
// before, loses also adds the belief that the agent had until that tick.
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

func (a *choice) belief() (How, gridworld.Pos) {
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
		if p, ok := a.infer(i); ok && !a.awaits(i) {
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
