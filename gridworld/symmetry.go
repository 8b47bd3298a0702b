package gridworld

import "slices"

// A Symmetry is one of the eight symmetries of the square: a mirror image or not, and then up to three quarter turns
// clockwise. Transforming a world transforms everything that happens in it in the same way.
type Symmetry uint8

// Mirror makes east and west change places.
const Mirror Symmetry = 4

// Pos returns the position to which s moves p; width and height are those of the world before the transformation.
func (s Symmetry) Pos(p Pos, width, height int) Pos {
	if s&Mirror != 0 {
		p.X = width - 1 - p.X
	}
	for range s & 3 {
		p = Pos{p.Y, width - 1 - p.X}
		width, height = height, width
	}
	return p
}

// Dir returns the direction that s makes of d.
func (s Symmetry) Dir(d Dir) Dir {
	if s&Mirror != 0 {
		d = -d & 7
	}
	return d.Turn(2 * int(s&3))
}

// Action returns the action that does in the transformed world what a does in the original.
func (s Symmetry) Action(a Action) Action {
	switch {
	case a >= goNorth && int(a) < Actions:
		return Go(s.Dir(Dir(a - goNorth)))
	case s&Mirror != 0 && a == TurnLeft:
		return TurnRight
	case s&Mirror != 0 && a == TurnRight:
		return TurnLeft
	}
	return a
}

// Transform returns the world that w becomes under s. It shares nothing with w.
func (w *World) Transform(s Symmetry) *World {
	width, height := w.width, w.height
	if s&1 != 0 {
		width, height = height, width
	}
	move := func(p Pos) Pos { return s.Pos(p, w.width, w.height) }
	t := New(width, height, w.rules)
	for i := range w.cells {
		p := Pos{i % w.width, i / w.width}
		c := w.At(p)
		if c.Kind.Sloped() {
			c.Facing = s.Dir(c.Facing)
		}
		t.Place(move(p), c)
	}
	t.actor = Actor{w.actor.Pos, s.Dir(w.actor.Heading)}
	if w.Inside(w.actor.Pos) {
		t.actor.Pos = move(w.actor.Pos)
	}
	for _, thing := range w.things {
		thing.Pos = move(thing.Pos)
		t.Add(thing)
	}
	t.cues = slices.Clone(w.cues)
	for i := range t.cues {
		t.cues[i].Pos = move(t.cues[i].Pos)
	}
	t.dark, t.frozen = slices.Clone(w.dark), slices.Clone(w.frozen)
	t.tick, t.nextCue, t.outcome = w.tick, w.nextCue, w.outcome
	return t
}
