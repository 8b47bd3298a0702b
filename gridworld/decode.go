package gridworld

import (
	"slices"
	"strings"
)

// maxTick bounds ticks and limits in texts.
const maxTick = 1 << 30

// Parse reads a world from its text form. It is strict: the error is a *SyntaxError with line and column.
// The world it returns passes Check.
func Parse(text string) (*World, error) {
	p := parser{rules: Rules{}, seen: map[string]int{}}
	for k := range Kind(Kinds) {
		g := kinds[k].glyph
		c, _ := plainCell(g)
		p.glyphs[g] = glyph{known: true, cell: c}
	}
	for _, g := range []byte("^>v<") {
		c, _ := plainCell(g)
		p.glyphs[g] = glyph{known: true, cell: c}
	}
	p.glyphs['A'] = glyph{known: true, actor: true}
	p.glyphs['g'] = glyph{known: true, thing: &Thing{Size: 100, Value: 1, Final: true}}
	for len(text) > 0 {
		line, rest, _ := strings.Cut(text, "\n")
		p.line++
		if err := p.read(line); err != nil {
			return nil, err
		}
		text = rest
	}
	return p.finish()
}

// UnmarshalText makes w the world of the text, as Parse does.
func (w *World) UnmarshalText(text []byte) error {
	v, err := Parse(string(text))
	if err != nil {
		return err
	}
	*w = *v
	return nil
}

// A glyph is what a character of the map stands for.
type glyph struct {
	known   bool
	line    int // of its legend, 0 for the default
	cell    Cell
	actor   bool
	heading Dir
	thing   *Thing
}

type parser struct {
	line    int
	begun   bool // the version line was there
	inMap   bool
	rules   Rules
	glyphs  [128]glyph
	rows    []string
	mapLine int
	w       *World // from the end of the map
	seen    map[string]int
	actorAt int // line of the actor, or of the map when it is drawn there
}

// read takes one line.
func (p *parser) read(line string) error {
	if p.inMap && line != "" {
		return p.mapRow(line)
	}
	if p.inMap {
		if err := p.endMap(); err != nil {
			return err
		}
	}
	if line == "" || strings.HasPrefix(line, "//") {
		return nil
	}
	s := &scanner{line: p.line, text: line}
	word := s.word("a keyword")
	switch {
	case s.err != nil:
	case !p.begun:
		p.version(s, word)
	case p.w == nil:
		p.header(s, word)
	default:
		p.body(s, word)
	}
	s.end()
	if s.err != nil {
		return s.err
	}
	return nil
}

func (p *parser) version(s *scanner, word string) {
	if word != "world" {
		s.failf("a world begins with %q, not %q", "world 1", word)
		return
	}
	s.number("the version of the text form", Version, Version)
	p.begun = true
}

// once makes sure that a keyword is not repeated.
func (p *parser) once(s *scanner, word string) {
	if line, ok := p.seen[word]; ok {
		s.failf("%s was already given in line %d", word, line)
	}
	p.seen[word] = p.line
}

// header takes a line before the map.
func (p *parser) header(s *scanner, word string) {
	switch word {
	case "move":
		p.once(s, word)
		p.rules.Move = Mode(s.choice("a mode of movement", modeNames[:]))
	case "limit":
		p.once(s, word)
		p.rules.Limit = s.number("a number of ticks", 1, maxTick)
	case "reach":
		p.once(s, word)
		p.rules.Reach = s.number("a number of king's steps", 1, MaxSide)
	case "legend":
		p.legend(s)
	case "map":
		p.inMap, p.mapLine = true, p.line
	default:
		s.failf("want move, limit, reach, legend or map, not %q", word)
	}
}

// legend takes: GLYPH CELL [+ actor HEADING | + THING].
func (p *parser) legend(s *scanner) {
	name := s.word("a character")
	if len(name) != 1 || name[0] <= ' ' || name[0] > '~' {
		s.failf("want one printable character, not %q", name)
		return
	}
	g := glyph{known: true, line: p.line, cell: s.cell()}
	if line := p.glyphs[name[0]].line; line != 0 {
		s.failf("%q was already given in line %d", name, line)
	}
	if s.more() {
		s.literal("+")
		if kind := s.choice("actor or a kind of thing", append([]string{"actor"}, thingNames[:]...)); kind == 0 {
			g.actor, g.heading = true, Dir(s.choice("a heading", dirNames[:]))
		} else {
			g.thing = s.thing(ThingKind(kind - 1))
		}
	}
	p.glyphs[name[0]] = g
}

// cell takes: KIND [FACING] [height N] [colour R,G,B].
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

// option takes the next word if it is name.
func (s *scanner) option(name string) bool {
	rest := s.text[s.next:]
	if s.err != nil || rest != name && !strings.HasPrefix(rest, name+" ") {
		return false
	}
	s.literal(name)
	return true
}

// thing takes what follows the kind: [STATE] [size S] [value V] [colour R,G,B] [name N] [final].
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

