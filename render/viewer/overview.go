package viewer

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"achilles/render/canvas"
	"achilles/render/format"
	"achilles/render/palette"
	"achilles/render/replay"
	"achilles/scenarios/score"
	"achilles/sim/num"
)

// An overview is the battery at a glance: how wrong held-out predictions are by subject and paradigm, beside a baseline, how well profiles
// recover the truth, and the result in a few words.
type overview struct {
	headlines []string        // score.Scores.Headlines; nil before Tabulate is called
	subjects  []subjectErrors // the worst first
	paradigms []string
	scatters  []scatter
}

// headline returns the result in a sentence, or "".
func (o *overview) headline() string {
	if o.headlines == nil {
		return ""
	}
	return o.headlines[0] + "."
}

// A subjectErrors has the errors of a subject by paradigm, and over all at the end.
type subjectErrors struct {
	name string
	by   []brier
}

// A brier has the sums of squared errors of the predictions of held-out episodes, and of the subject's success rate in its other episodes.
type brier struct {
	n               int
	error, baseline float64
}

// excess returns the mean squared error less that of the baseline; NaN without episodes.
func (b *brier) excess() float64 { return (b.error - b.baseline) / float64(b.n) }

// A scatter has the true and the inferred values of a capability, as fractions of its maximum.
type scatter struct {
	name   string
	points [][2]float64
}

// newOverview returns the overview of a list; scores may be nil.
func newOverview(list *replay.List, scores *score.Scores) *overview {
	o := &overview{paradigms: list.Values(replay.Paradigm)}
	passed, n := map[string]float64{}, map[string]float64{}
	each(list, func(r *replay.Row, y float64) {
		if r.HeldOut == nil {
			passed[r.Subject], n[r.Subject] = passed[r.Subject]+y, n[r.Subject]+1
		}
	})
	at := map[string]int{}
	each(list, func(r *replay.Row, y float64) {
		if r.HeldOut == nil || math.IsNaN(r.HeldOut.P) || n[r.Subject] == 0 {
			return
		}
		k, ok := at[r.Subject]
		if !ok {
			k = len(o.subjects)
			at[r.Subject] = k
			o.subjects = append(o.subjects, subjectErrors{r.Subject, make([]brier, len(o.paradigms)+1)})
		}
		d, base := r.HeldOut.P-y, passed[r.Subject]/n[r.Subject]-y
		for _, p := range []int{slices.Index(o.paradigms, r.Paradigm), len(o.paradigms)} {
			if b := &o.subjects[k].by; p >= 0 {
				(*b)[p].n++
				(*b)[p].error += float64(d * d)
				(*b)[p].baseline += float64(base * base)
			}
		}
	})
	last := len(o.paradigms)
	slices.SortStableFunc(o.subjects, func(a, b subjectErrors) int { return cmp.Compare(b.by[last].excess(), a.by[last].excess()) })
	if scores != nil {
		o.headlines, o.scatters = scores.Headlines(), scattersOf(scores)
	}
	return o
}

// each calls f for every episode that was passed or failed, with 1 or 0.
func each(list *replay.List, f func(r *replay.Row, y float64)) {
	for i := range list.Len() {
		switch r := list.Row(i); r.Outcome {
		case replay.OutcomePassed:
			f(r, 1)
		case replay.OutcomeFailed:
			f(r, 0)
		}
	}
}

// scattersOf returns the recovery of each capability whose truth is known, in the order of the parameters.
func scattersOf(s *score.Scores) (out []scatter) {
	for _, name := range s.Parameters() {
		x := scatter{name: name}
		for i := range s.Profiles {
			p := &s.Profiles[i]
			if p.Parameter == name && p.Truth != nil && p.Scale > 0 {
				mean, _ := p.Reported()
				x.points = append(x.points, [2]float64{*p.Truth / p.Scale, mean / p.Scale})
			}
		}
		if len(x.points) > 0 {
			out = append(out, x)
		}
	}
	return out
}

// overviewed says whether the overview covers the picture.
func (m model) overviewed() bool {
	return m.panel == batteryPanel && !m.wide && !m.tabular() && m.overview != nil && len(m.overview.subjects) > 0
}

