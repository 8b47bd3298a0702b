package picture

import (
	"achilles/render/board"
	"achilles/render/canvas"
	"achilles/render/palette"
	"achilles/render/replay"
)

// A drawing is the picture of a moment of a trajectory while it is being drawn.
type drawing struct {
	*board.Drawing
	trajectory *replay.Trajectory
	state      *replay.State
	tick       int
}

func newDrawing(m Moment, dst *canvas.Canvas, r canvas.Rect) *drawing {
	tr := m.Episode.Trajectory
	s := &tr.States[m.Tick]
	return &drawing{board.Draw(dst, r, tr.World, tr.Places, s.State), tr, s, m.Tick}
}

// stop writes next to the actor why it stopped or died, from that tick on.
func (d *drawing) stop(e *replay.Episode) {
	for _, v := range e.Events {
		if v.Tick > d.tick || v.Kind != replay.Stopped && v.Kind != replay.Died {
			continue
		}
		text := v.Kind.String()
		if v.Note != "" {
			text = v.Note
		}
		d.tag(d.Centre(d.state.Actor.Pos), text, palette.Warning)
	}
}
