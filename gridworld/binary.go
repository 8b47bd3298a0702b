package gridworld

import (
	"encoding/binary"
	"errors"
	"math/bits"
	"slices"
)

// errBinary is the error of UnmarshalBinary.
var errBinary = errors.New("gridworld: not the binary form of a world")

// AppendBinary appends the binary form of w to b. UnmarshalBinary of the same program reads it, in a fraction of the time that the text
// form takes; other programs need not know it. Equal worlds may have different binary forms. It never fails.
func (w *World) AppendBinary(b []byte) ([]byte, error) {
	b = append(b, byte(w.rules.Move), byte(w.width), byte(w.height), byte(w.outcome), byte(w.actor.Heading))
	b = appendNumbers(b, w.rules.Limit, w.rules.Reach, w.tick, w.actor.Pos.X, w.actor.Pos.Y)
	b = w.appendCells(b)
	b = appendNumbers(b, len(w.things))
	for i := range w.things {
		t := &w.things[i]
		final := 0
		if t.Final {
			final = 1
		}
		b = appendNumbers(append(b, byte(t.Kind), byte(t.State)), t.Pos.X, t.Pos.Y, t.Size, t.Value, int(t.Colour), final, len(t.Name))
		b = append(b, t.Name...)
	}
	b = appendNumbers(b, len(w.cues))
	for _, c := range w.cues {
		b = append(appendNumbers(b, c.Tick, c.Thing, c.Pos.X, c.Pos.Y), byte(c.State))
	}
	for _, windows := range [...][]Window{w.dark, w.frozen} {
		b = appendNumbers(b, len(windows))
		for _, v := range windows {
			b = appendNumbers(b, v.From, v.To)
		}
	}
	return b, nil
}

func appendNumbers(b []byte, numbers ...int) []byte {
	for _, n := range numbers {
		b = binary.AppendVarint(b, int64(n))
	}
	return b
}

// appendCells appends the palette, and the cells row by row from the south-west: for each row a 0 if it is like the row before, else
// runs of equal cells, each as its length and its index in the palette.
func (g *ground) appendCells(b []byte) []byte {
	b = append(b, byte(len(g.palette)))
	for k := range g.palette {
		c := &g.palette[k].cell
		b = appendNumbers(append(b, byte(c.Kind), byte(c.Facing), c.Height), int(c.Colour))
	}
	var before []uint8
	for y := range g.height {
		row := g.cells[y*g.width:][:g.width]
		if slices.Equal(row, before) {
			b = append(b, 0)
			continue
		}
		x := 0
		for ends := runEnds(row); ends != 0; ends &= ends - 1 {
			last := bits.TrailingZeros64(ends) & (MaxSide - 1)
			b = append(b, byte(last+1-x), row[last])
			x = last + 1
		}
		before = row
	}
	return b
}

// runEnds returns the columns of a row, one bit each, that are not followed by an equal cell. It looks at eight cells at once.
func runEnds(row []uint8) uint64 {
	const low, firsts = 0x7f7f7f7f7f7f7f7f, 0x0102040810204080
	ends, x := uint64(1)<<uint(len(row)-1), 0
	for ; x+8 < len(row); x += 8 {
		unlike := binary.LittleEndian.Uint64(row[x:]) ^ binary.LittleEndian.Uint64(row[x+1:])
		unlike = (unlike&low + low | unlike) &^ low >> 7 // in each byte the lowest bit, if it is not 0
		ends |= unlike * firsts >> 56 << uint(x)
	}
	for ; x+1 < len(row); x++ {
		if row[x] != row[x+1] {
			ends |= 1 << uint(x)
		}
	}
	return ends
}

// UnmarshalBinary makes w the world of a binary form, reusing w's memory. It returns an error if b is none; w is of no use then.
func (w *World) UnmarshalBinary(b []byte) error {
	r := &binaryReader{rest: b}
	var h Head
	if err := h.read(r); err != nil {
		return err
	}
	w.Reset(h.Width, h.Height, h.Rules)
	w.outcome, w.tick, w.actor = h.Outcome, h.Tick, h.Actor
	if !r.palette(w) || !r.cells(w) {
		return errBinary
	}
	r.things(w)
	r.schedule(w)
	if r.bad || len(r.rest) > 0 || checkState(w) != nil {
		return errBinary
	}
	return nil
}

