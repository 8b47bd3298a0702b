package tables

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A test may have several forms, each a matrix in a file of its own. Items in common (columns of one name) or subjects in common (rows of one
// name) link them, so that all can be put on one scale (Kolen and Brennan 2014, chapter 1).

// formColumn is the column that says of which form a row is.
const formColumn = "form"

// A testForm is a matrix that may be one form of a test.
type testForm struct {
	group
	src     *Source
	name    string
	label   int // the column with the names of the rows; −1: there is none
	answers []*profile
	rows    map[string]bool // names of the rows
}

// joinForms returns one table of the groups that are forms of a test, and the other groups. It returns nil if there are no forms, and an
// error if nothing links them.
func joinForms(groups []group, r Reading) (*Source, []group, error) {
	var forms []*testForm
	var rest []group
	for _, g := range groups {
		f, err := formOf(g, r)
		if err != nil {
			return nil, nil, err
		}
		if f == nil {
			rest = append(rest, g)
			continue
		}
		forms = append(forms, f)
	}
	if len(forms) < 2 {
		return nil, groups, nil
	}
	for _, a := range forms {
		for _, b := range forms {
			if (a.label < 0) != (b.label < 0) || slices.ContainsFunc(b.header, func(h string) bool { return a.rows[h] }) {
				return nil, groups, nil // items in rows are a table of items
			}
		}
	}
	linked := []*testForm{forms[0]} // those that are linked with the first
	for n := 0; n < len(linked); n++ {
		for _, f := range forms {
			if !slices.Contains(linked, f) && linked[n].linked(f) {
				linked = append(linked, f)
			}
		}
	}
	if len(linked) == len(forms) {
		return join(forms), rest, nil
	}
	for k, f := range forms {
		for _, other := range forms[k+1:] {
			switch twice := f.common(other); {
			case !numberedAlike(f.answers) || !numberedAlike(other.answers):
				return nil, groups, nil // one may be a table of subjects
			case twice != nil && f.shared(other) > 0:
				return nil, nil, fmt.Errorf("%s and %s both have responses of %s to %s, so that it is not clear whether these are the same people: give those of each form names of their own, or leave common items out of one form where the same people took both", f.files[0].Name, other.files[0].Name, count(f.shared(other), "subject"), count(len(twice), "common item"))
			}
		}
	}
	var with, without []string
	for _, f := range forms {
		if slices.Contains(linked, f) {
			with = append(with, f.files[0].Name)
		} else {
			without = append(without, f.files[0].Name)
		}
	}
	return nil, nil, fmt.Errorf("no item (column) and no subject (row) of %s is in %s, too, by which forms of a test are put on one scale: give the same items or subjects the same names in both, or analyse each file alone; name a table of items with --items, and of subjects with --subjects", strings.Join(without, " or "), strings.Join(with, " or "))
}

// formOf returns the form that files with the same columns are, and nil if they are something else.
func formOf(g group, r Reading) (*testForm, error) {
	if g.sheet() || g.has(itemNames()) || g.has(scoreNames()) {
		return nil, nil
	}
	src, err := readRectangle(g.files, r)
	if err != nil {
		return nil, err
	}
	columns, _, err := survey(src, nil)
	if err != nil {
		return nil, err
	}
	f := &testForm{group: g, src: src, name: g.files[0].Base(), label: -1, rows: map[string]bool{}}
	columns = slices.DeleteFunc(columns, func(c *profile) bool { return c.name == fileColumn })
	if k := slices.IndexFunc(columns, func(c *profile) bool { return isWho(c.name) }); k >= 0 {
		f.label = k
	} else if c := columns[0]; c.word > 0 && !c.letters() {
		f.label = 0
	}
	cells := slices.Clone(columns)
	if f.label >= 0 {
		cells = slices.Delete(cells, f.label, f.label+1)
	}
	like := scale(cells)
	for _, c := range cells {
		if like(c) && c.scores() && !c.sequence() {
			f.answers = append(f.answers, c)
		}
	}
	if len(f.answers) < 2 || 2*len(f.answers) < len(cells) {
		return nil, nil
	}
	for row, err := range src.Each {
		if err != nil {
			return nil, err
		}
		if f.label >= 0 {
			f.rows[strings.Clone(row.Cells[f.label])] = true
		}
	}
	return f, nil
}

// counted reports whether the names of rows are the numbers from 1, which the first subjects of any form have.
func (f *testForm) counted() bool {
	for k := range f.rows {
		if n, err := strconv.Atoi(k); err != nil || n < 1 || n > len(f.rows) {
			return false
		}
	}
	return true
}

// shared returns how many names of rows two forms have in common.
func (f *testForm) shared(other *testForm) (n int) {
	for name := range f.rows {
		if other.rows[name] {
			n++
		}
	}
	return n
}

// common returns the items that two forms have in common.
func (f *testForm) common(other *testForm) (out []string) {
	for _, c := range f.answers {
		if slices.ContainsFunc(other.answers, func(o *profile) bool { return o.name == c.name }) {
			out = append(out, c.name)
		}
	}
	return out
}

// linked reports whether two forms have items in common, which other subjects took, or else subjects: then the columns of both are called as items are,
// and not as what is known of people.
func (f *testForm) linked(other *testForm) bool {
	alike := numberedAlike(f.answers) && numberedAlike(other.answers)
	if f.common(other) != nil {
		return f.shared(other) == 0 || alike && f.counted() && other.counted()
	}
	return f.shared(other) > 0 && alike
}

// join returns one table of linked forms: a column for each item, empty where a form has not got it, and one that says which forms a subject took,
// unless all took all. Numbers of subjects of which each form begins to count anew have the form's name before them.
func join(forms []*testForm) *Source {
	first := forms[0]
	out := &Source{Name: first.src.Name, Read: first.src.Read}
	out.Format = fmt.Sprintf("%s, %d forms", first.src.Format, len(forms))
	anew := false
	var items []string
	for k, f := range forms {
		for _, other := range forms[k+1:] {
			common := f.common(other)
			anew = anew || common != nil && f.shared(other) > 0
			for _, name := range common {
				if !slices.Contains(items, name) {
					items = append(items, name)
				}
			}
		}
		for i, h := range f.header {
			if i == f.label {
				h = first.header[first.label]
			}
			if !slices.Contains(out.Header, h) {
				out.Header = append(out.Header, h)
			}
		}
	}
	of := map[string]string{} // name of a row → forms that have it
	kinds := map[string]bool{}
	for _, f := range forms {
		for name := range f.rows {
			if of[name] != "" && !anew {
				of[name] += " + " + f.name
			} else {
				of[name] = f.name
			}
		}
	}
	for _, name := range of {
		kinds[name] = true
	}
	if (len(kinds) > 1 || first.label < 0 || anew) && !slices.Contains(out.Header, formColumn) {
		out.Form = formColumn
		out.Header = append(out.Header, formColumn)
	}
	out.Header = append(out.Header, fileColumn)
	out.Known.Ignored = []string{fileColumn}
	out.Each = func(yield func(Row, error) bool) {
		for _, f := range forms {
			if !f.each(out, first, of, anew, yield) {
				return
			}
		}
	}
	said := fmt.Sprintf("%s: forms of one test", formNames(forms))
	switch {
	case items == nil:
		said += ", joined by their subjects"
	default:
		said += fmt.Sprintf(", joined by %s in common: %s", count(len(items), "item"), listed(items))
	}
	if anew {
		said += "; each numbers its subjects from 1: they are called " + first.name + "/1 …"
	}
	out.Notes = append(slices.Clone(first.src.Notes), said)
	return out
}

func formNames(forms []*testForm) string {
	var names []string
	for _, f := range forms {
		names = append(names, f.name)
	}
	return listed(names)
}

// each gives the rows of a form as rows of the joined table, and returns false if no more are wanted. first is the form after whose label all are called, and
// of has the forms of each subject.
func (f *testForm) each(out *Source, first *testForm, of map[string]string, anew bool, yield func(Row, error) bool) bool {
	var to []int
	for i, h := range f.src.Header {
		if i == f.label {
			h = first.header[first.label]
		}
		to = append(to, out.column(h))
	}
	cells := make([]string, len(out.Header))
	for row, err := range f.src.Each {
		if err != nil {
			yield(row, err)
			return false
		}
		for i, c := range row.Cells {
			cells[to[i]] = c
		}
		name := f.name
		if f.label >= 0 && !anew {
			name = of[row.Cells[f.label]]
		}
		if anew {
			cells[to[f.label]] = f.name + "/" + row.Cells[f.label]
		}
		if out.Form != "" {
			cells[out.column(out.Form)] = name
		}
		row.Cells = cells
		if !yield(row, nil) {
			return false
		}
	}
	return true
}
