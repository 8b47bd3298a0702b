package layout

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	"achilles/sim/expr"
)

// An Error is a fault in a layout file.
type Error struct {
	File string
	Line int    // from 1; 0 where the fault is no line's
	Key  string // dotted
	Col  int    // from 1, inside the expression of the key; 0 where the fault is not in an expression
	Msg  string
}

// Error is one line: file:line: key: column: message.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(e.File)
	if e.Line > 0 {
		fmt.Fprintf(&b, ":%d", e.Line)
	}
	b.WriteString(": ")
	if e.Key != "" {
		b.WriteString(e.Key + ": ")
	}
	if e.Col > 0 {
		fmt.Fprintf(&b, "column %d: ", e.Col)
	}
	b.WriteString(e.Msg)
	return b.String()
}

// An entry is a key of a TOML file with its line. A table has entries in the order of the file, another value has none.
type entry struct {
	file    string
	key     []string
	line    int
	value   any // string, int64, float64, bool, []any …; nil for a table
	entries []*entry
}

func (e *entry) errorf(format string, args ...any) error {
	return &Error{File: e.file, Line: e.line, Key: strings.Join(e.key, "."), Msg: fmt.Sprintf(format, args...)}
}

// in puts an error of an expression where the expression stands.
func (e *entry) in(err error) error {
	var x *expr.Error
	if !errors.As(err, &x) {
		return e.errorf("%v", err)
	}
	return &Error{File: e.file, Line: e.line, Key: strings.Join(e.key, "."), Col: x.Col, Msg: x.Msg}
}

func (e *entry) name() string { return e.key[len(e.key)-1] }

// find returns the entry of that name, or nil.
func (e *entry) find(name string) *entry {
	for _, k := range e.entries {
		if k.name() == name {
			return k
		}
	}
	return nil
}

// allow reports the first entry with another name.
func (e *entry) allow(names ...string) error {
	for _, k := range e.entries {
		if !slices.Contains(names, k.name()) {
			hint := expr.DidYouMean(k.name(), names)
			if hint == "" {
				hint = ": known are " + strings.Join(names, ", ")
			}
			return k.errorf("unknown key%s", hint)
		}
	}
	return nil
}

func (e *entry) kind() string {
	switch e.value.(type) {
	case nil:
		return "a table"
	case string:
		return "a text"
	case int64, float64:
		return "a number"
	case bool:
		return "true or false"
	case []any:
		return "a list"
	}
	return "no text, number or list"
}

func (e *entry) text() (string, error) {
	s, ok := e.value.(string)
	if !ok {
		return "", e.errorf("must be a text in quotes, and is %s", e.kind())
	}
	return s, nil
}

func (e *entry) table() error {
	if e.value != nil {
		return e.errorf("must be a table, and is %s", e.kind())
	}
	return nil
}

func (e *entry) number() (float64, error) {
	v, ok := asNumber(e.value)
	if !ok {
		return 0, e.errorf("must be a number, and is %s", e.kind())
	}
	return v, nil
}

func asNumber(v any) (float64, bool) {
	switch v := v.(type) {
	case int64:
		return float64(v), true
	case float64:
		return v, v == v
	}
	return 0, false
}

func (e *entry) list() ([]any, error) {
	v, ok := e.value.([]any)
	if !ok {
		return nil, e.errorf("must be a list in [ ], and is %s", e.kind())
	}
	return v, nil
}

// texts is the value as a list of texts.
func (e *entry) texts() ([]string, error) {
	list, err := e.list()
	if err != nil {
		return nil, err
	}
	out := make([]string, len(list))
	for i, v := range list {
		s, ok := v.(string)
		if !ok {
			return nil, e.errorf("entry %d must be a text in quotes", i+1)
		}
		out[i] = s
	}
	return out, nil
}

// readDocument reads TOML. The lines of keys come from the decoder: decoding a key into a place that refuses it gives
// an error with the position.
func readDocument(file, text string) (*entry, error) {
	var top map[string]toml.Primitive
	md, err := toml.Decode(text, &top)
	if err != nil {
		var p toml.ParseError
		if errors.As(err, &p) {
			return nil, &Error{File: file, Line: p.Position.Line, Key: p.LastKey, Msg: p.Message}
		}
		return nil, &Error{File: file, Msg: err.Error()}
	}
	order := map[string]int{}
	for i, k := range md.Keys() {
		if _, ok := order[k.String()]; !ok {
			order[k.String()] = i
		}
	}
	r := &documentReader{file: file, md: md, order: order}
	root := &entry{file: file}
	root.entries, err = r.entries(nil, top)
	return root, err
}

type documentReader struct {
	file  string
	md    toml.MetaData
	order map[string]int
}

func (r *documentReader) entries(parent []string, table map[string]toml.Primitive) ([]*entry, error) {
	var out []*entry
	for name, p := range table {
		e := &entry{file: r.file, key: append(slices.Clone(parent), name), line: r.line(p)}
		if err := r.md.PrimitiveDecode(p, &e.value); err != nil {
			return nil, e.errorf("%v", err)
		}
		if _, ok := e.value.(map[string]any); ok {
			var below map[string]toml.Primitive
			if err := r.md.PrimitiveDecode(p, &below); err != nil {
				return nil, e.errorf("%v", err)
			}
			var err error
			if e.entries, err = r.entries(e.key, below); err != nil {
				return nil, err
			}
			e.value = nil
			if e.line == 0 && len(e.entries) > 0 {
				e.line = e.entries[0].line // [a.b] defines a without a line of its own
			}
		}
		out = append(out, e)
	}
	slices.SortFunc(out, func(a, b *entry) int { return r.at(a) - r.at(b) })
	return out, nil
}

func (r *documentReader) at(e *entry) int {
	if i, ok := r.order[toml.Key(e.key).String()]; ok {
		return i
	}
	if len(e.entries) > 0 {
		return r.at(e.entries[0])
	}
	return 0
}

type refusal struct{}

func (refusal) UnmarshalTOML(any) error { return errors.New("refused") }

func (r *documentReader) line(p toml.Primitive) int {
	var at toml.ParseError
	if errors.As(r.md.PrimitiveDecode(p, &refusal{}), &at) {
		return at.Position.Line
	}
	return 0
}
