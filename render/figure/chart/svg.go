package chart

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"html"
	"image"
	"image/color"
	"image/png"
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"

	"achilles/render/palette"
)

// An svg is a vg.Canvas that writes compact SVG. Coordinates have one decimal, and letters are written as text
// elements, not as outlines. The function colour returns the text of a colour in the SVG. An svg transforms coordinates
// itself, so that the document has no nested groups.
type svg struct {
	width, height float64
	colour        func(palette.Colour) string
	elements      []element
	state         state
	stack         []state
}

var _ vg.CanvasSizer = (*svg)(nil)

// An element is an element of the document without its paint, which several have.
type element struct {
	open  string // from the name of the tag on
	paint string
	close string // what follows the attributes
}

// A state is the part of the canvas that Push saves and Pop restores. The transform to pixels of the document is x' = a
// x + c y + e, y' = b x + d y + f.
type state struct {
	a, b, c, d, e, f float64
	line             float64
	dashes           []vg.Length
	offset           vg.Length
	ink              palette.Colour
}

func newSVG(width, height float64, colour func(palette.Colour) string) *svg {
	return &svg{width: width, height: height, colour: colour, state: state{a: 1, d: -1, f: height, line: 1, ink: palette.Black}}
}

// fonts lists the fonts that a browser tries in order. All except the last have the same widths of letters as the font
// by which texts are laid out.
const fonts = "Liberation Sans,Arial,Helvetica,sans-serif"

// document returns the whole SVG. If label is empty, it is a file; otherwise it is an element of a page, with label as
// its description.
func (s *svg) document(label string) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %s %s" width="%s" height="%s" font-family="%s"`, tenth(s.width), tenth(s.height), tenth(s.width), tenth(s.height), fonts)
	if label != "" {
		fmt.Fprintf(&b, ` role="img" aria-label="%s"`, html.EscapeString(label))
	}
	b.WriteString(">\n")
	if label == "" {
		for _, e := range s.elements {
			b.WriteString("<" + e.open + e.paint + e.close + "\n")
		}
	} else {
		s.grouped(&b)
	}
	b.WriteString("</svg>\n")
	return b.Bytes()
}

// grouped writes the elements of a page: those that follow one another with the same paint have it once, and opaque lines among them are
// one path.
func (s *svg) grouped(b *bytes.Buffer) {
	for i := 0; i < len(s.elements); {
		e := &s.elements[i]
		n := i + 1
		for n < len(s.elements) && s.elements[n].paint == e.paint {
			n++
		}
		run := s.elements[i:n]
		i = n
		if e.paint == "" || len(run) == 1 {
			for _, x := range run {
				b.WriteString("<" + x.open + x.paint + x.close + "\n")
			}
			continue
		}
		if strings.HasPrefix(e.paint, ` fill="none"`) && !strings.Contains(e.paint, "opacity") {
			b.WriteString(`<path d="`)
			for _, x := range run {
				b.WriteString(strings.TrimSuffix(strings.TrimPrefix(x.open, `path d="`), `"`))
			}
			b.WriteString(`"` + e.paint + "/>\n")
			continue
		}
		b.WriteString("<g" + e.paint + ">\n")
		for _, x := range run {
			b.WriteString("<" + x.open + x.close + "\n")
		}
		b.WriteString("</g>\n")
	}
}

// add adds an element.
func (s *svg) add(open, paint, close string) {
	s.elements = append(s.elements, element{open, paint, close})
}

func (s *svg) ground(c palette.Colour) {
	s.add(fmt.Sprintf(`rect width="100%%" height="100%%" fill="%s"`, s.colour(c)), "", "/>")
}

func tenth(x float64) string {
	t := strconv.FormatFloat(math.Round(10*x)/10, 'f', -1, 64)
	if t == "-0" {
		return "0"
	}
	return t
}

// Size returns the size of the document.
func (s *svg) Size() (x, y vg.Length) { return points(s.width), points(s.height) }

// SetLineWidth sets the width of strokes.
func (s *svg) SetLineWidth(w vg.Length) { s.state.line = w.Points() }

// SetLineDash sets the dashes of strokes.
func (s *svg) SetLineDash(pattern []vg.Length, offset vg.Length) {
	s.state.dashes, s.state.offset = pattern, offset
}

// SetColor sets the colour of strokes, fills and text.
func (s *svg) SetColor(c color.Color) {
	if own, ok := c.(palette.Colour); ok {
		s.state.ink = own
		return
	}
	n := color.NRGBAModel.Convert(c).(color.NRGBA)
	s.state.ink = palette.RGB(n.R, n.G, n.B)&^0xff | palette.Colour(n.A)
}

// Rotate turns the axes by an angle in radians.
func (s *svg) Rotate(radians float64) {
	sin, cos := math.Sincos(radians)
	t := s.state
	s.state.a, s.state.c = t.a*cos+t.c*sin, t.c*cos-t.a*sin
	s.state.b, s.state.d = t.b*cos+t.d*sin, t.d*cos-t.b*sin
}

// Translate moves the origin.
func (s *svg) Translate(p vg.Point) { s.state.e, s.state.f = s.at(p) }

// Scale stretches the axes.
func (s *svg) Scale(x, y float64) {
	s.state.a, s.state.b, s.state.c, s.state.d = s.state.a*x, s.state.b*x, s.state.c*y, s.state.d*y
}

// Push saves the state.
func (s *svg) Push() { s.stack = append(s.stack, s.state) }

// Pop restores the state that was saved last.
func (s *svg) Pop() {
	s.state = s.stack[len(s.stack)-1]
	s.stack = s.stack[:len(s.stack)-1]
}

func (s *svg) at(p vg.Point) (x, y float64) {
	t := &s.state
	px, py := p.X.Points(), p.Y.Points()
	return t.a*px + t.c*py + t.e, t.b*px + t.d*py + t.f
}

