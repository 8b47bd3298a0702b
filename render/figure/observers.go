package figure

import (
	"maps"
	"slices"

	"achilles/infer/voe"
	"achilles/render/figure/chart"
	"achilles/render/format"
	"achilles/scenarios/score"
)

// observers returns the entries of the observers' accuracies and of the surprise curves.
func observers(m *Material) (out []Entry) {
	if len(m.Scores.Observers) > 0 {
		out = append(out, Entry{Name: "observers", Title: "Observers by evaluation task", Section: SectionObservers, Make: m.observed,
			Caption: "Relative accuracy in per cent: how often the unexpected outcome was more surprising; ties count one half. Chance: 50."})
	}
	curves := m.Scores.Psychometrics()
	for i, r := range curves {
		if task := r.Task; slices.IndexFunc(curves, func(o score.Psychometric) bool { return o.Task == task }) == i {
			rows := slices.DeleteFunc(slices.Clone(curves), func(o score.Psychometric) bool { return o.Task != task })
			out = append(out, Entry{Name: "psychometric-" + string(task), Title: "Psychometric curves: " + string(task), Section: SectionObservers,
				Make:    func() chart.Figure { return psychometric(rows) },
				Caption: "Relative accuracy by the evidence that familiarisation gives of the preference, with exact 95 % intervals, beside an observer that counts by just this evidence. Chance: 50."})
		}
	}
	if len(m.Frames) > 0 && len(m.Scores.Seen) > 0 {
		out = append(out, Entry{Name: "surprises", Title: "Surprise, frame by frame", Section: SectionObservers, Make: m.surprises,
			Caption: "Cumulative surprise of the observer achilles over the test trial, in nats, for the expected and the unexpected outcome. The final value is scored."})
	}
	return out
}

// shownShortcut is the shortcut whose curve is drawn beside those of observers that contend: it counts where trials end.
const shownShortcut = "usual_goal"

// psychometric draws a line for each observer that contends, one for a shortcut, and that of the ideal observer.
func psychometric(rows []score.Psychometric) chart.Figure {
	var series []chart.Series
	at := map[string]int{}
	ideal := chart.Series{Name: "ideal"}
	for _, r := range rows {
		if r.Degenerate && r.Observer != shownShortcut {
			continue
		}
		k, ok := at[r.Observer]
		if !ok {
			k = len(series)
			at[r.Observer] = k
			series = append(series, chart.Series{Name: r.Observer})
		}
		series[k].Points = append(series[k].Points, chart.Point{X: r.Nats, Y: r.Accuracy, Low: r.Interval[0], High: r.Interval[1]})
		if k == 0 {
			ideal.Points = append(ideal.Points, bare(r.Nats, r.Ideal))
		}
	}
	return chart.Lines("evidence, nats", "relative accuracy, %", append(series, ideal), 0, 105)
}

// observed draws accuracies, with a row for each kind of episode and a column for each observer.
func (m *Material) observed() chart.Figure {
	names, kinds := m.Scores.ObserverNames(), m.Scores.EpisodeKinds()
	cells := make([][]chart.Cell, len(kinds))
	for i, kind := range kinds {
		for _, o := range names {
			cell := chart.Cell{}
			if s, ok := m.Scores.Observers[o][kind]; ok {
				share := s.Accuracy / 100
				cell = chart.Cell{Share: &share, Text: format.Number(s.Accuracy, 1)}
			}
			cells[i] = append(cells[i], cell)
		}
	}
	return chart.Heat(kinds, names, cells, "relative accuracy, as a proportion")
}

// shownItems is the largest number of items whose surprise curves are drawn.
const shownItems = 12

// surprises draws the surprise curves of one item of each task, then of a second item of each task, and so on, up to
// shownItems.
func (m *Material) surprises() chart.Figure {
	steps := lastTrials(m)
	byTask := map[string][]chart.SurprisePair{}
	for i := range m.Scores.Seen {
		x := &m.Scores.Seen[i]
		task, expected, unexpected := string(x.Task), "a", "b"
		if x.ExpectedVideo() == "b" {
			expected, unexpected = "b", "a"
		}
		e, u := steps[[2]string{x.Item, expected}], steps[[2]string{x.Item, unexpected}]
		if e != nil && u != nil {
			byTask[task] = append(byTask[task], chart.SurprisePair{Title: task, Expected: curve(e), Unexpected: curve(u)})
		}
	}
	var out []chart.SurprisePair
	for round := range shownItems {
		for _, task := range slices.Sorted(maps.Keys(byTask)) {
			if round < len(byTask[task]) && len(out) < shownItems {
				out = append(out, byTask[task][round])
			}
		}
	}
	return chart.Surprises(out)
}

// lastTrials returns the frames of the observer achilles in the last trial of each video, by item and video.
func lastTrials(m *Material) map[[2]string][]voe.Frame {
	steps := map[[2]string][]voe.Frame{}
	for _, f := range m.Frames {
		if f.Observer != "achilles" {
			continue
		}
		k := [2]string{f.Item, f.Video}
		if have := steps[k]; len(have) > 0 && have[0].Trial != f.Trial {
			if have[0].Trial > f.Trial {
				continue
			}
			steps[k] = nil
		}
		steps[k] = append(steps[k], f)
	}
	return steps
}

// curve returns the surprise at each frame of a trial.
func curve(frames []voe.Frame) []float64 { return voe.Curve(frames, int(frames[len(frames)-1].Frame)) }
