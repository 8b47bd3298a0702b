package gridworld

import (
	"slices"
	"strings"
)

// maxTick is the largest tick, the largest tick limit and the largest absolute Value of a thing in a text.
const maxTick = 1 << 30

// Parse reads a world from its text form. Any deviation from the form is a *SyntaxError with line and column. The world
// passes Check.
func Parse(text string) (*World, error) {
	w := &World{}
	if err := w.Read(text); err != nil {
		return nil, err
	}
	return w, nil
}

// Read makes w the world of a text, as Parse does, reusing w's memory. After an error w is of no use.
func (w *World) Read(text string) error {
	p := parser{into: w, rows: make([]string, 0, 16)} // more rows are rare
	for len(text) > 0 {
		line, rest, _ := strings.Cut(text, "\n")
		p.line++
		p.rest = rest
		if err := p.read(line); err != nil {
			return err
		}
		text = rest
	}
	return p.finish()
}

// A glyph is what a character of the map stands for.
type glyph struct {
	line    int // number of the legend line that defines it; 0: defined by default
	cell    Cell
	actor   bool
	heading Dir
	thing   *Thing
}

type parser struct {
	line    int
	rest    string // the lines after the current one
	begun   bool   // the version line has been read
	inMap   bool
	rules   Rules
	defined [128]uint8 // by character: 1 + index in glyphs; 0: not looked up yet
	glyphs  []glyph
	rows    []string
	mapLine int
	into    *World
	w       *World // into, or nil until the map has been read
	given   struct{ move, limit, reach, tick, outcome int }
	actorAt int // number of the line that placed the actor, an actor line or a row of the map; 0: not placed yet
}

// glyph returns what a character stands for, or nil if it stands for nothing. The result is valid until the next call.
func (p *parser) glyph(c byte) *glyph {
	if c >= byte(len(p.defined)) {
		return nil
	}
	if k := p.defined[c]; k > 0 {
		return &p.glyphs[k-1]
	}
	switch cell, ok := plainCell(c); {
	case ok:
		p.define(c, glyph{cell: cell})
	case c == 'A':
		p.define(c, glyph{actor: true})
	case c == 'g':
		p.define(c, glyph{thing: &Thing{Size: 100, Value: 1, Final: true}})
	default:
		return nil
	}
	return &p.glyphs[p.defined[c]-1]
}

// define makes a character stand for g.
func (p *parser) define(c byte, g glyph) {
	p.glyphs = append(p.glyphs, g)
	p.defined[c] = uint8(len(p.glyphs))
}

// read reads one line.
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

// once notes in `given` the line in which a keyword is given, and fails if it was given before.
func (p *parser) once(s *scanner, word string, given *int) {
	if *given != 0 {
		s.failf("%s was already given in line %d", word, *given)
	}
	*given = p.line
}

// header reads a line before the map.
func (p *parser) header(s *scanner, word string) {
	switch word {
	case "move":
		p.once(s, word, &p.given.move)
		p.rules.Move = Mode(s.choice("a mode of movement", modeNames[:]))
	case "limit":
		p.once(s, word, &p.given.limit)
		p.rules.Limit = s.number("a number of ticks", 1, maxTick)
	case "reach":
		p.once(s, word, &p.given.reach)
		p.rules.Reach = s.number("a number of king's steps", 1, MaxSide)
	case "legend":
		p.legend(s)
	case "map":
		p.inMap, p.mapLine = true, p.line
	default:
		s.failf("want move, limit, reach, legend or map, not %q", word)
	}
}

// finish completes the world after the last line. It sorts the cues, finds the first cue after the world's tick, and
// checks the state as a whole.
func (p *parser) finish() error {
	if p.inMap {
		p.line++
		if err := p.endMap(); err != nil {
			return err
		}
	}
	if p.w == nil {
		return &SyntaxError{p.line + 1, 1, "the text ends before the map"}
	}
	w := p.w
	slices.SortStableFunc(w.cues, func(a, b Cue) int { return a.Tick - b.Tick })
	for w.nextCue < len(w.cues) && w.cues[w.nextCue].Tick <= w.tick {
		w.nextCue++
	}
	if err := checkState(w); err != nil {
		return &SyntaxError{p.line + 1, 1, err.Error()}
	}
	return nil
}
