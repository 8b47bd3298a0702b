package bib

import (
	"achilles/gridworld/lattice"
	"achilles/sim/record"
)

// StillBefore and StillAfter are the numbers of frames at the beginning and at the end of every trial in which nothing
// moves, as in the benchmark's files. A second has 25 frames.
const (
	StillBefore = 31
	StillAfter  = 83
)

// render returns the episode with the videos of an outline.
func (g *Generator) render(root uint64, t Task, i int, p *outline) Episode {
	l := g.look(root, t, i)
	e := Episode{Task: t, Index: i, Variant: p.variant, Dial: g.design.level(t, i)}
	e.Expected = record.Video{Familiarisation: l.recordAll(&p.familiar, p.trials()), Test: l.record(&p.expected)}
	if p.unpaired {
		return e
	}
	e.Unexpected = record.Video{Familiarisation: e.Expected.Familiarisation, Test: l.record(&p.unexpected)}
	if p.unfamiliar != nil {
		e.Unexpected.Familiarisation = l.recordAll(p.unfamiliar, p.trials())
	}
	return e
}

func (l *look) recordAll(ts *[8]trial, shown []int) []record.SceneTrial {
	out := make([]record.SceneTrial, len(shown))
	for i, k := range shown {
		out[i] = l.record(&ts[k])
	}
	return out
}

// record returns the frames of one trial: still frames, the prelude, one frame per step of the walk, and still frames if its end is shown. Once the
// actor has reached the key, it carries the key; when it is at the lock, the barrier vanishes.
func (l *look) record(t *trial) record.SceneTrial {
	r := rendering{at: corner(t.start, actorHalf)}
	r.trial.Scene = l.scene(t)
	r.now = r.trial.Scene.State()
	r.still(StillBefore)
	if t.prelude != nil {
		r.prelude(t.prelude)
	}
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
	if !t.cut {
		r.still(StillAfter)
	}
	return r.trial
}

// corner returns the bottom-left corner of the square of a thing with its centre at p.
func corner(p lattice.Point, half int) record.Point {
	return record.Point{X: int16(p.X - half), Y: int16(p.Y - half)}
}

// A rendering is a trial to which frames are being added, with the present place of the actor and the present state of
// barrier, key and lock.
type rendering struct {
	trial record.SceneTrial
	at    record.Point
	now   record.Change
}

// still adds frames in which the actor stays where it is.
func (r *rendering) still(frames int) {
	for range frames {
		r.trial.Path = append(r.trial.Path, r.at)
	}
}

// changed adds r.now to the changes of the trial: the state that holds from the last frame added on.
func (r *rendering) changed() {
	r.now.Frame = len(r.trial.Path) - 1
	r.trial.Changes = append(r.trial.Changes, r.now)
}

// carry moves the key to p, the place of the actor.
func (r *rendering) carry(p lattice.Point) {
	key := r.now.Keys[0]
	to := corner(p, int(key.Half))
	key.X, key.Y = to.X, to.Y
	r.now.Keys = []record.Shape{key}
	r.changed()
}

// unlock removes the barrier, one piece per frame, and with the last piece the lock and the key.
func (r *rendering) unlock() {
	for len(r.now.Barrier) > 0 {
		r.still(1)
		if r.now.Barrier = r.now.Barrier[1:]; len(r.now.Barrier) == 0 {
			r.now.Barrier, r.now.Keys, r.now.Locks = nil, nil, nil
		}
		r.changed()
	}
}
