package gridtest

import (
	"iter"

	"achilles/gridworld"
)

// A Source gives random integers in [0, n); *rng.Rand is one.
type Source interface{ IntN(n int) int }

// Cells yields every cell of w from the south-west.
func Cells(w *gridworld.World) iter.Seq[gridworld.Pos] {
	return func(yield func(gridworld.Pos) bool) {
		for y := range w.Height() {
			for x := range w.Width() {
				if !yield(gridworld.Pos{X: x, Y: y}) {
					return
				}
			}
		}
	}
}

// Random returns a random valid world with sides of 1 … side: cells of every kind (of height 0 and without ramps if
// level is true), an actor, things, cues and windows. Its rules have the given mode.
func Random(r Source, mode gridworld.Mode, side int, level bool) *gridworld.World {
	w := gridworld.New(1+r.IntN(side), 1+r.IntN(side), gridworld.Rules{Move: mode, Limit: r.IntN(2) * (20 + r.IntN(100)), Reach: r.IntN(3)})
	open := 2 + r.IntN(6) // about this many of eight cells are plain floor
	for p := range Cells(w) {
		if r.IntN(8) >= open {
			w.Place(p, RandomCell(r, level))
		}
	}
	if p, ok := spot(r, w); ok {
		heading := gridworld.Dir(r.IntN(gridworld.Directions))
		if mode == gridworld.Turning {
			heading &^= 1
		}
		w.SetActor(p, heading)
	}
	for range r.IntN(6) {
		if p, ok := spot(r, w); ok {
			w.Add(RandomThing(r, p))
		}
	}
	for range r.IntN(8) {
		if p, ok := spot(r, w); ok && w.Len() > 0 {
			w.Script(gridworld.Cue{Tick: 1 + r.IntN(20), Thing: r.IntN(w.Len()), Pos: p, State: gridworld.State(r.IntN(3))})
		}
	}
	for range r.IntN(3) {
		w.Darken(window(r))
		w.Freeze(window(r))
	}
	return w
}

func window(r Source) gridworld.Window {
	from := r.IntN(20)
	return gridworld.Window{From: from, To: from + 1 + r.IntN(5)}
}

// spot returns a cell in which an actor can stand and live; ok is false if 20 tries find none.
func spot(r Source, w *gridworld.World) (gridworld.Pos, bool) {
	for range 20 {
		p := gridworld.Pos{X: r.IntN(w.Width()), Y: r.IntN(w.Height())}
		if k := w.At(p).Kind; k.Passable() && !k.Lethal() {
			return p, true
		}
	}
	return gridworld.Pos{}, false
}

// RandomCell returns a random valid cell. If level is true, it has height 0 and is not a ramp.
func RandomCell(r Source, level bool) gridworld.Cell {
	for {
		c := gridworld.Cell{Kind: gridworld.Kind(r.IntN(gridworld.Kinds))}
		if level && (c.Kind.Sloped() || c.Kind == gridworld.Platform) {
			continue
		}
		switch {
		case level, c.Kind == gridworld.Floor, c.Kind == gridworld.Home:
		case c.Kind == gridworld.Platform:
			c.Height = uint8(1 + r.IntN(2))
		case c.Kind.Sloped():
			c.Facing = gridworld.Dir(2 * r.IntN(4))
			c.Height = uint8(r.IntN(2))
		default:
			c.Height = uint8(r.IntN(2))
		}
		if c.Kind == gridworld.Occluder && r.IntN(2) == 0 {
			c.Colour = gridworld.RGB(uint8(r.IntN(2)), 100, 1)
		}
		return c
	}
}

// RandomThing returns a random valid thing at p, not taken or carried.
func RandomThing(r Source, p gridworld.Pos) gridworld.Thing {
	return gridworld.Thing{
		Kind:   gridworld.ThingKind(r.IntN(3)),
		State:  gridworld.State(r.IntN(3)),
		Pos:    p,
		Size:   1 + r.IntN(500),
		Value:  r.IntN(5) - 2,
		Colour: gridworld.Colour(r.IntN(2)) * gridworld.RGB(0, 200, 0),
		Name:   []string{"", "heart", "moon-2"}[r.IntN(3)],
		Final:  r.IntN(4) == 0,
	}
}
