package picture

import (
	"fmt"
	"strings"

	"achilles/gridworld"
	"achilles/render/canvas"
	"achilles/render/format"
)

// Describe says in words what the picture that Draw draws into r shows at a point: the cell, the things in it, whether
// the actor sees the cell, whether the actor believes the reward to be there, and the share of predicted paths that end
// there. It returns "" for a point outside the world, and for an episode without a grid world.
func (m Moment) Describe(r canvas.Rect, x, y float32) string {
	if m.Episode.Trajectory == nil {
		return ""
	}
	m.Tick = min(max(m.Tick, 0), m.Episode.Last)
	d := newDrawing(m, nil, r)
	p, ok := d.Under(x, y)
	if !ok {
		return ""
	}
	parts := []string{fmt.Sprintf("%s: %s", p, ground(d.CellAt(p)))}
	parts = append(parts, d.lying(p)...)
	if d.state.Actor.Pos == p {
		parts = append(parts, "the actor, looking "+d.state.Actor.Heading.String())
	}
	if m.Show[Sight] {
		parts = append(parts, sight(d.state.Dark, d.state.Seen.Has(p)))
	}
	if b := d.state.Belief; m.Show[Belief] && b != nil && b.Place == p {
		parts = append(parts, "the actor "+believing(b.How))
	}
	if q := m.predicted(); q != nil {
		n := 0
		for _, branch := range q.Fan {
			if branch.Path.End() == p {
				n += branch.Count
			}
		}
		if n > 0 {
			parts = append(parts, format.Percent(float64(n)/float64(q.Samples))+" of the predicted paths end here")
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

// lying lists the things in a cell, and says whether the reward could be there.
func (d *drawing) lying(p gridworld.Pos) (parts []string) {
	for i := range d.state.Things {
		t := &d.state.Things[i]
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
	for _, q := range d.trajectory.Places {
		if q == p {
			parts = append(parts, "a reward could lie here")
		}
	}
	return parts
}
