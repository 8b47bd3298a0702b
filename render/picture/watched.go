package picture

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"achilles/infer/voe"
	"achilles/render/canvas"
	"achilles/render/format"
	"achilles/render/palette"
	"achilles/render/replay"
)

// thumbnailRoom is the least length, in pixels, of the longer side of a picture that shows thumbnails of the
// familiarisation trials.
const thumbnailRoom = 320

// watched draws an item that observers watch: the familiarisation trials as thumbnails, and the present trial large. If
// the two videos of the item differ in the present trial, it draws both.
func (m Moment) watched(dst *canvas.Canvas, r canvas.Rect) {
	w := m.Episode.Watched
	now, _ := w.At(0, m.Tick)
	_, r = r.CutTop(2)
	if w.Test() > 0 && max(r.W(), r.H()) >= thumbnailRoom {
		r = m.familiarisation(dst, r, now)
	}
	videos := differing(w, now, now+1)
	panels := videoPanels(len(videos), r)
	for i, v := range videos {
		m.panel(dst, panels[i], v, len(videos) > 1)
	}
}

// videoPanels divides r among n videos.
func videoPanels(n int, r canvas.Rect) []canvas.Rect {
	if r.H() > 1.4*r.W() {
		return r.Rows(n, 14)
	}
	return r.Columns(n, 14)
}

// differing returns the numbers of the videos to draw for the trials from … to−1: both if the two videos differ in one
// of these trials, otherwise only the first.
func differing(w *replay.Watched, from, to int) []int {
	for k := from; k < to; k++ {
		if len(w.Videos) > 1 && (k == w.Test() || !w.Shared[k]) {
			return []int{0, 1}
		}
	}
	return []int{0}
}

// familiarisation draws thumbnails of the familiarisation trials, of both videos if they differ. It returns the part of
// r that is left, to the right of the thumbnails or below them.
func (m Moment) familiarisation(dst *canvas.Canvas, r canvas.Rect, now int) canvas.Rect {
	w := m.Episode.Watched
	videos := differing(w, 0, w.Test())
	left, beside := r.CutLeft(min(r.W()*0.27, r.H()*0.62) * (1 + 0.5*float32(len(videos)-1)))
	_, beside = beside.CutLeft(12)
	above, below := r.CutTop(min(r.H()*0.27, float32(len(videos))*(r.W()/8+26)))
	_, below = below.CutTop(12)
	groups := left.Columns(len(videos), 12)
	trials := len(differing(w, 0, len(w.Starts))) // so that thumbnails stay where they are
	if roomFor(trials, beside) >= roomFor(trials, below) {
		r = beside
	} else {
		r, groups = below, above.Rows(len(videos), 6)
	}
	for i, v := range videos {
		title, colour := "familiarisation", palette.Ink
		if len(videos) > 1 {
			title, colour = w.Videos[v].Title(), colourOfOutcome(w.Videos[v].Outcome)
		}
		head, body := groups[i].CutTop(26)
		dst.Add(canvas.Text{At: canvas.Point{X: head.X0, Y: head.Y0 + 17}, Text: fitting(canvas.Bold, 15, []string{title, "familiar"}, head.W()), Size: 15, Colour: colour, Face: canvas.Bold})
		m.thumbnails(dst, body, v, now)
	}
	return r
}

// roomFor returns the side of the scenes of n videos in r, as they are drawn large.
func roomFor(n int, r canvas.Rect) float32 {
	panels := videoPanels(n, r)
	return min(panels[0].W(), panels[0].H()-26-footHeight)
}

// colourOfOutcome returns the colour of the title of a video with this outcome.
func colourOfOutcome(outcome string) palette.Colour {
	switch outcome {
	case "expected":
		return palette.Expected
	case "unexpected":
		return palette.Warning
	}
	return palette.Ink
}

// footHeight is the height of the part of a panel, below the scene, that shows the observer's surprise and beliefs.
// Only a panel whose body is at least footRoom high has this part.
const (
	footHeight = 66
	footRoom   = 190
)

// panel draws one video large, with its title. Below the scene, it draws the observer's surprise so far and beliefs
// about the goal. If paired is true, both videos are drawn, and the title names the outcome of this one.
func (m Moment) panel(dst *canvas.Canvas, r canvas.Rect, video int, paired bool) {
	w := m.Episode.Watched
	v := &w.Videos[video]
	trial, frame := w.At(video, m.Tick)
	head, body := r.CutTop(26)
	observed := m.Show[Goals] && w.Observer != ""
	var foot canvas.Rect
	if observed && body.H() >= footRoom {
		foot, body = body.CutBottom(footHeight)
	}
	d := newSceneDrawing(dst, body, &v.Trials[trial], frame)
	base := max(head.Y0+17, d.area.Y0-9)
	title, colour := panelTitle(w, v, trial, paired, body.X1-d.area.X0)
	dst.Add(canvas.Text{At: canvas.Point{X: d.area.X0, Y: base}, Text: title, Size: 15, Colour: colour, Face: canvas.Bold})
	var shares []voe.Share
	if observed && trial < len(v.Beliefs) {
		shares = goalsAt(v, trial, frame)
	}
	if observed && trial == w.Test() {
		d.expected, d.ahead = v.Expected, v.Path
	}
	d.draw(shares)
	if foot.H() > 0 {
		foot.X0, foot.X1, foot.Y0 = d.area.X0, max(d.area.X1, d.area.X0+foot.W()*0.6), d.area.Y1+6
		m.surprise(dst, foot, video, colour)
		d.goals(foot, shares)
	}
}