// A glance draws the overview. A click on a cell shows the episodes that it is about.
type glance struct{ *drawing }

func (d glance) draw(r canvas.Rect) {
	o := d.m.overview
	d.Hit(action{showPanel, int(batteryPanel)}.String(), r)
	d.panel(r)
	head, r := r.Inset(8).CutTop(22)
	d.write(head, canvas.Bold, large, palette.Ink, canvas.Left, fitting(canvas.Bold, large, head.W(),
		"Held-out Brier score (baseline) by subject and paradigm; the worst first", "Held-out Brier score (baseline), the worst first", "Held-out Brier score, the worst first"))
	if len(o.scatters) > 0 && r.H() >= leastWithScatters {
		var at canvas.Rect
		at, r = r.CutBottom(min(150, r.H()*0.38))
		d.scatters(at)
	}
	const words = "orange: worse than the subject's success rate as every forecast; blue: better; a click, or enter, shows the episodes of a cell"
	note, r := r.CutBottom(4 + 15*float32(len(canvas.Wrap(canvas.Regular, small, words, r.W()))))
	_, note = note.CutTop(4)
	d.paragraph(note, palette.Muted, words)
	_, all := r.CutLeft(nameWidth)
	columns := all.Columns(len(o.paradigms)+1, 2)
	names := append(slices.Clone(o.paradigms), "all")
	lines := 1
	for _, name := range names {
		lines = max(lines, len(headLines(name, columns[0].W())))
	}
	heads, r := r.CutTop(6 + 14*float32(lines))
	for k, name := range names {
		at := canvas.Rect{X0: columns[k].X0, Y0: heads.Y0, X1: columns[k].X1, Y1: heads.Y1}
		own := headLines(name, at.W())
		_, at = at.CutTop(14 * float32(lines-len(own)))
		for _, text := range own {
			var line canvas.Rect
			line, at = at.CutTop(14)
			d.write(line, canvas.Regular, small, palette.Muted, canvas.Centre, text)
		}
	}
	from, to := o.shown(d.m.marked/len(columns), max(int(r.H()/lineHeight), 1))
	for i := from; i < to; i++ {
		var at canvas.Rect
		at, r = r.CutTop(lineHeight)
		d.subjectErrors(at, columns, i)
	}
	if left := len(o.subjects) - to; left > 0 {
		at, _ := r.CutTop(lineHeight)
		d.write(at, canvas.Regular, small, palette.Muted, canvas.Left, num.Count(left)+" more, less wrong")
	}
}

// headLines returns the head of a column in one line or, where that is too wide, in several, broken after hyphens or within a word.
func headLines(name string, width float32) []string {
	wide := func(text string) bool { return canvas.Measure(canvas.Regular, small, text) > width }
	if letters := []rune(name); wide(name) && !strings.Contains(name, "-") {
		k := len(letters) - 1
		for k > 1 && wide(string(letters[:k])+"-") {
			k--
		}
		return []string{string(letters[:k]) + "-", string(letters[k:])}
	}
	list := canvas.Wrap(canvas.Regular, small, strings.ReplaceAll(name, "-", "- "), width)
	for i := range list {
		list[i] = strings.ReplaceAll(list[i], "- ", "-")
	}
	return list
}

// leastWithScatters is the least height, in pixels, of an overview that has room for recovery below the subjects.
const leastWithScatters = 330

// shown returns the range of subjects that are shown in so many lines, so that the marked one is among them. A line says how many come after them.
func (o *overview) shown(marked, lines int) (from, to int) {
	if len(o.subjects) <= lines {
		return 0, len(o.subjects)
	}
	to = min(max(lines-1, 1, marked+1), len(o.subjects))
	return max(0, to-max(lines-1, 1)), to
}

