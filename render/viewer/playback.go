package viewer

import (
	"math"
	"slices"
)

// The speeds are powers of two, from 2^Slowest to 2^Fastest times the rate of the replay.
const (
	Slowest = -2
	Fastest = 5
)

// DefaultRate is how many ticks go by in a second at speed 1 where a replay does not say.
const DefaultRate = 8

// A Playback is a moment of a replay. It is a value: methods return what it becomes. The zero Playback is a replay of one
// tick that stands still.
type Playback struct {
	Tick    int     // 0 … Last
	Last    int     // the last tick
	Events  []int   // ticks at which something happens, ascending; shared and never written to
	Rate    float64 // ticks a second at speed 1; 0: DefaultRate
	Gear    int     // speed is 2^Gear; Slowest … Fastest
	Playing bool
	Loop    bool // begin again after the last tick

	carry float64 // part of a tick that has gone by, in [0, 1)
}

// NewPlayback returns a replay of the ticks 0 … last that stands at its beginning. Events outside of them are left out.
func NewPlayback(last int, events []int) Playback {
	s := Playback{Last: max(last, 0)}
	for _, e := range events {
		if e >= 0 && e <= s.Last {
			s.Events = append(s.Events, e)
		}
	}
	slices.Sort(s.Events)
	s.Events = slices.Compact(s.Events)
	return s
}

// Restart returns the replay of another episode with this one's speed and loop, playing if this one does.
func (s Playback) Restart(last int, events []int) Playback {
	n := NewPlayback(last, events)
	n.Rate, n.Gear, n.Playing, n.Loop = s.Rate, s.Gear, s.Playing, s.Loop
	return n
}

// Speed is the factor on the rate, 0.25 … 32.
func (s Playback) Speed() float64 { return math.Ldexp(1, s.Gear) }

// Faster doubles the speed, up to the fastest.
func (s Playback) Faster() Playback { return s.SetGear(s.Gear + 1) }

// Slower halves the speed, down to the slowest.
func (s Playback) Slower() Playback { return s.SetGear(s.Gear - 1) }

// SetGear makes the speed 2^gear, or the nearest there is.
func (s Playback) SetGear(gear int) Playback {
	s.Gear = min(max(gear, Slowest), Fastest)
	return s
}

// Toggle plays or pauses. At the end, playing begins again from the start.
func (s Playback) Toggle() Playback {
	s.Playing = !s.Playing
	if s.Playing && s.Tick == s.Last {
		s.Tick = 0
	}
	s.carry = 0
	return s
}

// Seek pauses at a tick, or the nearest there is.
func (s Playback) Seek(tick int) Playback {
	s.Tick = min(max(tick, 0), s.Last)
	s.Playing, s.carry = false, 0
	return s
}

// SeekShare pauses at a share of the way from the first tick to the last.
func (s Playback) SeekShare(share float64) Playback {
	if !(share > 0) { // nor is NaN
		share = 0
	}
	return s.Seek(int(math.Round(math.Min(share, 1) * float64(s.Last))))
}

// Share is how far the replay is, 0 … 1.
func (s Playback) Share() float64 {
	if s.Last == 0 {
		return 0
	}
	return float64(s.Tick) / float64(s.Last)
}

// Step pauses n ticks later; earlier where n is negative.
func (s Playback) Step(n int) Playback { return s.Seek(s.Tick + n) }

// NextEvent pauses at the next event, or at the end where there is none.
func (s Playback) NextEvent() Playback {
	i, found := slices.BinarySearch(s.Events, s.Tick)
	if found {
		i++
	}
	if i == len(s.Events) {
		return s.Seek(s.Last)
	}
	return s.Seek(s.Events[i])
}

// PreviousEvent pauses at the event before, or at the beginning where there is none.
func (s Playback) PreviousEvent() Playback {
	i, _ := slices.BinarySearch(s.Events, s.Tick)
	if i == 0 {
		return s.Seek(0)
	}
	return s.Seek(s.Events[i-1])
}

// Advance lets so many seconds go by. It pauses at the last tick; a loop goes on with the first after the last has had
// its time. However long a pause of the caller was, a loop goes round at most once.
func (s Playback) Advance(seconds float64) Playback {
	if !s.Playing || !(seconds > 0) {
		return s
	}
	rate := s.Rate
	if rate <= 0 {
		rate = DefaultRate
	}
	round := float64(s.Last + 1)
	passed := s.carry + math.Min(seconds*rate*s.Speed(), round)
	whole := math.Floor(passed)
	s.carry = passed - whole
	s.Tick += int(whole)
	switch {
	case s.Tick < s.Last || s.Tick == s.Last && s.Loop:
	case s.Loop:
		s.Tick %= s.Last + 1
	default:
		s = s.Seek(s.Last)
	}
	return s
}
