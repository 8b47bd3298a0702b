package viewer_test

import (
	"testing"

	"achilles/render/canvas"
	"achilles/render/canvastest"
	"achilles/render/viewer"
)

// TestGolden compares pictures of the whole screen, in five states that look very different, with pictures in testdata.
func TestGolden(t *testing.T) {
	for name, m := range map[string]viewer.Model{
		"episode": press(opened(600), "."), "profile": press(opened(600), "2", "]"), "menu": press(opened(600), "a", "down"), "help": press(opened(600), "?"), "first-person": press(opened(600), "f", "."),
	} {
		canvastest.Golden(t, "testdata/"+name+".png", canvas.Render(m.Resize(viewer.MinWidth, viewer.MinHeight).Draw(viewer.MinWidth, viewer.MinHeight)))
	}
}
