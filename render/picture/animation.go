package picture

import (
	"image"
	"image/draw"
	"math"

	"achilles/render/canvas"
	"achilles/render/palette"
	"achilles/render/replay"
)

// An animation takes at most about animationSeconds if no speed is given, and has at most about animationFrames frames.
const (
	animationSeconds = 15
	animationFrames  = 240
)

// Animation returns annotated pictures of the ticks from first to last. speed is a multiple of the episode's rate. If
// speed is 0, Animation plays the ticks at the episode's rate, or faster if they would take more than 15 seconds. If
// there are more than 240 ticks, or more than a GIF can show at this speed, Animation shows only every second, third …
// tick, and always the last. The pictures are cropped to the world.
func Animation(e *replay.Episode, show Overlays, width, height float32, first, last int, speed float64) canvas.Animation {
	span := last - first
	if speed <= 0 {
		speed = max(1, float64(span)/e.Rate/animationSeconds)
	}
	every := (span + animationFrames) / animationFrames
	// Browsers slow down GIFs with frames shorter than 2 hundredths of a second.
	every = max(every, int(math.Ceil(0.02*e.Rate*speed)))
	frames := (span+every-1)/every + 1
	width, height = Moment{e, last, show}.Cropped(width, height)
	var r canvas.Renderer
	picture := image.NewRGBA(image.Rect(0, 0, int(width), int(height)))
	return canvas.Animation{
		Frames: frames,
		Frame: func(i int) *image.RGBA {
			draw.Draw(picture, picture.Rect, image.NewUniform(palette.Paper), image.Point{}, draw.Src)
			r.Draw(picture, Moment{e, min(first+i*every, last), show}.Annotated(width, height))
			return picture
		},
		Delay: func(i int) int {
			if i == frames-1 {
				return 200
			}
			return max(2, int(math.Round(100*float64(every)/(e.Rate*speed))))
		},
	}
}
