package tables

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"achilles/sim/conf"
	"achilles/sim/expr"
	"achilles/sim/record"
)

// builtItems has the items to publish, and the names of the items that the mapping's condition leaves out.
type builtItems struct {
	record.Items
	dropped map[string]bool
}

// A sheet has the columns that expressions may use: those of the table and the features computed so far.
type sheet struct {
	table *Table // the rows of the items, or of the subjects
	what  string // what a row is: item or subject
	id    int    // index of the column with the names of the rows
	cols  map[string]expr.Column
}

// row returns the name of row i with its file and line, for errors.
func (s *sheet) row(i int) string {
	return s.table.At(i) + ": " + s.what + " " + s.table.Rows[i][s.id]
}

func (s *sheet) lookup(name string) (expr.Column, bool) {
	c, ok := s.cols[name]
	return c, ok
}

// program compiles an expression. `at` is its place in the mapping, for errors.
func (s *sheet) program(at conf.Place, source string) (*expr.Program, error) {
	n, err := expr.Parse(source)
	if err != nil {
		return nil, at.In(err)
	}
	p, err := expr.Compile(n, s.lookup, slices.Sorted(maps.Keys(s.cols))...)
	if err != nil {
		return nil, at.In(err)
	}
	return p, nil
}

// buildItems returns the items of a table in whose column id their names are.
func buildItems(t *Table, m *Mapping, id int) (*builtItems, error) {
	kept, dropped, err := keep(t, m, id)
	if err != nil {
		return nil, err
	}
	out := &builtItems{dropped: dropped}
	s := newSheet(kept, "item", id)
	if err := s.prefixes(m); err != nil {
		return nil, err
	}
	for _, r := range kept.Rows {
		out.ID = append(out.ID, r[id])
	}
	for _, l := range []struct {
		key, source string
		into        *[]string
	}{{"items.suite", m.Items.Suite, &out.Suite}, {"items.paradigm", m.Items.Paradigm, &out.Paradigm}, {"items.task", m.Items.Task, &out.Task}} {
		if *l.into, err = s.labels(m.root.At(l.key), l.source, cmp.Or(m.Name, "imported"), len(kept.Rows)); err != nil {
			return nil, err
		}
	}
	if out.Columns, err = s.published(m, m.Features); err != nil {
		return nil, err
	}
	return out, m.align(&out.Items)
}

// published returns the columns of features, but for intermediate results.
func (s *sheet) published(m *Mapping, features []feature) (out []record.Column, err error) {
	for _, f := range features {
		c, err := s.feature(m, f)
		var fault *conf.Error
		switch {
		case errors.As(err, &fault):
			return nil, err
		case err != nil:
			return nil, m.root.At(f.key).Errorf("feature %s: %v", f.Name, err)
		}
		if !f.Step {
			out = append(out, c)
		}
	}
	return out, nil
}

// keep returns the rows that satisfy the mapping's condition, sorted by id, and the ids of the other rows. It returns an
// error if two rows that are kept have the same id, or an id is not a legal name.
func keep(t *Table, m *Mapping, id int) (kept *Table, dropped map[string]bool, err error) {
	dropped = map[string]bool{}
	var where *expr.Program
	if m.Items.Where != "" {
		at := m.root.At("items.where")
		if where, err = newSheet(t, "item", id).program(at, m.Items.Where); err != nil {
			return nil, nil, err
		}
		if where.Type() != expr.BoolType {
			return nil, nil, at.Errorf("%q is not a condition", m.Items.Where)
		}
	}
	var rows []int
	for i, r := range t.Rows {
		if where == nil || where.Bool(i) {
			rows = append(rows, i)
		} else {
			dropped[r[id]] = true
		}
	}
	if len(rows) == 0 {
		return nil, nil, m.root.At("items.where").Errorf("no item of %s satisfies %q", t.Name, m.Items.Where)
	}
	slices.SortStableFunc(rows, func(a, b int) int { return cmp.Compare(t.Rows[a][id], t.Rows[b][id]) })
	kept = &Table{Name: t.Name, Header: t.Header, read: t.read}
	for k, i := range rows {
		name := t.Rows[i][id]
		if err := record.CheckName(name); err != nil {
			return nil, nil, fmt.Errorf("%s: item %q: %w", t.At(i), name, err)
		}
		if k > 0 && name == kept.Rows[k-1][id] {
			return nil, nil, fmt.Errorf("%s: item %s is listed already, in line %d; if these are responses with features beside them, leave out --items", t.At(i), name, kept.lines[k-1])
		}
		kept.Rows, kept.lines = append(kept.Rows, t.Rows[i]), append(kept.lines, t.lines[i])
	}
	return kept, dropped, nil
}

