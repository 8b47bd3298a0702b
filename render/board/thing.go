package board

import (
	"achilles/gridworld"
	"achilles/render/canvas"
	"achilles/render/palette"
)

// DrawThings draws rewards and keys. Rewards that the actor does not see are outlines.
func (d *Drawing) DrawThings() {
	for i := range d.Things {
		t := &d.Things[i]
		if !d.World.Inside(t.Pos) || t.State == gridworld.Hidden || t.State == gridworld.Carried {
			continue
		}
		if t.State == gridworld.Taken {
			d.taken(t)
			continue
		}
		if t.Kind == gridworld.Key {
			d.key(d.Centre(t.Pos), d.Pixels(0.3))
			continue
		}
		d.ball(t, d.InSight[i])
	}
}

// radius returns the radius of a reward in cells. size is the reward's size in hundredths. A reward smaller than 0.5 or
// larger than 5 is drawn as one of that size.
func radius(size int) float32 {
	s := min(max(float32(size)/100, 0.5), 5)
	return 0.16 + 0.27*(s-0.5)/4.5
}

func (d *Drawing) ball(t *gridworld.Thing, seen bool) {
	m, r := d.Centre(t.Pos), d.Pixels(radius(t.Size))
	c := colourOf(t.Colour, palette.Green)
	rim := c.Mix(palette.Black, 0.45)
	if t.State == gridworld.Air {
		d.Disc(m.Add(0, d.Pixels(0.18)), r*0.8, palette.Ink.Fade(0.2))
		m = m.Add(0, -d.Pixels(0.14))
	}
	if !seen {
		d.Disc(m, r, c.Fade(0.35))
		d.dashedRing(m, r, max(d.Pixels(0.06), 1.2), rim)
		return
	}
	d.Disc(m, r, rim)
	d.Disc(m, r-max(d.Pixels(0.05), 1), c)
	d.Disc(m.Add(-r*0.3, -r*0.35), r*0.26, palette.White.Fade(0.75))
}

// taken draws a ring where a reward was taken.
func (d *Drawing) taken(t *gridworld.Thing) {
	m := d.Centre(t.Pos)
	c := colourOf(t.Colour, palette.Green)
	d.Ring(m, d.Pixels(0.56), max(d.Pixels(0.12), 2), palette.White)
	d.Ring(m, d.Pixels(0.56), max(d.Pixels(0.08), 1.2), c.Mix(palette.Black, 0.25))
}

// octant is the sine and the cosine of an eighth of a turn.
const octant = 0.70710678

// dashedRing draws a circle of eight dashes. A dash and a gap each take a sixteenth of a turn.
func (d *Drawing) dashedRing(m canvas.Point, r, width float32, c palette.Colour) {
	const sin, cos = 0.38268343, 0.92387953 // sine and cosine of a sixteenth of a turn
	for k := range 8 {
		x, y := float32(1), float32(0)
		for range k {
			x, y = octant*(x-y), octant*(x+y)
		}
		d.Line(width, c, m.Add(r*x, r*y), m.Add(r*(cos*x-sin*y), r*(cos*y+sin*x)))
	}
}

func (d *Drawing) key(m canvas.Point, r float32) {
	c := palette.Orange.Mix(palette.Black, 0.25)
	w := max(r*0.28, 1.2)
	d.Ring(m.Add(-r*0.5, 0), r*0.4, w, c)
	d.Line(w, c, m.Add(-r*0.1, 0), m.Add(r, 0), m.Add(r, r*0.4))
	d.Line(w, c, m.Add(r*0.55, 0), m.Add(r*0.55, r*0.35))
}

// DrawActor draws the actor, with a nose that points in its heading, a ring round it while it may not act, and the key that
// it carries.
func (d *Drawing) DrawActor() {
	a := d.Actor
	if !d.World.Inside(a.Pos) {
		return
	}
	m, r := d.Centre(a.Pos), d.Pixels(0.36)
	ahead := unit(a.Heading)
	side := canvas.Point{X: -ahead.Y, Y: ahead.X}
	nose := func(reach, wide float32) []canvas.Point {
		return []canvas.Point{
			m.Add(ahead.X*r*reach, ahead.Y*r*reach),
			m.Add((side.X*0.86+ahead.X*0.45)*r*wide, (side.Y*0.86+ahead.Y*0.45)*r*wide),
			m.Add((-side.X*0.86+ahead.X*0.45)*r*wide, (-side.Y*0.86+ahead.Y*0.45)*r*wide),
		}
	}
	d.Disc(m.Add(0, r*0.18), r*1.08, palette.Ink.Fade(0.22))
	d.Polygon(palette.White, nose(1.62, 1.14)...)
	d.Disc(m, r*1.14, palette.White)
	body := palette.Actual
	if d.Outcome == gridworld.Died {
		body = palette.Ink
	}
	d.Polygon(body, nose(1.42, 1)...)
	d.Disc(m, r, body)
	d.Disc(m.Add(ahead.X*r*0.3+side.X*r*0.38, ahead.Y*r*0.3+side.Y*r*0.38), r*0.19, palette.White)
	d.Disc(m.Add(ahead.X*r*0.3-side.X*r*0.38, ahead.Y*r*0.3-side.Y*r*0.38), r*0.19, palette.White)
	if d.Frozen {
		d.Ring(m, r*1.35, max(r*0.12, 1), palette.Ink.Fade(0.45))
	}
	for i := range d.Things {
		if d.Things[i].State == gridworld.Carried {
			d.key(m.Add(r*0.9, -r*0.9), r*0.7)
		}
	}
}
