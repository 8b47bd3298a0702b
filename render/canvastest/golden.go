// Package canvastest compares pictures with golden pictures, which are stored as PNG files.
package canvastest

import (
	"bytes"
	"flag"
	"image"
	"image/draw"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite golden pictures")

// tolerance is the largest difference of a component, 0 … 255, that does not count: processor architectures round
// differently.
const tolerance = 1

// Golden compares a picture with the PNG file name, or writes the file under -update. If they differ, the test fails
// and names a temporary directory with the picture and the differences.
func Golden(t *testing.T, name string, got *image.RGBA) {
	t.Helper()
	if *update {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		save(t, name, got)
		return
	}
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatalf("%v (-update writes it)", err)
	}
	decoded, err := png.Decode(bytes.NewReader(b))
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	want := image.NewRGBA(decoded.Bounds())
	draw.Draw(want, want.Rect, decoded, want.Rect.Min, draw.Src)
	n, diff := Differ(got, want)
	if n == 0 {
		return
	}
	dir, err := os.MkdirTemp("", "golden")
	if err != nil {
		t.Fatal(err)
	}
	base := strings.TrimSuffix(filepath.Base(name), ".png")
	save(t, filepath.Join(dir, base+".png"), got)
	save(t, filepath.Join(dir, base+"-diff.png"), diff)
	t.Errorf("%s: %d pixels differ by more than %d/255; see %s (-update accepts them)", name, n, tolerance, dir)
}

// Differ counts the pixels at which a component of a differs from that of b by more than the tolerance. diff is a white
// picture on which these pixels are black. If the sizes of a and b differ, Differ counts all pixels of a.
func Differ(a, b *image.RGBA) (n int, diff *image.RGBA) {
	size := a.Rect.Size()
	diff = image.NewRGBA(image.Rectangle{Max: size})
	draw.Draw(diff, diff.Rect, image.White, image.Point{}, draw.Src)
	if size != b.Rect.Size() {
		return size.X * size.Y, diff
	}
	for y := range size.Y {
		p := a.Pix[a.PixOffset(a.Rect.Min.X, a.Rect.Min.Y+y):]
		q := b.Pix[b.PixOffset(b.Rect.Min.X, b.Rect.Min.Y+y):]
		for x := range size.X {
			for k := 4 * x; k < 4*x+4; k++ {
				if d := int(p[k]) - int(q[k]); d > tolerance || d < -tolerance {
					n++
					diff.Set(x, y, image.Black.C)
					break
				}
			}
		}
	}
	return n, diff
}

func save(t *testing.T, name string, im *image.RGBA) {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, im); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}