func (d glance) subjectErrors(r canvas.Rect, columns []canvas.Rect, i int) {
	s := &d.m.overview.subjects[i]
	left, _ := r.CutLeft(nameWidth - 4)
	d.write(left, canvas.Regular, small+1, palette.Ink, canvas.Left, s.name)
	for k := range s.by {
		at := canvas.Rect{X0: columns[k].X0, Y0: r.Y0 + 1, X1: columns[k].X1, Y1: r.Y1 - 1}
		b := &s.by[k]
		if b.n == 0 {
			d.write(at, canvas.Regular, small, palette.Muted, canvas.Centre, "–")
			continue
		}
		x := min(max(b.excess()/0.25, -1), 1)
		colour := palette.Expected.Fade(-0.6 * x)
		if x > 0 {
			colour = palette.Unexpected.Fade(0.6 * x)
		}
		d.Fill(at, colour)
		a := action{cell, i*(len(d.m.overview.paradigms)+1) + k}
		if d.m.over == a.String() || d.m.marked == a.n {
			d.Frame(at, 1, palette.Ink)
		}
		d.Hit(a.String(), at)
		text := format.Number(b.error/float64(b.n), 2)
		if at.W() > 74 {
			text += " (" + format.Number(b.baseline/float64(b.n), 2) + ")"
		}
		d.write(at, canvas.Regular, small, palette.Ink, canvas.Centre, text)
	}
}

// scatters draws the inferred values of every capability against the true ones.
func (d glance) scatters(r canvas.Rect) {
	head, r := r.CutTop(20)
	d.write(head, canvas.Bold, small+1, palette.Ink, canvas.Left, fitting(canvas.Bold, small+1, head.W(),
		"Recovery: posterior mean (up) against truth (across), as fractions of the maximum", "Recovery: posterior mean (up) against truth (across)"))
	size := min(r.H()-16, r.W()/float32(len(d.m.overview.scatters))-8)
	if size < 30 {
		return
	}
	for _, s := range d.m.overview.scatters {
		var at canvas.Rect
		at, r = r.CutLeft(size + 8)
		name, box := at.CutTop(15)
		d.write(name, canvas.Regular, small, palette.Muted, canvas.Left, s.name)
		box = canvas.At(box.X0, box.Y0, size, size)
		d.Frame(box, 1, palette.Edge)
		d.Line(1, palette.Edge, canvas.Point{X: box.X0, Y: box.Y1}, canvas.Point{X: box.X1, Y: box.Y0})
		for _, p := range s.points {
			in := func(x float64) float32 { return size * float32(min(max(x, 0), 1)) }
			d.Disc(canvas.Point{X: box.X0 + in(p[0]), Y: box.Y1 - in(p[1])}, 2.5, palette.Blue.Fade(0.7))
		}
	}
}

// move returns the cell beside a cell: 0 up, 1 right, 2 down, 3 left.
func (o *overview) move(at, direction int) int {
	width := len(o.paradigms) + 1
	row, column := at/width, at%width
	switch direction {
	case 0:
		row--
	case 1:
		column++
	case 2:
		row++
	case 3:
		column--
	}
	return min(max(row, 0), len(o.subjects)-1)*width + min(max(column, 0), width-1)
}

// query returns the query for the episodes of a cell, the most wrong first; ok is false if there is no such cell.
func (o *overview) query(n int, list *replay.List) (q replay.Query, ok bool) {
	width := len(o.paradigms) + 1
	if n < 0 || n/width >= len(o.subjects) {
		return q, false
	}
	q.Value[replay.Agent] = 1 + slices.Index(list.Values(replay.Agent), o.subjects[n/width].name)
	if k := n % width; k < width-1 {
		q.Value[replay.Paradigm] = k + 1
	}
	if list.Has(replay.MostWrong) {
		q.Order = replay.MostWrong
	}
	return q, true
}

// hint describes a cell.
func (o *overview) hint(n int) string {
	width := len(o.paradigms) + 1
	if n < 0 || n/width >= len(o.subjects) {
		return ""
	}
	s := &o.subjects[n/width]
	b, where := &s.by[n%width], "all paradigms"
	if k := n % width; k < width-1 {
		where = o.paradigms[k]
	}
	if b.n == 0 {
		return fmt.Sprintf("%s, %s: nothing was held out", s.name, where)
	}
	return fmt.Sprintf("%s, %s: Brier score %s of %s held out; baseline (own success rate) %s", s.name, where,
		format.Number(b.error/float64(b.n), 3), num.Counted(b.n, "episode"), format.Number(b.baseline/float64(b.n), 3))
}
