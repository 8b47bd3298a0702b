package gridworld

import (
	"bytes"
	"slices"
	"strconv"
)

// Version is the version of the text form.
const Version = 1

// spareGlyphs are the characters, in this order, for cells whose usual character is already taken by another cell. No
// kind has one of them as its usual character, nor has the actor or the reward of the default legend.
const spareGlyphs = "abcdefijklmpqrstwxyzCDEFGIJKMNPQRSUVWYZ0123456789!$%&()+,-/:;?@[]{}~|"

// String returns the canonical text form of w: equal worlds have equal texts, and Parse reads them back.
// docs/reference/gridworld.md describes the form.
func (w *World) String() string { return string(w.append(nil)) }

// AppendText appends the text form to b, as String returns it. It never fails.
func (w *World) AppendText(b []byte) ([]byte, error) { return w.append(b), nil }

// Equal says whether w and v are the same world in the same state.
func (w *World) Equal(v *World) bool { return string(w.append(nil)) == string(v.append(nil)) }

func (w *World) append(b []byte) []byte {
	const head, line = 400, 32 // bytes that most worlds need: before the map, and for a thing or a cue
	b = slices.Grow(b, head+(w.width+1)*w.height+line*(len(w.things)+len(w.cues)))
	b = appendInt(append(b, "world "...), Version)
	b = append(append(b, "\nmove "...), w.rules.Move.String()...)
	if w.rules.Limit > 0 {
		b = appendInt(append(b, "\nlimit "...), w.rules.Limit)
	}
	if w.rules.Reach > 0 {
		b = appendInt(append(b, "\nreach "...), w.rules.Reach)
	}
	b = w.appendMap(append(b, '\n'))
	if w.actor.Pos != Nowhere() {
		b = appendPos(append(b, "\nactor "...), w.actor.Pos)
	} else {
		b = append(b, "\nactor nowhere"...)
	}
	b = append(append(append(b, ' '), w.actor.Heading.String()...), '\n')
	for i := range w.things {
		b = w.things[i].append(b, i)
	}
	for _, c := range w.cues {
		b = c.append(b)
	}
	b = appendWindows(b, "dark ", w.dark)
	b = appendWindows(b, "freeze ", w.frozen)
	if w.tick > 0 {
		b = append(appendInt(append(b, "tick "...), w.tick), '\n')
	}
	if w.outcome != Running {
		b = append(append(append(b, "outcome "...), w.outcome.String()...), '\n')
	}
	return b
}

// appendMap appends the legend lines that are needed, the map, and the empty line that ends it.
func (g *ground) appendMap(b []byte) []byte {
	var glyphs [MaxDistinct]byte // the glyph of each palette entry; 0 if the map has not used that entry yet
	gap, size := len(g.palette)*longestLegend+len("map\n"), (g.width+1)*g.height
	b = slices.Grow(b, gap+size)
	room := b[len(b)+gap : len(b)+gap+size] // the map is written here, behind room for the legend, and then moved to its end
	l := legend{text: b}
	var before []uint8
	for y, text := g.height-1, room; y >= 0; y, text = y-1, text[g.width+1:] {
		row := g.cells[y*g.width:][:g.width]
		text[g.width] = '\n'
		if bytes.Equal(row, before) {
			copy(text[:g.width], room[len(room)-len(text)-g.width-1:])
			continue
		}
		before = row
		for x, k := range row {
			if glyphs[k%MaxDistinct] == 0 {
				glyphs[k] = l.glyph(g.palette[k].cell)
			}
			text[x] = glyphs[k%MaxDistinct]
		}
	}
	return append(append(l.text, "map\n"...), room...)
}

// longestLegend is the greatest length of the legend line of a cell.
const longestLegend = 80

// A legend chooses the glyphs of cells.
type legend struct {
	text  []byte // ends with the lines for cells that do not have their usual glyph
	taken [128]bool
	spare int // number of spareGlyphs that are taken
}

// glyph returns the glyph for a cell that had none.
func (l *legend) glyph(c Cell) byte {
	g := glyphOf(c)
	if l.taken[g] {
		g = spareGlyphs[l.spare]
		l.spare++
	}
	l.taken[g] = true
	if plain, ok := plainCell(g); !ok || plain != c {
		l.text = append(append(l.text, "legend "...), g, ' ')
		l.text = append(c.append(l.text), '\n')
	}
	return g
}

// glyphOf returns the usual character for c: that of its kind, or an arrow for a two-way ramp.
func glyphOf(c Cell) byte {
	if c.Kind == Ramp {
		return "^>v<"[c.Facing/2&3]
	}
	return kinds[c.Kind].glyph
}

// plainCell returns the cell that g means without a legend line; ok is false if there is none.
func plainCell(g byte) (c Cell, ok bool) {
	for k := range Kind(Kinds) {
		c := Cell{Kind: k}
		if k == Platform {
			c.Height = 1
		}
		if kinds[k].glyph == g {
			return c, true
		}
	}
	for h, arrow := range []byte("^>v<") {
		if arrow == g {
			return Cell{Kind: Ramp, Facing: Dir(2 * h)}, true
		}
	}
	return Cell{}, false
}

func (c Cell) append(b []byte) []byte {
	b = append(b, c.Kind.String()...)
	if c.Kind.Sloped() {
		b = append(append(b, ' '), c.Facing.String()...)
	}
	if c.Height > 0 {
		b = appendInt(append(b, " height "...), int(c.Height))
	}
	return appendColour(b, c.Colour)
}

func (t *Thing) append(b []byte, i int) []byte {
	b = appendPos(append(appendInt(append(b, "thing "...), i), ' '), t.Pos)
	b = append(append(append(append(b, ' '), t.Kind.String()...), ' '), t.State.String()...)
	b = appendHundredths(append(b, " size "...), t.Size)
	if t.Value != 0 {
		b = appendInt(append(b, " value "...), t.Value)
	}
	b = appendColour(b, t.Colour)
	if t.Name != "" {
		b = append(append(b, " name "...), t.Name...)
	}
	if t.Final {
		b = append(b, " final"...)
	}
	return append(b, '\n')
}

func (c Cue) append(b []byte) []byte {
	b = appendInt(append(appendInt(append(b, "cue "...), c.Tick), " thing "...), c.Thing)
	b = append(append(appendPos(append(b, ' '), c.Pos), ' '), c.State.String()...)
	return append(b, '\n')
}

func appendWindows(b []byte, word string, windows []Window) []byte {
	for _, v := range windows {
		b = appendInt(append(appendInt(append(b, word...), v.From), ' '), v.To)
		b = append(b, '\n')
	}
	return b
}

func appendColour(b []byte, c Colour) []byte {
	if c == None {
		return b
	}
	return c.append(append(b, " colour "...))
}

func appendPos(b []byte, p Pos) []byte { return appendInt(append(appendInt(b, p.X), ','), p.Y) }

func appendInt(b []byte, n int) []byte { return strconv.AppendInt(b, int64(n), 10) }

// appendHundredths appends n/100 as a decimal number without trailing zeros.
func appendHundredths(b []byte, n int) []byte {
	b = appendInt(b, n/100)
	if n%100 != 0 {
		b = append(b, '.', byte('0'+n%100/10))
		if n%10 != 0 {
			b = append(b, byte('0'+n%10))
		}
	}
	return b
}
