package conf

import (
	"strconv"
	"strings"

	"github.com/BurntSushi/toml"
)

// scan finds every key of a TOML text, checks the limits and refuses keys without a name. If the text is not valid TOML the nodes are meaningless,
// but up to the first fault scan counts the same depths as the decoder.
func scan(text string) (*node, *Error) {
	s := &scanner{text: text, line: 1}
	root := &node{}
	if len(text) > MaxBytes {
		s.breach(1+strings.Count(text[:MaxBytes], "\n"), "", "the file is longer than %d bytes", MaxBytes)
		return nil, s.fault
	}
	table := place{node: root}
	for s.blank(); s.pos < len(text) && s.fault == nil; s.blank() {
		at := s.pos
		if text[at] == '[' {
			table = s.header(place{node: root})
		} else {
			s.assignment(table)
		}
		s.advance(at)
	}
	return root, s.fault
}

type scanner struct {
	limits
	text  string
	pos   int
	line  int // line number at byte `count`
	count int // number of bytes whose line breaks are counted in `line`
}

// A place is a node with the depth, the length in bytes and the text of its path.
type place struct {
	node         *node
	depth, bytes int
	path         func() string
}

// below returns the place of a key in a table.
func (s *scanner) below(p place, key string) place {
	line := s.lineAt(s.pos)
	path := func() string { return join(p.name(), key) }
	if !s.enter(line, p.depth+1, p.bytes+len(key)+1, path) {
		return p
	}
	c := p.node.child[key]
	if c == nil {
		c = &node{number: len(p.node.child)}
		if p.node.child == nil {
			p.node.child = map[string]*node{}
		}
		p.node.child[key] = c
	}
	return place{c, p.depth + 1, p.bytes + len(key) + 1, path}
}

// item returns the place of a new element of the list p.
func (s *scanner) item(p place) place {
	number := "[" + strconv.Itoa(len(p.node.items)) + "]"
	path := func() string { return p.name() + number }
	if !s.enter(s.lineAt(s.pos), p.depth+1, p.bytes+len(number), path) {
		return p
	}
	c := &node{}
	p.node.items = append(p.node.items, c)
	return place{c, p.depth + 1, p.bytes + len(number), path}
}

// last returns the place of the last table of an array, or p if it is not an array.
func (p place) last() place {
	n := len(p.node.items)
	if n == 0 {
		return p
	}
	return place{p.node.items[n-1], p.depth + 1, p.bytes + 2, func() string { return p.name() + "[" + strconv.Itoa(n-1) + "]" }}
}

func (p place) name() string {
	if p.path == nil {
		return ""
	}
	return p.path()
}

// lineAt returns the line number of a position. Positions must not decrease from call to call.
func (s *scanner) lineAt(pos int) int {
	pos = max(min(pos, len(s.text)), s.count)
	s.line += strings.Count(s.text[s.count:pos], "\n")
	s.count = pos
	return s.line
}

func (s *scanner) peek() byte {
	if s.pos < len(s.text) {
		return s.text[s.pos]
	}
	return 0
}

// blank skips spaces, line breaks and comments. space skips spaces only.
func (s *scanner) blank() {
	for s.pos < len(s.text) {
		switch s.text[s.pos] {
		case ' ', '\t', '\n', '\r':
			s.pos++
		case '#':
			s.lineEnd()
		default:
			return
		}
	}
}

func (s *scanner) space() {
	for s.peek() == ' ' || s.peek() == '\t' {
		s.pos++
	}
}

func (s *scanner) lineEnd() {
	for s.pos < len(s.text) && s.text[s.pos] != '\n' {
		s.pos++
	}
}

// header reads [a.b] or [[a.b]], and returns the place to which the following keys belong.
func (s *scanner) header(p place) place {
	start, line := s.pos, s.lineAt(s.pos)
	array := strings.HasPrefix(s.text[s.pos:], "[[")
	for s.peek() == '[' {
		s.pos++
	}
	var passed []*node
	s.keys(func(key string, last bool) {
		p = s.below(p, key)
		passed = append(passed, p.node)
		if array && last {
			s.item(p)
		}
		p = p.last()
		passed = append(passed, p.node)
	})
	s.lineEnd()
	for _, n := range passed {
		if n.line == 0 {
			n.line, n.start, n.end, n.header = line, start, s.pos, true
		}
	}
	return p
}

