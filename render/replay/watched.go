package replay

import (
	"cmp"
	"fmt"
	"slices"

	"achilles/infer/voe"
	"achilles/sim/record"
)

// A Watched is an item that observers watch. It is one video, or two videos with different outcomes. A video has
// familiarisation trials and a test trial. Trial k of both videos begins at the same tick; the video whose trial is
// shorter shows the last frame of the trial until the other ends.
type Watched struct {
	Videos   []Video // the expected video first; a and b if that is sealed
	Starts   []int   // by trial: tick at which it begins
	Shared   []bool  // by trial: whether it is the same in all videos
	Observer string  // the observer whose beliefs the videos have; empty if there are none
}

// A Video is one of the videos of an item.
type Video struct {
	Name     string // a or b
	Outcome  string // expected or unexpected; empty if that is sealed
	Trials   []record.SceneTrial
	Expected string           // identity of the object to which the observer expects the actor of the test trial to go; empty if it does not say
	Path     [][2]int         // corners of the way that the observer expects, x and y; empty if it does not say
	Surprise float64          // surprise of the observer at the test trial, in the observer's unit; NaN if it did not watch
	Beliefs  []ObserverBelief // by trial; nil if none are known
}

// An ObserverBelief is an observer's belief about the actor of one trial: the probabilities of all hypotheses after the trial, and of goals during it.
type ObserverBelief struct {
	Goals      []voe.Share // where the actor goes
	Preference []voe.Share // which object it likes best; empty if the observer has none
	Manner     []voe.Share // how it goes there: temperatures and others; empty if the observer has none
	Frames     []voe.Frame // by frame; empty if they were not kept
}

// Test returns the index of the test trial.
func (w *Watched) Test() int { return len(w.Starts) - 1 }

// At returns the trial that runs at a tick, and the frame that video v shows at that tick, which is the last frame of
// the trial if it has ended in that video.
func (w *Watched) At(v, tick int) (trial, frame int) {
	trial, ok := slices.BinarySearch(w.Starts, tick)
	if !ok {
		trial--
	}
	trial = max(trial, 0)
	return trial, min(tick-w.Starts[trial], len(w.Videos[v].Trials[trial].Path)-1)
}

// BeliefAt returns the observer's belief at a frame of a trial: the last one at or before the frame. ok is false if
// none is known.
func (v *Video) BeliefAt(trial, frame int) (f voe.Frame, ok bool) {
	if trial >= len(v.Beliefs) {
		return f, false
	}
	frames := v.Beliefs[trial].Frames
	after, _ := slices.BinarySearchFunc(frames, frame+1, func(f voe.Frame, frame int) int { return int(f.Frame) - frame })
	if after == 0 {
		return f, false
	}
	return frames[after-1], true
}

// Unit returns the unit of an observer's surprises. It is nats for achilles, the planner of package voe, and frames for
// the observer duration. A surprise of hbtom is 1 minus the plausibility of the video. Every other observer has its own
// scale.
func Unit(observer string) string {
	switch observer {
	case defaultObserver:
		return "nats"
	case "hbtom":
		return "(0 to 1)"
	case "duration":
		return "frames"
	}
	return "on its own scale"
}

// Shift returns the name and the unit of the quantity that the observer's beliefs by frame give. For achilles, it is
// the surprise itself. For every other observer with beliefs, such as hbtom, it is how far the beliefs have moved: the
// sum of two total variation distances (docs/theory/bib.md).
func (w *Watched) Shift() (name, unit string) {
	if w.Observer == defaultObserver {
		return "surprise", Unit(w.Observer)
	}
	return "shift of beliefs", "total variation"
}

// Surprise returns, for each tick from 0 to last, the quantity that Shift names, at a video. It computes voe.Curve for
// every trial. ok is false if no frames are known.
func (w *Watched) Surprise(video, last int) (nats []float64, ok bool) {
	v := &w.Videos[video]
	nats = make([]float64, last+1)
	for k, start := range w.Starts {
		end := last
		if k < w.Test() {
			end = w.Starts[k+1] - 1
		}
		var frames []voe.Frame
		if k < len(v.Beliefs) {
			frames = v.Beliefs[k].Frames
		}
		copy(nats[start:], voe.Curve(frames, end-start))
		ok = ok || len(frames) > 0
	}
	return nats, ok
}

// Title returns the outcome of the video, or its name if the outcome is sealed.
func (v *Video) Title() string { return cmp.Or(v.Outcome, v.Name) }

// Identity returns the name by which observers' beliefs refer to a goal: its icon and colour.
func Identity(s *record.Shape) string {
	return fmt.Sprintf("%s#%02x%02x%02x", s.Icon, s.Colour[0], s.Colour[1], s.Colour[2])
}
