package tables

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
)

// Open reads files of which a format is found by what they are. Plain tables beside responses are those of the items or of the subjects,
// unless items and subjects name these. It returns notes on files that were left out.
func Open(formats []Format, files, items, subjects []*File, r Reading) (in Input, notes []string, err error) {
	sorted := make([][]*File, len(formats))
	var other []string
	for _, f := range files {
		k := slices.IndexFunc(formats, func(k Format) bool { return k.Sniff(f) })
		if k < 0 {
			other = append(other, f.Name)
			continue
		}
		sorted[k] = append(sorted[k], f)
	}
	if len(other) == len(files) {
		return in, nil, fmt.Errorf("no format is known for %s%s; there are %s", listed(other), instead(other), formatNames(formats))
	}
	if len(other) > 0 {
		notes = append(notes, fmt.Sprintf("%s of no known format left out: %s", count(len(other), "file"), listed(other)))
	}
	var plainTables []*File
	for k, f := range formats {
		switch {
		case len(sorted[k]) == 0:
		case f.Name == rectangleName:
			plainTables = sorted[k]
		case in.Responses != nil:
			return in, nil, fmt.Errorf("files of two formats: %s and %s; import one at a time", in.Responses.Format, f.Name)
		default:
			if in.Responses, err = f.Read(sorted[k], r); err != nil {
				return in, nil, err
			}
		}
	}
	more, err := in.plain(plainTables, items, subjects, r)
	return in, append(notes, more...), err
}

// instead says what to do with files of no known format, some of them of spreadsheet programs.
func instead(names []string) string {
	for _, n := range names {
		if slices.Contains([]string{".xls", ".xlsb", ".ods", ".numbers"}, strings.ToLower(path.Ext(n))) {
			return " (save the sheet as .xlsx or CSV)"
		}
	}
	return " (write the table as CSV)"
}

func formatNames(formats []Format) string {
	var names []string
	for _, f := range formats {
		names = append(names, f.Name)
	}
	return strings.Join(names, ", ")
}

// plain reads plain tables. Files with the same columns are one table. It returns notes on sheets of a workbook that were left out.
func (in *Input) plain(files, items, subjects []*File, r Reading) (notes []string, err error) {
	var groups []group
	for _, f := range files {
		s, err := openSheet(f, r)
		if err != nil {
			return nil, err
		}
		k := slices.IndexFunc(groups, func(g group) bool { return slices.Equal(g.header, s.header) })
		if k < 0 {
			k = len(groups)
			groups = append(groups, group{header: s.header})
		}
		groups[k].files = append(groups[k].files, f)
	}
	if in.Responses == nil && len(groups) > 1 {
		if in.Responses, groups, err = joinForms(groups, r); err != nil {
			return nil, err
		}
	}
	if in.Responses == nil {
		k, first := 0, 0
		if len(groups) > 1 {
			if k, first, err = likeliest(groups, r); err != nil {
				return nil, err
			}
			if k < 0 {
				return nil, fmt.Errorf("%s: it is not clear which file has the responses; name the others with --items and --subjects, or put forms of one test in one table%s", groupList(groups), alone(groups[first].files[0]))
			}
		}
		if in.Responses, err = readRectangle(groups[k].files, r); err != nil {
			return nil, err
		}
		groups = slices.Delete(groups, k, k+1)
	}
	namedItems, namedSubjects := items != nil, subjects != nil
	for _, g := range groups {
		switch {
		case items == nil && !g.subjects() && !(g.sheet() && len(groups) > 1 && !g.has(itemNames())):
			items = g.files
		case subjects == nil && g.subjects():
			subjects = g.files
		case g.sheet():
			notes = append(notes, fmt.Sprintf("sheet %s left out: it is not clear what it has; if items, name it with --items, if subjects, with --subjects", g.files[0].Name))
		default:
			return nil, fmt.Errorf("%s: it is not clear what the file is: name the table of items with --items, and of subjects with --subjects%s", g.files[0].Name, alone(g.files[0]))
		}
	}
	for _, t := range []struct {
		files []*File
		named bool
		into  **Table
	}{{items, namedItems, &in.Items}, {subjects, namedSubjects, &in.Subjects}} {
		if t.files == nil {
			continue
		}
		table, err := ReadTable(t.files, r)
		guessed := !t.named && t.files[0].Grid != nil
		switch {
		case err != nil && guessed:
			notes = append(notes, fmt.Sprintf("sheet left out: %v", err))
			continue
		case err != nil:
			return nil, err
		}
		table.guessed, *t.into = guessed, table
	}
	return notes, nil
}

// shellWord returns a name as a shell takes it for one word.
func shellWord(name string) string {
	if strings.ContainsAny(name, " '\"()&;$`") {
		return strconv.Quote(name)
	}
	return name
}

// alone says how to import one of the tables in a file.
func alone(f *File) string {
	if f.Grid == nil {
		return ""
	}
	return ", or import one sheet alone, by its name: achilles import " + shellWord(f.Name)
}

// A group is files with the same columns.
type group struct {
	header []string
	files  []*File
}

// sheet reports whether the group is a sheet of a workbook, which a person has not chosen.
func (g group) sheet() bool { return g.files[0].Grid != nil }

func (g group) has(names []string) bool {
	return slices.ContainsFunc(g.header, func(h string) bool { return slices.Contains(names, plain(h)) })
}

// who reports whether a column is called as those with the names of subjects are.
func (g group) who() bool { return slices.ContainsFunc(g.header, isWho) }

// subjects reports whether the columns are those of a table of subjects: their names, and no names of items, and few columns.
func (g group) subjects() bool {
	return g.who() && !g.has(itemNames()) && !g.has(scoreNames()) && len(g.header) <= 12
}

// likeliest returns the index of the group that most looks like responses, and −1 and the first of them if several do: that with a column of scores, or else the
// one with the most columns of 0 and 1, one with names of items in a column last.
func likeliest(groups []group, r Reading) (best, first int, err error) {
	most := -1
	for i, g := range groups {
		n, err := g.likeness(r)
		if err != nil && !g.sheet() { // a workbook may have sheets of remarks
			return 0, 0, err
		}
		switch {
		case n > most:
			best, first, most = i, i, n
		case n == most:
			best = -1
		}
	}
	return best, first, nil
}

// inLook is how many rows are enough to see what a table is.
const inLook = 1000

func (g group) likeness(r Reading) (int, error) {
	s, err := readRectangle(g.files[:1], r)
	if err != nil {
		return 0, err
	}
	head := *s
	head.Each = func(yield func(Row, error) bool) {
		n := 0
		for row, err := range s.Each {
			if n++; n > inLook || !yield(row, err) {
				return
			}
		}
	}
	columns, _, err := survey(&head, nil)
	if err != nil {
		return 0, err
	}
	binary := 0
	for _, c := range columns {
		if c.scores() && slices.Contains(scoreNames(), plain(leaf(c.name))) {
			if g.who() {
				return 1 << 30, nil
			}
			if !isOutcome(c.name) { // a table of items may have rates of success
				return 1<<30 - 1, nil
			}
		}
		if c.binary() {
			binary++
		}
	}
	if !g.has(itemNames()) {
		binary += 1 << 29
	}
	return binary, nil
}

func groupList(groups []group) string {
	var names []string
	for _, g := range groups {
		names = append(names, g.files[0].Name)
	}
	return strings.Join(names, ", ")
}