func (s *scanner) assignment(p place) {
	line := s.lineAt(s.pos)
	s.keys(func(key string, _ bool) {
		p = s.below(p, key)
		if n := p.node; n.line == 0 {
			n.line, n.start, n.end = line, s.pos, s.pos
		}
	})
	if len(p.node.child) > 0 { // the decoder would drop the value without a word
		s.breach(line, p.name(), "is a table since line %d: keep one", p.node.line)
		return
	}
	s.space()
	if s.peek() == '=' {
		s.pos++
	}
	s.value(p, line)
}

// keys reads a dotted key and calls visit for each part. It refuses empty names.
func (s *scanner) keys(visit func(key string, last bool)) {
	for s.fault == nil {
		s.space()
		start := s.pos
		if c := s.peek(); c == '"' || c == '\'' {
			s.quoted()
		} else {
			for s.pos < len(s.text) && !strings.ContainsRune(" \t\r\n.=]#", rune(s.text[s.pos])) {
				s.pos++
			}
		}
		key := s.text[start:s.pos]
		s.space()
		last := s.peek() != '.'
		if key == `""` || key == "''" { // the decoder loses elements of lists whose tables have such keys
			s.breach(s.lineAt(start), "", "a key without a name: %s", key)
		}
		visit(plain(key), last)
		if last {
			return
		}
		s.pos++
	}
}

// plain returns a key without its quotes.
func plain(key string) string {
	if len(key) < 2 || key[0] != '"' && key[0] != '\'' {
		return key
	}
	if key[0] == '\'' || !strings.Contains(key, `\`) {
		return key[1 : len(key)-1]
	}
	if len(key) > maxKey {
		return key
	}
	var one map[string]any
	if _, err := toml.Decode(key+" = 0", &one); err == nil {
		for k := range one {
			return k
		}
	}
	return key
}

// value reads a value after = or in a list, with everything in it.
func (s *scanner) value(p place, line int) {
	if s.fault != nil {
		return
	}
	s.space()
	start := s.pos
	switch s.peek() {
	case '"', '\'':
		s.quoted()
	case '[':
		s.pos++
		for s.more(']') {
			at := s.pos
			s.value(s.item(p), s.lineAt(s.pos))
			s.advance(at)
		}
	case '{':
		s.pos++
		for s.more('}') {
			at := s.pos
			s.assignment(p)
			s.advance(at)
		}
	default:
		for s.pos < len(s.text) && !strings.ContainsRune(",]}\r\n#", rune(s.text[s.pos])) {
			s.pos++
		}
	}
	if n := p.node; n.start == n.end { // of a key that is there twice, the first counts
		n.line, n.start, n.end = line, start, start+len(strings.TrimRight(s.text[start:s.pos], " \t"))
	}
}

// more skips to the next element of a list or inline table and returns true, or skips past the closing bracket and
// returns false.
func (s *scanner) more(closing byte) bool {
	s.blank()
	if s.peek() == ',' {
		s.pos++
		s.blank()
	}
	if s.peek() == closing {
		s.pos++
		return false
	}
	return s.pos < len(s.text) && s.fault == nil
}

// advance skips a byte if nothing was read since position `at`, so that scanning ends. This happens only if the text is
// not valid.
func (s *scanner) advance(at int) {
	if s.pos == at {
		s.pos++
	}
}

// quoted skips a string of any of TOML's four kinds: in single or double quotes, one or three of them on each side.
func (s *scanner) quoted() {
	quote := s.text[s.pos : s.pos+1]
	if strings.HasPrefix(s.text[s.pos:], strings.Repeat(quote, 3)) {
		quote = strings.Repeat(quote, 3)
	}
	s.pos += len(quote)
	for s.pos < len(s.text) && !strings.HasPrefix(s.text[s.pos:], quote) {
		if s.text[s.pos] == '\\' && quote[0] == '"' {
			s.pos++
		}
		s.pos++
	}
	s.pos = min(s.pos+len(quote), len(s.text))
	// Up to two quotes may stand directly before the closing three.
	for len(quote) == 3 && s.peek() == quote[0] {
		s.pos++
	}
}
