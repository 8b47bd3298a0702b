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
	Line int    // from 1; 0 if the fault has no line
	Key  string // path of the key, such as agent[2].rule[0].p; tables of an array count from 0
	Col  int    // from 1, within the expression that is the key's value; 0 if there is none
	Msg  string // what is wrong, and what would be right
}

// Error returns one line: file, line, key, column, message.
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

// A Place is the position of a key in a file, for faults that are found after reading.
type Place struct {
	File string
	Line int
	Key  string
}

// Errorf makes an Error at the place.
func (p Place) Errorf(format string, args ...any) *Error {
	return &Error{File: p.File, Line: p.Line, Key: p.Key, Msg: tidy(fmt.Sprintf(format, args...))}
}

// In makes an Error at the place, from the error of an expression that is the key's value.
func (p Place) In(err error) *Error {
	e := p.Errorf("%v", err)
	var x *expr.Error
	if errors.As(err, &x) {
		e.Col, e.Msg = x.Col, tidy(x.Msg)
	}
	return e
}

// Place returns the position of a key of the table, or of the table if the key is absent or "".
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

// At returns the position of a path below the table, such as rule[0].p, or of the nearest table around it that exists.
func (t *Table) At(path string) Place {
	if path == "" {
		return t.Place("")
	}
	at, _ := t.at.find(path)
	return Place{t.doc.file, at.line, strings.TrimPrefix(t.path+"."+path, ".")}
}

// maxMessage is the largest length of a message in bytes: a value may be as long as the file.
const maxMessage = 2000

// tidy makes a message one line, and cuts out the middle if it is longer than maxMessage.
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