// paint returns the attributes of the current colour. as is fill or stroke.
func (s *svg) paint(as string) string {
	out := fmt.Sprintf(` %s="%s"`, as, s.colour(s.state.ink|0xff))
	if alpha := s.state.ink & 0xff; alpha != 0xff {
		out += fmt.Sprintf(` %s-opacity="%s"`, as, strconv.FormatFloat(math.Round(float64(alpha)/2.55)/100, 'f', -1, 64))
	}
	return out
}

// Stroke draws a path as a line.
func (s *svg) Stroke(path vg.Path) {
	if s.state.line <= 0 || s.state.ink&0xff == 0 {
		return
	}
	paint := fmt.Sprintf(` fill="none"%s stroke-width="%s"`, s.paint("stroke"), tenth(s.state.line))
	if len(s.state.dashes) > 0 {
		var d []string
		for _, l := range s.state.dashes {
			d = append(d, tenth(l.Points()))
		}
		paint += fmt.Sprintf(` stroke-dasharray="%s"`, strings.Join(d, " "))
	}
	s.add(`path d="`+s.data(path)+`"`, paint, "/>")
}

// Fill fills a path. A whole turn is a circle.
func (s *svg) Fill(path vg.Path) {
	if s.state.ink&0xff == 0 {
		return
	}
	if arc, ok := turn(path); ok {
		x, y := s.at(arc.Pos)
		s.add(`circle cx="`+tenth(x)+`" cy="`+tenth(y)+`" r="`+tenth(arc.Radius.Points())+`"`, s.paint("fill"), "/>")
		return
	}
	s.add(`path d="`+s.data(path)+`"`, s.paint("fill"), "/>")
}

// turn returns the arc of a path that is one whole turn.
func turn(path vg.Path) (arc vg.PathComp, ok bool) {
	for _, p := range path {
		switch {
		case p.Type == vg.ArcComp && !ok && math.Abs(p.Angle) >= 2*math.Pi-1e-9:
			arc, ok = p, true
		case p.Type != vg.MoveComp && p.Type != vg.CloseComp:
			return arc, false
		}
	}
	return arc, ok
}

// data returns the path data in absolute coordinates. Arcs are cut into pieces of less than half a turn.
func (s *svg) data(path vg.Path) string {
	var b strings.Builder
	put := func(letter string, ps ...vg.Point) {
		b.WriteString(letter)
		for i, p := range ps {
			x, y := s.at(p)
			if i > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(tenth(x) + "," + tenth(y))
		}
	}
	for _, p := range path {
		switch p.Type {
		case vg.MoveComp:
			put("M", p.Pos)
		case vg.LineComp:
			put("L", p.Pos)
		case vg.CurveComp:
			put(map[int]string{1: "Q", 2: "C"}[len(p.Control)], append(append([]vg.Point{}, p.Control...), p.Pos)...)
		case vg.CloseComp:
			b.WriteString("Z")
		case vg.ArcComp:
			s.arc(&b, p)
		}
	}
	return b.String()
}

func (s *svg) arc(b *strings.Builder, p vg.PathComp) {
	on := func(angle float64) string {
		sin, cos := math.Sincos(angle)
		x, y := s.at(vg.Point{X: p.Pos.X + p.Radius*vg.Length(cos), Y: p.Pos.Y + p.Radius*vg.Length(sin)})
		return tenth(x) + "," + tenth(y)
	}
	letter := "L"
	if b.Len() == 0 {
		letter = "M"
	}
	b.WriteString(letter + on(p.Start))
	sweep := "0" // y points down in the document, so that a positive angle turns counter-clockwise
	if p.Angle < 0 {
		sweep = "1"
	}
	n := int(math.Ceil(math.Abs(p.Angle) / 3))
	r := tenth(p.Radius.Points())
	for i := range n {
		b.WriteString("A" + r + "," + r + " 0 0 " + sweep + " " + on(p.Start+p.Angle*float64(i+1)/float64(n)))
	}
}

// fixed is the number of bytes from which a text has a fixed length.
const fixed = 5

// FillString writes text. What is longer than a number has a fixed length, so that another font does not change the layout.
func (s *svg) FillString(f font.Face, p vg.Point, str string) {
	if strings.TrimSpace(str) == "" {
		return
	}
	x, y := s.at(p)
	open := fmt.Sprintf(`text x="%s" y="%s" font-size="%s"`, tenth(x), tenth(y), tenth(f.Font.Size.Points()))
	if len(str) >= fixed {
		open += fmt.Sprintf(` textLength="%s" lengthAdjust="spacingAndGlyphs"`, tenth(f.Width(str).Points()))
	}
	if f.Font.Weight == bold {
		open += ` font-weight="bold"`
	}
	if angle := math.Atan2(s.state.b, s.state.a); math.Abs(angle) > 1e-6 {
		open += fmt.Sprintf(` transform="rotate(%s %s %s)"`, tenth(angle*180/math.Pi), tenth(x), tenth(y))
	}
	s.add(open, s.paint("fill"), ">"+html.EscapeString(str)+"</text>")
}

// DrawImage embeds a picture as PNG.
func (s *svg) DrawImage(r vg.Rectangle, img image.Image) {
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		panic("figure: a picture without pixels")
	}
	x, y := s.at(vg.Point{X: r.Min.X, Y: r.Max.Y})
	size := r.Size()
	s.add(fmt.Sprintf(`image x="%s" y="%s" width="%s" height="%s" href="data:image/png;base64,%s"`,
		tenth(x), tenth(y), tenth(size.X.Points()), tenth(size.Y.Points()), base64.StdEncoding.EncodeToString(b.Bytes())), "", "/>")
}
