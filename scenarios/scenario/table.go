package scenario

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"achilles/sim/expr"
)

// A table reads one TOML table strictly: each method takes a key off it, reports a wrong type or a value out of range,
// and done reports the keys that nothing asked for. A nil table is empty.
type table struct {
	d     *document
	path  string
	keys  map[string]any
	asked []string
}

func (t *table) at(key string) string { return join(t.path, key) }

// take returns the value of a key, or false where there is none.
func (t *table) take(key string) (any, bool) {
	t.asked = append(t.asked, key)
	v, ok := t.keys[key]
	return v, ok
}

// done reports every key that was not asked for.
func (t *table) done() {
	for _, k := range sortedKeys(t.keys) {
		if !slices.Contains(t.asked, k) {
			t.d.report(t.at(k), "unknown key%s", expr.DidYouMean(k, t.asked))
		}
	}
}

// wrong reports a value of the wrong type.
func (t *table) wrong(key, want string, got any) {
	t.d.report(t.at(key), "want %s, not %s", want, describe(got))
}

func describe(v any) string {
	switch v := v.(type) {
	case string:
		return fmt.Sprintf("the text %q", v)
	case int64, float64, bool:
		return fmt.Sprint(v)
	case map[string]any:
		return "a table"
	case []any, []map[string]any:
		return "a list"
	}
	return "a date" // the one type of TOML that is left
}

func (t *table) text(key string) string {
	v, ok := t.take(key)
	if !ok {
		return ""
	}
	s, ok := v.(string)
	if !ok {
		t.wrong(key, "a text", v)
	}
	return s
}

// needText is text that must be there.
func (t *table) needText(key, what string) string {
	s := t.text(key)
	if _, there := t.keys[key]; !there {
		t.d.report(t.at(key), "is missing: %s", what)
	}
	return s
}

// word is a text out of a list; the first is the default.
func (t *table) word(key string, list ...string) string {
	s := t.text(key)
	if _, there := t.keys[key]; !there {
		return list[0]
	}
	if !slices.Contains(list, s) {
		t.d.report(t.at(key), "%q is not one of %s%s", s, quoted(list), expr.DidYouMean(s, list))
	}
	return s
}

func quoted(list []string) string {
	s := ""
	for i, w := range list {
		if i > 0 {
			s += ", "
		}
		s += strconv.Quote(w)
	}
	return s
}

// whole is a whole number from lo to hi.
func (t *table) whole(key string, otherwise, lo, hi int) int {
	v, ok := t.take(key)
	if !ok {
		return otherwise
	}
	n, ok := v.(int64)
	if !ok || n < int64(lo) || n > int64(hi) {
		t.wrong(key, fmt.Sprintf("a whole number from %d to %d", lo, hi), v)
		return otherwise
	}
	return int(n)
}

// flag is true or false.
func (t *table) flag(key string, otherwise bool) bool {
	v, ok := t.take(key)
	if !ok {
		return otherwise
	}
	b, ok := v.(bool)
	if !ok {
		t.wrong(key, "true or false", v)
	}
	return b
}

// number is a finite number for which legal holds; want says which numbers those are.
func (t *table) number(key string, otherwise float64, want string, legal func(float64) bool) float64 {
	v, ok := t.take(key)
	if !ok {
		return otherwise
	}
	x, ok := finite(v)
	if !ok || !legal(x) {
		t.wrong(key, want, v)
		return otherwise
	}
	return x
}

func finite(v any) (float64, bool) {
	switch v := v.(type) {
	case int64:
		return float64(v), true
	case float64:
		return v, !math.IsNaN(v) && !math.IsInf(v, 0)
	}
	return 0, false
}

// expression is an expression of package expr as a text; a plain number may stand without quotes.
func (t *table) expression(key string) string {
	v, ok := t.take(key)
	if !ok {
		return ""
	}
	var source string
	switch v := v.(type) {
	case string:
		source = v
	case int64:
		source = strconv.FormatInt(v, 10)
	case float64:
		source = strconv.FormatFloat(v, 'g', -1, 64)
	default:
		t.wrong(key, "a number or an expression in quotes", v)
		return ""
	}
	if _, err := expr.Parse(source); err != nil {
		t.d.report(t.at(key), "%v", err)
	}
	return source
}

// texts is a list of texts.
func (t *table) texts(key string) []string {
	v, ok := t.take(key)
	if !ok {
		return nil
	}
	list, ok := v.([]any)
	out := make([]string, len(list))
	for i, e := range list {
		s, text := e.(string)
		ok, out[i] = ok && text, s
	}
	if !ok {
		t.wrong(key, `a list of texts, such as ["a", "b"]`, v)
		return nil
	}
	return out
}

// table is the table below a key, or an empty one.
func (t *table) table(key string) *table {
	sub := &table{d: t.d, path: t.at(key)}
	v, ok := t.take(key)
	if !ok {
		return sub
	}
	if sub.keys, ok = v.(map[string]any); !ok {
		t.wrong(key, "a table", v)
	}
	return sub
}

// tables is an array of tables, written as [[key]] or as a list of { … }.
func (t *table) tables(key string) []*table {
	v, ok := t.take(key)
	if !ok {
		return nil
	}
	var list []map[string]any
	switch v := v.(type) {
	case []map[string]any:
		list = v
	case []any:
		for _, e := range v {
			m, isTable := e.(map[string]any)
			if !isTable {
				t.wrong(key, "a list of tables", v)
				return nil
			}
			list = append(list, m)
		}
	default:
		t.wrong(key, "a list of tables", v)
		return nil
	}
	out := make([]*table, len(list))
	for i, m := range list {
		out[i] = &table{d: t.d, path: t.at(key) + "[" + strconv.Itoa(i) + "]", keys: m}
	}
	return out
}

// oneOrMore is the table below a key, or an array of tables.
func (t *table) oneOrMore(key string) []*table {
	switch t.keys[key].(type) {
	case nil:
		t.asked = append(t.asked, key)
		return nil
	case []map[string]any, []any:
		return t.tables(key)
	}
	return []*table{t.table(key)}
}

func sortedKeys[V any](m map[string]V) []string {
	names := make([]string, 0, len(m))
	for n := range m {
		names = append(names, n)
	}
	slices.Sort(names)
	return names
}
