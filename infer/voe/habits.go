package voe

import (
	"math"

	"achilles/gridworld/lattice"
)

// reached returns the identity of the object where the actor stopped: the one nearest to it in a straight line. It is "" if the
// trial has no object.
func (t *trial) reached() string {
	id, least := "", math.MaxInt
	for _, o := range t.object {
		if d := lattice.Square(o.centre, t.end()); d < least {
			id, least = o.id, d
		}
	}
	return id
}

// toward expects the actor to go to the object with an identity, if there is one within reach.
func (v *View) toward(id string) *aim {
	t := v.test()
	for _, o := range t.object {
		if o.id == id && t.reachable(t.closed, o.centre) {
			return &aim{o.centre, t.closed}
		}
	}
	return nil
}

// lastGoal expects the actor to go to the object at which the last familiarisation trial ended.
func lastGoal(v *View) *aim {
	f := v.familiar()
	if len(f) == 0 {
		return nil
	}
	return v.toward(f[len(f)-1].reached())
}

// usualGoal counts at which object each familiarisation trial ended, whoever acted and whatever was in reach, and expects the actor
// to go to the most frequent one; of equally frequent ones to that of the earlier trial.
func usualGoal(v *View) *aim {
	n, usual := map[string]int{}, ""
	for _, f := range v.familiar() {
		n[f.reached()]++
	}
	for _, f := range v.familiar() {
		if id := f.reached(); n[id] > n[usual] {
			usual = id
		}
	}
	return v.toward(usual)
}

// straight expects straight walks. Its surprise is the length of the walk as a multiple of the straight line between its ends, less
// one; without a step, 0.
func straight(v *View) float64 {
	t, way := v.test(), 0
	for i := range t.moves {
		way += lattice.Octile(t.moves[i].from, t.moves[i].to)
	}
	line := math.Sqrt(float64(lattice.Square(t.start(), t.end())))
	if line == 0 {
		return 0
	}
	return pixels(way)/line - 1
}
