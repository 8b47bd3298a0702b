package scenario

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
)

// A Problem is a fault in a scenario file.
type Problem struct {
	File string
	Line int    // from 1; 0 where the fault has no line
	Key  string // path of the key, such as agent[2].rule[0].p; tables of an array count from 0
	Msg  string
}

// Error is one line: file, line, key, and what would be right.
func (p *Problem) Error() string {
	s := p.File
	if p.Line > 0 {
		s += fmt.Sprintf(":%d", p.Line)
	}
	if p.Key != "" {
		s += ": key " + p.Key
	}
	return s + ": " + p.Msg
}

// A document is a decoded text with its positions, and the problems found so far.
type document struct {
	file     string
	spots    map[string]spot
	problems []*Problem
}

// open decodes a text. The error is a *Problem with the line of the syntax error.
func open(file, text string) (*document, map[string]any, error) {
	var m map[string]any
	if _, err := toml.Decode(text, &m); err != nil {
		p := &Problem{File: file, Msg: err.Error()}
		var pe toml.ParseError
		if errors.As(err, &pe) {
			p.Line, p.Key, p.Msg = pe.Position.Line, pe.LastKey, pe.Message
			if p.Msg == "" { // an error from below the parser has no message of its own
				p.Msg = strings.TrimPrefix(err.Error(), "toml: ")
			}
		}
		return nil, nil, p
	}
	return &document{file: file, spots: locate(text)}, m, nil
}

// problem makes a Problem at a key, or at the nearest table above it that the text has.
func (d *document) problem(key, format string, args ...any) *Problem {
	p := &Problem{File: d.file, Key: key, Msg: fmt.Sprintf(format, args...)}
	for path := key; path != ""; path = above(path) {
		if at, ok := d.spots[path]; ok {
			p.Line = at.line
			break
		}
	}
	return p
}

func (d *document) report(key, format string, args ...any) {
	d.problems = append(d.problems, d.problem(key, format, args...))
}

// above is the path of the table that holds a key.
func above(path string) string {
	return path[:max(strings.LastIndexAny(path, ".["), 0)]
}

// sorted returns the problems in the order of their lines.
func (d *document) sorted() []*Problem {
	slices.SortStableFunc(d.problems, func(a, b *Problem) int { return cmp.Compare(a.Line, b.Line) })
	return d.problems
}