// A binaryReader reads a binary form.
type binaryReader struct {
	rest []byte
	bad  bool // rest was too short for what was read last
}

func (r *binaryReader) byte() (b byte) {
	if len(r.rest) == 0 {
		r.bad = true
		return 0
	}
	b, r.rest = r.rest[0], r.rest[1:]
	return b
}

func (r *binaryReader) number() int {
	if len(r.rest) > 0 && r.rest[0] < 0x80 { // most are short
		n := r.rest[0]
		r.rest = r.rest[1:]
		return int(n>>1) ^ -int(n&1)
	}
	n, size := binary.Varint(r.rest)
	if size <= 0 {
		r.bad = true
		return 0
	}
	r.rest = r.rest[size:]
	return int(n)
}

// count returns a number of things to be read, each of which takes a byte at least.
func (r *binaryReader) count() int {
	n := r.number()
	if n < 0 || n > len(r.rest) {
		r.bad = true
		return 0
	}
	return n
}

// palette reads the palette, and reports whether a world can have it.
func (r *binaryReader) palette(w *World) bool {
	n := int(r.byte())
	if n < 1 || n > MaxDistinct {
		return false
	}
	w.palette = w.palette[:0]
	for range n {
		c := Cell{Kind: Kind(r.byte()), Facing: Dir(r.byte()), Height: r.byte(), Colour: Colour(r.number())}
		if r.bad || c.valid() != "" {
			return false
		}
		w.palette = append(w.palette, paintOf(c))
	}
	for k := range w.palette {
		if c := w.palette[k].cell; c.Kind.has(removable) && !slices.ContainsFunc(w.palette, func(p paint) bool { return p.cell == c.opened() }) {
			return false
		}
	}
	return w.palette[0].cell == Cell{}
}

// cells reads the cells, and reports whether the world has them.
func (r *binaryReader) cells(w *World) bool {
	var columns [MaxDistinct]uint64 // by index in the palette: where it is in the row
	for y := range w.height {
		if len(r.rest) > 0 && r.rest[0] == 0 && y > 0 {
			r.rest = r.rest[1:]
			w.repeat(y, y-1)
			continue
		}
		row, used := w.cells[y*w.width:][:w.width], uint64(0)
		for x := 0; x < len(row); {
			if len(r.rest) < 2 {
				return false
			}
			n, k := int(r.rest[0]), r.rest[1]
			r.rest = r.rest[2:]
			if n < 1 || x+n > len(row) || int(k) >= len(w.palette) {
				return false
			}
			if k > 0 { // a new world is all floor, which is the first cell of the palette
				for i := range row[x:][:n] {
					row[x+i] = k
				}
				columns[k] |= ^uint64(0) >> (MaxSide - n) << x
				used |= 1 << k
			}
			x += n
		}
		for ; used != 0; used &= used - 1 {
			k := uint8(bits.TrailingZeros64(used))
			w.shade(y, columns[k], k)
			columns[k] = 0
		}
	}
	return true
}

func (r *binaryReader) things(w *World) {
	for range r.count() {
		t := Thing{Kind: ThingKind(r.byte()), State: State(r.byte()), Pos: Pos{r.number(), r.number()}, Size: r.number(), Value: r.number()}
		t.Colour, t.Final = Colour(r.number()), r.number() != 0
		if n := r.count(); n > 0 {
			t.Name, r.rest = string(r.rest[:n]), r.rest[n:]
		}
		w.things = append(w.things, t)
	}
	w.events.grow(len(w.things))
}

// schedule reads the cues and windows.
func (r *binaryReader) schedule(w *World) {
	if n := r.count(); n > 0 {
		w.cues = make([]Cue, n) // copies of the world share them
	}
	for i := range w.cues {
		w.cues[i] = Cue{Tick: r.number(), Thing: r.number(), Pos: Pos{r.number(), r.number()}, State: State(r.byte())}
	}
	for w.nextCue < len(w.cues) && w.cues[w.nextCue].Tick <= w.tick {
		w.nextCue++
	}
	for _, windows := range [...]*[]Window{&w.dark, &w.frozen} {
		for range r.count() {
			*windows = append(*windows, Window{r.number(), r.number()})
		}
	}
}
