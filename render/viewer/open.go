package viewer

import (
	"fmt"
	"math"
	"strconv"

	"achilles/gridworld"
	"achilles/render/canvas"
	"achilles/render/picture"
	"achilles/render/replay"
)

// exhibit opens an episode with all that the screen shows of it. Only the episode itself is needed; what is inferred
// is shown where it is there.
func exhibit(a *replay.Archive, row int) (*Exhibit, error) {
	e, err := a.Episode(row)
	if err != nil {
		return nil, err
	}
	out := &Exhibit{Title: title(e), Last: e.Last, Rate: e.Rate}
	for _, v := range e.Events {
		out.Events = append(out.Events, Event{Tick: v.Tick, Name: eventName(v)})
	}
	g := &picture.Stage{Episode: e}
	if e.Film != nil {
		out.Start = Cell(e.Film.Frames[0].Actor.Pos)
		if p, err := a.Profile(e.Key.Subject); err == nil {
			out.Profile = profile(p)
			if g.Predicted, err = a.Predict(e, p); err != nil {
				return nil, err
			}
		}
	}
	out.Picture, out.Absent = overlaid{g}, absent(a.Unsealed, g, out.Profile)
	out.Facts, out.Curves = facts(a, row, e, g.Predicted), curves(e, g.Predicted)
	return out, nil
}

// eventName is what is written beside the timeline: of trials their number, there are many.
func eventName(v replay.Event) string {
	if v.Kind == replay.TrialBegins && v.Note != "" {
		return v.Note
	}
	return v.Kind.String()
}

func title(e *replay.Episode) string {
	text := e.Paradigm
	if e.Task != e.Paradigm {
		text += " · " + e.Task
	}
	if e.Subject != "" {
		text = e.Subject + " · " + text
	}
	return text + " · " + e.Item
}

// facts are what happened, what was predicted, and what the item asks.
func facts(a *replay.Archive, row int, e *replay.Episode, p *replay.Predicted) (list []Fact) {
	add := func(name, value string) { list = append(list, Fact{Name: name, Value: value}) }
	add("outcome", e.Outcome)
	if e.Cause != "" {
		add("cause", e.Cause)
	}
	if p != nil {
		add("predicted success", percent(p.Success))
		add("likeliest route", percent(p.Share)+" of "+strconv.Itoa(p.Samples)+" sampled")
		add("RMSE, likeliest", fmt.Sprintf("%.2f cells", p.RMSE))
		add("RMSE, all sampled", fmt.Sprintf("%.2f cells", p.FanRMSE))
		if p.HeldOut != nil {
			add("RMSE, held out", fmt.Sprintf("%.2f cells", p.HeldOut.RMSE))
		}
	}
	if w := e.Watch; w != nil {
		for i := range w.Videos {
			if v := &w.Videos[i]; !math.IsNaN(v.Surprise) {
				add("surprise, "+videoName(v), fmt.Sprintf("%.3g", v.Surprise))
			}
		}
		if w.Observer != "" {
			add("observer", w.Observer)
		}
	}
	for _, f := range a.Features(row) {
		add(f.Name, f.Value)
	}
	return list
}

func percent(p float64) string { return strconv.FormatFloat(100*p, 'f', 0, 64) + " %" }

func videoName(v *replay.Video) string {
	if v.Outcome != "" {
		return v.Outcome
	}
	return v.Name
}

// curves are the distance between predicted and actual path, or the surprise at every step of both outcomes.
func curves(e *replay.Episode, p *replay.Predicted) []Curve {
	if p != nil {
		return []Curve{{Name: "predicted to actual", Unit: "cells RMSE", Value: p.Distance, Mean: p.RMSE}}
	}
	w := e.Watch
	if w == nil || len(w.Videos) == 0 || w.Observer == "" {
		return nil
	}
	c := Curve{Name: "surprise a step", Unit: "nats", Mean: math.NaN(), Value: surprise(w, 0, e.Last)}
	if len(w.Videos) > 1 {
		c.Second = surprise(w, 1, e.Last)
		for t := range c.Second { // what both videos share is drawn once
			if c.Second[t] == c.Value[t] {
				c.Second[t] = math.NaN()
			}
		}
	}
	return []Curve{c}
}

// surprise is how surprising each step of a video was; NaN where nothing is known.
func surprise(w *replay.Watch, video, last int) []float64 {
	out := make([]float64, last+1)
	for t := range out {
		out[t] = math.NaN()
		trial, frame := w.At(video, t)
		if m, ok := w.Videos[video].Moment(trial, frame); ok {
			out[t] = m.Step
		}
	}
	return out
}

// battery is the table of the whole battery.
func battery(a *replay.Archive) *Battery {
	rows := a.PathErrors()
	if len(rows) == 0 {
		return &Battery{Columns: []string{"paradigm"}, Notes: []string{"No paths were predicted: nothing was inferred, or its layout says nothing about walking, or no responses were held out."}}
	}
	b := &Battery{Columns: []string{"paradigm", "n", "layout", "pooled", "direct", "still"}, Notes: []string{
		"Root mean square distance in cells between the predicted and the actual path, a tick at a time, averaged over the held-out episodes of a paradigm; predicted from each subject's other responses.",
		"layout: the likeliest path of the subject's profile. pooled: the same with one profile for everybody. direct: straight to the reward. still: nobody moves.",
	}}
	for _, r := range rows {
		row := []string{r.Paradigm, strconv.Itoa(r.N)}
		for _, x := range []float64{r.RMSE, r.Pooled, r.Direct, r.Still} {
			row = append(row, strconv.FormatFloat(x, 'f', 2, 64))
		}
		b.Rows = append(b.Rows, row)
	}
	return b
}

// An overlaid is a stage as the screen knows it.
type overlaid struct{ *picture.Stage }

func (p overlaid) Draw(s *canvas.Scene, r canvas.Rect, tick int, show Show) {
	p.Stage.Draw(s, r, tick, picture.Show(show))
}

func (p overlaid) Locate(r canvas.Rect, c Cell, _ int) (canvas.Point, bool) {
	return p.Stage.Locate(r, gridworld.Pos(c))
}

func (p overlaid) Tell(r canvas.Rect, x, y float32, tick int, show Show) string {
	return p.Stage.Tell(r, x, y, tick, picture.Show(show))
}
