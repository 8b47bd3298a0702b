package picture

import (
	"achilles/gridworld"
	"achilles/render/canvas"
	"achilles/render/palette"
)

// belief draws a dashed line from the actor to the cell where it believes the reward to be. It marks the cell with a
// square if the actor sees the reward there, else with the four corners of a square. If the actor believes that the
// reward is lost, it draws a question mark at the actor.
func (d *drawing) belief() {
	b := d.state.Belief
	if b == nil {
		return
	}
	at := d.Centre(d.state.Actor.Pos)
	if b.Place == gridworld.Nowhere() {
		if b.How == "lost" {
			d.tag(at, "?", palette.Belief.Mix(palette.Black, 0.35))
		}
		return
	}
	m := d.Centre(b.Place)
	d.Add(canvas.Polyline{Points: []canvas.Point{at, m}, Width: max(d.Pixels(0.07), 1.5), Colour: palette.Belief, Dash: max(d.Pixels(0.14), 3)})
	mark(d.Canvas, m, d.Pixels(0.48), b.How == "sees")
}

// mark draws a square round the point m, whose sides are 2r long. If closed is false, it draws only the corners.
func mark(dst *canvas.Canvas, m canvas.Point, r float32, closed bool) {
	width := max(r*0.22, 2)
	for _, layer := range []struct {
		width float32
		c     palette.Colour
	}{{width + max(r*0.12, 1.5), palette.White}, {width, palette.Belief.Mix(palette.Black, 0.12)}} {
		if closed {
			dst.Add(canvas.Polyline{Points: []canvas.Point{m.Add(-r, -r), m.Add(r, -r), m.Add(r, r), m.Add(-r, r)}, Width: layer.width, Colour: layer.c, Closed: true})
			continue
		}
		for _, corner := range [4][2]float32{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}} {
			x, y := corner[0]*r, corner[1]*r
			dst.Line(layer.width, layer.c, m.Add(x*0.5, y), m.Add(x, y), m.Add(x, y*0.5))
		}
	}
}

// believing describes how the actor came to its belief. how is the field How of a seal.Belief.
func believing(how string) string {
	switch how {
	case "sees":
		return "sees the reward here"
	case "infers":
		return "infers that the reward is here"
	case "goes":
		return "is on its way here"
	}
	return "does not know where the reward is"
}