// align replaces the features of some items by those of other items, as the mapping's features_of says.
func (m *Mapping) align(it *record.Items) error {
	source := make([]int, it.Len())
	for i := range source {
		source[i] = i
	}
	for _, item := range slices.Sorted(maps.Keys(m.Items.FeaturesOf)) {
		from := m.Items.FeaturesOf[item]
		i, ok := slices.BinarySearch(it.ID, item)
		j, ok2 := slices.BinarySearch(it.ID, from)
		if !ok || !ok2 {
			return m.root.At("items.features_of").Errorf("%s = %s names an unknown item", item, from)
		}
		source[i] = j
	}
	for k := range it.Columns {
		c := &it.Columns[k]
		c.Number, c.Text, c.Missing = pick(c.Number, source), pick(c.Text, source), pick(c.Missing, source)
	}
	return nil
}

// pick returns the elements of x at the given indices, or nil if x is nil.
func pick[T any](x []T, places []int) []T {
	if x == nil {
		return nil
	}
	out := make([]T, len(places))
	for i, p := range places {
		out[i] = x[p]
	}
	return out
}

// newSheet returns the sheet of a table, each row of which is a what: an item or a subject. id is the column with its name. A column
// in which every cell is a number or missing becomes a number column, any other a text column.
func newSheet(t *Table, what string, id int) *sheet {
	s := &sheet{table: t, what: what, id: id, cols: map[string]expr.Column{}}
	for c, name := range t.Header {
		var col expr.Column
		numeric := true
		for _, r := range t.Rows {
			gone, x, ok := missing(r[c]), 0.0, true
			if !gone {
				x, ok = t.read.number(r[c])
			}
			numeric = numeric && ok
			col.Number, col.Text, col.Missing = append(col.Number, x), append(col.Text, r[c]), append(col.Missing, gone)
		}
		if numeric {
			col.Text = nil
		} else {
			col.Number = nil
		}
		if !slices.Contains(col.Missing, true) {
			col.Missing = nil
		}
		s.cols[name] = col
	}
	return s
}

// prefixes adds to the sheet the columns that the mapping declares as prefixes of a name.
func (s *sheet) prefixes(m *Mapping) error {
	p := m.Items.Prefixes
	if p.Column == "" {
		return nil
	}
	at, err := m.columns(s.table, "items.prefixes.column", one(p.Column))
	if err != nil {
		return err
	}
	c := at[0]
	for n, name := range p.Names {
		var col expr.Column
		for i, r := range s.table.Rows {
			parts := strings.SplitN(r[c], p.Separator, n+2)
			if p.Separator == "" || len(parts) < n+1 {
				return m.root.At("items.prefixes").Errorf("%s: %q has no part %d when cut at %q", s.table.At(i), r[c], n+1, p.Separator)
			}
			col.Text = append(col.Text, strings.Join(parts[:n+1], p.Separator))
		}
		s.cols[name] = col
	}
	return nil
}

func (s *sheet) labels(at conf.Place, source, fallback string, n int) ([]string, error) {
	out := make([]string, n)
	if source == "" {
		for i := range out {
			out[i] = fallback
		}
		return out, nil
	}
	p, err := s.program(at, source)
	if err != nil {
		return nil, err
	}
	for i := range out {
		switch p.Type() {
		case expr.TextType:
			out[i] = p.Text(i)
		case expr.NumberType:
			out[i] = strconv.FormatFloat(p.Number(i), 'g', -1, 64)
		default:
			return nil, at.Errorf("%q is a condition; a label is text", source)
		}
	}
	return out, nil
}
