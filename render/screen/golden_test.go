package screen_test

import (
	"testing"

	"achilles/render/raster"
	"achilles/render/raster/rastertest"
	"achilles/render/screen"
)

// The whole screen, in the states that look most different.
func TestGolden(t *testing.T) {
	for name, m := range map[string]screen.Model{
		"episode": press(opened(600), "."), "profile": press(opened(600), "2", "]"), "menu": press(opened(600), "a", "down"), "help": press(opened(600), "?"),
	} {
		rastertest.Golden(t, "testdata/"+name+".png", raster.Draw(m.Resize(screen.MinWidth, screen.MinHeight).Draw(screen.MinWidth, screen.MinHeight)))
	}
}
