package animalai

import (
	"fmt"
	"strings"

	"achilles/gridworld"
)

// A Grid is what an arena cannot say of the world from which it was made, and a comment at the head of its file does.
type Grid struct {
	Settings
	Width, Height int
	Move          gridworld.Mode
	Reach         int
}

const gridHead = "# grid: "

const gridForm = "%d x %d cells of %g units, %d steps a tick, falls by tick %d, moves %s, reach %d"

// String returns the comment, in one line.
func (g Grid) String() string {
	return gridHead + fmt.Sprintf(gridForm, g.Width, g.Height, g.Cell, g.Frames, g.Fall, g.Move, g.Reach)
}

// gridOf returns what the head of a file says; nil if it says nothing that can be.
func gridOf(text string) *Grid {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if !strings.HasPrefix(line, "#") {
			break
		}
		rest, ok := strings.CutPrefix(line, gridHead)
		if !ok {
			continue
		}
		var g Grid
		var move string
		rest = strings.NewReplacer(",", " ").Replace(rest)
		form := strings.NewReplacer(",", " ").Replace(gridForm)
		if n, err := fmt.Sscanf(rest, form, &g.Width, &g.Height, &g.Cell, &g.Frames, &g.Fall, &move, &g.Reach); err != nil || n != 7 {
			return nil
		}
		for g.Move = gridworld.Turning; g.Move.String() != move; g.Move++ {
			if g.Move == gridworld.Eight {
				return nil
			}
		}
		if g.valid() {
			return &g
		}
		return nil
	}
	return nil
}

// valid reports whether a world can be so.
func (g *Grid) valid() bool {
	fits := func(n int) bool { return n >= 1 && n <= gridworld.MaxSide && float64(n)*g.Cell <= Side+1e-9 }
	return g.Cell > 0 && fits(g.Width) && fits(g.Height) && g.Frames >= 1 && g.Frames <= 1000 && g.Fall >= 1 && g.Fall <= 1000 && g.Reach >= 0 && g.Reach <= gridworld.MaxSide
}

// gridFor returns the grid of an arena whose file does not name one.
func gridFor(s Settings) Grid {
	n := min(gridworld.MaxSide, int(Side/s.Cell+1e-9))
	return Grid{Settings: s, Width: n, Height: n}
}

// An rgb is a colour that stands for none in an arena, where what has no colour gets one by chance.
type rgb [3]uint8

// The colours of what has none of its own. No wall of the tasks of O-PIAAGETS has one of them.
var plain = map[gridworld.Kind]rgb{
	gridworld.Wall: {128, 128, 128}, gridworld.Occluder: {101, 101, 101}, gridworld.Platform: {0, 0, 254}, gridworld.LowWall: {140, 140, 140},
	gridworld.Ramp: {255, 0, 254}, gridworld.Floor: {201, 201, 201}, gridworld.ClearWall: {141, 141, 141},
}

// inArena returns the colour of a cell in an arena.
func inArena(k gridworld.Kind, c gridworld.Colour) rgb {
	if r, g, b, ok := c.RGB(); ok {
		return rgb{r, g, b}
	}
	return plain[k]
}

// inWorld returns the colour of an object of an arena in the world.
func inWorld(k gridworld.Kind, o *Object) gridworld.Colour {
	if !o.Coloured {
		return gridworld.None
	}
	var c rgb
	for i, x := range o.Colour {
		c[i] = uint8(max(0, min(255, x)))
	}
	if c == plain[k] {
		return gridworld.None
	}
	return gridworld.RGB(c[0], c[1], c[2])
}
