package viewer

import (
	"slices"
	"strings"

	"achilles/render/canvas"
	"achilles/render/format"
	"achilles/render/palette"
	"achilles/render/replay"
	"achilles/scenarios/score"
)

// Relist shows a list with the surprises of another observer. The query, the cursor and the tick stay the same.
func (m model) Relist(list *replay.List, observer string) model {
	at := m.Row()
	l := *m.library
	l.list, l.observer = list, observer
	m.library, m.resume = &l, m.Play.Tick
	m.rows = list.Select(nil, m.query)
	m.row = -1
	m.Rev++
	return m.reveal().GoToRow(at)
}

// tabular says whether the table of observers covers the picture.
func (m model) tabular() bool {
	return m.panel == batteryPanel && !m.wide && len(m.library.observers) > 0 && m.scores != nil && m.scores.Observers != nil
}

// observers draws a table of the accuracies of all observers by kind of episode. A click on a row chooses its observer.
func (d *drawing) observers(r canvas.Rect) {
	d.Hit(action{showPanel, int(batteryPanel)}.String(), r)
	d.panel(r)
	head, r := r.Inset(8).CutTop(22)
	d.write(head, canvas.Bold, large, palette.Ink, canvas.Left, "Relative accuracy of observers, %, by evaluation task")
	heads, r := r.CutTop(20)
	_, heads = heads.CutLeft(nameWidth)
	kinds := kindsWatched(d.m.scores)
	columns := heads.Columns(len(kinds), 2)
	for k, kind := range kinds {
		d.write(columns[k], canvas.Regular, small, palette.Muted, canvas.Centre, kind.Head)
	}
	height := min(r.H()/float32(len(d.m.library.observers)), lineHeight)
	for i := range d.m.library.observers {
		var at canvas.Rect
		at, r = r.CutTop(height)
		d.observerRow(at, columns, i)
	}
}

// kindsWatched returns the kinds of episodes that an observer has watched, in the order of the table.
func kindsWatched(s *score.Scores) []score.ShortKind {
	return slices.DeleteFunc(score.ShortKinds(), func(kind score.ShortKind) bool {
		for _, of := range s.Observers {
			if _, ok := of[kind.Kind]; ok {
				return false
			}
		}
		return true
	})
}

// nameWidth is the width of the names of observers, in pixels.
const nameWidth = 112

func (d *drawing) observerRow(r canvas.Rect, columns []canvas.Rect, i int) {
	name, a := d.m.library.observers[i], action{observeBy, i}
	d.Fill(r, d.ground(a.String(), i == d.m.observer))
	d.Hit(a.String(), r)
	left, _ := r.CutLeft(nameWidth - 4)
	face := canvas.Regular
	if i == d.m.observer {
		face = canvas.Bold
	}
	d.write(left, face, small+1, palette.Ink, canvas.Left, name)
	for k, kind := range kindsWatched(d.m.scores) {
		at := canvas.Rect{X0: columns[k].X0, Y0: r.Y0 + 1, X1: columns[k].X1, Y1: r.Y1 - 1}
		s, ok := d.m.scores.Observers[name][kind.Kind]
		if !ok {
			d.write(at, canvas.Regular, small, palette.Muted, canvas.Centre, "–")
			continue
		}
		away := (s.Accuracy - 50) / 50 // −1: always wrong, 0: as good as guessing, 1: always right
		colour := palette.Expected.Fade(0.4 * away)
		if away < 0 {
			colour = palette.Unexpected.Fade(-0.4 * away)
		}
		d.Fill(at, colour)
		d.write(at, canvas.Regular, small, palette.Ink, canvas.Centre, format.Number(s.Accuracy, 0))
	}
}

// observerWords writes, at the top of r, an explanation of the table of observers, and the name of the chosen observer.
// It returns the rest of r.
func (d *drawing) observerWords(r canvas.Rect) canvas.Rect {
	chosen := d.m.library.observers[d.m.observer]
	head, r := r.CutTop(20)
	d.plain(head, palette.Ink, "observer: "+chosen)
	if !d.m.tabular() {
		return d.paragraph(r, palette.Muted, "Expected outcomes are sealed until the result is scored. Relative accuracies will then be shown here.")
	}
	r = d.paragraph(r, palette.Muted, "How often the unexpected outcome surprised an observer more than the expected one, in per cent; ties are half right, and 50 is guessing. Blue is better than guessing, orange worse.")
	_, r = r.CutTop(gap)
	r = d.paragraph(r, palette.Muted, "Surprises of "+chosen+" are "+unitWords(replay.Unit(chosen))+". They are compared within an observer only.")
	_, r = r.CutTop(gap)
	r = d.paragraph(r, palette.Muted, "Press k or j, or click a row, to choose the observer whose surprises, beliefs and episode order are shown. Press 1 to return to the episode.")
	var kinds []string
	for _, kind := range kindsWatched(d.m.scores) {
		kinds = append(kinds, kind.Head+": "+kind.Kind)
	}
	_, r = r.CutTop(gap)
	return d.paragraph(r, palette.Muted, strings.Join(kinds, ";  ")+".")
}

func unitWords(unit string) string {
	switch unit {
	case "nats", "frames":
		return "in " + unit
	case "(0 to 1)":
		return "1 − the plausibility of the video"
	}
	return unit
}
