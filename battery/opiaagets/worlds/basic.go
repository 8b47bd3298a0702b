package worlds

// This file plans basic controls: an open room with no, one or several obstacles on the way. With an occluder the reward
// lies behind one of several free-standing walls, and nothing keeps the actor from looking behind another.

func (s *sketch) planBasic(slack int) {
	s.reach = 1
	s.zone = s.dy - 2
	end := s.zone - s.IntN(slack+1)
	s.band = s.bandTo(end)
	s.across(end - s.rise())
}
