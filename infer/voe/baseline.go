package voe

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math"

	"achilles/gridworld/lattice"
	"achilles/sim/record"
	"achilles/sim/rng"
)

// A baseline is a degenerate observer: its surprise stands for one way of being right for the wrong reason. The surprise
// is a distance in pixels unless the comment of its function says otherwise. Costs of ways are whole numbers, so that
// ways of equal length give equal surprises.
type baseline func(v *View) float64

// Watch returns the baseline's surprise. A baseline has no beliefs.
func (b baseline) Watch(v *View) Report { return Report{Surprise: b(v)} }

// excess returns the length that the actor has wasted at the worst moment of the trial, in pixels: the length walked so
// far, plus the cost of going on from there to the goal, minus that cost at the start. costFrom returns the cost of going
// on from a place, or −1 if there is no way. excess skips places without a way, so that the walk starts at the first
// place that has one.
func (t *trial) excess(costFrom func(lattice.Point) int) float64 {
	first, worst, spent := -1, 0, 0
	for i := range t.moves {
		m := &t.moves[i]
		if first < 0 {
			if first = costFrom(m.from); first < 0 {
				continue
			}
		}
		spent += lattice.Octile(m.from, m.to)
		if c := costFrom(m.to); c >= 0 {
			worst = max(worst, spent+c-first)
		}
	}
	return pixels(worst)
}

// toward returns the excess of the actor's walk over the cheapest way to p in map m, in pixels.
func (t *trial) toward(m *lattice.Map, p lattice.Point) float64 {
	f := t.waysTo(m, p)
	return t.excess(func(q lattice.Point) int {
		if c, ok := f.Cost(q); ok {
			return c
		}
		return -1
	})
}

// crow returns the excess of the actor's walk over the straight way to p, through walls, in pixels.
func (t *trial) crow(p lattice.Point) float64 {
	return t.excess(func(q lattice.Point) int { return lattice.Octile(p, q) })
}

// start returns the actor's place in the first frame.
func (t *trial) start() lattice.Point {
	if len(t.track) == 0 {
		return lattice.Point{}
	}
	return t.track[0]
}

// end returns the actor's place in the last frame.
func (t *trial) end() lattice.Point {
	if len(t.track) == 0 {
		return lattice.Point{}
	}
	return t.track[len(t.track)-1]
}

// reachable reports whether map m has a way from the start to p.
func (t *trial) reachable(m *lattice.Map, p lattice.Point) bool {
	_, ok := t.waysTo(m, p).Cost(t.start())
	return ok
}

// crowNearest returns the object that is nearest to the start in a straight line. ok is false if the trial has no
// object.
func (t *trial) crowNearest() (o thing, ok bool) {
	for i, c := range t.object {
		if i == 0 || lattice.Square(c.centre, t.start()) < lattice.Square(o.centre, t.start()) {
			o = c
		}
	}
	return o, len(t.object) > 0
}

// A seeker is a degenerate observer that expects the actor to waste nothing on the way to one thing. Where it returns nil, the actor may
// go to any (see anyObject).
type seeker func(v *View) *aim

// An aim is a place to which an actor goes, by ways on a map; without a map in a straight line, through walls.
type aim struct {
	at lattice.Point
	by *lattice.Map
}

// Watch returns the excess of the actor's walk.
func (s seeker) Watch(v *View) Report {
	t, a := v.test(), s(v)
	switch {
	case a == nil:
		return Report{Surprise: anyObject(v)}
	case a.by == nil:
		return Report{Surprise: t.crow(a.at), ahead: &ahead{a.at, []lattice.Point{t.start(), a.at}}}
	}
	from := nearest(a.by, t.start())
	way, corners := t.waysTo(a.by, a.at).Taut(nil, from, a.at)
	on := ahead{a.at, []lattice.Point{t.start()}}
	for _, c := range corners {
		on.way = append(on.way, way[c])
	}
	return Report{Surprise: t.toward(a.by, a.at), ahead: &on}
}

// closestEuclid expects the actor to go straight to the object that is nearest in a straight line, through walls.
func closestEuclid(v *View) *aim {
	o, ok := v.test().crowNearest()
	if !ok {
		return nil
	}
	return &aim{at: o.centre}
}

// closestPath expects the actor to go to the object to which the way is shortest. If no object can be reached, it expects what
// closestEuclid expects.
func closestPath(v *View) *aim {
	t := v.test()
	best, least := lattice.Point{}, -1
	for _, o := range t.object {
		if c, ok := t.waysTo(t.closed, o.centre).Cost(t.start()); ok && (least < 0 || c < least) {
			best, least = o.centre, c
		}
	}
	if least < 0 {
		return closestEuclid(v)
	}
	return &aim{best, t.closed}
}

// A location expects the actor to end at the mean of the places where the familiarisation trials ended.
type location struct{}

// Watch returns the distance of the actor's end from that place, in pixels.
func (location) Watch(v *View) Report {
	sum, n := lattice.Point{}, len(v.familiar())
	for _, f := range v.familiar() {
		sum = sum.Add(f.end())
	}
	e := v.test().end()
	r := Report{Surprise: math.Sqrt(float64(lattice.Square(sum, lattice.Point{X: n * e.X, Y: n * e.Y}))) / float64(max(n, 1))}
	if n > 0 {
		r.ahead = &ahead{at: lattice.Point{X: sum.X / n, Y: sum.Y / n}}
	}
	return r
}

// previousPath expects the actor to walk as in one of the familiarisation trials. Its surprise is the distance from the
// most similar of these walks.
func previousPath(v *View) float64 {
	return v.nearest((*trial).distance)
}

