package canvas

import (
	"image"
	"image/draw"
	"image/png"
	"io"

	"achilles/render/palette"
)

// EncodePNG writes a picture as PNG, with a palette if it is opaque and has at most 256 colours. The same picture
// gives the same bytes.
func EncodePNG(w io.Writer, im *image.RGBA) error {
	e := png.Encoder{CompressionLevel: png.BestCompression}
	if p := exact(im); p != nil {
		return e.Encode(w, p)
	}
	return e.Encode(w, im)
}

// exact returns the same picture with a palette. It returns nil if the picture has more than 256 colours or is not
// opaque.
func exact(im *image.RGBA) *image.Paletted {
	if !im.Opaque() {
		return nil
	}
	p := image.NewPaletted(image.Rectangle{Max: im.Rect.Size()}, nil)
	index := map[uint32]uint8{}
	ok := true
	runs(im, func(c uint32, from, to int) {
		i, known := index[c]
		if !known {
			if len(p.Palette) == 256 {
				ok = false
				return
			}
			i = uint8(len(p.Palette))
			index[c] = i
			p.Palette = append(p.Palette, palette.RGB(uint8(c>>16), uint8(c>>8), uint8(c)).NRGBA())
		}
		for k := from; ok && k < to; k++ {
			p.Pix[k] = i
		}
	})
	if !ok {
		return nil
	}
	return p
}

// Strip arranges pictures in rows. Each row has as many pictures as columns says. There are gap pixels between the
// pictures and around them. All pictures must have the size of the first. It panics if there are no pictures or no
// columns.
func Strip(pictures []*image.RGBA, columns, gap int) *image.RGBA {
	if len(pictures) == 0 || columns < 1 {
		panic("canvas: a strip without pictures or columns")
	}
	size := pictures[0].Rect.Size()
	columns = min(columns, len(pictures))
	rows := (len(pictures) + columns - 1) / columns
	strip := image.NewRGBA(image.Rect(0, 0, gap+columns*(size.X+gap), gap+rows*(size.Y+gap)))
	draw.Draw(strip, strip.Rect, image.NewUniform(palette.White), image.Point{}, draw.Src)
	for i, im := range pictures {
		at := image.Pt(gap+i%columns*(size.X+gap), gap+i/columns*(size.Y+gap))
		draw.Draw(strip, image.Rectangle{Max: size}.Add(at), im, im.Rect.Min, draw.Src)
	}
	return strip
}
