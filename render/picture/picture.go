// Package picture draws the moments of episodes: a grid world or a scene at one tick, with overlays that show what the actor
// saw and believed, what an observer believed and what was predicted. A picture is a pure function of an episode, a tick
// and a rectangle.
package picture

import (
	"achilles/gridworld"
	"achilles/render/canvas"
	"achilles/render/replay"
)

// An Overlay is something that can be drawn over a moment, or left out.
type Overlay uint8

// The overlays.
const (
	Sight      Overlay = iota // the cells that the actor sees
	Belief                    // where the actor believes the reward to be, once unsealed
	Goals                     // what an observer takes for the goal, and its surprise
	Prediction                // the paths that the subject's profile predicts
	numOverlays
)

// String is the name of the overlay.
func (o Overlay) String() string {
	return [numOverlays]string{"sight", "belief", "goals", "prediction"}[o]
}

// ParseOverlay is the overlay of a name; ok is false where there is none.
func ParseOverlay(name string) (o Overlay, ok bool) {
	for o := range numOverlays {
		if o.String() == name {
			return o, true
		}
	}
	return 0, false
}

// Overlays says for every overlay whether it is drawn.
type Overlays [numOverlays]bool

// All is all overlays.
func All() Overlays { return Overlays{true, true, true, true} }

// A Moment is an episode at one tick. A tick outside the episode stands for the first or the last one.
type Moment struct {
	Episode *replay.Episode
	Tick    int
	Show    Overlays
}

// Draw draws the moment into r.
func (m Moment) Draw(dst *canvas.Canvas, r canvas.Rect) {
	m.Tick = min(max(m.Tick, 0), m.Episode.Last)
	dst.Clipped(r, func() {
		if m.Episode.Trajectory != nil {
			m.world(dst, r)
			return
		}
		m.watched(dst, r)
	})
}

// predicted is what is predicted of the episode; nil where nothing is, or where it is not to be drawn.
func (m Moment) predicted() *replay.Predicted {
	if !m.Show[Prediction] {
		return nil
	}
	return m.Episode.Predicted
}

// world draws a grid world, from the ground up.
func (m Moment) world(dst *canvas.Canvas, r canvas.Rect) {
	d := newDrawing(m, dst, r)
	d.ground()
	d.places()
	if m.Show[Sight] {
		d.unseen()
	}
	d.darkness()
	p := m.predicted()
	if p != nil {
		d.sampled(p)
	}
	d.path()
	if p != nil {
		d.predicted(p)
	}
	d.things()
	if m.Show[Belief] {
		d.belief()
	}
	d.actor()
	d.stop(m.Episode)
	d.edge()
}

// CellCentre is the centre of a cell of the grid world that Draw draws into r; ok is false outside the world, and where
// the episode has none.
func (m Moment) CellCentre(r canvas.Rect, p gridworld.Pos) (at canvas.Point, ok bool) {
	if m.Episode.Trajectory == nil || !m.Episode.Trajectory.World.Inside(p) {
		return at, false
	}
	b := newBoard(m.Episode.Trajectory.World, r)
	return b.centre(p), true
}
