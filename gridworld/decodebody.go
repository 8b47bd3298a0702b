package gridworld

import "strings"

// body reads a line after the map.
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
		p.once(s, word, &p.given.tick)
		p.w.tick = s.number("a tick", 1, maxTick)
	case "outcome":
		p.once(s, word, &p.given.outcome)
		p.w.outcome = Outcome(s.choice("an outcome", outcomeNames[:]))
	default:
		s.failf("want actor, thing, cue, dark, freeze, tick or outcome, not %q", word)
	}
}

// actor reads the rest of an actor line: X,Y HEADING or nowhere HEADING.
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

// cue reads the rest of a cue line: TICK thing INDEX X,Y STATE.
func (p *parser) cue(s *scanner) {
	var c Cue
	c.Tick = s.number("a tick", 1, maxTick)
	s.literal("thing")
	index := s.word("the index of a thing")
	if len(p.w.things) == 0 {
		s.failf("no thing is listed before this line")
	}
	c.Thing = s.integer(index, "the index of a thing", 0, len(p.w.things)-1)
	c.Pos = s.pos()
	col := s.col
	c.State = State(s.choice("where it is then", stateNames[:Hidden+1]))
	if s.err != nil {
		return
	}
	s.col = col
	if wrong := c.wrong(p.w); wrong != "" {
		s.failf("%s", wrong)
	}
	if p.w.cues == nil {
		p.w.cues = make([]Cue, 0, 2+strings.Count(p.rest, "\ncue ")) // this one, perhaps one in the next line, and the others
	}
	p.w.cues = append(p.w.cues, c)
}

// window reads the rest of a dark or freeze line: FROM TO.
func (s *scanner) window() []Window {
	v := Window{From: s.number("the first tick", 0, maxTick)}
	v.To = s.number("the tick after the last", v.From+1, maxTick)
	if s.err != nil {
		return nil
	}
	return []Window{v}
}