// nearest returns the least difference of the test trial from a familiarisation trial, or 0 if there are none.
func (v *View) nearest(difference func(familiar, test *trial) float64) float64 {
	best := math.Inf(1)
	for _, f := range v.familiar() {
		best = min(best, difference(f, v.test()))
	}
	if math.IsInf(best, 1) {
		return 0
	}
	return best
}

// distance returns the mean distance between the places of two walks after the same number of moves, in pixels. The walk
// with fewer moves stays at its end.
func (t *trial) distance(u *trial) float64 {
	place := func(t *trial, i int) lattice.Point {
		switch {
		case i == 0 || len(t.moves) == 0:
			return t.start()
		default:
			return t.moves[min(i, len(t.moves))-1].to
		}
	}
	n, sum := max(len(t.moves), len(u.moves)), 0.0
	for i := range n + 1 {
		sum += math.Sqrt(float64(lattice.Square(place(t, i), place(u, i))))
	}
	return sum / float64(n+1)
}

// anyObject expects the actor to waste nothing on the way to one of the objects or the key, no matter which.
func anyObject(v *View) float64 {
	t, best := v.test(), math.Inf(1)
	for _, o := range t.object {
		if t.reachable(t.closed, o.centre) {
			best = min(best, t.toward(t.closed, o.centre))
		}
	}
	if t.key != nil && t.reachable(t.closed, t.key.centre) {
		best = min(best, t.toward(t.closed, t.key.centre))
	}
	if math.IsInf(best, 1) {
		return 0
	}
	return best
}

// keyFirst expects the actor to go to the key, if there is one.
func keyFirst(v *View) *aim {
	if t := v.test(); t.key != nil {
		return &aim{t.key.centre, t.closed}
	}
	return nil
}

// keyIfBarrier expects the actor to go to the key if there are a key and a barrier, even if the barrier is not in the
// way. Otherwise it expects what closestPath expects.
func keyIfBarrier(v *View) *aim {
	if t := v.test(); t.key != nil && t.closed != t.opened {
		return &aim{t.key.centre, t.closed}
	}
	return closestPath(v)
}

// gotoObject expects the actor to go to the object that is nearest in a straight line, by the cheapest way through
// barriers.
func gotoObject(v *View) *aim {
	t := v.test()
	o, ok := t.crowNearest()
	switch {
	case !ok:
		return nil
	case !t.reachable(t.opened, o.centre):
		return &aim{at: o.centre}
	}
	return &aim{o.centre, t.opened}
}

// duration returns the number of frames from the first move to the last.
func duration(v *View) float64 {
	m := v.test().moves
	if len(m) == 0 {
		return 0
	}
	return float64(m[len(m)-1].frame - m[0].frame + 1)
}

// newAgent returns 1 if no familiarisation trial shows the actor of the test trial, and 0 otherwise.
func newAgent(v *View) float64 {
	for _, f := range v.familiar() {
		if f.actor == v.test().actor {
			return 0
		}
	}
	return 1
}

// Weights of the differences between two trials in familiarity, in units of ten pixels.
const (
	unlikeCell   = 0.08 // for every rectangle of walls, barrier or locks that only one of the trials has
	unlikeObject = 0.2  // for every ten pixels between the places of an object that both trials have
	unlikeActor  = 5    // if the actors differ
)

// familiarity expects the test trial to resemble a familiarisation trial. Its surprise is the difference of the test
// trial from the most similar familiarisation trial, in units of ten pixels.
func familiarity(v *View) float64 {
	return v.nearest((*trial).unlike)
}

func (t *trial) unlike(u *trial) float64 {
	sum := float64(unlikeCell * float64(unshared(shut(t.scene, true), shut(u.scene, true))))
	if t.actor != u.actor {
		sum += unlikeActor
	}
	for _, a := range t.object {
		for _, b := range u.object {
			if a.id == b.id {
				sum += float64(unlikeObject * math.Sqrt(float64(lattice.Square(a.centre, b.centre))) / 10)
			}
		}
	}
	return sum + t.distance(u)/10
}

// unshared returns the number of rectangles that only one of two lists has.
func unshared(a, b []record.Rect) int {
	in := map[record.Rect]int{}
	for _, r := range a {
		in[r] |= 1
	}
	for _, r := range b {
		in[r] |= 2
	}
	n := 0
	for _, both := range in {
		if both != 3 {
			n++
		}
	}
	return n
}

// A guess is an observer that guesses: its surprise is uniform in [0, 1). It depends only on the video and root.
type guess struct{ root uint64 }

// Watch returns a random surprise and no beliefs.
func (g guess) Watch(v *View) Report {
	var b []byte
	put := func(p lattice.Point) {
		b = binary.LittleEndian.AppendUint32(b, uint32(p.X))
		b = binary.LittleEndian.AppendUint32(b, uint32(p.Y))
	}
	for _, t := range v.trials {
		b = append(b, v.studio.wallKey(t.scene, true)...)
		b = append(b, t.actor...)
		for _, c := range t.seen.Changes {
			if c.Away {
				put(lattice.Point{X: c.Frame})
			}
		}
		if t.seen.Scene.Away {
			put(lattice.Point{})
		}
		for _, p := range t.track {
			put(p)
		}
		for _, o := range t.object {
			put(o.centre)
		}
	}
	sum := sha256.Sum256(b)
	r := rng.Stream(g.root, "voe", "guess", hex.EncodeToString(sum[:]))
	return Report{Surprise: r.Float64()}
}
