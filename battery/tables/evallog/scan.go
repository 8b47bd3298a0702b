package evallog

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"
)

const (
	maxKey  = 1 << 10 // largest key, in bytes
	maxText = 1 << 12 // a longer text is passed over, not held
)

// A scanner reads JSON from a stream in memory of a fixed size: what nobody asks for is passed over, be it a gigabyte of
// messages. It is our own because logs are written by Python, whose numbers may be NaN, Infinity and -Infinity, which
// encoding/json refuses, and because encoding/json holds each value whole. What is passed over is checked for the ends of its
// texts and the number of its brackets alone.
type scanner struct {
	r       io.Reader
	buf     []byte // window of the stream; at is the next byte in it, end the first that was not read
	at, end int
	before  int64 // bytes of the stream before the window
	ended   error // what ended the stream
	line    int   // 0: places are bytes; otherwise the line of the record that is being read
	python  bool  // read Python's own notation too: 'text', None, True, False, nan, inf
}

func newScanner(r io.Reader) *scanner { return &scanner{r: r, buf: make([]byte, 1<<16)} }

// A value is a value of JSON. Objects and lists have been passed over and have a kind only.
type value struct {
	kind byte    // n null, b true or false, 0 number, " text, { or [
	num  float64 // of a number, or 1 and 0 of true and false
	text string  // of a text, or a number as written; empty where the text is longer than maxText
	long bool    // the text is longer than maxText
}

// errSyntax is what is wrong with a stream that is not JSON. The place is added by fault.
var errSyntax = errors.New("not JSON")

// fault returns an error with the place in the stream.
func (s *scanner) fault(err error) error {
	if s.line > 0 {
		return fmt.Errorf("line %d: %w", s.line, err)
	}
	return fmt.Errorf("byte %d: %w", s.before+int64(s.at), err)
}

func (s *scanner) unexpected(c byte, want string) error {
	return s.fault(fmt.Errorf("%w: %q where %s should be", errSyntax, c, want))
}

// fill reads on once the window is used up. It returns an error at the end of the stream.
func (s *scanner) fill() error {
	for s.at == s.end {
		if s.ended != nil {
			if errors.Is(s.ended, io.EOF) {
				return io.ErrUnexpectedEOF
			}
			return s.ended
		}
		s.before += int64(s.end)
		s.at = 0
		s.end, s.ended = s.r.Read(s.buf)
	}
	return nil
}

// peek returns the next byte that is not white space, and leaves it.
func (s *scanner) peek() (byte, error) {
	for {
		for ; s.at < s.end; s.at++ {
			switch c := s.buf[s.at]; c {
			case ' ', '\t', '\n', '\r':
			default:
				return c, nil
			}
		}
		if err := s.fill(); err != nil {
			return 0, s.fault(err)
		}
	}
}

// next moves to the next record of a file with one a line, and reports whether there is one.
func (s *scanner) next() (bool, error) {
	s.line = max(s.line, 1)
	for {
		for ; s.at < s.end; s.at++ {
			switch s.buf[s.at] {
			case '\n':
				s.line++
			case ' ', '\t', '\r':
			default:
				return true, nil
			}
		}
		if err := s.fill(); errors.Is(err, io.ErrUnexpectedEOF) && errors.Is(s.ended, io.EOF) {
			return false, nil
		} else if err != nil {
			return false, s.fault(err)
		}
	}
}

// ends returns an error unless nothing but white space is left.
func (s *scanner) ends() error {
	for {
		for ; s.at < s.end; s.at++ {
			if c := s.buf[s.at]; c != ' ' && c != '\t' && c != '\n' && c != '\r' {
				return s.unexpected(c, "the end")
			}
		}
		if err := s.fill(); errors.Is(err, io.ErrUnexpectedEOF) && errors.Is(s.ended, io.EOF) {
			return nil
		} else if err != nil {
			return s.fault(err)
		}
	}
}

