// Package picture draws moments of episodes: a grid world or a scene at one tick, with overlays for what the actor
// saw and believed, what an observer believed, and what was predicted. A picture depends on nothing but the episode,
// the tick, the overlays and the rectangle.
package picture

import (
	"achilles/gridworld"
	"achilles/render/board"
	"achilles/render/canvas"
	"achilles/render/replay"
)

// An Overlay is a part of the picture that can be left out.
type Overlay uint8

// Overlays.
const (
	Sight      Overlay = iota // which cells the actor sees
	Belief                    // where the actor believes the reward to be; known only if the seal was opened
	Goals                     // which goal an observer believes the actor to have, and the observer's surprise
	Prediction                // the paths that the subject's profile predicts
	Others                    // the paths of the other subjects on the same item
	numOverlays
)

// String returns the name of the overlay.
func (o Overlay) String() string {
	return [numOverlays]string{"sight", "belief", "goals", "prediction", "others"}[o]
}

// ParseOverlay returns the overlay with a name. ok is false if there is none.
func ParseOverlay(name string) (o Overlay, ok bool) {
	for o := range numOverlays {
		if o.String() == name {
			return o, true
		}
	}
	return 0, false
}

// Overlays says for each overlay whether it is drawn.
type Overlays [numOverlays]bool

// All returns all overlays of an episode alone: all but the other subjects.
func All() Overlays { return Overlays{Sight: true, Belief: true, Goals: true, Prediction: true} }

// A Moment is one tick of an episode. A tick before the first is drawn as the first, and a tick after the last as the
// last.
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

// predicted returns the prediction for the episode. It returns nil if there is none, or if Show leaves predictions out.
func (m Moment) predicted() *replay.Predicted {
	if !m.Show[Prediction] {
		return nil
	}
	return m.Episode.Predicted
}

// world draws a grid world, from the lowest layer to the highest.
func (m Moment) world(dst *canvas.Canvas, r canvas.Rect) {
	d := newDrawing(m, dst, r)
	d.Ground()
	d.Marks()
	if m.Show[Sight] {
		d.Unseen()
	}
	d.Darkness()
	if m.Show[Others] {
		d.others(m.Episode.Others)
	}
	p := m.predicted()
	if p != nil {
		d.sampled(p)
	}
	d.path()
	if p != nil {
		d.predicted(p)
		d.walkers(p)
	}
	d.DrawThings()
	if m.Show[Belief] {
		d.belief()
	}
	d.DrawActor()
	d.stop(m.Episode)
	d.Edge()
}

// CellCentre returns the centre of a cell in the grid world that Draw draws into r. ok is false if the cell is
// outside the world or the episode has no grid world.
func (m Moment) CellCentre(r canvas.Rect, p gridworld.Pos) (at canvas.Point, ok bool) {
	if m.Episode.Trajectory == nil || !m.Episode.Trajectory.World.Inside(p) {
		return at, false
	}
	b := board.New(m.Episode.Trajectory.World, r)
	return b.Centre(p), true
}
