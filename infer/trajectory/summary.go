package trajectory

import (
	"slices"

	"achilles/gridworld"
)

// An Ending says how an episode ended.
type Ending string

// The endings.
const (
	Rewarded Ending = "reward" // the actor touched the reward
	Burned   Ending = "lava"   // the actor walked into lava
	Caught   Ending = "trap"   // the time ran out while the actor was in a cell without a way out
	TimeOut  Ending = "limit"  // the time ran out while the actor was anywhere else
)

// A Summary has the main facts of a path.
type Summary struct {
	Searched []int         // indices of the places that the actor visited, in the order of the first visits
	Stop     gridworld.Pos // the actor's last cell
	Ending   Ending
}

// First returns the index of the place visited first, or −1 if none was visited.
func (s *Summary) First() int {
	if len(s.Searched) == 0 {
		return -1
	}
	return s.Searched[0]
}

// Summarise summarises a path in the scene.
func (s *Scene) Summarise(p Path) Summary {
	out := Summary{Stop: p.End(), Ending: TimeOut}
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
