package worlds

import (
	"achilles/battery/workshop"
	"achilles/gridworld"
)

// An event is what happens to the reward before the actor may act. The reward is first in the air, where no wall hides
// it, and then comes down where it ends, hidden or in sight.
type event struct {
	air  []spot // position of the reward in the air at ticks 0, 1, …
	cues []gridworld.Cue
}

// A spot is a cell of the plan.
type spot = workshop.Spot

// stillTicks is the least number of ticks for which a reward in the air is shown.
const stillTicks = 3

// planEvent draws the event. A displaced reward moves on while the lights are out, not where its motion pointed, and comes down unseen.
func (s *sketch) planEvent() {
	e := &s.event
	e.air = e.air[:0]
	end := xy(s.dx, s.dy)
	switch {
	case s.bounce && s.displaced: // it is on its way to elsewhere
		s.move(s.spotInView(), s.decoy())
		e.air = e.air[:(len(e.air)+2)/2] // the lights go out half-way
	case s.bounce:
		s.move(s.spotInView(), end)
		if s.IntN(2) == 0 {
			e.air = append(e.air, end, end) // the reward rests in the air before it comes down
		}
	case s.displaced:
		e.air = append(e.air, s.decoy())
	default:
		e.air = append(e.air, end)
	}
	for len(e.air) < stillTicks {
		e.air = append(e.air, e.air[len(e.air)-1])
	}
}

// spotInView draws a cell ahead of the start, other than the reward's end.
func (s *sketch) spotInView() spot {
	for {
		y := 2 + s.IntN(s.dy-1)
		wide := min(y, -s.west, s.east)
		p := xy(s.IntN(2*wide+1)-wide, y)
		if p != (xy(s.dx, s.dy)) {
			return p
		}
	}
}

// decoy draws the spot of a station in view other than the reward's or, if there is none, of any cell in view.
func (s *sketch) decoy() spot {
	first := s.IntN(len(s.stations))
	for i := range s.stations {
		st := s.stations[(first+i)%len(s.stations)]
		if (st.x != s.dx || st.y != s.dy) && max(st.x, -st.x) <= st.y {
			return xy(st.x, st.y)
		}
	}
	return s.spotInView()
}

// move appends a straight path in the air from one spot to another, of four to eight ticks.
func (s *sketch) move(from, to spot) {
	n := 4 + s.IntN(5)
	for i := range n + 1 {
		s.event.air = append(s.event.air, xy(from.X+nearest((to.X-from.X)*i, n), from.Y+nearest((to.Y-from.Y)*i, n)))
	}
}

// nearest returns a/b rounded to a whole number; b > 0.
func nearest(a, b int) int {
	if a < 0 {
		return -((-2*a + b) / (2 * b))
	}
	return (2*a + b) / (2 * b)
}

// hides returns the first tick at which the reward is no longer in the air.
func (e *event) hides() int { return len(e.air) }

// limit returns the time limit in ticks: 30 ticks plus two for every cell to the farthest place, counted from when the time
// under occlusion ends. It does not depend on where the reward ends.
func (s *sketch) limit() int {
	farthest := 0
	for _, st := range s.stations {
		farthest = max(farthest, max(st.x, -st.x)+st.y)
	}
	return s.event.hides() + s.hidden + 2*farthest + 10
}

// schedule adds the reward, its event and the time for which the actor is held. mean and most are the times for which an actor walks
// until it sees what lies in a place, on average over the places and at most: with the first the reward is hidden for the time of the
// point, with the second never for longer than the longest, wherever it is. schedule returns tooShort if the first is longer than the
// time under occlusion or leaves no time for displacing the reward, and fits otherwise.
func (s *sketch) schedule(mean, most int) reason {
	e := &s.event
	hides := e.hides()
	free := hides + s.hidden // the tick at which the actor may act
	if s.occluder {
		free = hides + min(s.hidden-mean, longestTime*TicksPerTime-most)
	}
	if free < hides || s.displaced && free < hides+2 {
		return tooShort
	}
	w := &s.world
	t := w.Add(gridworld.Thing{
		Kind: gridworld.Reward, State: gridworld.Air, Pos: s.at(e.air[0].X, e.air[0].Y), Size: s.size, Value: 1,
		Colour: goalRGB(s.goal), Final: true,
	})
	e.cues = e.cues[:0]
	for i := 1; i < hides; i++ {
		if e.air[i] != e.air[i-1] {
			e.cues = append(e.cues, gridworld.Cue{Tick: i, Thing: t, Pos: s.at(e.air[i].X, e.air[i].Y), State: gridworld.Air})
		}
	}
	down := gridworld.Cue{Tick: hides + is(s.displaced), Thing: t, Pos: s.at(s.dx, s.dy), State: gridworld.Ground}
	e.cues = append(e.cues, down)
	w.Script(e.cues...)
	w.Freeze(gridworld.Window{From: 0, To: free})
	if free > hides && (s.displaced || !s.occluder) {
		w.Darken(gridworld.Window{From: hides, To: free})
	}
	return fits
}
