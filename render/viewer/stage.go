package viewer

import (
	"math"

	"achilles/render/canvas"
	"achilles/render/picture"
)

// A stage is where an episode is shown: the open episode, the tick at which it is, and what is drawn over it. It is a value.
type stage struct {
	Play playback
	Show picture.Overlays

	row     int32 // row of the open episode; −1: none
	episode *opened
	problem string // reason why the selected episode cannot be shown
	resume  int    // tick at which the next episode begins, paused; 0: at its start
}

// moment returns the moment of the episode that is shown.
func (s stage) moment() picture.Moment {
	return picture.Moment{Episode: s.episode.Episode, Tick: s.Play.Tick, Show: s.Show}
}

// control performs actions on the playback and the overlays. ok is false for other actions.
func (s stage) control(a action) (next stage, ok bool) {
	p := s.Play
	switch a.verb {
	case playPause:
		p = p.Toggle()
	case step:
		p = p.Step(a.n)
	case seek:
		p = p.Seek(a.n)
	case nextEvent:
		p = p.NextEvent()
	case previousEvent:
		p = p.PreviousEvent()
	case toStart:
		p = p.Seek(0)
	case toEnd:
		p = p.Seek(p.Last)
	case slower:
		p = p.Slower()
	case faster:
		p = p.Faster()
	case loop:
		p.Loop = !p.Loop
	case overlay:
		s.Show[a.n] = !s.Show[a.n]
	default:
		return s, false
	}
	s.Play = p
	return s, true
}

// ended shows the episode of a row at its end, where the whole actual path stands beside the predicted one.
func (s stage) ended(row int32) stage {
	if s.row == row {
		s.Play = s.Play.Seek(s.Play.Last)
	} else {
		s.resume = math.MaxInt
	}
	return s
}

// absent returns the reason why the overlay has nothing to show in the episode. It returns "" if the overlay has
// something to show, or if no episode is open.
func (s stage) absent(o picture.Overlay) string {
	if s.episode == nil {
		return ""
	}
	return s.episode.absent[o]
}

// overlayHint returns the key of an overlay and what the overlay shows. If it has nothing to show in the episode,
// overlayHint adds the reason.
func (s stage) overlayHint(a action) string {
	key, text := keyOf(a)
	if why := s.absent(picture.Overlay(a.n)); why != "" {
		text += ": " + why
	}
	return key + ": " + text
}

// timeline returns the timeline of the episode, laid out in r.
func (s stage) timeline(r canvas.Rect) picture.Timeline {
	return picture.NewTimeline(canvas.Rect{X0: r.X0 + 10, Y0: r.Y0, X1: r.X1 - 10, Y1: r.Y1}, s.episode.Episode)
}
