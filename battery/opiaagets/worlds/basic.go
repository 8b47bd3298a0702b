package worlds

// Basic controls: an open room with one obstacle on the way, or several, or none. With an occluder the reward lies
// behind one of some free-standing walls, and nothing keeps the actor from trying another.

func (s *sketch) planBasic(slack int) {
	s.reach = 1
	s.zone = s.dy - 2
	end := s.zone - s.IntN(slack+1)
	s.band = s.bandTo(end)
	s.across(end - s.rise())
	n := s.total(1)
	if !s.occluder && s.front == bareFront {
		n = 1 // where nothing stands there is no place to tell from the rest of the room
	}
	s.screens(n, s.IntN(n))
}
