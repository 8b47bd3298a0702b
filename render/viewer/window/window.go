//go:build !nowindow && !js

package window

import (
	"image"

	"github.com/hajimehoshi/ebiten/v2"

	"achilles/render/canvas"
	"achilles/render/palette"
)

// A window implements ebiten.Game. If the revision of the view has changed, it draws the view and copies the pixels
// to the screen.
type window struct {
	view    canvas.View
	options Options
	onFrame func(frame int, screen *ebiten.Image) bool

	width, height int     // size of the picture in pixels
	density       float32 // number of pixels of the screen for each pixel of the view; 2 on a screen of high density
	keys          keyboard
	revision      uint64
	drawn         uint64
	picture       *image.RGBA // picture on the screen; nil before the first frame
	renderer      canvas.Renderer
	frames        int
	quiet         int // number of updates since the last change or input
	ended         bool
}

// Update implements ebiten.Game.
func (w *window) Update() error {
	in := w.keys.input()
	in.Seconds = 1 / float64(ebiten.TPS())
	if w.density > 0 {
		in.Width, in.Height = float32(w.width)/w.density, float32(w.height)/w.density
		in.X, in.Y = in.X/w.density, in.Y/w.density
	}
	revision, done := w.view.Update(in)
	if done || w.ended {
		return ebiten.Termination
	}
	w.quiet++
	if revision != w.revision || w.keys.active {
		w.revision, w.quiet = revision, 0
	}
	return nil
}

// Draw implements ebiten.Game. It writes pixels only if the picture has changed, because the screen keeps them from
// frame to frame.
func (w *window) Draw(screen *ebiten.Image) {
	size := screen.Bounds()
	if w.picture == nil || w.picture.Rect != size {
		w.picture, w.drawn = image.NewRGBA(size), w.revision-1
	}
	if w.drawn != w.revision {
		w.drawn = w.revision
		w.paint(w.view.Draw(float32(size.Dx())/w.density, float32(size.Dy())/w.density).Scaled(w.density))
		screen.WritePixels(w.picture.Pix)
	}
	w.frames++
	if w.onFrame != nil {
		w.ended = w.onFrame(w.frames, screen)
		return
	}
	idle(w.quiet)
}

func (w *window) paint(dst *canvas.Canvas) {
	fill(w.picture, palette.Paper)
	w.renderer.Draw(w.picture, dst)
}

// fill gives every pixel the opaque colour c.
func fill(dst *image.RGBA, c palette.Colour) {
	n := c.NRGBA()
	for i := 0; i < len(dst.Pix); i += 4 {
		dst.Pix[i], dst.Pix[i+1], dst.Pix[i+2], dst.Pix[i+3] = n.R, n.G, n.B, 255
	}
}

// Layout implements ebiten.Game. A pixel of the picture is a pixel of the screen, unless the window is smaller than
// options.MinWidth or MinHeight.
func (w *window) Layout(outsideWidth, outsideHeight int) (int, int) {
	width, height := float32(max(outsideWidth, 1)), float32(max(outsideHeight, 1))
	k := max(1, w.options.MinWidth/width, w.options.MinHeight/height)
	w.density = float32(ebiten.Monitor().DeviceScaleFactor())
	w.width, w.height = int(width*k*w.density), int(height*k*w.density)
	return w.width, w.height
}
