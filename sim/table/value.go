package table

import (
	"fmt"
	"math"
	"strconv"
)

// A Kind is the type of the values of a column.
type Kind uint8

// The kinds of columns. A value of any kind may be None.
const (
	Number Kind = iota // a real number
	Count              // a whole number
	Text
	Flag // true or false
)

// String returns the name of the kind, as manifests have it.
func (k Kind) String() string { return [...]string{"number", "count", "text", "flag"}[k] }

// MarshalText writes the name of the kind.
func (k Kind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// UnmarshalText reads the name of a kind.
func (k *Kind) UnmarshalText(text []byte) error {
	for *k = range Flag + 1 {
		if k.String() == string(text) {
			return nil
		}
	}
	return fmt.Errorf("kind %q is unknown", text)
}

// A Value is what a cell has: a number, a count, a text, true or false, or nothing. The zero Value is None.
type Value struct {
	there bool
	kind  Kind
	x     float64
	s     string
}

// None is the value of a cell that has none.
var None Value

// Float returns a number. NaN is None, because it is no number that a reader could use.
func Float(x float64) Value {
	if math.IsNaN(x) {
		return None
	}
	return Value{there: true, kind: Number, x: x}
}

// Maybe returns the number that p points to, or None if p is nil.
func Maybe(p *float64) Value {
	if p == nil {
		return None
	}
	return Float(*p)
}

// Int returns a count.
func Int(n int) Value { return Value{there: true, kind: Count, x: float64(n)} }

// Bool returns true or false as a value.
func Bool(b bool) Value {
	v := Value{there: true, kind: Flag}
	if b {
		v.x = 1
	}
	return v
}

// String returns a text. An empty text is a value, too.
func String(s string) Value { return Value{there: true, kind: Text, s: s} }

// Named returns a text, or None if it is empty.
func Named(s string) Value {
	if s == "" {
		return None
	}
	return String(s)
}

// Exists reports whether v is not None.
func (v Value) Exists() bool { return v.there }

// Kind returns the kind of a value that exists.
func (v Value) Kind() Kind { return v.kind }

// Number returns the number, the count, or 1 for true and 0 for false. ok is false for texts and None.
func (v Value) Number() (x float64, ok bool) { return v.x, v.there && v.kind != Text }

// Text returns the value as files have it: a number with as many digits as identify it, true or false, a text as it is,
// and "" for None.
func (v Value) Text() string {
	switch {
	case !v.there:
		return ""
	case v.kind == Text:
		return v.s
	case v.kind == Flag:
		return strconv.FormatBool(v.x != 0)
	case v.kind == Count:
		return strconv.FormatFloat(v.x, 'f', -1, 64)
	}
	return strconv.FormatFloat(v.x, 'g', -1, 64)
}

// Parse returns the value of a text that Value.Text wrote for a column of a kind. An empty text is None, also in a column
// of texts.
func Parse(kind Kind, text string) (Value, error) {
	if text == "" {
		return None, nil
	}
	switch kind {
	case Text:
		return String(text), nil
	case Flag:
		b, err := strconv.ParseBool(text)
		if err != nil {
			return None, err
		}
		return Bool(b), nil
	}
	x, err := strconv.ParseFloat(text, 64)
	return Value{there: err == nil, kind: kind, x: x}, err
}
