package conf

import (
	"errors"
	"fmt"
	"strings"
	"unicode"

	"achilles/sim/expr"
)

// An Error is a fault in a file.
type Error struct {
	File string
	Line int    // from 1; 0 where the fault has no line
	Key  string // path of the key, such as agent[2].rule[0].p; tables of an array count from 0
	Col  int    // from 1, in the expression of the key; 0 where the fault is not in an expression
	Msg  string // what is wrong, and what would be right
}

// Error is one line: file, line, key, column, message.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(e.File)
	if e.Line > 0 {
		fmt.Fprintf(&b, ":%d", e.Line)
	}
	if e.Key != "" {
		b.WriteString(": key " + e.Key)
	}
	if e.Col > 0 {
		fmt.Fprintf(&b, ": column %d", e.Col)
	}
	return b.String() + ": " + e.Msg
}

// A Place is where a key stands in a file, for faults that show after the file was read.
type Place struct {
	File string
	Line int
	Key  string
}

// Errorf makes an Error at the place.
func (p Place) Errorf(format string, args ...any) *Error {
	return &Error{File: p.File, Line: p.Line, Key: p.Key, Msg: tidy(fmt.Sprintf(format, args...))}
}

// In makes an Error of a fault in the expression that stands at the place.
func (p Place) In(err error) *Error {
	e := p.Errorf("%v", err)
	var x *expr.Error
	if errors.As(err, &x) {
		e.Col, e.Msg = x.Col, tidy(x.Msg)
	}
	return e
}

// Place returns where a key of the table stands, or the table where the key is absent; the key "" is the table itself.
func (t *Table) Place(key string) Place {
	if key == "" {
		return Place{t.doc.file, t.at.line, t.path}
	}
	at := t.at
	if child := at.child[key]; child != nil {
		at = child
	}
	return Place{t.doc.file, at.line, join(t.path, key)}
}

// At returns where a path below the table stands, such as rule[0].p, or the nearest table around it that is there.
func (t *Table) At(path string) Place {
	if path == "" {
		return t.Place("")
	}
	at, _ := t.at.find(path)
	return Place{t.doc.file, at.line, strings.TrimPrefix(t.path+"."+path, ".")}
}

// maxMessage bounds the messages about values that may be as long as the file.
const maxMessage = 2000

// tidy makes one line of a message; one of more than maxMessage bytes loses its middle.
func tidy(msg string) string {
	if len(msg) > maxMessage {
		msg = msg[:maxMessage/2] + " … " + msg[len(msg)-maxMessage/2:]
	}
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, msg)
}
