package screen_test

import (
	"flag"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"achilles/render/raster"
	"achilles/render/screen"
)

var look = flag.String("look", "", "write pictures of the screen to this directory, to be looked at")

func TestLook(t *testing.T) {
	if *look == "" {
		t.Skip("-look DIR writes pictures")
	}
	for name, m := range map[string]screen.Model{
		"episode": press(opened(600), "."), "profile": press(opened(600), "2", "]"), "battery": press(opened(600), "3"),
		"menu": press(opened(600), "a"), "help": press(opened(600), "?"), "search": press(opened(600), "/", "g", "r", "i", "d"), "wide": press(opened(600), "w"),
	} {
		f, err := os.Create(filepath.Join(*look, name+".png"))
		if err != nil {
			t.Fatal(err)
		}
		if err := png.Encode(f, raster.Draw(m.Draw(1280, 720))); err != nil {
			t.Fatal(err)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
