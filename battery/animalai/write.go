package animalai

import (
	"fmt"
	"strconv"
	"strings"

	"achilles/gridworld"
)

// Of returns the arena of a world at tick 0 and what it lacks. Cells are made smaller than s says where the world would not fit.
func Of(w *gridworld.World, s Settings) (Arena, Losses) {
	for float64(max(w.Width(), w.Height()))*s.Cell > Side {
		s.Cell /= 2
	}
	x := &writer{World: w, grid: Grid{Settings: s, Width: w.Width(), Height: w.Height(), Move: w.Rules().Move, Reach: w.Rules().Reach}}
	if w.Occurs(gridworld.Hole) || w.Occurs(gridworld.ShallowHole) {
		x.base = deep
	}
	if t, ok := x.landing(); ok {
		x.grid.Fall = t
	}
	a := &x.arena
	a.Grid, a.Limit = &x.grid, float64(w.Rules().Limit*s.Frames)
	x.agent()
	x.cells()
	x.around()
	x.things()
	x.windows()
	if w.Rules().Reach > 0 {
		x.losses.add("reach", "an agent of Animal-AI has to touch what it takes")
	}
	if w.Rules().Move == gridworld.Eight {
		x.losses.add("eight directions", "an agent of Animal-AI turns and goes ahead")
	}
	return x.arena, x.losses
}

// A writer writes a world into an arena.
type writer struct {
	*gridworld.World
	grid   Grid
	base   float64 // height of the ground: above 0 where there are holes
	arena  Arena
	losses Losses
}

// ground returns the height of what one stands on in a cell.
func (x *writer) ground(p gridworld.Pos) float64 {
	c := x.At(p)
	switch {
	case c.Kind == gridworld.Hole:
		return x.base + unit*float64(c.Height) - deep
	case c.Kind == gridworld.ShallowHole:
		return x.base + unit*float64(c.Height) - deep/2
	case c.Kind == gridworld.Wall || c.Kind == gridworld.Occluder:
		return x.base + unit*float64(c.Height) + tall
	case c.Kind == gridworld.LowWall || c.Kind == gridworld.Barrier || c.Kind == gridworld.Lock:
		return x.base + unit*float64(c.Height+1)
	}
	return x.base + unit*float64(c.Height)
}

// middle returns the middle of a rectangle of cells, at a height.
func (x *writer) middle(p gridworld.Pos, wide, high int, y float64) Vector {
	c := x.grid.Cell
	return Vector{(float64(p.X) + float64(wide)/2) * c, y, (float64(p.Y) + float64(high)/2) * c}
}

func (x *writer) add(o Object) { x.arena.Objects = append(x.arena.Objects, o) }

func (o Object) coloured(c rgb) Object {
	o.Colour, o.Coloured = [3]float64{float64(c[0]), float64(c[1]), float64(c[2])}, true
	return o
}

func (x *writer) agent() {
	a := x.Actor()
	if !x.Inside(a.Pos) {
		x.losses.add("actor", "is absent: Animal-AI places one at random")
		return
	}
	o := Object{Name: "Agent", Pos: x.middle(a.Pos, 1, 1, x.ground(a.Pos)), Turn: 45 * float64(a.Heading)}
	_, frozen := x.Windows()
	for i, v := range frozen {
		if i == 0 && v.From == 0 {
			o.Frozen = float64(v.To * x.grid.Frames)
			continue
		}
		x.losses.add("freeze", "begins later: Animal-AI freezes an agent at the start only")
	}
	x.add(o)
}

// cells adds the ground and what stands on it, in rectangles of equal cells.
func (x *writer) cells() {
	var done gridworld.Board
	for y := range x.Height() {
		for c := range x.Width() {
			p := gridworld.Pos{X: c, Y: y}
			if done.Has(p) {
				continue
			}
			wide, high := x.rectangle(p, &done)
			x.rectangleOf(p, wide, high)
		}
	}
}

// rectangle returns the size of a rectangle of equal cells that are not done, with p in its south-west, and adds it to those done.
func (x *writer) rectangle(p gridworld.Pos, done *gridworld.Board) (wide, high int) {
	same := func(q gridworld.Pos) bool { return x.Inside(q) && !done.Has(q) && x.At(q) == x.At(p) }
	for same(gridworld.Pos{X: p.X + wide, Y: p.Y}) {
		wide++
	}
	for row := true; row; {
		high++
		for i := range wide {
			row = row && same(gridworld.Pos{X: p.X + i, Y: p.Y + high})
		}
	}
	for i := range wide {
		for k := range high {
			done.Set(gridworld.Pos{X: p.X + i, Y: p.Y + k})
		}
	}
	return wide, high
}

