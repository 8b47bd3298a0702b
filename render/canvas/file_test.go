package canvas_test

import (
	"bytes"
	"image"
	"image/draw"
	"image/gif"
	"image/png"
	"testing"

	"achilles/render/canvas"
	"achilles/render/canvastest"
	"achilles/render/palette"
)

// ball returns frame i of an animation of a ball that rolls to the right. After frame 6, a caption appears.
func ball(i int) *image.RGBA {
	s := canvas.New(120, 60)
	s.Disc(canvas.Point{X: 15 + 8*float32(i), Y: 30}, 10, palette.Blue)
	if i > 6 {
		s.Write(canvas.Point{X: 60, Y: 15}, 12, palette.Vermillion, canvas.Centre, "late")
	}
	return canvas.Render(s)
}

func TestGIF(t *testing.T) {
	a := canvas.Animation{Frames: 12, Frame: ball, Delay: func(i int) int { return 5 + i }}
	var b, again bytes.Buffer
	if err := canvas.EncodeGIF(&b, a); err != nil {
		t.Fatal(err)
	}
	if err := canvas.EncodeGIF(&again, a); err != nil || !bytes.Equal(b.Bytes(), again.Bytes()) {
		t.Fatalf("a second time the bytes differ (%v)", err)
	}
	film, err := gif.DecodeAll(&b)
	if err != nil {
		t.Fatal(err)
	}
	if len(film.Image) != 12 || film.Delay[3] != 8 || film.LoopCount != 0 {
		t.Fatalf("%d frames, frame 3 shown for %d, %d loops", len(film.Image), film.Delay[3], film.LoopCount)
	}
	screen := image.NewRGBA(image.Rect(0, 0, 120, 60))
	for i, part := range film.Image {
		if i > 0 && part.Rect.Dx()*part.Rect.Dy() > 120*60/2 {
			t.Errorf("frame %d has %v, more than what changed", i, part.Rect)
		}
		draw.Draw(screen, part.Rect, part, part.Rect.Min, draw.Over)
		if n, _ := canvastest.Differ(screen, ball(i)); n > 0 {
			t.Errorf("frame %d differs in %d pixels", i, n)
		}
	}
}

// TestGIFOfManyColours checks that a picture of 4096 colours, more than a GIF can have, is written without an error.
func TestGIFOfManyColours(t *testing.T) {
	im := image.NewRGBA(image.Rect(0, 0, 64, 64))
	for i := range 64 * 64 {
		copy(im.Pix[4*i:], []uint8{uint8(i % 64 * 4), uint8(i / 64 * 4), 128, 255})
	}
	var b bytes.Buffer
	if err := canvas.EncodeGIF(&b, canvas.Animation{Frames: 1, Frame: func(int) *image.RGBA { return im }, Delay: func(int) int { return 1 }}); err != nil {
		t.Fatal(err)
	}
	if _, err := gif.DecodeAll(&b); err != nil {
		t.Fatal(err)
	}
}

func TestPNG(t *testing.T) {
	few, many := ball(8), canvas.Render(shapes())
	for _, im := range []*image.RGBA{few, many} {
		var b bytes.Buffer
		if err := canvas.EncodePNG(&b, im); err != nil {
			t.Fatal(err)
		}
		got, err := png.Decode(&b)
		if err != nil {
			t.Fatal(err)
		}
		back := image.NewRGBA(got.Bounds())
		draw.Draw(back, back.Rect, got, image.Point{}, draw.Src)
		if !bytes.Equal(back.Pix, im.Pix) {
			t.Error("the picture was not preserved")
		}
	}
}

func TestStrip(t *testing.T) {
	s := canvas.Strip([]*image.RGBA{ball(0), ball(1), ball(2)}, 2, 4)
	if want := image.Rect(0, 0, 4+2*124, 4+2*64); s.Rect != want {
		t.Fatalf("the strip is %v, want %v", s.Rect, want)
	}
	third := image.NewRGBA(image.Rect(0, 0, 120, 60))
	draw.Draw(third, third.Rect, s, image.Pt(4, 68), draw.Src)
	if n, _ := canvastest.Differ(third, ball(2)); n > 0 {
		t.Errorf("the third picture differs in %d pixels", n)
	}
}
