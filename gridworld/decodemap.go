package gridworld

import "strings"

// legend reads the rest of a legend line: GLYPH CELL [+ actor HEADING | + THING].
func (p *parser) legend(s *scanner) {
	name := s.word("a character")
	if len(name) != 1 || name[0] <= ' ' || name[0] > '~' {
		s.failf("want one printable character, not %q", name)
		return
	}
	g := glyph{line: p.line, cell: s.cell()}
	if k := p.defined[name[0]]; k > 0 {
		s.failf("%q was already given in line %d", name, p.glyphs[k-1].line)
	}
	if s.more() {
		s.literal("+")
		if kind := s.choice("actor or a kind of thing", append([]string{"actor"}, thingNames[:]...)); kind == 0 {
			g.actor, g.heading = true, Dir(s.choice("a heading", dirNames[:]))
		} else {
			g.thing = s.thing(ThingKind(kind - 1))
		}
	}
	p.define(name[0], g)
}

// cell reads a cell: KIND [FACING] [height N] [colour R,G,B].
func (s *scanner) cell() Cell {
	var names [Kinds]string
	for k := range names {
		names[k] = Kind(k).String()
	}
	c := Cell{Kind: Kind(s.choice("a kind of cell", names[:]))}
	col := s.col
	if c.Kind.Sloped() {
		c.Facing = Dir(s.choice("the direction in which it rises", dirNames[:]))
	}
	if s.option("height") {
		c.Height = uint8(s.number("a height", 0, MaxHeight))
	} else if c.Kind == Platform {
		c.Height = 1
	}
	if s.option("colour") {
		c.Colour = s.colour()
	}
	if wrong := c.valid(); wrong != "" {
		s.col = col
		s.failf("%s", wrong)
	}
	return c
}

// option reads the next word if it is `name`, and says whether it did.
func (s *scanner) option(name string) bool {
	rest := s.text[s.next:]
	if s.err != nil || rest != name && !strings.HasPrefix(rest, name+" ") {
		return false
	}
	s.literal(name)
	return true
}

// thing reads what follows the kind of a thing: [STATE] [size S] [value V] [colour R,G,B] [name N] [final].
func (s *scanner) thing(kind ThingKind) *Thing {
	t := &Thing{Kind: kind, Size: 100}
	for i, name := range stateNames {
		if s.option(name) {
			t.State = State(i)
			break
		}
	}
	if s.option("size") {
		t.Size = s.hundredths("a size", 1, maxSize)
	}
	if s.option("value") {
		t.Value = s.number("a value", -maxTick, maxTick)
	}
	if s.option("colour") {
		t.Colour = s.colour()
	}
	if s.option("name") {
		t.Name = s.word("a name")
	}
	t.Final = s.option("final")
	return t
}

// mapRow reads one row of the map; the first is the northernmost.
func (p *parser) mapRow(line string) error {
	bad := func(col int, format string, args ...any) error {
		s := scanner{line: p.line, col: col}
		s.failf(format, args...)
		return s.err
	}
	for i := range len(line) {
		if c := line[i]; (i == 0 || c != line[i-1]) && p.glyph(c) == nil {
			return bad(i+1, "no legend for %q in the map", line[i:i+1])
		}
	}
	switch {
	case len(line) > MaxSide:
		return bad(MaxSide+1, "a row has at most %d cells", MaxSide)
	case len(p.rows) == MaxSide:
		return bad(1, "a map has at most %d rows", MaxSide)
	case len(p.rows) > 0 && len(line) != len(p.rows[0]):
		return bad(min(len(line), len(p.rows[0]))+1, "the first row of the map has %d cells, this one %d", len(p.rows[0]), len(line))
	}
	p.rows = append(p.rows, line)
	return nil
}

// endMap makes the world from the rows.
func (p *parser) endMap() error {
	p.inMap = false
	if len(p.rows) == 0 {
		return &SyntaxError{p.line, 1, "a map has at least one row"}
	}
	p.w = p.into
	p.w.Reset(len(p.rows[0]), len(p.rows), p.rules)
	s := &scanner{}
	for r, line := range p.rows {
		for x := 0; x < len(line); {
			s.line, s.col = p.mapLine+1+r, x+1
			n := p.draw(s, Pos{x, len(p.rows) - 1 - r}, line[x:])
			if s.err != nil {
				return s.err
			}
			x += n
		}
	}
	return nil
}

// draw places the cell that the first character of a row's rest stands for, and its actor or thing if it has one. It does so for
// all characters up to the first different one, and returns how many these are.
func (p *parser) draw(s *scanner, at Pos, rest string) (n int) {
	g := p.glyph(rest[0])
	n = 1
	if !g.actor && g.thing == nil {
		for n < len(rest) && rest[n] == rest[0] {
			n++
		}
	}
	if g.cell != (Cell{}) && !p.w.cover(at, n, g.cell) { // a new world is all floor
		s.failf("a world has at most %d different cells", MaxDistinct)
		return n
	}
	if g.actor {
		p.setActor(s, Actor{at, g.heading})
	}
	if g.thing != nil {
		t := *g.thing
		t.Pos = at
		p.addThing(s, t)
	}
	return n
}

func (p *parser) setActor(s *scanner, a Actor) {
	if p.actorAt != 0 {
		s.failf("the actor was already placed in line %d", p.actorAt)
	} else if wrong := a.wrong(p.w); wrong != "" {
		s.failf("%s", wrong)
	}
	p.w.actor, p.actorAt = a, s.line
}

func (p *parser) addThing(s *scanner, t Thing) {
	if s.err != nil {
		return
	}
	if wrong := t.wrong(p.w); wrong != "" {
		s.failf("%s", wrong)
		return
	}
	p.w.Add(t)
}
