package policy

import (
	"math"

	"achilles/gridworld"
)

// A cover is a shape under which a reward is hidden. If a reward vanishes in the cell of a shape, the agent infers that
// the reward is under the shape and moves with it. If the shape vanishes too, the agent infers that the shape left the
// reward at one of the places to which the shape came.

// A carried is what an agent knows of a reward out of sight that may have been moved under a cover.
type carried struct {
	at     gridworld.Pos // position of the cover when last seen
	by     int           // index of the cover; −1: there is none, or it is no longer seen
	moves  int           // number of times that the cover came to a place
	visits uint64        // the places to which the cover came, by index, one bit each
}

// follow updates what the agent knows of a reward out of sight by what it sees now. vanishes says that the reward was
// in sight when the agent last looked.
func (a *memory) follow(t *trace, vanishes bool, v *gridworld.View) {
	if vanishes {
		t.carried = carried{at: t.thing.Pos, by: coverAt(t.thing.Pos, v)}
		t.enter(a.room)
	}
	a.watchOutlets(t, v)
	if t.by < 0 || v.Dark {
		return
	}
	p, there := positionOf(t.by, v)
	switch {
	case !there:
		t.by = -1
	case p != t.at:
		t.at = p
		if k := a.room.index(p); k != NoPlace {
			t.moves++
			t.visits |= 1 << uint(k)
		}
	}
}

// coverAt returns the index of the shape that is seen at p, or −1 if there is none.
func coverAt(p gridworld.Pos, v *gridworld.View) int {
	for i := range v.Things {
		if s := &v.Things[i]; s.Kind == gridworld.Shape && s.Pos == p {
			return s.Index
		}
	}
	return -1
}

// positionOf returns where thing i is seen, and false if it is not seen.
func positionOf(i int, v *gridworld.View) (gridworld.Pos, bool) {
	for k := range v.Things {
		if v.Things[k].Index == i {
			return v.Things[k].Pos, true
		}
	}
	return gridworld.Pos{}, false
}

// tracks says whether an agent with these parameters follows the cover through all its moves.
func (p *Parameters) tracks(t *trace) bool { return p.Follow >= float64(t.moves) }

// able returns the parameters of an agent that infers everything that can be inferred.
func able() *Parameters {
	return &Parameters{Follow: math.Inf(1), Tubes: true, Timing: true, Openings: true, Sizes: true, Boards: true}
}

// keepsUp decides whether the agent infers that reward i is at p, where an agent without limits would infer it to be.
// An agent that infers another place goes to that place, and searches no other.
func (a *choice) keepsUp(i int, p gridworld.Pos) bool {
	q, ok := a.infer(i)
	if !ok || p == q {
		return true
	}
	a.stray(q)
	return false
}

// countHiding counts that a reward that had vanished at p was seen again, if p is a place and the agent has not set
// off.
func (a *memory) countHiding(p gridworld.Pos) {
	if k := a.room.index(p); k != NoPlace && !a.underway {
		a.hidings[k]++
	}
}

// habit returns the place, other than p, at which a reward was hidden and found most often before the agent set off,
// and how often. Of equally frequent places it returns the first; NoPlace if there is none.
func (a *memory) habit(p gridworld.Pos) (place, times int) {
	place = NoPlace
	for k, n := range a.hidings {
		if n > times && a.room.places[k] != p {
			place, times = k, n
		}
	}
	return place, times
}

// toHabit aims at the place where the reward was hidden most often, once the reward is out of sight.
func (a *choice) toHabit() (gridworld.Pos, bool) {
	if k, _ := a.habit(gridworld.Nowhere()); k != NoPlace && a.wanted() >= 0 && !a.inView() {
		a.stray(a.room.places[k])
		return a.target, true
	}
	return a.toShow(a.view.Self)
}

// resists decides whether the agent goes to p rather than to the place where it saw the reward hidden before.
func (a *choice) resists(p gridworld.Pos) bool {
	k, n := a.habit(p)
	if n == 0 || a.Inhibit >= float64(n) {
		return true
	}
	a.stray(a.room.places[k])
	return false
}

// largestCover returns the place under the largest cover in sight, the first of equally large ones; false if there is none.
func (a *memory) largestCover() (p gridworld.Pos, ok bool) {
	size := 0
	for i := range a.view.Things {
		t := &a.view.Things[i]
		if t.Kind == gridworld.Shape && t.Size > size && a.room.watch.Has(t.Pos) {
			p, ok, size = t.Pos, true, t.Size
		}
	}
	return p, ok
}
