package viewer

import (
	"math"
	"sort"

	"achilles/render/replay"
)

// slowest and fastest limit the speed. The speed is a power of two, from 2^slowest to 2^fastest times the rate of the
// episode.
const (
	slowest = -2
	fastest = 5
)

// A playback is the state of a player, with a tick and a speed. It is a value: methods return the new state. It has no
// clock: Advance is told how many seconds have passed. The zero playback has one tick and is paused.
type playback struct {
	Tick    int     // 0 … Last
	Last    int     // the last tick
	Rate    float64 // ticks per second at speed 1
	Playing bool
	Loop    bool // whether it starts again after the last tick

	events []replay.Event // sorted by tick
	gear   int            // the speed is 2^gear
	carry  float64        // fraction of the next tick that has passed, in [0, 1)
}

// Restart returns a playback of e from its first tick, with the speed and loop of p. It plays if p does. If e is nil,
// it has one tick.
func (p playback) Restart(e *replay.Episode) playback {
	n := playback{Playing: p.Playing, Loop: p.Loop, gear: p.gear}
	if e != nil {
		n.Last, n.Rate, n.events = max(e.Last, 0), e.Rate, e.Events
	}
	return n
}

// Speed returns the factor by which the rate is multiplied, 0.25 … 32.
func (p playback) Speed() float64 { return math.Ldexp(1, p.gear) }

// Faster doubles the speed, up to the fastest.
func (p playback) Faster() playback {
	p.gear = min(p.gear+1, fastest)
	return p
}

// Slower halves the speed, down to the slowest.
func (p playback) Slower() playback {
	p.gear = max(p.gear-1, slowest)
	return p
}

// Toggle starts or pauses the playback. If it is at the last tick, it starts from the first.
func (p playback) Toggle() playback {
	p.Playing = !p.Playing
	if p.Playing && p.Tick == p.Last {
		p.Tick = 0
	}
	p.carry = 0
	return p
}

// Seek goes to a tick, or to the nearest tick of the episode, and pauses.
func (p playback) Seek(tick int) playback {
	p.Tick = min(max(tick, 0), p.Last)
	p.Playing, p.carry = false, 0
	return p
}

// Step goes n ticks on, or back if n is negative, and pauses.
func (p playback) Step(n int) playback { return p.Seek(p.Tick + n) }

// NextEvent goes to the tick of the next event, or to the end if there is none, and pauses.
func (p playback) NextEvent() playback {
	i := sort.Search(len(p.events), func(i int) bool { return p.events[i].Tick > p.Tick })
	if i == len(p.events) {
		return p.Seek(p.Last)
	}
	return p.Seek(p.events[i].Tick)
}

// PreviousEvent goes to the tick of the last event before this tick, or to the beginning if there is none, and pauses.
func (p playback) PreviousEvent() playback {
	i := sort.Search(len(p.events), func(i int) bool { return p.events[i].Tick >= p.Tick })
	if i == 0 {
		return p.Seek(0)
	}
	return p.Seek(p.events[i-1].Tick)
}

// Advance plays for some seconds. Without Loop, it pauses at the last tick. With Loop, it shows the last tick as long
// as any other, and continues with the first. One call goes back to the first tick at most once, however many seconds
// pass.
func (p playback) Advance(seconds float64) playback {
	if !p.Playing || !(seconds > 0) {
		return p
	}
	round := float64(p.Last + 1)
	passed := p.carry + math.Min(seconds*p.Rate*p.Speed(), round)
	whole := math.Floor(passed)
	p.carry = passed - whole
	p.Tick += int(whole)
	switch {
	case p.Tick < p.Last || p.Tick == p.Last && p.Loop:
	case p.Loop:
		p.Tick %= p.Last + 1
	default:
		p = p.Seek(p.Last)
	}
	return p
}
