package policy

import "achilles/gridworld"

// WalksInto says whether an agent with the parameters Perfect(g), which acts from `tick` on and is then at self, enters one
// of the cells before the time limit. known is false if the layout does not tell: if the agent looks where it goes, or the
// schedule has not ended. The world must have no keys, which change the layout.
func (r *Room) WalksInto(cells *gridworld.Board, g Goal, self gridworld.Actor, tick int) (into, known bool) {
	side, ok := g.side()
	if !ok || tick < r.over() {
		return false, false
	}
	k := r.Nearest(side)
	if k == NoPlace {
		return false, true
	}
	w := r.routeTo(r.approach(r.start, r.places[k]), false)
	r.reaches(w, self)
	for ; tick < r.layout.Rules().Limit; tick++ {
		action, d := w.Next(self, false)
		if action == gridworld.Stay {
			break
		}
		if self.Heading = d; action == gridworld.Forward || !r.turns {
			self.Pos = self.Pos.Add(d)
		}
		if cells.Has(self.Pos) {
			return true, true
		}
	}
	return false, true
}
