package picture

import (
	"bytes"
	"fmt"
	"image"
	"image/draw"
	"slices"
	"strings"

	"achilles/render/canvas"
	"achilles/render/replay"
)

// Strip draws up to n key moments of an episode, one picture each. Each row has as many pictures as columns says. One
// title stands above all pictures, and one legend below them. Each picture is width × height pixels.
func Strip(e *replay.Episode, show Overlays, width, height float32, n, columns int) *image.RGBA {
	var pictures []*image.RGBA
	for _, k := range keyMoments(e, n) {
		pictures = append(pictures, onWhite(Moment{e, k.tick, show}.captioned(width, height, k.caption)))
	}
	strip := canvas.Strip(pictures, columns, stripGap)
	m, room := Moment{e, e.Last, show}, float32(strip.Rect.Dx())-2*stripGap
	head := canvas.New(room+2*stripGap, 46)
	m.title(head, canvas.At(stripGap, stripGap, room, 38), "")
	foot := canvas.New(head.W, m.LegendHeight(room)+stripGap)
	m.Legend(foot, canvas.At(stripGap, 0, room, foot.H-stripGap))
	return below(onWhite(head), strip, onWhite(foot))
}

// StripSVG draws the same strip as an SVG file.
func StripSVG(e *replay.Episode, show Overlays, width, height float32, n, columns int) []byte {
	moments := keyMoments(e, n)
	columns = min(columns, len(moments))
	rows := (len(moments) + columns - 1) / columns
	m, room := Moment{e, e.Last, show}, float32(columns)*(width+stripGap)-stripGap
	head := canvas.New(room+2*stripGap, 46)
	m.title(head, canvas.At(stripGap, stripGap, room, 38), "")
	foot := canvas.New(head.W, m.LegendHeight(room)+stripGap)
	m.Legend(foot, canvas.At(stripGap, 0, room, foot.H-stripGap))
	top := head.H + stripGap + float32(rows)*(height+stripGap)
	var b bytes.Buffer
	fmt.Fprintf(&b, "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 %g %g' width='%g' height='%g' stroke-linejoin='round' stroke-linecap='round'>\n<rect width='100%%' height='100%%' fill='#fff'/>\n", head.W, top+foot.H, head.W, top+foot.H)
	put := func(x, y float32, c *canvas.Canvas) {
		fmt.Fprintf(&b, "<g transform='translate(%g %g)'>\n%s\n</g>\n", x, y, strings.Join(canvas.SVG(c), "\n"))
	}
	put(0, 0, head)
	for i, k := range moments {
		put(stripGap+float32(i%columns)*(width+stripGap), head.H+stripGap+float32(i/columns)*(height+stripGap), Moment{e, k.tick, show}.captioned(width, height, k.caption))
	}
	put(0, top, foot)
	b.WriteString("</svg>\n")
	return b.Bytes()
}

// stripGap is the distance, in pixels, between the pictures of a strip, and between the pictures and the edges of the
// strip.
const stripGap = 8

// below returns one picture that has the given pictures below each other. All must have the same width.
func below(pictures ...*image.RGBA) *image.RGBA {
	height := 0
	for _, im := range pictures {
		height += im.Rect.Dy()
	}
	all := image.NewRGBA(image.Rect(0, 0, pictures[0].Rect.Dx(), height))
	y := 0
	for _, im := range pictures {
		draw.Draw(all, image.Rect(0, y, all.Rect.Dx(), y+im.Rect.Dy()), im, image.Point{}, draw.Src)
		y += im.Rect.Dy()
	}
	return all
}

// onWhite draws a canvas on white, for print.
func onWhite(c *canvas.Canvas) *image.RGBA {
	picture := image.NewRGBA(image.Rect(0, 0, int(c.W), int(c.H)))
	draw.Draw(picture, picture.Rect, image.White, image.Point{}, draw.Src)
	var r canvas.Renderer
	r.Draw(picture, c)
	return picture
}

// A keyMoment is a moment that a strip shows. The caption is empty if observers watch the episode, because the picture
// then has titles of its own.
type keyMoment struct {
	tick    int
	caption string
}

// keyMoments returns up to n moments in order. If a subject acts in the episode, they are the start, the end and the
// most important events. If observers watch it, they are the ends of familiarisation trials and moments of the test
// trial.
func keyMoments(e *replay.Episode, n int) []keyMoment {
	if e.Watched != nil {
		return watchedMoments(e, n)
	}
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
				add(v.Tick, v.Caption())
			}
		}
	}
	slices.Sort(order)
	var list []keyMoment
	for _, t := range order {
		list = append(list, keyMoment{t, captions[t]})
	}
	return list
}

// telling lists the kinds of events that a strip shows, the most important first.
func telling() []replay.EventKind {
	return []replay.EventKind{replay.Reached, replay.Stopped, replay.Died, replay.Trapped, replay.Chosen, replay.LightsOut, replay.Hidden,
		replay.Unlocked, replay.Took, replay.Released, replay.LightsOn, replay.Appears, replay.TimedOut}
}

// watchedMoments returns n moments. Half of them are ends of familiarisation trials, or fewer if there are fewer such
// trials. The others are moments of the test trial.
func watchedMoments(e *replay.Episode, n int) (list []keyMoment) {
	w := e.Watched
	test := w.Test()
	before := min(n/2, test)
	for k := range before {
		trial := k
		if before > 1 {
			trial = k * (test - 1) / (before - 1)
		}
		list = append(list, keyMoment{w.Starts[trial+1] - 1, ""})
	}
	for k, of := 1, n-before; k <= of; k++ {
		list = append(list, keyMoment{w.Starts[test] + k*(e.Last-w.Starts[test])/of, ""})
	}
	return list
}
