package picture

import (
	"fmt"
	"strings"

	"achilles/gridworld"
	"achilles/render/canvas"
)

// Tell says in a line what is at a point of the picture that Draw would draw into r at that tick: the cell and what
// lies in it, whether it is in sight, and how often the predicted paths end there. It is empty where there is nothing
// to say.
func (g *Stage) Tell(r canvas.Rect, x, y float32, tick int, show Show) string {
	if g.Episode.Film == nil {
		return ""
	}
	f := g.Episode.Film
	tick = min(max(tick, 0), g.Episode.Last)
	b := newBoard(f.World, r)
	p, ok := b.at(x, y)
	if !ok {
		return ""
	}
	d := drawing{film: f, frame: &f.Frames[tick], tick: tick, board: b}
	parts := []string{fmt.Sprintf("%s: %s", p, ground(d.cellAt(p)))}
	parts = append(parts, d.lying(p)...)
	if d.frame.Actor.Pos == p {
		parts = append(parts, "the actor, looking "+d.frame.Actor.Heading.String())
	}
	if show.Sees {
		parts = append(parts, sight(d.frame.Dark, d.frame.Seen.Has(p)))
	}
	if b := d.frame.Belief; show.Believes && b != nil && b.Place == p {
		parts = append(parts, "the actor "+holding(b.How))
	}
	if show.Predicted && g.Predicted != nil {
		n := 0
		for _, branch := range g.Predicted.Fan {
			if branch.Path.End() == p {
				n += branch.Count
			}
		}
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%.0f %% of the predicted paths end here", 100*float64(n)/float64(g.Predicted.Samples)))
		}
	}
	return strings.Join(parts, "; ")
}

func ground(c gridworld.Cell) string {
	text := strings.ReplaceAll(c.Kind.String(), "-", " ")
	switch {
	case c.Kind.Sloped():
		text += fmt.Sprintf(", rising %s from height %d", c.Facing, c.Height)
	case c.Height > 0:
		text += fmt.Sprintf(" of height %d", c.Height)
	}
	return text
}

func sight(dark, seen bool) string {
	switch {
	case dark:
		return "in the dark"
	case seen:
		return "in sight"
	}
	return "out of sight"
}

// lying lists the things in a cell, and whether a reward could lie there.
func (d *drawing) lying(p gridworld.Pos) (parts []string) {
	for i := range d.frame.Things {
		t := &d.frame.Things[i]
		if t.Pos != p || t.State == gridworld.Hidden || t.State == gridworld.Carried {
			continue
		}
		text := fmt.Sprintf("%s of size %g", t.Kind, float64(t.Size)/100)
		switch t.State {
		case gridworld.Air:
			text += ", in the air"
		case gridworld.Taken:
			text += ", taken"
		}
		parts = append(parts, text)
	}
	for _, q := range d.film.Places {
		if q == p {
			parts = append(parts, "a reward could lie here")
		}
	}
	return parts
}
