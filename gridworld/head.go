package gridworld

// A Head has what a World is besides its cells, things and schedule.
type Head struct {
	Rules         Rules
	Width, Height int
	Tick          int
	Outcome       Outcome
	Actor         Actor
}

// Head returns the head of w.
func (w *World) Head() Head { return Head{w.rules, w.width, w.height, w.tick, w.outcome, w.actor} }

// Inside says whether p is a cell of the world.
func (h *Head) Inside(p Pos) bool { return uint(p.X) < uint(h.Width) && uint(p.Y) < uint(h.Height) }

// UnmarshalBinary makes h the head of a world in binary form. It returns an error if b does not begin as one does, and looks no further.
func (h *Head) UnmarshalBinary(b []byte) error { return h.read(&binaryReader{rest: b}) }

func (h *Head) read(r *binaryReader) error {
	mode, width, height := Mode(r.byte()), int(r.byte()), int(r.byte())
	outcome, heading := Outcome(r.byte()), Dir(r.byte())
	*h = Head{Rules{Move: mode, Limit: r.number(), Reach: r.number()}, width, height, r.number(), outcome, Actor{Pos{r.number(), r.number()}, heading}}
	if r.bad || mode > Eight || outcome > TimedOut || min(width, height) < 1 || max(width, height) > MaxSide || min(h.Rules.Limit, h.Rules.Reach) < 0 {
		return errBinary
	}
	return nil
}
