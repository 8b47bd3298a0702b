package board

import (
	"achilles/gridworld"
	"achilles/render/canvas"
	"achilles/render/palette"
)

// Night is the colour over cells that cannot be seen.
const Night palette.Colour = 0x10182cff

// Unseen dims the cells that the actor cannot see. It draws one rectangle for each run of such cells in a row.
func (d *Drawing) Unseen() {
	if d.Dark {
		return
	}
	for y := range d.World.Height() {
		for x := 0; x < d.World.Width(); x++ {
			from := x
			for x < d.World.Width() && !d.Seen.Has(gridworld.Pos{X: x, Y: y}) {
				x++
			}
			if x > from {
				a, b := d.Square(gridworld.Pos{X: from, Y: y}), d.Square(gridworld.Pos{X: x - 1, Y: y})
				d.Fill(canvas.Rect{X0: a.X0, Y0: a.Y0, X1: b.X1, Y1: a.Y1}, Night.Fade(0.2))
			}
		}
	}
}

// Darkness dims the whole world while the lights are out.
func (d *Drawing) Darkness() {
	if !d.Dark {
		return
	}
	d.Fill(d.Area, Night.Fade(0.55))
	size := min(max(d.Pixels(0.6), 12), 20)
	d.Add(canvas.Text{At: d.Square(gridworld.Pos{}).Mid().Add(0, size*0.4), Text: "lights out", Size: size, Colour: palette.White, Face: canvas.Bold})
}
