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

// A baseline is a degenerate observer: a surprise that stands for one way of being right for the wrong reason.
// Surprises are in pixels unless said otherwise; whole numbers of steps are compared exactly, so that ties are ties.
type baseline func(v *View) float64

// Watch is Observer's.
func (b baseline) Watch(v *View) Report { return Report{Surprise: b(v)} }

// excess is how much of the way of the actor was wasted, at the worst moment, where rest is the cost of the rest of
// the way from a place; rest is −1 where there is none.
func (t *trial) excess(rest func(lattice.Point) int) float64 {
	if len(t.moves) == 0 {
		return 0
	}
	first := rest(t.moves[0].from)
	worst, spent := 0, 0
	for i := range t.moves {
		m := &t.moves[i]
		spent += lattice.Octile(m.from, m.to)
		if c := rest(m.to); c >= 0 {
			worst = max(worst, spent+c-first)
		}
	}
	return pixels(worst)
}

// toward is excess on the way to a place in a map.
func (t *trial) toward(m *lattice.Map, p lattice.Point) float64 {
	f := t.waysTo(m, p)
	return t.excess(func(q lattice.Point) int {
		if c, ok := f.Cost(q); ok {
			return c
		}
		return -1
	})
}

// crow is excess where nothing is in the way.
func (t *trial) crow(p lattice.Point) float64 {
	return t.excess(func(q lattice.Point) int { return lattice.Octile(p, q) })
}

// start is where the actor was at first.
func (t *trial) start() lattice.Point {
	if len(t.track) == 0 {
		return lattice.Point{}
	}
	return t.track[0]
}

// end is where the actor was at last.
func (t *trial) end() lattice.Point {
	if len(t.track) == 0 {
		return lattice.Point{}
	}
	return t.track[len(t.track)-1]
}

// within says whether there is a way from the start to a place.
func (t *trial) within(m *lattice.Map, p lattice.Point) bool {
	_, ok := t.waysTo(m, p).Cost(t.start())
	return ok
}

// crowNearest is the object that is nearest to the start as the crow flies; ok is false where there is none.
func (t *trial) crowNearest() (o thing, ok bool) {
	for i, c := range t.object {
		if i == 0 || lattice.Square(c.centre, t.start()) < lattice.Square(o.centre, t.start()) {
			o = c
		}
	}
	return o, len(t.object) > 0
}

// closestEuclid expects the actor to go to the object that is nearest as the crow flies, and as the crow flies.
func closestEuclid(v *View) float64 {
	t := v.test()
	o, ok := t.crowNearest()
	if !ok {
		return 0
	}
	return t.crow(o.centre)
}

// closestPath expects the actor to go to the object to which the way is shortest; closestEuclid where there is no way.
func closestPath(v *View) float64 {
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
	return t.toward(t.closed, best)
}

// previousLocation expects the actor to end where it ended before, on average.
func previousLocation(v *View) float64 {
	sum, n := lattice.Point{}, len(v.familiar())
	for _, f := range v.familiar() {
		sum = sum.Add(f.end())
	}
	e := v.test().end()
	return math.Sqrt(float64(lattice.Square(sum, lattice.Point{X: n * e.X, Y: n * e.Y}))) / float64(max(n, 1))
}

// previousPath expects the actor to walk as it walked before.
func previousPath(v *View) float64 {
	best := math.Inf(1)
	for _, f := range v.familiar() {
		best = min(best, f.distance(v.test()))
	}
	if math.IsInf(best, 1) {
		return 0
	}
	return best
}

// distance is the mean distance between the places of two walks after the same number of moves.
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

// anyObject expects the actor to waste nothing on the way to some object or key, whichever.
func anyObject(v *View) float64 {
	t, best := v.test(), math.Inf(1)
	for _, o := range t.object {
		if t.within(t.closed, o.centre) {
			best = min(best, t.toward(t.closed, o.centre))
		}
	}
	if t.key != nil && t.within(t.closed, t.key.centre) {
		best = min(best, t.toward(t.closed, t.key.centre))
	}
	if math.IsInf(best, 1) {
		return 0
	}
	return best
}

// keyFirst expects the actor to go to a key wherever there is one.
func keyFirst(v *View) float64 {
	if t := v.test(); t.key != nil {
		return t.toward(t.closed, t.key.centre)
	}
	return anyObject(v)
}

// keyIfBarrier expects the actor to go to the key wherever there is a barrier, whether or not it bars anything.
func keyIfBarrier(v *View) float64 {
	if t := v.test(); t.key != nil && t.closed != t.opened {
		return t.toward(t.closed, t.key.centre)
	}
	return closestPath(v)
}

// gotoObject expects the actor to go to the nearest object, through barriers.
func gotoObject(v *View) float64 {
	t := v.test()
	o, ok := t.crowNearest()
	switch {
	case !ok:
		return 0
	case !t.within(t.opened, o.centre):
		return t.crow(o.centre)
	}
	return t.toward(t.opened, o.centre)
}

// duration is the number of frames from the first move to the last.
func duration(v *View) float64 {
	m := v.test().moves
	if len(m) == 0 {
		return 0
	}
	return float64(m[len(m)-1].frame - m[0].frame + 1)
}

// newAgent is 1 where the actor of the test was not seen before.
func newAgent(v *View) float64 {
	for _, f := range v.familiar() {
		if f.actor == v.test().actor {
			return 0
		}
	}
	return 1
}

// Weights of familiarity: how unlike two scenes are, in tens of pixels.
const (
	unlikeCell    = 0.08 // a wall or barrier cell in one of them only
	unlikeObject  = 0.2  // ten pixels between the places of an object
	unlikeStanger = 5    // another actor
)

// familiarity expects to see again what it saw: it goes by the most similar familiarisation trial.
func familiarity(v *View) float64 {
	best := math.Inf(1)
	for _, f := range v.familiar() {
		best = min(best, f.unlike(v.test()))
	}
	if math.IsInf(best, 1) {
		return 0
	}
	return best
}

func (t *trial) unlike(u *trial) float64 {
	sum := float64(unlikeCell * float64(unshared(shut(t.scene, true), shut(u.scene, true))))
	if t.actor != u.actor {
		sum += unlikeStanger
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

// unshared is the number of rectangles in one of two lists only.
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

// A guess is the observer that guesses. It guesses the same whenever it watches the same.
type guess struct{ root uint64 }

// Watch is Observer's.
func (g guess) Watch(v *View) Report {
	var b []byte
	put := func(p lattice.Point) {
		b = binary.LittleEndian.AppendUint32(b, uint32(p.X))
		b = binary.LittleEndian.AppendUint32(b, uint32(p.Y))
	}
	for _, t := range v.trials {
		b = append(b, v.studio.wallKey(t.scene, true)...)
		b = append(b, t.actor...)
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
