package gridworld

import "slices"

// An EventKind says what kind of event happened.
type EventKind uint8

const (
	Moved     EventKind = iota // the actor stepped to Pos
	Turned                     // the actor turned at Pos
	Blocked                    // a step to Pos was not possible
	Illegal                    // the action does not exist in this mode, or there is no actor
	Held                       // the actor was frozen, so that its action had no effect
	Trapped                    // the actor entered the hole at Pos, from which there is no way out
	Burned                     // the actor died in the lava at Pos
	Cued                       // the script changed Thing; Pos is where it is now
	KeyTaken                   // the actor took the key Thing
	Unlocked                   // the key Thing opened the lock at Pos; all locks and barriers are gone
	Collected                  // the actor took the reward Thing
	Reached                    // the actor touches the shape Thing; one event at every tick of contact
	Ended                      // the episode is over, with World.Outcome; every later step returns this event too
)

var eventNames = [...]string{"moved", "turned", "blocked", "illegal", "held", "trapped", "burned", "cued", "key-taken",
	"unlocked", "collected", "reached", "ended"}

// String returns the name of k in lower case.
func (k EventKind) String() string { return nameOf(eventNames[:], int(k)) }

// An Event is something that happened in a step. Thing is an index, or −1 if no thing is involved.
type Event struct {
	Kind  EventKind
	Thing int
	Pos   Pos
}

// eventRoom is the largest number of events of a step, apart from those of contact with things and of the script.
const eventRoom = 8

// Step carries out one tick in the order of the package comment and returns what happened, in that order. The slice is
// valid until the next Step. Once the episode is over nothing changes any more.
func (w *World) Step(intent Action) []Event {
	w.events = w.events[:0]
	if w.outcome != Running {
		w.events.tell(Ended, -1, w.actor.Pos)
		return w.events
	}
	frozen := w.Frozen()
	w.tick++
	if w.nextCue < len(w.cues) {
		w.play()
	}
	switch {
	case !frozen:
		w.act(intent)
	case intent != Stay:
		w.events.tell(Held, -1, w.actor.Pos)
	}
	if w.outcome == Running && len(w.things) > 0 && w.Inside(w.actor.Pos) {
		w.touch()
	}
	if w.outcome == Running && w.tick == w.rules.Limit {
		w.outcome = TimedOut
	}
	if w.outcome != Running {
		w.events.tell(Ended, -1, w.actor.Pos)
	}
	return w.events
}

// rest passes over ticks at which the actor is held, so that the next step leads to the last one before the schedule changes
// something or the time limit ends the episode; limit 0 is none. From tick 1 on, the actor touches nothing then that it has not touched
// before.
func (s *schedule) rest(limit int) {
	if s.tick == 0 || !s.Frozen() {
		return
	}
	next := limit
	if s.nextCue < len(s.cues) {
		next = earlier(s.cues[s.nextCue].Tick, next)
	}
	for _, windows := range [...][]Window{s.dark, s.frozen} {
		for _, v := range windows {
			if v.From > s.tick {
				next = earlier(v.From, next)
			}
			if v.To > s.tick {
				next = earlier(v.To, next)
			}
		}
	}
	s.tick = max(s.tick, next-2)
}

// Expire lets the time run out, as steps of an actor that stays do if nothing happens any more. It panics if the episode has no time
// limit.
func (w *World) Expire() {
	if w.rules.Limit == 0 {
		panic("gridworld: an episode without a time limit cannot expire")
	}
	if w.outcome == Running {
		w.tick, w.outcome = w.rules.Limit, TimedOut
	}
}

// earlier returns the earlier of a tick and a limit, which may be 0 for none.
func earlier(tick, limit int) int {
	if limit == 0 {
		return tick
	}
	return min(tick, limit)
}

// An eventList has what happened in a step, in this order.
type eventList []Event

// grow empties the list, and makes room for the events of any step of a world with so many things.
func (l *eventList) grow(things int) { *l = slices.Grow((*l)[:0], eventRoom+things) }

func (l *eventList) tell(k EventKind, thing int, p Pos) { *l = append(*l, Event{k, thing, p}) }

// play applies the cues of this tick.
func (w *World) play() {
	for ; w.nextCue < len(w.cues) && w.cues[w.nextCue].Tick == w.tick; w.nextCue++ {
		c := &w.cues[w.nextCue]
		t := &w.things[c.Thing]
		if t.State == Taken || t.State == Carried {
			continue
		}
		t.Pos, t.State = c.Pos, c.State
		w.events.tell(Cued, c.Thing, c.Pos)
	}
}

// act carries out the actor's action, and what the ground does to the actor.
func (w *World) act(intent Action) {
	a := &w.actor
	switch {
	case intent == Stay:
	case !w.rules.Move.Legal(intent) || !w.Inside(a.Pos):
		w.events.tell(Illegal, -1, a.Pos)
	case intent == Forward:
		w.walk(a.Heading)
	case intent == TurnLeft:
		a.Heading = a.Heading.Turn(-2)
		w.events.tell(Turned, -1, a.Pos)
	case intent == TurnRight:
		a.Heading = a.Heading.Turn(2)
		w.events.tell(Turned, -1, a.Pos)
	default:
		a.Heading = Dir(intent - goNorth)
		w.walk(a.Heading)
	}
}

// walk steps in direction d if that is legal.
func (w *World) walk(d Dir) {
	p, m := w.actor.Pos, w.ready()
	q := p.Add(d)
	if m.exit[d&7][p.Y&63]>>(uint(p.X)&63)&1 == 0 {
		w.events.tell(Blocked, -1, q)
		return
	}
	w.actor.Pos = q
	for i := range w.things {
		if w.things[i].State == Carried {
			w.things[i].Pos = q
		}
	}
	w.events.tell(Moved, -1, q)
	if m.leave[q.Y&63]>>(uint(q.X)&63)&1 != 0 {
		return
	}
	if w.At(q).Kind.Lethal() {
		w.outcome = Died
		w.events.tell(Burned, -1, q)
		return
	}
	w.events.tell(Trapped, -1, q)
}
