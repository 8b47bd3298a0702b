package trajectory

import (
	"slices"

	"achilles/gridworld"
	"achilles/sim/record"
)

// An Ending says how an episode ended.
type Ending string

// The endings.
const (
	Rewarded Ending = "reward" // it touched the reward
	Burned   Ending = "lava"   // it walked into lava
	Caught   Ending = "trap"   // it stood where there is no way out when the time was out
	TimeOut  Ending = "limit"  // the time was out
)

// A Summary is what a path comes to.
type Summary struct {
	Moved    bool          // it ever left its first cell
	Searched []int         // the places that it stood in, by index, in the order of its first visits
	Steps    int           // from cell to cell
	Stop     gridworld.Pos // where it came to rest
	Tick     int           // when that was
	Ending   Ending
}

// First is the place searched first, −1 where none was.
func (s *Summary) First() int {
	if len(s.Searched) == 0 {
		return -1
	}
	return s.Searched[0]
}

// Summarise says what a path in the scene comes to.
func (s *Scene) Summarise(p Path) Summary {
	out := Summary{Moved: p.Moves(), Steps: p.Steps(), Stop: p.End(), Tick: len(p) - 1, Ending: TimeOut}
	for _, q := range p {
		if k := slices.Index(s.Places, q); k >= 0 && !slices.Contains(out.Searched, k) {
			out.Searched = append(out.Searched, k)
		}
	}
	layout := s.room.Layout()
	end, touch := layout.At(p.End()), layout.Contact(s.final)
	switch {
	case touch.Has(p.End()):
		out.Ending = Rewarded
	case end.Kind.Lethal():
		out.Ending = Burned
	case end.Kind.Absorbing():
		out.Ending = Caught
	}
	return out
}

// SummaryOf says what a public trajectory comes to.
func (s *Scene) SummaryOf(t *record.Trajectory) Summary { return s.Summarise(Of(t)) }
