// Package conf reads the project's TOML files: scenarios, layouts, banks, mappings, analyses and published values.
//
// It decodes text and opens no file. Size, nesting and number of values are checked before anything is decoded
// (limit.go). A reader asks a Table for each key that it knows, by the type of its value. A Table collects faults:
// wrong types, values out of range, and keys for which no reader asked; each has file, line, key and what would be
// right.
//
// Keys of the project are written in snake_case; names that users or data declare stay as they are declared.
package conf

import (
	"cmp"
	"slices"
	"strings"

	"achilles/sim/expr"
)

// A document has what the Tables of one file share: the file's name, and the faults found so far.
type document struct {
	file   string
	tables []*Table // tables for which a reader asked
	faults []*Error
}

// Parse decodes a file and returns its root table. file is its name for errors. The error is an *Error: the text is not
// TOML, or exceeds a limit.
func Parse(file, text string) (*Table, error) {
	text = strings.TrimPrefix(text, byteOrderMark)
	if strings.HasPrefix(text, byteOrderMark) { // the decoder would skip it
		return nil, &Error{File: file, Line: 1, Msg: "begins with two byte order marks"}
	}
	places, fault := scan(text)
	if fault != nil {
		fault.File = file
		return nil, fault
	}
	keys, fault := decode(text, places)
	if fault != nil {
		fault.File = file
		return nil, fault
	}
	return (&document{file: file}).table("", keys, places), nil
}

const byteOrderMark = "\ufeff"

// A Table reads one table of a file. Its methods ask for a key by the type that the value must have. A wrong value is
// reported and read as absent, so that one pass finds all faults. An absent table is empty.
type Table struct {
	doc   *document
	path  string
	keys  map[string]any
	at    *node
	asked []string
	below map[string]*Table // those that Table has returned

	missing map[string]*Error // faults that Missing has reported, by key
}

func (d *document) table(path string, keys map[string]any, at *node) *Table {
	t := &Table{doc: d, path: path, keys: keys, at: at}
	d.tables = append(d.tables, t)
	return t
}

// Keys lists the keys of the table in the order of the file.
func (t *Table) Keys() []string {
	keys := make([]string, 0, len(t.keys))
	for k := range t.keys {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(a, b string) int { return cmp.Or(cmp.Compare(t.at.order(a), t.at.order(b)), cmp.Compare(a, b)) })
	return keys
}

// Has reports whether a key is present. It marks the key as asked for.
func (t *Table) Has(key string) bool {
	_, ok := t.take(key)
	return ok
}

// There reports whether the table itself is in the file.
func (t *Table) There() bool { return t.keys != nil }

// Skip marks keys as asked for, because another reader reads them.
func (t *Table) Skip(keys ...string) { t.asked = append(t.asked, keys...) }

// Renamed returns the name under which the table has a key: now, or the former name was, if that is not empty. If it has both, that is the first,
// because Set puts what it adds first.
func (t *Table) Renamed(now, was string) string {
	_, new := t.keys[now]
	_, old := t.keys[was]
	if !old || was == "" {
		return now
	}
	if new {
		t.Skip(now, was)
	}
	if new && t.at.order(now) < t.at.order(was) {
		return now
	}
	return was
}

// Value returns the value of a key as the TOML package decodes it, or nil if it is absent.
func (t *Table) Value(key string) any {
	v, _ := t.take(key)
	return v
}

func (t *Table) take(key string) (any, bool) {
	t.asked = append(t.asked, key)
	v, ok := t.keys[key]
	return v, ok
}

// Report adds a fault of the file.
func (t *Table) Report(fault *Error) { t.doc.faults = append(t.doc.faults, fault) }

// Reportf adds a fault of a key; the key "" is the table itself.
func (t *Table) Reportf(key, format string, args ...any) {
	t.Report(t.Place(key).Errorf(format, args...))
}

// Missing reports that a required key is absent. `what` says what the key is for, or which values it could have. If the
// table has an unknown key of nearly this name, Faults reports the unknown key only.
func (t *Table) Missing(key, what string) {
	if t.missing == nil {
		t.missing = map[string]*Error{}
	}
	t.missing[key] = t.Place(key).Errorf("is missing: %s", what)
	t.Report(t.missing[key])
}

// Wrong reports that the value of a key is not what is wanted.
func (t *Table) Wrong(key, want string) {
	t.Reportf(key, "want %s, not %s", want, describe(t.keys[key]))
}

// Faults returns all faults of the file, including every key for which no reader asked, sorted by line.
func (t *Table) Faults() []*Error {
	all := slices.Clone(t.doc.faults)
	for _, table := range t.doc.tables {
		for _, k := range table.Keys() {
			if slices.Contains(table.asked, k) {
				continue
			}
			known, hint := table.hint(k)
			all = append(all, table.Place(k).Errorf("unknown key%s", hint))
			if follows := table.missing[known]; follows != nil {
				all = slices.DeleteFunc(all, func(e *Error) bool { return e == follows })
			}
		}
	}
	slices.SortStableFunc(all, func(a, b *Error) int { return cmp.Compare(a.Line, b.Line) })
	return all
}

// Err returns the first of the Faults, an *Error, or nil.
func (t *Table) Err() error {
	if all := t.Faults(); len(all) > 0 {
		return all[0]
	}
	return nil
}

// hint returns the end of an error message about an unknown key, and the known key of this table that it suggests, or
// "". It suggests a known key with nearly the same letters. If there is none, it suggests a key of another table that
// differs in case, underscores and hyphens only, or else lists all known keys.
func (t *Table) hint(key string) (known, hint string) {
	asked := slices.Clone(t.asked)
	slices.Sort(asked)
	asked = slices.Compact(asked)
	for _, k := range asked {
		if fold(k) == fold(key) {
			return k, ": write " + k
		}
	}
	if near := expr.Nearest(key, asked); near != nil {
		return near[0], ": did you mean " + near[0] + "?"
	}
	for _, other := range t.doc.tables {
		for _, k := range other.asked {
			if other.path != "" && fold(k) == fold(key) {
				return "", ": did you mean " + other.path + "." + k + "?"
			}
		}
	}
	return "", expr.Hint(key, asked)
}

// fold returns a key in lower case, without underscores and hyphens: hasOP and has_op become equal.
func fold(key string) string {
	return strings.NewReplacer("_", "", "-", "").Replace(strings.ToLower(key))
}
