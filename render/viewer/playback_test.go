package viewer_test

import (
	"testing"

	"achilles/render/replay"
	"achilles/render/viewer"
)

// rate is the number of ticks per second of the episodes in these tests.
const rate = 8

// of returns the playback of an episode with events at the given ticks.
func of(last int, ticks ...int) viewer.Playback {
	e := &replay.Episode{Last: last, Rate: rate}
	for _, t := range ticks {
		e.Events = append(e.Events, replay.Event{Tick: t})
	}
	return viewer.Playback{}.Restart(e)
}

func TestSteps(t *testing.T) {
	p := of(10, 3, 3, 7)
	for _, c := range []struct {
		name string
		do   func(viewer.Playback) viewer.Playback
		want int
		why  string
	}{
		{"forward", func(p viewer.Playback) viewer.Playback { return p.Step(1) }, 1, "one tick later"},
		{"back at the start", func(p viewer.Playback) viewer.Playback { return p.Step(-1) }, 0, "there is nothing before"},
		{"far", func(p viewer.Playback) viewer.Playback { return p.Step(99) }, 10, "there is nothing after"},
		{"first event", viewer.Playback.NextEvent, 3, "from the start on"},
		{"second event", func(p viewer.Playback) viewer.Playback { return p.NextEvent().NextEvent() }, 7, "two events at one tick are one stop"},
		{"no more events", func(p viewer.Playback) viewer.Playback { return p.Seek(7).NextEvent() }, 10, "the end"},
		{"event before", func(p viewer.Playback) viewer.Playback { return p.Seek(7).PreviousEvent() }, 3, "an event is not before itself"},
		{"event before, between", func(p viewer.Playback) viewer.Playback { return p.Seek(5).PreviousEvent() }, 3, ""},
		{"no event before", func(p viewer.Playback) viewer.Playback { return p.Seek(3).PreviousEvent() }, 0, "the beginning"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := c.do(p); got.Tick != c.want || got.Playing {
				t.Errorf("at tick %d, playing %v; want %d, paused: %s", got.Tick, got.Playing, c.want, c.why)
			}
		})
	}
}

func TestAdvance(t *testing.T) {
	p := of(10)
	if got := p.Advance(5); got.Tick != 0 {
		t.Errorf("a paused playback went to tick %d", got.Tick)
	}
	p = p.Toggle()
	if got := p.Advance(0.5); got.Tick != 4 || !got.Playing {
		t.Errorf("after half a second at %d ticks a second it is at %d", rate, got.Tick)
	}
	if got := p.Advance(60); got.Tick != 10 || got.Playing {
		t.Errorf("at the end: tick %d, playing %v", got.Tick, got.Playing)
	}
	if got := p.Advance(60).Toggle(); got.Tick != 0 || !got.Playing {
		t.Error("playing at the end does not begin again")
	}
	p.Loop = true
	if got := p.Advance(10.5 / rate); got.Tick != 10 || !got.Playing {
		t.Errorf("the last tick has no time of its own: %d", got.Tick)
	}
	if got := p.Advance(12.0 / rate); got.Tick != 0 || !got.Playing {
		t.Errorf("a loop does not go round once at most: %d", got.Tick)
	}
	zero := viewer.Playback{Playing: true, Loop: true}
	if got := zero.Advance(1); got.Tick != 0 {
		t.Errorf("a playback of one tick is at %d", got.Tick)
	}
	if none := p.Restart(nil); none.Last != 0 || none.Advance(1).Tick != 0 {
		t.Errorf("without an episode it is at %d of %d", none.Advance(1).Tick, none.Last)
	}
}

// TestFrames checks that a playback reaches the same tick whether one call of Advance passes 64 seconds or many calls
// pass 1/64 second each.
func TestFrames(t *testing.T) {
	for speed := 0.25; speed <= 32; speed *= 2 {
		whole := of(1 << 20).Toggle()
		for range 2 {
			whole = whole.Slower()
		}
		for whole.Speed() < speed {
			whole = whole.Faster()
		}
		cut := whole
		whole = whole.Advance(64)
		for range 64 * 64 {
			cut = cut.Advance(1.0 / 64)
		}
		if want := int(64 * rate * speed); whole.Tick != want || cut.Tick != want {
			t.Errorf("speed %g: whole %d, in frames %d, want %d", speed, whole.Tick, cut.Tick, want)
		}
	}
}

func TestSpeeds(t *testing.T) {
	p := viewer.Playback{}
	for range 20 {
		p = p.Slower()
	}
	if p.Speed() != 0.25 {
		t.Errorf("the slowest speed is %v", p.Speed())
	}
	for range 20 {
		p = p.Faster()
	}
	if p.Speed() != 32 {
		t.Errorf("the fastest speed is %v", p.Speed())
	}
	p.Playing, p.Loop, p.Tick, p.Last = true, true, 4, 5
	if n := p.Restart(&replay.Episode{Last: 9}); n.Speed() != 32 || !n.Playing || !n.Loop || n.Tick != 0 || n.Last != 9 {
		t.Errorf("another episode does not go on as this one: %+v", n)
	}
}
