package policy

import (
	"slices"

	"achilles/gridworld"
)

// A timetable is when the schedule of a trial changes something.
type timetable struct {
	boundaries []int // sorted ticks at which it does
	settled    int   // tick of the last cue
	free       int   // first tick at which an action has an effect
}

// read takes the timetable from a world and its cues.
func (t *timetable) read(w *gridworld.World, cues []gridworld.Cue) {
	t.boundaries, t.settled = t.boundaries[:0], 0
	for _, c := range cues {
		t.boundaries = append(t.boundaries, c.Tick)
		t.settled = max(t.settled, c.Tick)
	}
	dark, frozen := w.Windows()
	for _, list := range [][]gridworld.Window{dark, frozen} {
		for _, v := range list {
			t.boundaries = append(t.boundaries, v.From, v.To)
		}
	}
	slices.Sort(t.boundaries)
	t.free = 0
	for again := true; again; {
		again = false
		for _, f := range frozen {
			if f.Has(t.free) {
				t.free, again = f.To, true
			}
		}
	}
}

// over returns the tick from which on the schedule changes nothing.
func (t *timetable) over() int {
	if len(t.boundaries) == 0 {
		return 0
	}
	return t.boundaries[len(t.boundaries)-1]
}

// quiet returns the tick before the next change of the schedule after `tick`, or `tick` if there is none.
func (t *timetable) quiet(tick int) int {
	for _, b := range t.boundaries {
		if b > tick {
			return b - 1
		}
	}
	return tick
}