// mapRow takes one row of the map, from the north.
func (p *parser) mapRow(line string) error {
	bad := func(col int, format string, args ...any) error {
		s := scanner{line: p.line, col: col}
		s.failf(format, args...)
		return s.err
	}
	for i := range len(line) {
		if c := line[i]; c >= 128 || !p.glyphs[c].known {
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
	p.w = New(len(p.rows[0]), len(p.rows), p.rules)
	for r, line := range p.rows {
		for x := range len(line) {
			s := &scanner{line: p.mapLine + 1 + r, col: x + 1}
			p.draw(s, Pos{x, len(p.rows) - 1 - r}, &p.glyphs[line[x]])
			if s.err != nil {
				return s.err
			}
		}
	}
	return nil
}

// draw places what a character of the map stands for.
func (p *parser) draw(s *scanner, at Pos, g *glyph) {
	if _, ok := p.w.paint(g.cell); !ok {
		s.failf("a world has at most %d different cells", MaxDistinct)
		return
	}
	p.w.Place(at, g.cell)
	if g.actor {
		p.setActor(s, Actor{at, g.heading})
	}
	if g.thing != nil {
		t := *g.thing
		t.Pos = at
		p.addThing(s, t)
	}
}

func (p *parser) setActor(s *scanner, a Actor) {
	if p.actorAt != 0 {
		s.failf("the actor was already placed in line %d", p.actorAt)
	} else if wrong := p.w.checkActor(a); wrong != "" {
		s.failf("%s", wrong)
	}
	p.w.actor, p.actorAt = a, s.line
}

func (p *parser) addThing(s *scanner, t Thing) {
	if s.err != nil {
		return
	}
	if wrong := p.w.checkThing(t); wrong != "" {
		s.failf("%s", wrong)
		return
	}
	p.w.Add(t)
}

// body takes a line after the map.
func (p *parser) body(s *scanner, word string) {
	switch word {
	case "actor":
		p.actor(s)
	case "thing":
		s.number("the index of the next thing", len(p.w.things), len(p.w.things))
		at := s.pos()
		col := s.col
		t := s.thing(ThingKind(s.choice("a kind of thing", thingNames[:])))
		t.Pos, s.col = at, col
		p.addThing(s, *t)
	case "cue":
		p.cue(s)
	case "dark":
		p.w.Darken(s.window()...)
	case "freeze":
		p.w.Freeze(s.window()...)
	case "tick":
		p.once(s, word)
		p.w.tick = s.number("a tick", 1, maxTick)
	case "outcome":
		p.once(s, word)
		p.w.outcome = Outcome(s.choice("an outcome", outcomeNames[:]))
	default:
		s.failf("want actor, thing, cue, dark, freeze, tick or outcome, not %q", word)
	}
}

// actor takes: X,Y HEADING or nowhere HEADING.
func (p *parser) actor(s *scanner) {
	a := Actor{Pos: Nowhere()}
	if !s.option("nowhere") {
		a.Pos = s.pos()
	}
	col := s.col
	a.Heading = Dir(s.choice("a heading", dirNames[:]))
	if s.err == nil {
		s.col = col
		p.setActor(s, a)
	}
}

// cue takes: TICK thing INDEX X,Y STATE.
func (p *parser) cue(s *scanner) {
	var c Cue
	c.Tick = s.number("a tick", 1, maxTick)
	s.literal("thing")
	index := s.word("the index of a thing")
	if len(p.w.things) == 0 {
		s.failf("there is no thing yet")
	}
	c.Thing = s.integer(index, "the index of a thing", 0, len(p.w.things)-1)
	c.Pos = s.pos()
	col := s.col
	c.State = State(s.choice("where it is then", stateNames[:Hidden+1]))
	if s.err != nil {
		return
	}
	s.col = col
	if wrong := p.w.checkCue(c); wrong != "" {
		s.failf("%s", wrong)
	}
	p.w.cues = append(p.w.cues, c)
}

// window takes: FROM TO.
func (s *scanner) window() []Window {
	v := Window{From: s.number("the first tick", 0, maxTick)}
	v.To = s.number("the tick after the last", v.From+1, maxTick)
	if s.err != nil {
		return nil
	}
	return []Window{v}
}

// finish puts the schedule in order and checks what only the whole text shows.
func (p *parser) finish() (*World, error) {
	if p.inMap {
		p.line++
		if err := p.endMap(); err != nil {
			return nil, err
		}
	}
	if p.w == nil {
		return nil, &SyntaxError{p.line + 1, 1, "the text ends before the map"}
	}
	w := p.w
	slices.SortStableFunc(w.cues, func(a, b Cue) int { return a.Tick - b.Tick })
	for w.nextCue < len(w.cues) && w.cues[w.nextCue].Tick <= w.tick {
		w.nextCue++
	}
	if err := w.Check(); err != nil {
		return nil, &SyntaxError{p.line + 1, 1, err.Error()}
	}
	return w, nil
}