// rectangleOf adds what a rectangle of cells like that at p is made of.
func (x *writer) rectangleOf(p gridworld.Pos, wide, high int) {
	c := x.At(p)
	box := func(name string, low, top float64) Object {
		size := Vector{float64(wide) * x.grid.Cell, top - low, float64(high) * x.grid.Cell}
		return Object{Name: name, Pos: x.middle(p, wide, high, low), Size: size}
	}
	below, kind := x.ground(p), gridworld.Floor // the top of what is opaque, and what its colour is that of
	switch c.Kind {
	case gridworld.Wall, gridworld.Occluder, gridworld.Platform, gridworld.LowWall, gridworld.Ramp:
		kind = c.Kind
	case gridworld.ClearWall:
		if c.Height > 0 {
			kind = c.Kind
		}
	case gridworld.Climb, gridworld.Slide:
		kind = gridworld.Ramp
		x.losses.add(c.Kind.String(), "a ramp of Animal-AI can be walked both ways")
	case gridworld.Barrier, gridworld.Lock:
		x.losses.add(c.Kind.String(), "there are no locks in Animal-AI: left out")
		below = x.base
	}
	switch {
	case c.Kind == gridworld.Home:
		x.losses.add(c.Kind.String(), "is not marked in Animal-AI")
	case c.Colour != gridworld.None && (c.Kind == gridworld.ClearWall || c.Kind == gridworld.Lava || kind == gridworld.Ramp && c.Kind != kind):
		x.losses.add(c.Kind.String(), "has a colour that cannot be set in Animal-AI")
	}
	if c.Kind == gridworld.Wall && c.Colour != gridworld.None {
		x.losses.add(c.Kind.String(), "has a colour: it is read as an occluder")
	}
	if below > 0 {
		foot, colour := kind, c.Colour
		if kind == gridworld.Floor || kind == gridworld.Ramp {
			foot, colour = gridworld.Floor, gridworld.None
		}
		x.add(box("Wall", 0, below).coloured(inArena(foot, colour)))
	}
	switch {
	case kind == gridworld.Floor && c.Colour != gridworld.None && c.Kind != gridworld.ClearWall && c.Kind != gridworld.Lava: // a mark on the ground
		x.add(box("Wall", below, below+mark).coloured(inArena(kind, c.Colour)))
	case kind == gridworld.Ramp:
		o := box("Ramp", below, below+unit).coloured(inArena(kind, c.Colour))
		o.Turn = float64((int(c.Facing) + 4) % 8 * 45) // turned by 0 degrees, it rises to the south
		if o.Turn == 90 || o.Turn == 270 {
			o.Size.X, o.Size.Z = o.Size.Z, o.Size.X
		}
		x.add(o)
	case c.Kind == gridworld.ClearWall || c.Kind == gridworld.LowWall:
		x.add(box("WallTransparent", below, x.base+tall))
	case c.Kind == gridworld.Lava:
		x.add(box("DeathZone", below, below+unit))
	}
}

// around closes what of the arena is not the world.
func (x *writer) around() {
	wide, high := float64(x.Width())*x.grid.Cell, float64(x.Height())*x.grid.Cell
	wall := func(x0, z0, x1, z1 float64) {
		if x1-x0 > 1e-9 && z1-z0 > 1e-9 {
			x.add(Object{Name: "Wall", Pos: Vector{(x0 + x1) / 2, 0, (z0 + z1) / 2}, Size: Vector{x1 - x0, x.base + tall, z1 - z0}}.coloured(plain[gridworld.Wall]))
		}
	}
	wall(wide, 0, Side, Side)
	wall(0, high, wide, Side)
}

