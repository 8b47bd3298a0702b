package picture

import (
	"image"
	"image/draw"
	"math"
	"slices"

	"achilles/render/canvas"
	"achilles/render/palette"
	"achilles/render/replay"
)

// filmSeconds is how long a film takes at most where no speed is given, and filmFrames how many pictures it has.
const (
	filmSeconds = 15
	filmFrames  = 240
)

// Film is the film of the ticks from first to last, as posters. Speed is relative to the episode's rate; 0 makes a film
// of at most 15 seconds. Where there would be too many pictures, ticks are left out evenly, the last one never.
func (g *Stage) Film(width, height float32, first, last int, speed float64, show Show) canvas.Animation {
	span := last - first
	rate := g.Episode.Rate
	if speed <= 0 {
		speed = max(1, float64(span)/rate/filmSeconds)
	}
	every := (span + filmFrames) / filmFrames
	// Viewers slow down films whose pictures take less than 2 hundredths of a second.
	every = max(every, int(math.Ceil(0.02*rate*speed)))
	frames := (span+every-1)/every + 1
	tick := func(i int) int { return min(first+i*every, last) }
	var r canvas.Renderer
	picture := image.NewRGBA(image.Rect(0, 0, int(width), int(height)))
	return canvas.Animation{
		Frames: frames,
		Frame: func(i int) *image.RGBA {
			draw.Draw(picture, picture.Rect, image.NewUniform(palette.Paper), image.Point{}, draw.Src)
			r.Draw(picture, g.Poster(width, height, tick(i), show))
			return picture
		},
		Delay: func(i int) int {
			if i == frames-1 {
				return 200
			}
			return max(2, int(math.Round(100*float64(every)/(rate*speed))))
		},
	}
}

// Strip draws up to so many key moments, each of that size, side by side.
func (g *Stage) Strip(width, height float32, moments, columns int, show Show) *image.RGBA {
	var pictures []*image.RGBA
	for _, m := range g.Moments(moments) {
		pictures = append(pictures, onPaper(g.Moment(width, height, m.Tick, show, m.Caption)))
	}
	return canvas.Strip(pictures, columns, 8)
}

// onPaper draws a scene on white, as it is printed.
func onPaper(s *canvas.Scene) *image.RGBA {
	picture := image.NewRGBA(image.Rect(0, 0, int(s.W), int(s.H)))
	draw.Draw(picture, picture.Rect, image.White, image.Point{}, draw.Src)
	var r canvas.Renderer
	r.Draw(picture, s)
	return picture
}

// A Key is a moment worth showing. The caption is empty where the picture has its own.
type Key struct {
	Tick    int
	Caption string
}

// Moments are up to n moments worth showing, in order: of a film the start, the end and the events that tell most; of
// what is watched, how familiarisation trials end, and moments of the test.
func (g *Stage) Moments(n int) []Key {
	if g.Episode.Watch != nil {
		return g.watchedMoments(n)
	}
	e := g.Episode
	captions := map[int]string{0: "start"}
	order := []int{0}
	add := func(tick int, caption string) {
		was, ok := captions[tick]
		switch {
		case ok && was == "end":
			captions[tick] = caption
		case ok:
			captions[tick] = was + ", " + caption
		case len(order) < n:
			captions[tick] = caption
			order = append(order, tick)
		}
	}
	add(e.Last, "end")
	for _, kind := range telling() {
		for _, v := range e.Events {
			if v.Kind == kind {
				add(v.Tick, Caption(v))
			}
		}
	}
	slices.Sort(order)
	var list []Key
	for _, t := range order {
		list = append(list, Key{t, captions[t]})
	}
	return list
}

// watchedMoments spreads half of the moments over the familiarisation and half over the test.
func (g *Stage) watchedMoments(n int) (list []Key) {
	w, last := g.Episode.Watch, g.Episode.Last
	test := w.Test()
	before := min(n/2, test)
	for k := range before {
		trial := k
		if before > 1 {
			trial = k * (test - 1) / (before - 1)
		}
		list = append(list, Key{w.Starts[trial+1] - 1, ""})
	}
	for k, of := 1, n-before; k <= of; k++ {
		list = append(list, Key{w.Starts[test] + k*(last-w.Starts[test])/of, ""})
	}
	return list
}

// telling lists the kinds of events that a strip shows, those that tell most first.
func telling() []replay.Kind {
	return []replay.Kind{replay.Reached, replay.Stopped, replay.Died, replay.Trapped, replay.Chosen, replay.LightsOut, replay.Hidden, replay.Unlocked,
		replay.Took, replay.Released, replay.LightsOn, replay.Appears, replay.TimedOut}
}
