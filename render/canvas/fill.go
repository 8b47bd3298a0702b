package canvas

import (
	"encoding/binary"
	"image"
	"image/draw"

	"achilles/render/palette"
)

// fill blends the colour over dst, weighted by the coverage of the shape.
func (p pen) fill(dst *image.RGBA, c palette.Colour) { blend(dst, p.box, p.coverage(), c) }

// coverage rasterises the shape. For every pixel of the shape's box, it returns how much of the pixel the shape covers,
// 0 … 255. The result is valid until the next shape begins.
func (p pen) coverage() []uint8 {
	size := p.box.Size()
	p.r.part = sized(p.r.part, size)
	mask := &image.Alpha{Pix: p.r.part, Stride: size.X, Rect: image.Rectangle{Max: size}}
	p.z.DrawOp = draw.Src
	p.z.Draw(mask, mask.Rect, image.Opaque, image.Point{})
	return p.r.part
}

func sized(b []uint8, size image.Point) []uint8 {
	if n := size.X * size.Y; cap(b) < n {
		return make([]uint8, n)
	}
	return b[:size.X*size.Y]
}

// blend blends a colour over the pixels of a box. cover is the coverage of each pixel, 0 … 255. It skips pixels that
// are not covered, because most pixels in the box of a line are not.
func blend(dst *image.RGBA, box image.Rectangle, cover []uint8, c palette.Colour) {
	b, width := newBrush(c), box.Dx()
	for y := range box.Dy() {
		at := dst.PixOffset(box.Min.X, box.Min.Y+y)
		b.paint(dst.Pix[at:at+4*width], cover[y*width:(y+1)*width])
	}
}

// rectangle blends a colour over the rectangle at, whose edges can cut through pixels. It changes only the pixels of
// box.
func (r *Renderer) rectangle(dst *image.RGBA, box image.Rectangle, at Rect, c palette.Colour) {
	b, width := newBrush(c), box.Dx()
	r.part = sized(r.part, image.Pt(width, 1))
	cover := r.part
	last := float32(-1)
	for y := range box.Dy() {
		high := inside(at.Y0, at.Y1, box.Min.Y+y)
		if high != last {
			for x := range cover {
				cover[x] = uint8(high*inside(at.X0, at.X1, box.Min.X+x)*255 + 0.5)
			}
			last = high
		}
		from := dst.PixOffset(box.Min.X, box.Min.Y+y)
		b.paint(dst.Pix[from:from+4*width], cover)
	}
}

// inside returns the share of the interval from i to i+1 that lies between two edges.
func inside(from, to float32, i int) float32 {
	return max(min(to, float32(i+1))-max(from, float32(i)), 0)
}

// A brush is a premultiplied colour with 16 bits for each component.
type brush struct {
	r, g, b, a uint32
	opaque     [4]uint8 // colour of a pixel that is completely covered; used only if the brush is opaque
}

func newBrush(c palette.Colour) *brush {
	b := new(brush)
	b.r, b.g, b.b, b.a = c.RGBA()
	b.opaque = [4]uint8{uint8(b.r >> 8), uint8(b.g >> 8), uint8(b.b >> 8), uint8(b.a >> 8)}
	return b
}

// paint blends the brush over a row of pixels. cover is the coverage of each pixel, 0 … 255.
func (b *brush) paint(row, cover []uint8) {
	const all = 0xffff
	for x := 0; x < len(cover); x++ {
		m := cover[x]
		if m == 0 {
			for x+8 < len(cover) && binary.LittleEndian.Uint64(cover[x+1:]) == 0 {
				x += 8
			}
			continue
		}
		px := row[4*x : 4*x+4 : 4*x+4]
		if m == 0xff && b.a == all {
			copy(px, b.opaque[:])
			continue
		}
		part := uint32(m) * 0x101
		rest := (all - b.a*part/all) * 0x101
		px[0] = uint8((uint32(px[0])*rest + b.r*part) / all >> 8)
		px[1] = uint8((uint32(px[1])*rest + b.g*part) / all >> 8)
		px[2] = uint8((uint32(px[2])*rest + b.b*part) / all >> 8)
		px[3] = uint8((uint32(px[3])*rest + b.a*part) / all >> 8)
	}
}
