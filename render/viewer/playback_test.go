package viewer_test

import (
	"math"
	"testing"

	"achilles/render/viewer"
)

func TestSteps(t *testing.T) {
	s := viewer.NewPlayback(10, []int{7, 3, 3, 11, -1})
	for _, c := range []struct {
		name string
		do   func(viewer.Playback) viewer.Playback
		want int
		why  string
	}{
		{"forward", func(s viewer.Playback) viewer.Playback { return s.Step(1) }, 1, "one tick later"},
		{"back at the start", func(s viewer.Playback) viewer.Playback { return s.Step(-1) }, 0, "there is nothing before"},
		{"far", func(s viewer.Playback) viewer.Playback { return s.Step(99) }, 10, "there is nothing after"},
		{"first event", viewer.Playback.NextEvent, 3, "events are sorted, doubles and those outside left out"},
		{"second event", func(s viewer.Playback) viewer.Playback { return s.NextEvent().NextEvent() }, 7, "from an event on"},
		{"no more events", func(s viewer.Playback) viewer.Playback { return s.Seek(7).NextEvent() }, 10, "the end"},
		{"event before", func(s viewer.Playback) viewer.Playback { return s.Seek(7).PreviousEvent() }, 3, "an event is not before itself"},
		{"event before, between", func(s viewer.Playback) viewer.Playback { return s.Seek(5).PreviousEvent() }, 3, ""},
		{"no event before", func(s viewer.Playback) viewer.Playback { return s.Seek(3).PreviousEvent() }, 0, "the beginning"},
		{"half", func(s viewer.Playback) viewer.Playback { return s.SeekShare(0.5) }, 5, ""},
		{"beyond", func(s viewer.Playback) viewer.Playback { return s.SeekShare(7) }, 10, ""},
		{"nonsense", func(s viewer.Playback) viewer.Playback { return s.SeekShare(math.NaN()) }, 0, "NaN is nowhere"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := c.do(s); got.Tick != c.want || got.Playing {
				t.Errorf("at tick %d, playing %v; want %d, standing still: %s", got.Tick, got.Playing, c.want, c.why)
			}
		})
	}
}

func TestAdvance(t *testing.T) {
	s := viewer.NewPlayback(10, nil)
	if got := s.Advance(5); got.Tick != 0 {
		t.Errorf("what stands still went to tick %d", got.Tick)
	}
	s = s.Toggle()
	if got := s.Advance(0.5); got.Tick != 4 || !got.Playing {
		t.Errorf("after half a second at %d ticks a second it is at %d", viewer.DefaultRate, got.Tick)
	}
	if got := s.Advance(60); got.Tick != 10 || got.Playing {
		t.Errorf("at the end: tick %d, playing %v", got.Tick, got.Playing)
	}
	if got := s.Advance(60).Toggle(); got.Tick != 0 || !got.Playing {
		t.Error("playing at the end does not begin again")
	}
	s.Loop = true
	if got := s.Advance(10.5 / viewer.DefaultRate); got.Tick != 10 || !got.Playing {
		t.Errorf("the last tick has no time of its own: %d", got.Tick)
	}
	if got := s.Advance(12.0 / viewer.DefaultRate); got.Tick != 0 || !got.Playing {
		t.Errorf("a loop does not go round once at most: %d", got.Tick)
	}
	zero := viewer.Playback{Playing: true, Loop: true}
	if got := zero.Advance(1); got.Tick != 0 {
		t.Errorf("a replay of one tick is at %d", got.Tick)
	}
}

// However the time is cut into frames, the replay is at the same tick.
func TestFrames(t *testing.T) {
	for gear := viewer.Slowest; gear <= viewer.Fastest; gear++ {
		whole, cut := viewer.NewPlayback(1<<20, nil).SetGear(gear).Toggle(), viewer.NewPlayback(1<<20, nil).SetGear(gear).Toggle()
		whole = whole.Advance(64)
		for range 64 * 64 {
			cut = cut.Advance(1.0 / 64)
		}
		if want := int(64 * viewer.DefaultRate * math.Pow(2, float64(gear))); whole.Tick != want || cut.Tick != want {
			t.Errorf("gear %d: whole %d, in frames %d, want %d", gear, whole.Tick, cut.Tick, want)
		}
	}
}

func TestSpeeds(t *testing.T) {
	s := viewer.Playback{}
	for range 20 {
		s = s.Slower()
	}
	if s.Speed() != 0.25 {
		t.Errorf("the slowest speed is %v", s.Speed())
	}
	for range 20 {
		s = s.Faster()
	}
	if s.Speed() != 32 {
		t.Errorf("the fastest speed is %v", s.Speed())
	}
	s.Playing, s.Loop, s.Tick, s.Last = true, true, 4, 5
	if n := s.Restart(9, nil); n.Speed() != 32 || !n.Playing || !n.Loop || n.Tick != 0 || n.Last != 9 {
		t.Errorf("another episode does not go on as this one: %+v", n)
	}
}
