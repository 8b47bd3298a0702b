package desk_test

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
	"achilles/render/viewer/desk"
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
	d := desk.Open("results/"+filepath.Base(*dir), func() (*replay.Archive, error) { return replay.Open(os.DirFS(*dir)) }, wish(*want))
	defer d.Close()
	press(d, strings.Split(*keys, ",")...)
	f, err := os.Create(*look)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(png.Encode(f, canvas.Draw(d.Draw(float32(*width), float32(*height)))), f.Close()); err != nil {
		t.Fatal(err)
	}
}

func wish(text string) desk.Wish {
	subject, item, _ := strings.Cut(text, ",")
	return desk.Wish{Subject: subject, Item: item}
}

// press presses keys, and waits for what they open.
func press(d *desk.Desk, keys ...string) {
	d.Settle()
	for _, k := range keys {
		if k != "" {
			d.Update(canvas.Input{Keys: []string{k}, Width: float32(*width), Height: float32(*height), X: -1, Y: -1})
			d.Settle()
		}
	}
}
