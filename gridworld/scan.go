package gridworld

import (
	"fmt"
	"strconv"
	"strings"
)

// A SyntaxError says where a text is not a world, and what would be right. Line and Col count from 1; Col counts bytes.
type SyntaxError struct {
	Line, Col int
	Msg       string
}

// Error returns the position and the message.
func (e *SyntaxError) Error() string {
	return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Col, e.Msg)
}

// A scanner splits one line into words. After the first error its methods return zero values.
type scanner struct {
	line int
	text string
	col  int // column of the last word, from 1
	next int // index of the rest of the line
	err  *SyntaxError
}

func (s *scanner) failf(format string, args ...any) {
	if s.err == nil {
		s.err = &SyntaxError{s.line, s.col, fmt.Sprintf(format, args...)}
	}
}

// more says whether there is another word.
func (s *scanner) more() bool { return s.err == nil && s.next < len(s.text) }

// word returns the next word; if it is missing, the error calls it `what`.
func (s *scanner) word(what string) string {
	s.col = s.next + 1
	if !s.more() {
		s.failf("want %s", what)
		return ""
	}
	rest := s.text[s.next:]
	end := strings.IndexByte(rest, ' ')
	if end < 0 {
		end = len(rest)
		s.next = len(s.text)
	} else {
		s.next += end + 1
		if s.next == len(s.text) || end == 0 {
			s.failf("words are apart by one space, and a line does not end with one")
			return ""
		}
	}
	return rest[:end]
}

// literal reads the next word, which must be `want`.
func (s *scanner) literal(want string) {
	if !s.more() {
		s.col = s.next + 1
		s.failf("want %q", want)
		return
	}
	if got := s.word(want); got != want {
		s.failf("want %q, not %q", want, got)
	}
}

// end fails if words are left.
func (s *scanner) end() {
	if s.more() {
		s.col = s.next + 1
		s.failf("want the end of the line, not %q", s.text[s.next:])
	}
}

// number returns the next word as a number in low … high.
func (s *scanner) number(what string, low, high int) int {
	return s.integer(s.word(what), what, low, high)
}

func (s *scanner) integer(word, what string, low, high int) int {
	n, ok := decimal(word)
	if !ok || n < low || n > high {
		s.failf("want %s, a number %d to %d, not %q", what, low, high, word)
		return 0
	}
	return n
}

// decimal returns the number of a word as strconv.Itoa writes it. It refuses numbers of more than 18 digits, which nothing has.
func decimal(word string) (n int, ok bool) {
	digits := strings.TrimPrefix(word, "-")
	if len(digits) == 0 || len(digits) > 18 || digits[0] == '0' && len(word) > 1 {
		return 0, false
	}
	for i := range len(digits) {
		d := digits[i] - '0'
		if d > 9 {
			return 0, false
		}
		n = 10*n + int(d)
	}
	if len(digits) < len(word) {
		n = -n
	}
	return n, true
}

// pos returns the next word as x,y.
func (s *scanner) pos() Pos {
	word := s.word("a position x,y")
	x, y, ok := strings.Cut(word, ",")
	if !ok {
		s.failf("want a position x,y, not %q", word)
		return Pos{}
	}
	return Pos{s.integer(x, "a column", 0, MaxSide-1), s.integer(y, "a row", 0, MaxSide-1)}
}

// colour returns the next word as r,g,b.
func (s *scanner) colour() Colour {
	word := s.word("a colour r,g,b")
	r, rest, _ := strings.Cut(word, ",")
	g, b, ok := strings.Cut(rest, ",")
	if !ok || strings.Contains(b, ",") {
		s.failf("want a colour r,g,b, not %q", word)
		return None
	}
	var v [3]uint8
	for i, part := range [...]string{r, g, b} {
		v[i] = uint8(s.integer(part, "a colour component", 0, 255))
	}
	return RGB(v[0], v[1], v[2])
}

// hundredths returns the next word as a decimal number with at most two digits after the point, in hundredths.
func (s *scanner) hundredths(what string, low, high int) int {
	word := s.word(what)
	whole, fraction, point := strings.Cut(word, ".")
	n, err := strconv.ParseUint(whole, 10, 16)
	m, err2 := strconv.ParseUint((fraction + "00")[:2], 10, 16)
	value := int(n)*100 + int(m)
	if err != nil || err2 != nil || point && (len(fraction) == 0 || len(fraction) > 2) || value < low || value > high {
		s.failf("want %s, %s to %s with at most two digits after the point, not %q",
			what, appendHundredths(nil, low), appendHundredths(nil, high), word)
		return 0
	}
	return value
}

// choice reads the next word and returns its index in names.
func (s *scanner) choice(what string, names []string) int {
	word := s.word(what)
	for i, name := range names {
		if name == word {
			return i
		}
	}
	s.failf("want %s (%s), not %q", what, strings.Join(names, ", "), word)
	return 0
}
