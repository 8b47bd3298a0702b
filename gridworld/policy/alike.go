package policy

// ActAlike says whether agents with the goals g and h, which know what a knows and are otherwise equal, are sure to act in
// the same way until the end of the episode. a must have watched a frozen actor until the actor may act.
func (a *Agent) ActAlike(g, h Goal) bool {
	if g == h {
		return true
	}
	p, toPlace := g.side()
	q, too := h.side()
	if toPlace && too {
		return a.Room.Nearest(p) == a.Room.Nearest(q)
	}
	return a.leadsToLastSeen(g) && a.leadsToLastSeen(h)
}

// CouldActAlike says whether ActAlike can be true of two goals, whatever happens.
func CouldActAlike(g, h Goal) bool {
	_, toPlace := g.side()
	_, too := h.side()
	toShow := (g == LastSeen || g == Motion) && (h == LastSeen || h == Motion)
	return g == h || toPlace && too || toShow
}

// side returns the side on which an agent with goal g looks for the nearest place: −1 left, 1 right, 0 either. ok is
// false if g leads to no place that is chosen in this way.
func (g Goal) side() (side int, ok bool) {
	switch g {
	case Left:
		return -1, true
	case Right:
		return 1, true
	case NearestPlace:
		return 0, true
	}
	return 0, false
}

// leadsToLastSeen says whether an agent with goal g goes to where it last saw the reward. One that follows motions does
// if it saw no reward move when it last saw it, and none moves any more.
func (a *Agent) leadsToLastSeen(g Goal) bool {
	if g != Motion {
		return g == LastSeen
	}
	for i := range a.traces {
		if t := &a.traces[i]; t.dx != 0 || t.dy != 0 {
			return false
		}
	}
	return a.looked >= a.Room.settled
}
