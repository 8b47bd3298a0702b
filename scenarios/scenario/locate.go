package scenario

import (
	"sort"
	"strconv"
	"strings"
)

// A spot is where a key stands in a text.
type spot struct {
	line       int // of the key, from 1
	start, end int // of its value, in bytes; of the whole line for a table's header
	header     bool
}

// locate finds every key of a valid TOML text, by its path: battery.levels.lava, agent[2].rule[0].p. The decoder
// keeps no positions of keys, and a message without a line is of little use in a long file. On a text that is not
// valid TOML the result is of no use, but locate ends.
func locate(text string) map[string]spot {
	s := &locator{text: text, spots: map[string]spot{}, tables: map[string]int{}}
	for i, c := range text {
		if c == '\n' {
			s.breaks = append(s.breaks, i)
		}
	}
	prefix := ""
	for s.blank(); s.pos < len(text); s.blank() {
		at := s.pos
		if text[at] == '[' {
			prefix = s.header()
		} else {
			s.assignment(prefix)
		}
		s.advance(at)
	}
	return s.spots
}

type locator struct {
	text   string
	pos    int
	breaks []int // offsets of line breaks
	spots  map[string]spot
	tables map[string]int // path of an array of tables → how many there are so far
}

func (s *locator) line(pos int) int { return sort.SearchInts(s.breaks, pos) + 1 }

func (s *locator) mark(path string, at spot) {
	if _, seen := s.spots[path]; !seen {
		s.spots[path] = at
	}
}

func (s *locator) peek() byte {
	if s.pos < len(s.text) {
		return s.text[s.pos]
	}
	return 0
}

// blank skips spaces, line breaks and comments; space skips spaces only.
func (s *locator) blank() {
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

func (s *locator) space() {
	for s.peek() == ' ' || s.peek() == '\t' {
		s.pos++
	}
}

func (s *locator) lineEnd() {
	for s.pos < len(s.text) && s.text[s.pos] != '\n' {
		s.pos++
	}
}

// header reads [a.b] or [[a.b]] and returns the path that the keys below it begin with.
func (s *locator) header() string {
	start := s.pos
	array := strings.HasPrefix(s.text[s.pos:], "[[")
	for s.peek() == '[' {
		s.pos++
	}
	keys := s.keys()
	s.lineEnd()
	at := spot{line: s.line(start), start: start, end: s.pos, header: true}
	path := ""
	for i, k := range keys {
		path = join(path, k)
		s.mark(path, at)
		if array && i == len(keys)-1 {
			s.tables[path]++
		}
		if n := s.tables[path]; n > 0 {
			path += "[" + strconv.Itoa(n-1) + "]"
		}
	}
	s.mark(path, at)
	return path
}

func (s *locator) assignment(prefix string) {
	line := s.line(s.pos)
	path := prefix
	for _, k := range s.keys() {
		path = join(path, k)
		s.mark(path, spot{line: line, start: s.pos, end: s.pos})
	}
	s.space()
	if s.peek() == '=' {
		s.pos++
	}
	s.value(path, line)
}

// keys reads a dotted key.
func (s *locator) keys() []string {
	var keys []string
	for {
		s.space()
		start := s.pos
		if c := s.peek(); c == '"' || c == '\'' {
			s.quoted()
			key := s.text[start:s.pos]
			if plain, err := strconv.Unquote(key); err == nil && c == '"' {
				key = plain
			}
			keys = append(keys, strings.Trim(key, "'"))
		} else {
			for s.pos < len(s.text) && !strings.ContainsRune(" \t\r\n.=]#", rune(s.text[s.pos])) {
				s.pos++
			}
			keys = append(keys, s.text[start:s.pos])
		}
		s.space()
		if s.peek() != '.' {
			return keys
		}
		s.pos++
	}
}

// value reads what stands behind = or in a list, and marks everything in it.
func (s *locator) value(path string, line int) {
	s.space()
	start := s.pos
	switch s.peek() {
	case '"', '\'':
		s.quoted()
	case '[':
		s.pos++
		for i := 0; s.more(']'); i++ {
			at := s.pos
			s.value(path+"["+strconv.Itoa(i)+"]", s.line(s.pos))
			s.advance(at)
		}
	case '{':
		s.pos++
		for s.more('}') {
			at := s.pos
			s.assignment(path)
			s.advance(at)
		}
	default:
		for s.pos < len(s.text) && !strings.ContainsRune(",]}\r\n#", rune(s.text[s.pos])) {
			s.pos++
		}
	}
	end := start + len(strings.TrimRight(s.text[start:s.pos], " \t"))
	s.spots[path] = spot{line: line, start: start, end: end}
}

// more skips to the next element of a list or inline table, or behind its closing bracket.
func (s *locator) more(closing byte) bool {
	s.blank()
	if s.peek() == ',' {
		s.pos++
		s.blank()
	}
	if s.peek() == closing {
		s.pos++
		return false
	}
	return s.pos < len(s.text)
}

// advance moves on when nothing was read since at, which no valid text makes happen.
func (s *locator) advance(at int) {
	if s.pos == at {
		s.pos++
	}
}

// quoted skips a string of any of the four kinds.
func (s *locator) quoted() {
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

// join adds a key to a path; one that is no bare key is quoted.
func join(path, key string) string {
	if key == "" || strings.Trim(key, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") != "" {
		key = strconv.Quote(key)
	}
	if path == "" {
		return key
	}
	return path + "." + key
}
