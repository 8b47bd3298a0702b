package bib

import (
	"achilles/gridworld/lattice"
	"achilles/sim/record"
)

// Every trial begins and ends with frames in which nothing moves, at 25 frames a second, as in the benchmark's files.
const (
	StillBefore = 31
	StillAfter  = 83
)

// film turns a plot into videos.
func (g *Generator) film(root uint64, t Task, i int, p *plot) Episode {
	l := g.look(root, t, i)
	e := Episode{Task: t, Index: i, Variant: p.variant}
	e.Expected = record.Video{Familiarisation: l.trials(p.familiar[:]), Test: l.trial(&p.expected)}
	if p.unpaired {
		return e
	}
	e.Unexpected = record.Video{Familiarisation: e.Expected.Familiarisation, Test: l.trial(&p.unexpected)}
	if p.unfamiliar != nil {
		e.Unexpected.Familiarisation = l.trials(p.unfamiliar[:])
	}
	return e
}

func (l *look) trials(ts []take) []record.SceneTrial {
	films := make([]record.SceneTrial, len(ts))
	for i := range ts {
		films[i] = l.trial(&ts[i])
	}
	return films
}

// trial films one take.
func (l *look) trial(t *take) record.SceneTrial {
	r := reel{at: corner(t.start, actorHalf)}
	r.film.Scene = l.scene(t)
	r.now = record.Change{Barrier: r.film.Scene.Barrier, Keys: r.film.Scene.Keys, Locks: r.film.Scene.Locks}
	r.still(StillBefore)
	for k, p := range t.walk.Track {
		r.at = corner(p, actorHalf)
		r.still(1)
		if done := k + 1; t.walk.Took >= 0 && done >= t.walk.Took && (t.walk.Opened < 0 || done <= t.walk.Opened) {
			r.carry(p)
		}
		if k+1 == t.walk.Opened {
			r.unlock()
		}
	}
	r.still(StillAfter)
	return r.film
}

// corner is the bottom-left corner of the square of a thing with its centre at p.
func corner(p lattice.Point, half int) record.Point {
	return record.Point{X: int16(p.X - half), Y: int16(p.Y - half)}
}

// A reel is a trial being filmed.
type reel struct {
	film record.SceneTrial
	at   record.Point
	now  record.Change
}

// still adds frames with the actor where it is.
func (r *reel) still(frames int) {
	for range frames {
		r.film.Path = append(r.film.Path, r.at)
	}
}

// changed notes the state in the frame that was added last.
func (r *reel) changed() {
	r.now.Frame = len(r.film.Path) - 1
	r.film.Changes = append(r.film.Changes, r.now)
}

// carry moves the key to where the actor is.
func (r *reel) carry(p lattice.Point) {
	key := r.now.Keys[0]
	to := corner(p, int(key.Half))
	key.X, key.Y = to.X, to.Y
	r.now.Keys = []record.Shape{key}
	r.changed()
}

// unlock makes the barrier vanish piece by piece, and lock and key with the last of them.
func (r *reel) unlock() {
	for len(r.now.Barrier) > 0 {
		r.still(1)
		if r.now.Barrier = r.now.Barrier[1:]; len(r.now.Barrier) == 0 {
			r.now.Barrier, r.now.Keys, r.now.Locks = nil, nil, nil
		}
		r.changed()
	}
}
