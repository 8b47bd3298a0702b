package canvas

import (
	"image"
	"math"
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

// A Font is a font with the widths of its first 256 characters.
type Font struct {
	font    *opentype.Font
	advance [256]float32 // character → width in ems
}

// NewFont returns a font for texts.
func NewFont(f *opentype.Font) *Font {
	t := &Font{font: f}
	for c := range t.advance {
		t.advance[c] = ems(f, rune(c))
	}
	return t
}

// typefaces parses the built-in fonts when it is called for the first time.
var typefaces = sync.OnceValue(func() (t [faces]*Font) {
	for i, ttf := range [faces][]byte{Regular: goregular.TTF, Bold: gobold.TTF, Mono: gomono.TTF} {
		f, err := opentype.Parse(ttf)
		if err != nil {
			panic("canvas: a built-in font does not parse")
		}
		t[i] = NewFont(f)
	}
	return t
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

func (t *Font) of(c rune) float32 {
	if c < rune(len(t.advance)) {
		return t.advance[c]
	}
	return ems(t.font, c)
}

// Measure returns the width of a line of text in pixels. size is in pixels per em.
func Measure(face Face, size float32, text string) float32 {
	return size * typefaces()[face].measure(text)
}

// measure returns the width of a line of text in ems.
func (t *Font) measure(text string) (w float32) {
	for _, c := range text {
		w += t.of(c)
	}
	return w
}

// font returns the font of a text.
func (o *Text) font() *Font {
	if o.Font != nil {
		return o.Font
	}
	return typefaces()[o.Face]
}

// Shorten returns the text if it is at most width pixels wide. Otherwise it returns the beginning of the text followed
// by "…", together at most width pixels wide, but at least "…".
func Shorten(face Face, size float32, text string, width float32) string {
	if Measure(face, size, text) <= width {
		return text
	}
	t := typefaces()[face]
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
	font       *Font
	shift      uint8
	size, turn float32
	char       rune
}

// A glyph is the coverage of a character. mask is nil if the character is blank.
type glyph struct {
	mask *image.Alpha
	at   image.Point // corner of the mask, relative to the pixel at which the glyph begins
}

func (r *Renderer) text(dst *image.RGBA, o Text) {
	t, at := o.font(), o.At
	switch o.Align {
	case Centre:
		at.X -= t.measure(o.Text) * o.Size / 2
	case Right:
		at.X -= t.measure(o.Text) * o.Size
	}
	sin, cos := float32(0), float32(1)
	if o.Turn != 0 {
		s, c := math.Sincos(float64(o.Turn))
		sin, cos = float32(s), float32(c)
	}
	ink := image.NewUniform(o.Colour.NRGBA())
	for _, c := range o.Text {
		quarter := round(at.X * shifts)
		base := dst.Rect.Min.Add(image.Pt(quarter>>2, round(at.Y)))
		g := r.glyph(glyphKey{t, uint8(quarter & (shifts - 1)), o.Size, o.Turn, c})
		w := t.of(c) * o.Size
		at = at.Add(w*cos, w*sin)
		if g.mask == nil {
			continue
		}
		corner := base.Add(g.at)
		b := g.mask.Rect.Add(corner).Intersect(r.clip())
		draw.DrawMask(dst, b, ink, image.Point{}, g.mask, b.Min.Sub(corner), draw.Over)
	}
}

func (r *Renderer) glyph(k glyphKey) glyph {
	if g, ok := r.glyphs[k]; ok {
		return g
	}
	if r.glyphs == nil {
		r.glyphs = map[glyphKey]glyph{}
	}
	g := outline(k)
	r.glyphs[k] = g
	return g
}

// outline rasterises a glyph. If the font lacks the character, the glyph is the box that the font has for missing
// characters.
func outline(k glyphKey) glyph {
	var b sfnt.Buffer
	i, err := k.font.font.GlyphIndex(&b, k.char)
	if err != nil {
		return glyph{}
	}
	segments, err := k.font.font.LoadGlyph(&b, i, fixed.Int26_6(k.size*64), nil)
	if err != nil || len(segments) == 0 {
		return glyph{}
	}
	if k.turn != 0 {
		turn(segments, float64(k.turn))
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

// turn turns an outline clockwise about the origin by an angle in radians.
func turn(segments sfnt.Segments, angle float64) {
	sin, cos := math.Sincos(angle)
	for i := range segments {
		for k, p := range segments[i].Args {
			x, y := float64(p.X), float64(p.Y)
			segments[i].Args[k] = fixed.Point26_6{X: fixed.Int26_6(math.Round(float64(x*cos) - float64(y*sin))), Y: fixed.Int26_6(math.Round(float64(x*sin) + float64(y*cos)))}
		}
	}
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
