package canvas

import (
	"image"
	"strings"
	"sync"

	"golang.org/x/image/draw"
	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/gomono"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"golang.org/x/image/vector"
)

// faces is the number of faces.
const faces = 3

// A typeface is a font with the widths of its first 256 characters.
type typeface struct {
	font    *opentype.Font
	advance [256]float32 // character → width in ems
}

// typefaces parses the built-in fonts when it is called for the first time.
var typefaces = sync.OnceValue(func() *[faces]typeface {
	var t [faces]typeface
	for i, ttf := range [faces][]byte{Regular: goregular.TTF, Bold: gobold.TTF, Mono: gomono.TTF} {
		f, err := opentype.Parse(ttf)
		if err != nil {
			panic("canvas: a built-in font does not parse")
		}
		t[i].font = f
		for c := range t[i].advance {
			t[i].advance[c] = ems(f, rune(c))
		}
	}
	return &t
})

func ems(f *opentype.Font, c rune) float32 {
	var b sfnt.Buffer
	unit := fixed.Int26_6(f.UnitsPerEm())
	i, err := f.GlyphIndex(&b, c)
	if err != nil {
		return 0
	}
	a, err := f.GlyphAdvance(&b, i, unit, font.HintingNone)
	if err != nil {
		return 0
	}
	return float32(a) / float32(unit)
}

func (t *typeface) of(c rune) float32 {
	if c < rune(len(t.advance)) {
		return t.advance[c]
	}
	return ems(t.font, c)
}

// Measure returns the width of a line of text in pixels. size is in pixels per em.
func Measure(face Face, size float32, text string) float32 {
	t := &typefaces()[face]
	w := float32(0)
	for _, c := range text {
		w += t.of(c)
	}
	return w * size
}

// Shorten returns the text if it is at most width pixels wide. Otherwise it returns the beginning of the text followed
// by "…", together at most width pixels wide, but at least "…".
func Shorten(face Face, size float32, text string, width float32) string {
	if Measure(face, size, text) <= width {
		return text
	}
	t := &typefaces()[face]
	w := t.of('…') * size
	for i, c := range text {
		if w += t.of(c) * size; w > width {
			return text[:i] + "…"
		}
	}
	return text
}

// Wrap breaks a text into lines of at most width pixels. A word that is wider has a line of its own.
func Wrap(face Face, size float32, text string, width float32) (lines []string) {
	line := ""
	for _, w := range strings.Fields(text) {
		longer := strings.TrimSpace(line + " " + w)
		if line != "" && Measure(face, size, longer) > width {
			lines = append(lines, line)
			longer = w
		}
		line = longer
	}
	return append(lines, line)
}

// shifts is the number of horizontal positions within a pixel at which a glyph can begin.
const shifts = 4

type glyphKey struct {
	face  Face
	shift uint8
	size  float32
	char  rune
}

// A glyph is the coverage of a character. mask is nil if the character is blank.
type glyph struct {
	mask *image.Alpha
	at   image.Point // corner of the mask, relative to the pixel at which the glyph begins
}

func (r *Renderer) text(dst *image.RGBA, o Text) {
	t := &typefaces()[o.Face]
	x := o.At.X
	switch o.Align {
	case Centre:
		x -= Measure(o.Face, o.Size, o.Text) / 2
	case Right:
		x -= Measure(o.Face, o.Size, o.Text)
	}
	base := dst.Rect.Min.Add(image.Pt(0, round(o.At.Y)))
	ink := image.NewUniform(o.Colour.NRGBA())
	for _, c := range o.Text {
		quarter := round(x * shifts)
		px := quarter >> 2
		g := r.glyph(glyphKey{o.Face, uint8(quarter & (shifts - 1)), o.Size, c})
		x += t.of(c) * o.Size
		if g.mask == nil {
			continue
		}
		at := base.Add(image.Pt(px, 0)).Add(g.at)
		b := g.mask.Rect.Add(at).Intersect(r.clip())
		draw.DrawMask(dst, b, ink, image.Point{}, g.mask, b.Min.Sub(at), draw.Over)
	}
}

func (r *Renderer) glyph(k glyphKey) glyph {
	if g, ok := r.glyphs[k]; ok {
		return g
	}
	if r.glyphs == nil {
		r.glyphs = map[glyphKey]glyph{}
	}
	g := outline(&typefaces()[k.face], k)
	r.glyphs[k] = g
	return g
}

// outline rasterises a glyph. If the font lacks the character, the glyph is the box that the font has for missing
// characters.
func outline(t *typeface, k glyphKey) glyph {
	var b sfnt.Buffer
	i, err := t.font.GlyphIndex(&b, k.char)
	if err != nil {
		return glyph{}
	}
	segments, err := t.font.LoadGlyph(&b, i, fixed.Int26_6(k.size*64), nil)
	if err != nil || len(segments) == 0 {
		return glyph{}
	}
	shift := fixed.Int26_6(k.shift) * 64 / shifts
	bounds := segments.Bounds()
	box := image.Rect((bounds.Min.X + shift).Floor(), bounds.Min.Y.Floor(), (bounds.Max.X + shift).Ceil(), bounds.Max.Y.Ceil())
	if box.Empty() {
		return glyph{}
	}
	z := vector.NewRasterizer(box.Dx(), box.Dy())
	trace(z, segments, shift-fixed.I(box.Min.X), -fixed.I(box.Min.Y))
	mask := image.NewAlpha(image.Rect(0, 0, box.Dx(), box.Dy()))
	z.Draw(mask, mask.Rect, image.Opaque, image.Point{})
	return glyph{mask, box.Min}
}

func trace(z *vector.Rasterizer, segments sfnt.Segments, dx, dy fixed.Int26_6) {
	at := func(p fixed.Point26_6) (x, y float32) { return float32(p.X+dx) / 64, float32(p.Y+dy) / 64 }
	for _, s := range segments {
		ax, ay := at(s.Args[0])
		bx, by := at(s.Args[1])
		cx, cy := at(s.Args[2])
		switch s.Op {
		case sfnt.SegmentOpMoveTo:
			z.ClosePath()
			z.MoveTo(ax, ay)
		case sfnt.SegmentOpLineTo:
			z.LineTo(ax, ay)
		case sfnt.SegmentOpQuadTo:
			z.QuadTo(ax, ay, bx, by)
		case sfnt.SegmentOpCubeTo:
			z.CubeTo(ax, ay, bx, by, cx, cy)
		}
	}
	z.ClosePath()
}
