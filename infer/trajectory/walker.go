package trajectory

import "achilles/gridworld"

// A Walker is a kind of behaviour: what somebody goes for who walks without a slip.
type Walker uint8

// The walkers. Capable has a mind for what it does not see; Informed needs none, for it knows; Still does not try; the
// others are degenerate, as in docs/reference/worlds.md.
const (
	Capable        Walker = iota // where the reward must be, in sight or inferred
	Informed                     // straight to where the reward will end, with full information
	Still                        // stays where it is
	LastSeen                     // where it last saw the reward
	NearestVisible               // the reward while it is in sight
	NearestPlace                 // the place nearest to the start
	AlwaysLeft                   // the nearest place on the left of where it looked at first
	AlwaysRight                  // … on the right
	Motion                       // on in the direction in which it last saw the reward move
	Search                       // one place after the other, the nearest first, until it sees the reward
	Ahead                        // straight on
	walkers
)

var walkerNames = [walkers]string{"capable", "informed", "still", "last-seen", "nearest-visible", "nearest-place", "always-left", "always-right",
	"motion-follower", "search", "straight-ahead"}

// String returns the walker's name.
func (w Walker) String() string { return walkerNames[w] }

// Walkers lists all walkers.
func Walkers() (list []Walker) {
	for w := range walkers {
		list = append(list, w)
	}
	return list
}

// A courseKey names a course of a scene.
type courseKey struct {
	walker               Walker
	wrong                int  // place to which a Capable walker goes by mistake; −1: none
	blindly              bool // it goes there even if it sees the reward
	lava, ramp, platform bool // it does not master these
}

// A mover decides on the actions of one course.
type mover struct {
	courseKey
	scene  *Scene
	course *Course
	seen   onlooker

	done, chosen, sure, underway bool
	committed, strayed           bool
	target                       gridworld.Pos
	wish, near                   gridworld.Pos // the last cell that it wanted to come near to, and the one that it can come to
	visited                      gridworld.Board
	doomed                       bool // drawn to lava
	plunging                     bool // on a step that ends all attempts, in direction into
	into                         gridworld.Dir
	last                         bool // it gives up after the next step
}

// act is the walker's intent in w.
func (m *mover) act(w *gridworld.World) gridworld.Action {
	if m.done {
		return gridworld.Stay
	}
	m.seen.look(w)
	self := w.Actor()
	m.visited.Set(self.Pos)
	switch {
	case w.Frozen(), w.Dark() && m.walker != Informed:
		return gridworld.Stay
	case m.walker == Ahead:
		return m.scene.toward(self, m.scene.start.Heading)
	}
	target, ok := m.aim(self)
	if !ok {
		return gridworld.Stay
	}
	return m.walk(self, target)
}

// aim says where the walker wants to go now; false: it waits, or has given up.
func (m *mover) aim(self gridworld.Actor) (gridworld.Pos, bool) {
	if m.committed {
		return m.target, true
	}
	switch m.walker {
	case Informed:
		return m.commit(m.scene.final), true
	case AlwaysLeft:
		return m.toPlace(func(side int) bool { return side < 0 })
	case AlwaysRight:
		return m.toPlace(func(side int) bool { return side > 0 })
	case NearestPlace:
		return m.toPlace(func(int) bool { return true })
	case LastSeen, Motion, NearestVisible:
		return m.toShow(self)
	}
	return m.toReward(self)
}

// toPlace aims at the nearest place whose side, as lateral counts it, is wanted; of equally near ones at that most
// nearly ahead.
func (m *mover) toPlace(wanted func(side int) bool) (gridworld.Pos, bool) {
	best, near, off, ok := gridworld.Pos{}, 0, 0, false
	for _, p := range m.scene.Places {
		side := m.scene.lateral(p)
		if !wanted(side) {
			continue
		}
		if d, o := p.Manhattan(m.scene.start.Pos), max(side, -side); !ok || d < near || d == near && o < off {
			best, near, off, ok = p, d, o, true
		}
	}
	if !ok {
		return m.quit()
	}
	return m.commit(m.approach(m.scene.start, best)), true
}

// toShow aims at what the eye was caught by, whatever must have become of it.
func (m *mover) toShow(self gridworld.Actor) (gridworld.Pos, bool) {
	o := &m.seen
	switch {
	case !o.known, o.inSight && !m.atRest(), m.walker == NearestVisible && !o.inSight:
		return gridworld.Pos{}, false
	case m.walker == Motion && !o.inSight:
		return m.approach(self, o.onward()), true
	}
	return m.approach(self, o.last.Pos), true
}

// toReward aims at where the reward is or must be. A searcher knows of no place that it does not see.
func (m *mover) toReward(self gridworld.Actor) (gridworld.Pos, bool) {
	o := &m.seen
	switch {
	case m.walker == Search && !o.inSight:
		return m.search(self)
	case !o.known, o.inSight && !m.atRest():
		return gridworld.Pos{}, false
	}
	if !m.chosen && m.choose() {
		return m.target, true
	}
	if o.inSight {
		return o.last.Pos, true
	}
	if p, ok := o.infer(); ok {
		return p, true
	}
	return m.quit()
}

// choose notes, once, what there is to choose from. It says whether the walker goes to a wrong place.
func (m *mover) choose() bool {
	m.chosen = true
	o, c := &m.seen, m.course
	c.chose = o.view.Tick
	if m.blindly {
		m.commit(m.scene.Places[m.wrong])
		m.strayed = true
		return true
	}
	if o.inSight {
		m.sure = true
		return false
	}
	p, ok := o.infer()
	if !ok {
		return false
	}
	c.hidden, c.others = true, o.others(p)
	if m.wrong < 0 {
		return false
	}
	m.commit(m.scene.Places[m.wrong])
	m.strayed = true
	return true
}

// search aims at the nearest place where the walker has not been.
func (m *mover) search(self gridworld.Actor) (gridworld.Pos, bool) {
	best, least := gridworld.Pos{}, -1
	for _, p := range m.scene.Places {
		if m.visited.Has(p) {
			continue
		}
		if d, ok := m.scene.way(p, false).cost(self); ok && (least < 0 || d < least) {
			best, least = p, d
		}
	}
	if least < 0 {
		return m.quit()
	}
	return best, true
}

// approach is p, or where there is no way to it the cell nearest to it.
func (m *mover) approach(self gridworld.Actor, p gridworld.Pos) gridworld.Pos {
	if p == m.wish {
		return m.near
	}
	m.wish, m.near = p, p
	if !m.scene.way(p, false).leads(self) {
		m.near = m.scene.nearest(self.Pos, p)
	}
	return m.near
}

// atRest says whether a reward in sight is taken to have come to rest, or is followed already.
func (m *mover) atRest() bool {
	return m.underway || m.seen.still && m.seen.last.State == gridworld.Ground
}

func (m *mover) commit(p gridworld.Pos) gridworld.Pos {
	m.committed, m.target = true, p
	return p
}

func (m *mover) quit() (gridworld.Pos, bool) {
	m.done = true
	return gridworld.Pos{}, false
}