// surprise writes the observer's surprise at a video so far, with its unit, in large figures at the left of r. If no
// frames of the test trial are known, it writes the surprise at the whole video during that trial.
func (m Moment) surprise(dst *canvas.Canvas, r canvas.Rect, video int, c palette.Colour) {
	w := m.Episode.Watched
	v := &w.Videos[video]
	trial, frame := w.At(video, m.Tick)
	name, unit := w.Shift()
	name += " so far"
	number := math.NaN()
	switch f, ok := v.BeliefAt(trial, frame); {
	case ok:
		number = max(f.Shift, 0)
	case trial == w.Test() && !(trial < len(v.Beliefs) && len(v.Beliefs[trial].Frames) > 0):
		number, name, unit = v.Surprise, "surprise", replay.Unit(w.Observer)
	}
	if math.IsNaN(number) {
		return
	}
	dst.Add(canvas.Text{At: canvas.Point{X: r.X0, Y: r.Y0 + 25}, Text: format.Number(number, 2), Size: 26, Colour: c, Face: canvas.Bold})
	for i, text := range []string{unit, name} {
		dst.Write(canvas.Point{X: r.X0, Y: r.Y0 + 40 + 14*float32(i)}, 11, palette.Muted, canvas.Left, canvas.Shorten(canvas.Regular, 11, text, r.W()/2))
	}
}

// goals draws the probability of every goal as a bar, in the right half of r.
func (d *sceneDrawing) goals(r canvas.Rect, shares []voe.Share) {
	const height = 15
	_, at := r.CutLeft(r.W()/2 + 6)
	things := slices.Concat(d.trial.Scene.Objects, d.trial.Scene.Locks, d.trial.Scene.Keys)
	for i := range things {
		p, ok := shareOf(shares, &things[i])
		if !ok || at.H() < height {
			continue
		}
		var line canvas.Rect
		line, at = at.CutTop(height)
		s := &things[i]
		d.form(canvas.Point{X: line.X0 + 7, Y: line.Mid().Y}, 6, outline(s.Icon), palette.RGB(s.Colour[0], s.Colour[1], s.Colour[2]))
		_, line = line.CutLeft(18)
		number, bar := line.CutRight(38)
		bar = canvas.Rect{X0: bar.X0, Y0: bar.Y0 + 4, X1: bar.X1, Y1: bar.Y1 - 4}
		d.Fill(bar, palette.Edge.Fade(0.6))
		bar.X1 = bar.X0 + bar.W()*float32(p)
		d.Fill(bar, palette.Belief)
		d.Write(canvas.Point{X: number.X1, Y: number.Y1 - 4}, 11, palette.Ink, canvas.Right, format.Percent(p))
	}
}

// panelTitle returns the title of a panel and its colour. Of several titles, it takes the longest that fits.
func panelTitle(w *replay.Watched, v *replay.Video, trial int, paired bool, width float32) (title string, c palette.Colour) {
	titles := []string{"test"}
	if trial < w.Test() {
		titles = []string{fmt.Sprintf("familiarisation %d of %d", trial+1, w.Test()), fmt.Sprintf("trial %d of %d", trial+1, w.Test()), strconv.Itoa(trial + 1)}
	}
	c = palette.Ink
	if paired {
		c = colourOfOutcome(v.Outcome)
		for i := range titles {
			titles[i] += ", " + v.Title()
		}
	}
	return fitting(canvas.Bold, 15, titles, width), c
}

// goalsAt returns the observer's belief about the goal at a frame. If the belief is known for no frame of the trial, it
// returns the belief after the trial. If it is known for later frames only, goalsAt returns nil.
func goalsAt(v *replay.Video, trial, frame int) []voe.Share {
	f, ok := v.BeliefAt(trial, frame)
	after := v.Beliefs[trial].Goals
	if len(v.Beliefs[trial].Frames) > 0 && !ok {
		return nil
	}
	if !ok || len(f.Goals) != len(after) {
		return after
	}
	now := make([]voe.Share, len(after))
	for i := range after {
		now[i] = voe.Share{Name: after[i].Name, P: f.Goals[i]}
	}
	return now
}

// thumbnails draws the familiarisation trials of a video. Trials that are over show the whole path.
func (m Moment) thumbnails(dst *canvas.Canvas, r canvas.Rect, video, now int) {
	w := m.Episode.Watched
	n := w.Test()
	columns := 2
	if r.W() > 2*r.H() {
		columns = 8
	}
	columns = min(columns, n)
	lines := (n + columns - 1) / columns
	const gap = 6
	side := min((r.W()-gap*float32(columns-1))/float32(columns), (r.H()-gap*float32(lines-1))/float32(lines))
	for k := range n {
		at := canvas.At(r.X0+float32(k%columns)*(side+gap), r.Y0+float32(k/columns)*(side+gap), side, side)
		trial := &w.Videos[video].Trials[k]
		frame := 0
		switch {
		case k < now:
			frame = len(trial.Path) - 1
		case k == now:
			_, frame = w.At(video, m.Tick)
		}
		d := newSceneDrawing(dst, at.Inset(2), trial, frame)
		d.draw(nil)
		if k == now {
			dst.Frame(d.area.Inset(-3), 2.5, palette.Orange)
		}
		if k > now {
			dst.Fill(d.area, palette.Paper.Fade(0.55))
		}
	}
}
