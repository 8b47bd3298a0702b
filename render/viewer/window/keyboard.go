//go:build !nowindow && !js

package window

import (
	"github.com/hajimehoshi/ebiten/v2"
	"github.com/hajimehoshi/ebiten/v2/inpututil"

	"achilles/render/canvas"
)

// A keyboard collects the input of keyboard, mouse and touch screen between two frames.
type keyboard struct {
	runes  []rune
	active bool // whether there was input in the last frame
	x, y   int
}

// silent lists the keys that write no character, with their names.
var silent = [...]struct {
	key  ebiten.Key
	name string
}{
	{ebiten.KeyEnter, "enter"}, {ebiten.KeyNumpadEnter, "enter"}, {ebiten.KeyEscape, "escape"}, {ebiten.KeyBackspace, "backspace"},
	{ebiten.KeyTab, "tab"}, {ebiten.KeyArrowLeft, "left"}, {ebiten.KeyArrowRight, "right"}, {ebiten.KeyArrowUp, "up"}, {ebiten.KeyArrowDown, "down"},
	{ebiten.KeyHome, "home"}, {ebiten.KeyEnd, "end"}, {ebiten.KeyPageUp, "page up"}, {ebiten.KeyPageDown, "page down"},
}

// A key that is held repeats after repeatAfter updates, and then every repeatEvery updates. There are 60 updates per
// second.
const (
	repeatAfter = 24
	repeatEvery = 3
)

func (k *keyboard) input() (in canvas.Input) {
	control, shift := ebiten.IsKeyPressed(ebiten.KeyControl), ebiten.IsKeyPressed(ebiten.KeyShift)
	for _, s := range &silent {
		d := inpututil.KeyPressDuration(s.key)
		if d != 1 && (d < repeatAfter || d%repeatEvery != 0) {
			continue
		}
		name := s.name
		switch {
		case control:
			name = "control " + name
		case shift:
			name = "shift " + name
		}
		in.Keys = append(in.Keys, name)
	}
	k.runes = ebiten.AppendInputChars(k.runes[:0])
	for _, r := range k.runes {
		if r == ' ' {
			in.Keys = append(in.Keys, "space")
			continue
		}
		in.Keys = append(in.Keys, string(r))
	}
	x, y := ebiten.CursorPosition()
	in.X, in.Y = float32(x), float32(y)
	in.Down = ebiten.IsMouseButtonPressed(ebiten.MouseButtonLeft)
	_, wheel := ebiten.Wheel()
	in.Wheel = float32(wheel)
	touch(&in)
	k.active = len(in.Keys) > 0 || in.Down || wheel != 0 || x != k.x || y != k.y
	k.x, k.y = x, y
	return in
}

// touch treats a finger as the pointer with its button held.
func touch(in *canvas.Input) {
	for _, id := range ebiten.AppendTouchIDs(nil) {
		x, y := ebiten.TouchPosition(id)
		in.X, in.Y, in.Down = float32(x), float32(y), true
	}
}
