package gridworld

import (
	"errors"
	"fmt"
)

// Check returns an error for the first invariant that w breaks. Worlds made and changed through this package break
// none; tests call Check after every step.
func (w *World) Check() error {
	if err := checkState(w); err != nil {
		return err
	}
	return w.layout.check()
}

// checkState checks everything except the planes.
func checkState(w *World) error {
	if wrong := w.actor.wrong(w); wrong != "" {
		return errors.New(wrong)
	}
	if w.outcome == Died != (w.Inside(w.actor.Pos) && w.At(w.actor.Pos).Kind.Lethal()) {
		return errors.New("the actor is dead if and only if it is in lava")
	}
	if w.tick < 0 || w.rules.Limit > 0 && w.tick > w.rules.Limit {
		return errors.New("the tick is beyond the limit")
	}
	if late := w.tick == w.rules.Limit && w.tick > 0; late && w.outcome == Running || !late && w.outcome == TimedOut {
		return errors.New("the episode times out at the limit, and only there")
	}
	for i, t := range w.things {
		if wrong := t.wrong(w); wrong != "" {
			return fmt.Errorf("thing %d: %s", i, wrong)
		}
		if t.State == Carried && t.Pos != w.actor.Pos {
			return fmt.Errorf("thing %d is carried, and not where the actor is", i)
		}
	}
	return w.schedule.check(w)
}

func (s *schedule) check(w *World) error {
	for i, c := range s.cues {
		if wrong := c.wrong(w); wrong != "" {
			return fmt.Errorf("cue %d: %s", i, wrong)
		}
		if i > 0 && c.Tick < s.cues[i-1].Tick {
			return fmt.Errorf("cue %d comes too early in the list", i)
		}
		if played := i < s.nextCue; played != (c.Tick <= s.tick) {
			return fmt.Errorf("cue %d of tick %d at tick %d: played is %t", i, c.Tick, s.tick, played)
		}
	}
	for _, v := range s.dark {
		if wrong := v.wrong(); wrong != "" {
			return errors.New("darkness: " + wrong)
		}
	}
	for _, v := range s.frozen {
		if wrong := v.wrong(); wrong != "" {
			return errors.New("freeze: " + wrong)
		}
	}
	return nil
}

// check checks that the planes agree with the cells.
func (l *layout) check() error {
	if len(l.palette) > MaxDistinct || len(l.cells) != l.width*l.height {
		return errors.New("the cells do not fit the world")
	}
	for y := range MaxSide {
		var want [planeCount]uint64
		for x := range l.width {
			if y >= l.height {
				break
			}
			paint := paintOf(l.At(Pos{x, y}))
			for i := range want {
				want[i] |= uint64(paint.planes>>i&1) << x
			}
		}
		for i := range want {
			if l.planes[i][y] != want[i] {
				return fmt.Errorf("row %d of plane %d is not what its cells say", y, i)
			}
		}
	}
	return nil
}

// wrong returns what is wrong with a in w, or "" if nothing is.
func (a Actor) wrong(w *World) string {
	switch {
	case a.Heading >= Directions || w.rules.Move == Turning && a.Heading.Diagonal():
		return "no such heading in this mode of movement"
	case a.Pos == Nowhere():
		return ""
	case !w.Inside(a.Pos):
		return "the actor is outside the world"
	case !w.At(a.Pos).Kind.Passable():
		return "the actor is in a " + w.At(a.Pos).Kind.String()
	}
	return ""
}

// wrong returns what is wrong with t in w, or "" if nothing is.
func (t *Thing) wrong(w *World) string {
	switch {
	case t.Kind > Key || t.State > Carried:
		return "no such kind or state of thing"
	case !w.Inside(t.Pos):
		return "a thing is outside the world"
	case t.State == Ground && !w.At(t.Pos).Kind.Passable():
		return "a thing lies in a " + w.At(t.Pos).Kind.String()
	case t.State == Carried && t.Kind != Key:
		return "only a key is carried"
	case t.Size < 1 || t.Size > maxSize:
		return "a size is 0.01 to 100"
	case !validName(t.Name):
		return "a name has lower-case letters, digits, '_' and '-' only"
	}
	return ""
}

// wrong returns what is wrong with c in w, or "" if nothing is.
func (c Cue) wrong(w *World) string {
	switch {
	case c.Tick < 1:
		return "the tick of a cue is at least 1"
	case c.Thing < 0 || c.Thing >= len(w.things):
		return "a cue for no thing"
	case !w.Inside(c.Pos):
		return "a cue outside the world"
	case c.State > Hidden:
		return "a cue puts a thing on the ground, in the air or out of sight"
	case c.State == Ground && !w.At(c.Pos).Kind.Passable():
		return "a cue puts a thing into a " + w.At(c.Pos).Kind.String()
	}
	return ""
}

func (v Window) wrong() string {
	if v.From < 0 || v.To <= v.From {
		return "a window starts at tick 0 or later and ends after it starts"
	}
	return ""
}