// object calls field with each key of an object. Field must read the value, by skip if by nothing else.
func (s *scanner) object(field func(key string) error) error {
	return s.list('{', '}', "an object", func() error {
		if c, err := s.peek(); err != nil {
			return err
		} else if c != '"' && !(s.python && c == '\'') {
			return s.unexpected(c, "a key")
		}
		key, long, err := s.string(maxKey)
		if err != nil {
			return err
		}
		if long {
			return s.fault(fmt.Errorf("a key of more than %d bytes", maxKey))
		}
		if c, err := s.peek(); err != nil {
			return err
		} else if c != ':' {
			return s.unexpected(c, "a colon")
		}
		s.at++
		return field(key)
	})
}

// array calls element before each value of a list, which it must read.
func (s *scanner) array(element func() error) error { return s.list('[', ']', "a list", element) }

func (s *scanner) list(open, end byte, what string, element func() error) error {
	if c, err := s.peek(); err != nil {
		return err
	} else if c != open {
		return s.unexpected(c, what)
	}
	s.at++
	if c, err := s.peek(); err != nil {
		return err
	} else if c == end {
		s.at++
		return nil
	}
	for {
		if err := element(); err != nil {
			return err
		}
		c, err := s.peek()
		if err != nil {
			return err
		}
		s.at++
		if c == end {
			return nil
		}
		if c != ',' {
			s.at--
			return s.unexpected(c, "a comma or "+string(end))
		}
	}
}

// value reads a value. Objects and lists are passed over.
func (s *scanner) value() (value, error) {
	c, err := s.peek()
	if err != nil {
		return value{}, err
	}
	switch {
	case c == '{' || c == '[':
		return value{kind: c}, s.skip()
	case c == '"' || s.python && c == '\'':
		text, long, err := s.string(maxText)
		return value{kind: '"', text: text, long: long}, err
	}
	return s.literal()
}

// literal reads a number, null, true or false.
func (s *scanner) literal() (value, error) {
	var word []byte
	for {
		if s.at == s.end && s.fill() != nil {
			break // the stream may end with a number
		}
		c := s.buf[s.at]
		if c != '-' && c != '+' && c != '.' && (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') {
			break
		}
		if len(word) == 400 { // longer than any number that a program prints
			return value{}, s.unexpected(c, "the end of a number")
		}
		word = append(word, c)
		s.at++
	}
	if v, ok := meaning(string(word), s.python); ok {
		return v, nil
	}
	if s.ended != nil && s.at == s.end && !errors.Is(s.ended, io.EOF) {
		return value{}, s.fault(s.ended)
	}
	if len(word) == 0 {
		if s.at == s.end {
			return value{}, s.fault(io.ErrUnexpectedEOF)
		}
		return value{}, s.unexpected(s.buf[s.at], "a value")
	}
	return value{}, s.fault(fmt.Errorf("%w: %q", errSyntax, word[:min(len(word), 40)]))
}

// meaning returns the value of a word without quotes.
func meaning(word string, python bool) (value, bool) {
	switch word {
	case "null":
		return value{kind: 'n'}, true
	case "true":
		return value{kind: 'b', num: 1}, true
	case "false":
		return value{kind: 'b'}, true
	case "NaN", "Infinity", "-Infinity":
	default:
		if python {
			switch word {
			case "None":
				return value{kind: 'n'}, true
			case "True":
				return value{kind: 'b', num: 1}, true
			case "False":
				return value{kind: 'b'}, true
			case "nan", "inf", "-inf":
				x, err := strconv.ParseFloat(word, 64)
				return value{kind: '0', num: x, text: word}, err == nil
			}
		}
		digits := strings.TrimPrefix(word, "-")
		if digits == "" || digits[0] < '0' || digits[0] > '9' || strings.Trim(digits, "0123456789+-.eE") != "" {
			return value{}, false
		}
	}
	x, err := strconv.ParseFloat(word, 64)
	if errors.Is(err, strconv.ErrRange) {
		err = nil // infinite, which is not a score
	}
	return value{kind: '0', num: x, text: word}, err == nil
}

