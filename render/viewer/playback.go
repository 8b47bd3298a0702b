package viewer

import (
	"math"
	"sort"

	"achilles/render/replay"
)

// Speeds are powers of two, from 2^slowest to 2^fastest times the rate of the episode.
const (
	slowest = -2
	fastest = 5
)

// A playback is the state of a player: at which tick it stands, and how fast it plays. It is a value: methods return what
// it becomes. It knows no clock: Advance is told how many seconds went by. The zero playback has one tick and is paused.
type playback struct {
	Tick    int     // 0 … Last
	Last    int     // the last tick
	Rate    float64 // ticks a second at speed 1
	Playing bool
	Loop    bool // begin again after the last tick

	events []replay.Event // by tick
	gear   int            // the speed is 2^gear
	carry  float64        // part of a tick that has gone by, in [0, 1)
}

// Restart returns the playback of an episode from its beginning, with this one's speed and loop; it plays where this one
// plays. A nil episode has one tick.
func (p playback) Restart(e *replay.Episode) playback {
	n := playback{Playing: p.Playing, Loop: p.Loop, gear: p.gear}
	if e != nil {
		n.Last, n.Rate, n.events = max(e.Last, 0), e.Rate, e.Events
	}
	return n
}

// Speed is the factor on the rate, 0.25 … 32.
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

// Toggle plays or pauses. At the end it plays from the start.
func (p playback) Toggle() playback {
	p.Playing = !p.Playing
	if p.Playing && p.Tick == p.Last {
		p.Tick = 0
	}
	p.carry = 0
	return p
}

// Seek pauses at a tick, or at the nearest that there is.
func (p playback) Seek(tick int) playback {
	p.Tick = min(max(tick, 0), p.Last)
	p.Playing, p.carry = false, 0
	return p
}

// Step pauses n ticks later, or earlier where n is negative.
func (p playback) Step(n int) playback { return p.Seek(p.Tick + n) }

// NextEvent pauses at the tick of the next event, or at the end where there is none.
func (p playback) NextEvent() playback {
	i := sort.Search(len(p.events), func(i int) bool { return p.events[i].Tick > p.Tick })
	if i == len(p.events) {
		return p.Seek(p.Last)
	}
	return p.Seek(p.events[i].Tick)
}

// PreviousEvent pauses at the tick of the last event before, or at the beginning where there is none.
func (p playback) PreviousEvent() playback {
	i := sort.Search(len(p.events), func(i int) bool { return p.events[i].Tick >= p.Tick })
	if i == 0 {
		return p.Seek(0)
	}
	return p.Seek(p.events[i-1].Tick)
}

// Advance lets so many seconds go by. It pauses at the last tick; a loop shows the last tick for as long as any other and
// then goes on with the first. However many seconds go by at once, a loop goes round at most once.
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
