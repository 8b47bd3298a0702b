package canvas

import (
	"cmp"
	"image"
	"image/color"
	"image/gif"
	"io"
	"maps"
	"slices"
)

// An Animation is a sequence of pictures of the same size.
type Animation struct {
	Frames int
	Frame  func(i int) *image.RGBA // returns frame i; may be called twice for a frame, and may overwrite and return one image
	Delay  func(i int) int         // time for which frame i is shown, in hundredths of a second
	Once   bool                    // whether it ends with its last frame, and does not repeat
}

// transparent is the palette index of a pixel that has the same colour as in the frame before.
const transparent = 255

// samples is the largest number of frames whose colours are counted for the palette.
const samples = 16

// EncodeGIF writes the animation. Its palette has the 255 most frequent colours; a pixel of
// another colour gets the nearest colour of the palette. Drawings have few such pixels. A frame stores only the
// smallest rectangle that contains all pixels that changed since the frame before. EncodeGIF panics if there are no
// frames.
func EncodeGIF(w io.Writer, a Animation) error {
	if a.Frames < 1 {
		panic("canvas: an animation without frames")
	}
	q := quantiser{palette: a.palette(), index: map[uint32]uint8{}}
	out := &gif.GIF{Config: image.Config{ColorModel: q.palette}}
	var last *image.Paletted
	for i := range a.Frames {
		full := q.quantise(a.Frame(i))
		out.Image = append(out.Image, change(last, full))
		out.Delay = append(out.Delay, a.Delay(i))
		out.Disposal = append(out.Disposal, gif.DisposalNone)
		out.Config.Width, out.Config.Height = full.Rect.Dx(), full.Rect.Dy()
		last = full
	}
	if a.Once {
		out.LoopCount = -1
	}
	return gif.EncodeAll(w, out)
}

// palette returns the most frequent colours of at most 16 frames, evenly spaced from the first to the last, and a
// transparent colour.
func (a Animation) palette() color.Palette {
	count := map[uint32]int{}
	n := min(a.Frames, samples)
	for k := range n {
		im := a.Frame(k * (a.Frames - 1) / max(n-1, 1))
		runs(im, func(c uint32, from, to int) { count[c] += to - from })
	}
	common := slices.SortedFunc(maps.Keys(count), func(a, b uint32) int {
		return cmp.Or(count[b]-count[a], cmp.Compare(a, b))
	})
	p := make(color.Palette, transparent+1)
	for i := range transparent {
		c := color.RGBA{A: 255}
		if i < len(common) {
			c.R, c.G, c.B = uint8(common[i]>>16), uint8(common[i]>>8), uint8(common[i])
		}
		p[i] = c
	}
	p[transparent] = color.RGBA{}
	return p
}

// runs divides each row of the picture into runs of neighbouring pixels of one colour, and calls f for every run. c is
// the colour, 0xRRGGBB. The pixels of the picture are numbered row by row, and the run has the numbers from … to−1.
func runs(im *image.RGBA, f func(c uint32, from, to int)) {
	width := im.Rect.Dx()
	for y := range im.Rect.Dy() {
		row := im.Pix[y*im.Stride : y*im.Stride+4*width]
		start, last := 0, uint32(0)
		for x := range width {
			c := uint32(row[4*x])<<16 | uint32(row[4*x+1])<<8 | uint32(row[4*x+2])
			if x > 0 && c != last {
				f(last, y*width+start, y*width+x)
				start = x
			}
			last = c
		}
		f(last, y*width+start, y*width+width)
	}
}

// A quantiser finds the nearest colour of a palette for any colour, and stores the results.
type quantiser struct {
	palette color.Palette
	index   map[uint32]uint8
}

func (q *quantiser) quantise(im *image.RGBA) *image.Paletted {
	p := image.NewPaletted(image.Rectangle{Max: im.Rect.Size()}, q.palette)
	runs(im, func(c uint32, from, to int) {
		i := q.nearest(c)
		for k := from; k < to; k++ {
			p.Pix[k] = i
		}
	})
	return p
}

func (q *quantiser) nearest(c uint32) uint8 {
	i, ok := q.index[c]
	if !ok {
		i = uint8(q.palette[:transparent].Index(color.RGBA{uint8(c >> 16), uint8(c >> 8), uint8(c), 255}))
		q.index[c] = i
	}
	return i
}

// change returns the smallest rectangle of next that contains all pixels that differ from last. Pixels of the rectangle
// that do not differ are transparent. The rectangle has at least one pixel, because a frame of a GIF cannot be empty.
// If last is nil, change returns next.
func change(last, next *image.Paletted) *image.Paletted {
	if last == nil {
		return next
	}
	box := image.Rectangle{}
	for y := range next.Rect.Dy() {
		a, b := last.Pix[y*last.Stride:][:next.Rect.Dx()], next.Pix[y*next.Stride:][:next.Rect.Dx()]
		for x := range b {
			if a[x] != b[x] {
				box = box.Union(image.Rect(x, y, x+1, y+1))
			}
		}
	}
	if box.Empty() {
		box = image.Rect(0, 0, 1, 1)
	}
	part := image.NewPaletted(box, next.Palette)
	for y := box.Min.Y; y < box.Max.Y; y++ {
		for x := box.Min.X; x < box.Max.X; x++ {
			c := next.ColorIndexAt(x, y)
			if last.ColorIndexAt(x, y) == c {
				c = transparent
			}
			part.SetColorIndex(x, y, c)
		}
	}
	return part
}
