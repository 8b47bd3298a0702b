package picture

import (
	"achilles/gridworld"
	"achilles/render/canvas"
	"achilles/render/palette"
)

// night is the colour over cells that cannot be seen.
const night palette.Colour = 0x10182cff

// unseen dims the cells that the actor cannot see. It draws one rectangle for each run of such cells in a row.
func (d *drawing) unseen() {
	if d.state.Dark {
		return
	}
	for y := range d.world.Height() {
		for x := 0; x < d.world.Width(); x++ {
			from := x
			for x < d.world.Width() && !d.state.Seen.Has(gridworld.Pos{X: x, Y: y}) {
				x++
			}
			if x > from {
				a, b := d.square(gridworld.Pos{X: from, Y: y}), d.square(gridworld.Pos{X: x - 1, Y: y})
				d.Fill(canvas.Rect{X0: a.X0, Y0: a.Y0, X1: b.X1, Y1: a.Y1}, night.Fade(0.2))
			}
		}
	}
}

// darkness dims the whole world while the lights are out.
func (d *drawing) darkness() {
	if !d.state.Dark {
		return
	}
	d.Fill(d.area, night.Fade(0.55))
	size := min(max(d.pixels(0.6), 12), 20)
	d.Add(canvas.Text{At: d.square(gridworld.Pos{}).Mid().Add(0, size*0.4), Text: "lights out", Size: size, Colour: palette.White, Face: canvas.Bold})
}
