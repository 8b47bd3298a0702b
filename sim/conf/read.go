package conf

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"achilles/sim/expr"
)

// describe returns a value in words, for errors.
func describe(v any) string {
	switch v := v.(type) {
	case string:
		return fmt.Sprintf("the text %q", v)
	case int64, float64, bool:
		return fmt.Sprint(v)
	case map[string]any:
		return "a table"
	case []any:
		return describeList(v)
	case []map[string]any:
		return "a list of tables"
	}
	return "a date" // the decoder has no further types
}

// describeList returns a list of up to eight plain values in full, and of any other list its length.
func describeList(list []any) string {
	var elements []string
	for _, v := range list {
		switch v.(type) {
		case string, int64, float64, bool:
			elements = append(elements, strings.TrimPrefix(describe(v), "the text "))
		}
	}
	if len(elements) < len(list) || len(list) > 8 {
		return fmt.Sprintf("a list of %d", len(list))
	}
	return "[" + strings.Join(elements, ", ") + "]"
}

// Text reads a text. It returns "" if the key is absent or wrong.
func (t *Table) Text(key string) string {
	v, ok := t.take(key)
	s, is := v.(string)
	if ok && !is {
		t.Wrong(key, "a text in quotes")
	}
	return s
}

// NeedText reads a text that must be present and not empty. `what` says for errors what it is for.
func (t *Table) NeedText(key, what string) string {
	s := t.Text(key)
	if v, there := t.keys[key]; !there || v == "" {
		t.Missing(key, what)
	}
	return s
}

// Word reads a text that must be in a list. It returns the first of the list if the key is absent.
func (t *Table) Word(key string, list ...string) string {
	s := t.Text(key)
	v, there := t.keys[key]
	if !there {
		return list[0]
	}
	if _, is := v.(string); is && !slices.Contains(list, s) {
		t.Reportf(key, "%q is not one of %s%s", s, Quoted(list), expr.DidYouMean(s, list))
	}
	return s
}

// Quoted returns the texts, each in quotes, with commas between them.
func Quoted(list []string) string {
	var quoted []string
	for _, w := range list {
		quoted = append(quoted, strconv.Quote(w))
	}
	return strings.Join(quoted, ", ")
}

// Whole reads a whole number from lo to hi; `otherwise` is the result if the key is absent or wrong.
func (t *Table) Whole(key string, otherwise, lo, hi int) int {
	v, ok := t.take(key)
	if !ok {
		return otherwise
	}
	n, ok := v.(int64)
	if !ok || n < int64(lo) || n > int64(hi) {
		t.Wrong(key, fmt.Sprintf("a whole number from %d to %d", lo, hi))
		return otherwise
	}
	return int(n)
}

// Flag reads true or false; `otherwise` is the result if the key is absent.
func (t *Table) Flag(key string, otherwise bool) bool {
	v, ok := t.take(key)
	if !ok {
		return otherwise
	}
	b, ok := v.(bool)
	if !ok {
		t.Wrong(key, "true or false")
	}
	return b
}

// Number reads a finite number that satisfies legal; a nil legal allows all. `want` describes these numbers for errors,
// and `otherwise` is the result if the key is absent or wrong.
func (t *Table) Number(key string, otherwise float64, want string, legal func(float64) bool) float64 {
	v, ok := t.take(key)
	if !ok {
		return otherwise
	}
	x, ok := Finite(v)
	if !ok || legal != nil && !legal(x) {
		t.Wrong(key, want)
		return otherwise
	}
	return x
}

// Finite returns a value as a number; ok is false if it is not a finite number.
func Finite(v any) (float64, bool) {
	switch v := v.(type) {
	case int64:
		return float64(v), true
	case float64:
		return v, !math.IsNaN(v) && !math.IsInf(v, 0)
	}
	return 0, false
}

// Numbers reads a list of finite numbers that satisfies legal; a nil legal allows all. It returns nil if the key is
// absent or wrong.
func (t *Table) Numbers(key, want string, legal func([]float64) bool) []float64 {
	v, ok := t.take(key)
	if !ok {
		return nil
	}
	list, ok := v.([]any)
	out := make([]float64, len(list))
	for i, e := range list {
		x, is := Finite(e)
		ok, out[i] = ok && is, x
	}
	if !ok || legal != nil && !legal(out) {
		t.Wrong(key, want)
		return nil
	}
	return out
}

// Texts reads a list of texts. It returns nil if the key is absent or wrong.
func (t *Table) Texts(key string) []string {
	v, ok := t.take(key)
	if !ok {
		return nil
	}
	list, ok := v.([]any)
	out := make([]string, len(list))
	for i, e := range list {
		s, is := e.(string)
		ok, out[i] = ok && is, s
	}
	if !ok {
		t.Wrong(key, `a list of texts, such as ["a", "b"]`)
		return nil
	}
	return out
}

// Expression reads an expression of package expr in quotes, or a plain number. It returns the source and its tree; the
// tree is nil if the key is absent or the source has a fault.
func (t *Table) Expression(key string) (source string, n *expr.Node) {
	v, ok := t.take(key)
	if !ok {
		return "", nil
	}
	switch v := v.(type) {
	case string:
		source = v
	case int64:
		source = strconv.FormatInt(v, 10)
	case float64:
		source = strconv.FormatFloat(v, 'g', -1, 64)
	default:
		t.Wrong(key, "a number or an expression in quotes")
		return "", nil
	}
	n, err := expr.Parse(source)
	if err != nil {
		t.Report(t.Place(key).In(err))
		return source, nil
	}
	return source, n
}

// Table reads the table at a key, the same one each time. It returns an empty Table if the key is absent or wrong.
func (t *Table) Table(key string) *Table {
	if below := t.below[key]; below != nil {
		return below
	}
	v, ok := t.take(key)
	keys, is := v.(map[string]any)
	if ok && !is {
		t.Wrong(key, "a table")
	}
	at := t.at
	if child := at.child[key]; child != nil {
		at = child
	}
	if t.below == nil {
		t.below = map[string]*Table{}
	}
	t.below[key] = t.doc.table(join(t.path, key), keys, at)
	return t.below[key]
}

// Tables reads an array of tables, written as [[key]] or as a list of { … }. It returns nil if the key is absent or
// wrong.
func (t *Table) Tables(key string) []*Table {
	v, ok := t.take(key)
	if !ok {
		return nil
	}
	list, ok := v.([]map[string]any)
	if mixed, is := v.([]any); is {
		ok = true
		for _, e := range mixed {
			m, is := e.(map[string]any)
			ok, list = ok && is, append(list, m)
		}
	}
	if !ok {
		t.Wrong(key, "a list of tables")
		return nil
	}
	out := make([]*Table, len(list))
	for i, m := range list {
		at := t.at
		if child := at.child[key]; child != nil {
			at = child
			if i < len(child.items) {
				at = child.items[i]
			}
		}
		out[i] = t.doc.table(fmt.Sprintf("%s[%d]", join(t.path, key), i), m, at)
	}
	return out
}

// IsTable reports whether the value of a key is a table. It marks the key as asked for.
func (t *Table) IsTable(key string) bool {
	_, is := t.Value(key).(map[string]any)
	return is
}

// IsList reports whether the value of a key is a list or an array of tables. It marks the key as asked for.
func (t *Table) IsList(key string) bool {
	switch t.Value(key).(type) {
	case []any, []map[string]any:
		return true
	}
	return false
}
