package picture

import (
	"image"
	"image/draw"

	"achilles/render/board"
	"achilles/render/canvas"
	"achilles/sim/record"
)

// StimulusSide is the side of the picture of a stimulus, in pixels, and FrameTime how long a frame is shown, in hundredths of a
// second: 25 frames a second.
const (
	StimulusSide = 200
	FrameTime    = 4
)

// Stimulus returns a trial of an item that observers watch as people are shown it: the scene and nothing beside it, no title, no path and
// no frame. Frames that are alike are one, which is shown for as long.
func Stimulus(t *record.SceneTrial) canvas.Animation {
	first := []int{} // frames that differ from those before them
	changes := map[int]bool{}
	for _, c := range t.Changes {
		changes[c.Frame] = true
	}
	for f := range t.Path {
		if f == 0 || changes[f] || t.Path[f] != t.Path[f-1] {
			first = append(first, f)
		}
	}
	var r canvas.Renderer
	shown := image.NewRGBA(image.Rect(0, 0, StimulusSide, StimulusSide))
	return canvas.Animation{
		Frames: len(first), Once: true,
		Frame: func(i int) *image.RGBA {
			draw.Draw(shown, shown.Rect, image.NewUniform(board.Floor), image.Point{}, draw.Src)
			dst := canvas.New(StimulusSide, StimulusSide)
			newSceneDrawing(dst, dst.Bounds(), t, first[i]).shown()
			r.Draw(shown, dst)
			return shown
		},
		Delay: func(i int) int {
			to := len(t.Path)
			if i+1 < len(first) {
				to = first[i+1]
			}
			return FrameTime * (to - first[i])
		},
	}
}

// shown draws what is there at the frame.
func (d *sceneDrawing) shown() {
	d.Fill(d.area, board.Floor)
	d.walls()
	now := d.trial.At(d.frame)
	d.barriers(now.Barrier)
	d.home()
	for _, list := range [][]record.Shape{now.Objects, now.Locks, now.Keys} {
		for i := range list {
			d.object(&list[i])
		}
	}
	d.covers(now.Covers)
	d.agent(now.Away)
}
