package stage

import (
	"fmt"
	"reflect"
	"strconv"

	"achilles/infer/voe"
	"achilles/render/palette"
	"achilles/render/raster"
	"achilles/render/replay"
	"achilles/render/scene"
)

// thumbnailRoom is the size in pixels from which on there is room for small pictures beside the large ones.
const thumbnailRoom = 560

// watch draws an item that is watched: the familiarisation trials as small pictures, and large what runs now, both
// videos side by side where they differ.
func (g *Stage) watch(s *scene.Scene, r scene.Rect, tick int, show Show) {
	w := g.Episode.Watch
	now, _ := w.At(0, tick)
	_, r = r.CutTop(2)
	if w.Test() > 0 && max(r.W(), r.H()) >= thumbnailRoom {
		var small scene.Rect
		if r.W() > r.H() {
			small, r = r.CutLeft(min(r.W()*0.27, r.H()*0.62))
			_, r = r.CutLeft(12)
		} else {
			small, r = r.CutTop(r.H() * 0.27)
			_, r = r.CutTop(12)
		}
		thumbnails(s, small, w, tick, now)
	}
	videos := []int{0}
	if len(w.Videos) > 1 && (now == w.Test() || !same(w, now)) {
		videos = []int{0, 1}
	}
	panels := r.Columns(len(videos), 14)
	if r.H() > 1.4*r.W() {
		panels = rows(r, len(videos), 14)
	}
	for i, v := range videos {
		g.panel(s, panels[i], v, tick, show, len(videos) > 1)
	}
}

func rows(r scene.Rect, n int, gap float32) []scene.Rect {
	h := (r.H() - gap*float32(n-1)) / float32(n)
	list := make([]scene.Rect, n)
	for i := range list {
		list[i] = scene.At(r.X0, r.Y0+float32(i)*(h+gap), r.W(), h)
	}
	return list
}

// same says whether both videos show the same in a trial.
func same(w *replay.Watch, trial int) bool {
	return reflect.DeepEqual(w.Videos[0].Trials[trial], w.Videos[1].Trials[trial])
}

// panel draws one video large, with its title and what the observer thinks.
func (g *Stage) panel(s *scene.Scene, r scene.Rect, video, tick int, show Show, paired bool) {
	w := g.Episode.Watch
	v := &w.Videos[video]
	trial, frame := w.At(video, tick)
	head, body := r.CutTop(26)
	t := newTake(s, body, &v.Trials[trial], frame)
	title, colour := "familiarisation "+strconv.Itoa(trial+1)+" of "+strconv.Itoa(w.Test()), palette.Ink
	if trial == w.Test() {
		title = "test"
	}
	if paired {
		title += ", " + v.Title()
		switch v.Outcome {
		case "expected":
			colour = palette.Expected
		case "unexpected":
			colour = palette.Warning
		}
	}
	s.Add(scene.Text{At: scene.Point{X: t.area.X0, Y: max(head.Y0+17, t.area.Y0-9)}, Text: title, Size: 15, Colour: colour, Face: scene.Bold})
	var shares []voe.Share
	if show.Goals && trial < len(v.Minds) {
		shares = goalsAt(v, trial, frame)
		if m, ok := v.Moment(trial, frame); ok {
			text := fmt.Sprintf("surprise %.2f nats", max(m.Shift, 0))
			if raster.Measure(scene.Bold, 15, title)+raster.Measure(scene.Regular, 13, text)+8 < t.area.W() {
				s.Write(scene.Point{X: t.area.X1, Y: max(head.Y0+17, t.area.Y0-9)}, 13, palette.Muted, scene.Right, text)
			}
		}
	}
	t.draw(shares)
}

// goalsAt is what the observer thinks at a frame, or after the trial where only that is known.
func goalsAt(v *replay.Video, trial, frame int) []voe.Share {
	m, ok := v.Moment(trial, frame)
	after := v.Minds[trial].Goals
	if len(v.Minds[trial].Moments) > 0 && !ok {
		return nil
	}
	if !ok || len(m.Goals) != len(after) {
		return after
	}
	now := make([]voe.Share, len(after))
	for i := range after {
		now[i] = voe.Share{Name: after[i].Name, P: m.Goals[i]}
	}
	return now
}

// thumbnails draws the familiarisation trials of the first video: those that are over with their whole way.
func thumbnails(s *scene.Scene, r scene.Rect, w *replay.Watch, tick, now int) {
	n := w.Test()
	columns := 2
	if r.W() > r.H() {
		columns = 8
	}
	columns = min(columns, n)
	lines := (n + columns - 1) / columns
	const gap = 6
	head, r := r.CutTop(26)
	side := min((r.W()-gap*float32(columns-1))/float32(columns), (r.H()-gap*float32(lines-1))/float32(lines))
	s.Add(scene.Text{At: scene.Point{X: head.X0, Y: head.Y0 + 17}, Text: "familiarisation", Size: 15, Colour: palette.Ink, Face: scene.Bold})
	for k := range n {
		at := scene.At(r.X0+float32(k%columns)*(side+gap), r.Y0+float32(k/columns)*(side+gap), side, side)
		trial := &w.Videos[0].Trials[k]
		frame := 0
		switch {
		case k < now:
			frame = len(trial.Path) - 1
		case k == now:
			_, frame = w.At(0, tick)
		}
		t := newTake(s, at.Inset(2), trial, frame)
		t.draw(nil)
		if k == now {
			s.Frame(t.area.Inset(-3), 2.5, palette.Orange)
		}
		if k > now {
			s.Fill(t.area, palette.Paper.Fade(0.55))
		}
	}
}
