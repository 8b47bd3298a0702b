package replay

import (
	"cmp"
	"fmt"
	"slices"

	"achilles/infer/voe"
	"achilles/sim/record"
)

// A Watched is an item of which an observer watches videos: familiarisation trials and a test trial, in one video or in
// two that differ in their outcome. Trial k of both videos begins at the same tick; the shorter one waits at its end.
type Watched struct {
	Videos   []Video // expected before unexpected once unsealed; before that a and b
	Starts   []int   // by trial: the tick at which it begins
	Shared   []bool  // by trial: all videos show the same
	Observer string  // whose beliefs the videos have; empty where there are none
}

// A Video is one of the videos of an item.
type Video struct {
	Name     string // a or b
	Outcome  string // expected or unexpected; empty while sealed
	Trials   []record.SceneTrial
	Surprise float64      // of the test trial; NaN where no observer watched
	Beliefs  []GoalBelief // by trial; empty where none are known
}

// A GoalBelief is what an observer believes about the actor's goal in one trial.
type GoalBelief struct {
	Goals  []voe.Share // the probability of every goal after the trial
	Frames []voe.Frame // the same while the trial runs, by frame; empty where it was not kept
}

// Test is the index of the test trial.
func (w *Watched) Test() int { return len(w.Starts) - 1 }

// At is the trial that runs at a tick, and the frame of video v then: its last one where the video has ended.
func (w *Watched) At(v, tick int) (trial, frame int) {
	trial, ok := slices.BinarySearch(w.Starts, tick)
	if !ok {
		trial--
	}
	trial = max(trial, 0)
	return trial, min(tick-w.Starts[trial], len(w.Videos[v].Trials[trial].Path)-1)
}

// BeliefAt is the observer's belief at a frame of a trial; ok is false where none is known.
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

// Surprise is the surprise of a video by tick, from 0 to the last: voe.Curve of every trial, one after the other. ok is
// false where it is unknown at every tick.
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

// Title is the outcome of the video, or its name while the outcome is sealed.
func (v *Video) Title() string { return cmp.Or(v.Outcome, v.Name) }

// Identity is the name of a goal as observers write it: icon and colour.
func Identity(s *record.Shape) string {
	return fmt.Sprintf("%s#%02x%02x%02x", s.Icon, s.Colour[0], s.Colour[1], s.Colour[2])
}
