package viewer_test

import (
	"errors"
	"flag"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"achilles/render/canvas"
	"achilles/render/replay"
	"achilles/render/viewer"
)

var (
	look          = flag.String("look", "", "write a picture to this file, to be looked at")
	dir           = flag.String("dir", "", "results directory for -look")
	width, height = flag.Int("width", 1280, "of -look"), flag.Int("height", 720, "of -look")
	want          = flag.String("first", "", "SUBJECT,ITEM to show first")
	keys          = flag.String("keys", "", "keys to press before, with commas between them")
)

func TestLook(t *testing.T) {
	if *look == "" {
		t.Skip("-look FILE.png -dir DIR -keys KEYS draws the viewer")
	}
	d := viewer.Open(options("results/"+filepath.Base(*dir), *want), func() (*replay.Archive, error) { return replay.Open(os.DirFS(*dir)) })
	defer d.Close()
	send(d, strings.Split(*keys, ",")...)
	f, err := os.Create(*look)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(png.Encode(f, canvas.Render(d.Draw(float32(*width), float32(*height)))), f.Close()); err != nil {
		t.Fatal(err)
	}
}

func options(title, text string) viewer.Options {
	subject, item, _ := strings.Cut(text, ",")
	return viewer.Options{Title: title, Subject: subject, Item: item}
}

// send sends keys one after the other. After each, it waits until the viewer has read everything it wants.
func send(v *viewer.Viewer, keys ...string) {
	v.Settle()
	for _, k := range keys {
		if k != "" {
			v.Update(canvas.Input{Keys: []string{k}, Width: float32(*width), Height: float32(*height), X: -1, Y: -1})
			v.Settle()
		}
	}
}