func (x *writer) things() {
	for i := range x.Len() {
		t := x.Thing(i)
		name, value := "", 1
		switch {
		case t.Kind == gridworld.Reward && t.Value > 0 && t.Final:
			name = "GoodGoal"
		case t.Kind == gridworld.Reward && t.Value > 0:
			name = "GoodGoalMulti"
		case t.Kind == gridworld.Reward && t.Value < 0 && !t.Final:
			name, value = "BadGoalMulti", -1
		case t.Kind == gridworld.Shape && !t.Final:
			name, value = "DecoyGoal", t.Value
		default:
			x.losses.add(t.Kind.String(), "has no counterpart in Animal-AI: left out")
			continue
		}
		if t.State > gridworld.Air {
			x.losses.add(t.Kind.String(), t.State.String()+" at the beginning: left out")
			continue
		}
		if t.Value != value {
			x.losses.add(t.Kind.String(), "has another value than its size, which is the value in Animal-AI")
		}
		if t.Size < 50 || t.Size > 500 {
			x.losses.add(t.Kind.String(), "sizes are 0.5 to 5 in Animal-AI")
		}
		if t.Name != "" {
			x.losses.add(t.Kind.String(), "has no name in Animal-AI")
		}
		size := float64(t.Size) / 100
		o := Object{Name: name, Pos: x.middle(t.Pos, 1, 1, x.ground(t.Pos)), Size: Vector{size, size, size}}
		falls := x.falls(i, &t)
		if t.State == gridworld.Air {
			o.Pos.Y += above
		}
		if !falls {
			x.losses.add(t.Kind.String(), "is moved, shown or hidden by a script: in Animal-AI it stays or falls")
		}
		if t.Colour != gridworld.None {
			o = o.coloured(inArena(gridworld.Floor, t.Colour))
		}
		x.add(o)
	}
}

// landing returns the tick by which all that begins in the air has come down, if it is one.
func (x *writer) landing() (tick int, ok bool) {
	for _, c := range x.Cues() {
		if t := x.Thing(c.Thing); t.State == gridworld.Air {
			if ok && c.Tick != tick {
				return 0, false
			}
			tick, ok = c.Tick, true
		}
	}
	return tick, ok
}

// falls reports whether the script of a thing is what things do in an arena: they lie, or come down from the air by the tick Fall.
func (x *writer) falls(i int, t *gridworld.Thing) bool {
	n, ok := 0, true
	for _, c := range x.Cues() {
		if c.Thing == i {
			n++
			ok = ok && t.State == gridworld.Air && c.State == gridworld.Ground && c.Pos == t.Pos && c.Tick == x.grid.Fall
		}
	}
	if t.State == gridworld.Air {
		return ok && n == 1
	}
	return n == 0
}

func (x *writer) windows() {
	dark, _ := x.Windows()
	for _, v := range dark {
		x.arena.Blackouts = append(x.arena.Blackouts, float64(v.From*x.grid.Frames), float64(v.To*x.grid.Frames))
	}
}

// Text returns a file with one arena. notes are comments at its head.
func (a *Arena) Text(notes ...string) []byte {
	var b strings.Builder
	for _, n := range notes {
		fmt.Fprintf(&b, "# %s\n", strings.ReplaceAll(n, "\n", " "))
	}
	if a.Grid != nil {
		fmt.Fprintln(&b, a.Grid)
	}
	fmt.Fprintf(&b, "!ArenaConfig\narenas:\n  0: !Arena\n    passMark: %s\n    timeLimit: %s\n", number(a.PassMark), number(a.Limit))
	if len(a.Blackouts) > 0 {
		fmt.Fprintf(&b, "    blackouts: [%s]\n", joined(a.Blackouts, number))
	}
	b.WriteString("    items:\n")
	for i := range a.Objects {
		o := &a.Objects[i]
		fmt.Fprintf(&b, "    - !Item\n      name: %s\n      positions:\n      - %s\n      rotations: [%s]\n", o.Name, o.Pos, number(o.Turn))
		if o.Size != (Vector{}) {
			fmt.Fprintf(&b, "      sizes:\n      - %s\n", o.Size)
		}
		if o.Coloured {
			fmt.Fprintf(&b, "      colors:\n      - !RGB {r: %s, g: %s, b: %s}\n", number(o.Colour[0]), number(o.Colour[1]), number(o.Colour[2]))
		}
		if o.Frozen > 0 {
			fmt.Fprintf(&b, "      frozenAgentDelays: [%s]\n", number(o.Frozen))
		}
	}
	return []byte(b.String())
}

// String returns v as YAML.
func (v Vector) String() string {
	return fmt.Sprintf("!Vector3 {x: %s, y: %s, z: %s}", number(v.X), number(v.Y), number(v.Z))
}

func number(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }

func joined(list []float64, text func(float64) string) string {
	var out []string
	for _, x := range list {
		out = append(out, text(x))
	}
	return strings.Join(out, ", ")
}
