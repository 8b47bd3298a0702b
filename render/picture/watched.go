package picture

import (
	"fmt"
	"strconv"

	"achilles/infer/voe"
	"achilles/render/canvas"
	"achilles/render/palette"
	"achilles/render/replay"
)

// thumbnailRoom is the size in pixels from which on there is room for small pictures beside the large ones.
const thumbnailRoom = 560

// watch draws an item that is watched: the familiarisation trials as small pictures, and large what runs now, both
// videos side by side where they differ.
func (g *Stage) watch(s *canvas.Scene, r canvas.Rect, tick int, show Show) {
	w := g.Episode.Watch
	now, _ := w.At(0, tick)
	_, r = r.CutTop(2)
	if w.Test() > 0 && max(r.W(), r.H()) >= thumbnailRoom {
		r = g.familiarisation(s, r, tick, now)
	}
	videos := differing(w, now, now+1)
	panels := r.Columns(len(videos), 14)
	if r.H() > 1.4*r.W() {
		panels = rows(r, len(videos), 14)
	}
	for i, v := range videos {
		g.panel(s, panels[i], v, tick, show, len(videos) > 1)
	}
}

// differing lists the videos that have to be shown of the trials from ≤ k < to: the first alone where all are the same.
func differing(w *replay.Watch, from, to int) []int {
	for k := from; k < to; k++ {
		if len(w.Videos) > 1 && (k == w.Test() || !w.Shared[k]) {
			return []int{0, 1}
		}
	}
	return []int{0}
}

// familiarisation draws the familiarisation trials small, beside the rest of r or above it, and returns that rest. Where
// they differ, those of both videos are drawn.
func (g *Stage) familiarisation(s *canvas.Scene, r canvas.Rect, tick, now int) canvas.Rect {
	w := g.Episode.Watch
	videos := differing(w, 0, w.Test())
	var small canvas.Rect
	var groups []canvas.Rect
	if r.W() > r.H() {
		small, r = r.CutLeft(min(r.W()*0.27, r.H()*0.62) * (1 + 0.5*float32(len(videos)-1)))
		_, r = r.CutLeft(12)
		groups = small.Columns(len(videos), 12)
	} else {
		small, r = r.CutTop(r.H() * 0.27)
		_, r = r.CutTop(12)
		groups = rows(small, len(videos), 6)
	}
	for i, v := range videos {
		title, colour := "familiarisation", palette.Ink
		if len(videos) > 1 {
			title, colour = w.Videos[v].Title(), colourOfOutcome(w.Videos[v].Outcome)
		}
		thumbnails(s, groups[i], w, v, tick, now, title, colour)
	}
	return r
}

// colourOfOutcome is the colour of the title of an outcome.
func colourOfOutcome(outcome string) palette.Colour {
	switch outcome {
	case "expected":
		return palette.Expected
	case "unexpected":
		return palette.Warning
	}
	return palette.Ink
}

func rows(r canvas.Rect, n int, gap float32) []canvas.Rect {
	h := (r.H() - gap*float32(n-1)) / float32(n)
	list := make([]canvas.Rect, n)
	for i := range list {
		list[i] = canvas.At(r.X0, r.Y0+float32(i)*(h+gap), r.W(), h)
	}
	return list
}

// panel draws one video large, with its title and what the observer thinks.
func (g *Stage) panel(s *canvas.Scene, r canvas.Rect, video, tick int, show Show, paired bool) {
	w := g.Episode.Watch
	v := &w.Videos[video]
	trial, frame := w.At(video, tick)
	head, body := r.CutTop(26)
	t := newTake(s, body, &v.Trials[trial], frame)
	title, colour := panelTitle(w, v, trial, paired, body.X1-t.area.X0)
	s.Add(canvas.Text{At: canvas.Point{X: t.area.X0, Y: max(head.Y0+17, t.area.Y0-9)}, Text: title, Size: 15, Colour: colour, Face: canvas.Bold})
	var shares []voe.Share
	if show.Goals && trial < len(v.Minds) {
		shares = goalsAt(v, trial, frame)
		if m, ok := v.Moment(trial, frame); ok {
			text := fmt.Sprintf("surprise %.2f nats", max(m.Shift, 0))
			if canvas.Measure(canvas.Bold, 15, title)+canvas.Measure(canvas.Regular, 13, text)+8 < t.area.W() {
				s.Write(canvas.Point{X: t.area.X1, Y: max(head.Y0+17, t.area.Y0-9)}, 13, palette.Muted, canvas.Right, text)
			}
		}
	}
	t.draw(shares)
}

// panelTitle is the longest title of a panel that fits, and its colour.
func panelTitle(w *replay.Watch, v *replay.Video, trial int, paired bool, width float32) (title string, c palette.Colour) {
	outcome, c := "", palette.Ink
	if paired {
		outcome, c = ", "+v.Title(), colourOfOutcome(v.Outcome)
	}
	names := []string{"test"}
	if trial < w.Test() {
		names = []string{fmt.Sprintf("familiarisation %d of %d", trial+1, w.Test()), fmt.Sprintf("trial %d of %d", trial+1, w.Test()), strconv.Itoa(trial + 1)}
	}
	for _, name := range names {
		if title = name + outcome; canvas.Measure(canvas.Bold, 15, title) <= width {
			break
		}
	}
	return title, c
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

// thumbnails draws the familiarisation trials of a video: those that are over with their whole way.
func thumbnails(s *canvas.Scene, r canvas.Rect, w *replay.Watch, video, tick, now int, title string, colour palette.Colour) {
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
	s.Add(canvas.Text{At: canvas.Point{X: head.X0, Y: head.Y0 + 17}, Text: title, Size: 15, Colour: colour, Face: canvas.Bold})
	for k := range n {
		at := canvas.At(r.X0+float32(k%columns)*(side+gap), r.Y0+float32(k/columns)*(side+gap), side, side)
		trial := &w.Videos[video].Trials[k]
		frame := 0
		switch {
		case k < now:
			frame = len(trial.Path) - 1
		case k == now:
			_, frame = w.At(video, tick)
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