// string reads a text of at most limit bytes as written. A longer one is passed over, and long is true.
func (s *scanner) string(limit int) (text string, long bool, err error) {
	quote := s.buf[s.at] // peek has found it
	s.at++
	var raw []byte
	escaped, odd := false, false // odd: an odd number of backslashes stands before the next byte
	for {
		if err := s.fill(); err != nil {
			return "", false, s.fault(err)
		}
		window := s.buf[s.at:s.end]
		i := bytes.IndexByte(window, quote)
		part := window
		if i >= 0 {
			part = window[:i]
		}
		n := len(part) - len(bytes.TrimRight(part, `\`))
		odd = (n%2 == 1) != (odd && n == len(part))
		escaped = escaped || bytes.IndexByte(part, '\\') >= 0
		if long = long || len(raw)+len(part)+1 > limit; !long {
			raw = append(raw, part...)
		}
		s.at += len(part)
		if i < 0 {
			continue
		}
		s.at++
		if !odd {
			break
		}
		odd = false // the backslash has taken the quote
		if !long {
			raw = append(raw, quote)
		}
	}
	if long {
		return "", true, nil
	}
	return s.unescape(raw, escaped, quote)
}

func (s *scanner) unescape(raw []byte, escaped bool, quote byte) (text string, long bool, err error) {
	if !escaped {
		if !utf8.Valid(raw) {
			return string([]rune(string(raw))), false, nil // U+FFFD for each byte, as encoding/json
		}
		return string(raw), false, nil
	}
	if quote == '\'' {
		raw = bytes.ReplaceAll(bytes.ReplaceAll(raw, []byte(`\'`), []byte(`'`)), []byte(`"`), []byte(`\"`))
	}
	if err := json.Unmarshal(inQuotes('"', raw), &text); err != nil {
		return "", false, s.fault(fmt.Errorf("%w: a text with a wrong escape or a control character", errSyntax))
	}
	return text, false, nil
}

// inQuotes returns raw between two quotes.
func inQuotes(quote byte, raw []byte) []byte {
	return append(append(append(make([]byte, 0, len(raw)+2), quote), raw...), quote)
}

// skip passes over a value.
func (s *scanner) skip() error {
	c, err := s.peek()
	if err != nil {
		return err
	}
	switch {
	case c == '"' || s.python && c == '\'':
		_, _, err = s.string(0)
		return err
	case c != '{' && c != '[':
		_, err := s.literal()
		return err
	}
	depth := 0
	for {
		if s.at == s.end {
			if err := s.fill(); err != nil {
				return s.fault(err)
			}
		}
		switch c := s.buf[s.at]; {
		case c == '"' || s.python && c == '\'':
			if _, _, err := s.string(0); err != nil {
				return err
			}
			continue
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			depth--
		}
		s.at++
		if depth == 0 {
			return nil
		}
	}
}

// text reads a text, or a number as written, into to. Anything else is left out.
func (s *scanner) text(to *string) error {
	v, err := s.value()
	if err != nil {
		return err
	}
	if v.long {
		return s.fault(fmt.Errorf("a name of more than %d bytes", maxText))
	}
	*to = v.text
	return nil
}

// raw returns a value as written, without white space outside of texts, cut off after maxText bytes. An empty object, an empty list and
// null are nothing.
func (s *scanner) raw() (string, error) {
	var out []byte
	var copyValue func(depth int) error
	put := func(text string) {
		if len(out) < maxText {
			out = append(out, text...)
		}
	}
	copyValue = func(depth int) error {
		c, err := s.peek()
		if err != nil {
			return err
		}
		n := 0
		comma := func() {
			if n++; n > 1 {
				put(", ")
			}
		}
		switch {
		case depth == maxRaw:
			put("…")
			return s.skip()
		case c == '{':
			put("{")
			err = s.object(func(key string) error {
				comma()
				put(key + ": ")
				return copyValue(depth + 1)
			})
			put("}")
			return err
		case c == '[':
			put("[")
			err = s.array(func() error {
				comma()
				return copyValue(depth + 1)
			})
			put("]")
			return err
		}
		v, err := s.value()
		switch {
		case v.kind == 'b':
			put(map[float64]string{0: "false", 1: "true"}[v.num])
		case v.kind == 'n':
			put("null")
		default:
			put(v.text)
		}
		return err
	}
	err := copyValue(0)
	switch text := string(out); text {
	case "{}", "[]", "null":
		return "", err
	default:
		return text, err
	}
}

// maxRaw is how deep raw goes into objects and lists.
const maxRaw = 8
