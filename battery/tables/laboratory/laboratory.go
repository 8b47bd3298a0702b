// Package laboratory reads what programs that run experiments and surveys write: PsychoPy, jsPsych, Gorilla, E-Prime, OpenSesame, Inquisit,
// lab.js, Qualtrics and LimeSurvey, and programs that set quizzes and lessons: Google Forms, Microsoft Forms, Moodle, Canvas, DataShop and ASSISTments. Their tables have rows that are no responses, and many columns that say nothing of items or subjects.
package laboratory

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"achilles/battery/tables"
)

// Formats returns the formats of files of these programs, each of which has marks that other tables lack.
func Formats() []tables.Format {
	var out []tables.Format
	for _, p := range []program{psychoPy(), jsPsych(), gorilla(), ePrime(), openSesame(), inquisit(), qualtrics(), limeSurvey(), labJS(), googleForms(), microsoftForms(), moodle(), canvas(), dataShop(), assistments()} {
		out = append(out, tables.Format{
			Name: p.name + " data",
			Sniff: func(f *tables.File) bool {
				return (tables.Rectangle().Sniff(f) || strings.HasSuffix(strings.ToLower(f.Name), ".iqdat")) && p.marked(marksOf(f))
			},
			Read: p.read,
		})
	}
	return out
}

// A program says how the tables of a program are read.
type program struct {
	name   string
	survey bool     // whether a row is a respondent; else it is a trial
	needs  []string // columns without which a table is not the program's
	// marked reports whether the beginning of a file is that of the program's tables.
	marked func(head string) bool
	twice  bool // whether columns may have the same name; later ones get a number
	// prepare, if there is one, mends the names of the columns.
	prepare func(t *sheet)
	// of says what the columns mean.
	of func(t *sheet) meaning
}

// A meaning says which columns and rows of a table count.
type meaning struct {
	tables.Known
	dropped  func(column string) bool // whether a column is the program's own
	response func(row []string) bool  // whether a row has a response
	item     func(row []string) string
	others   string // what rows without a response are, in words
	note     string // what else is to be said
}

// A sheet has the rows of all files.
type sheet struct {
	header []string
	rows   []tables.Row

	nameless int // rows of a quiz that name no student, which are left out
}

// at returns the index of the first of some columns that is there, whatever its case, or −1.
func (t *sheet) at(names ...string) int {
	for _, n := range names {
		if i := slices.IndexFunc(t.header, func(h string) bool { return strings.EqualFold(h, n) }); i >= 0 {
			return i
		}
	}
	return -1
}

// free returns a name that no column has.
func (t *sheet) free(name string) string {
	for slices.Contains(t.header, name) {
		name = "(" + name + ")"
	}
	return name
}

// varies reports whether a column has two different cells, empty ones apart.
func (t *sheet) varies(column int) bool {
	first := ""
	for _, r := range t.rows {
		switch c := r.Cells[column]; {
		case c == "" || c == first:
		case first == "":
			first = c
		default:
			return true
		}
	}
	return false
}

// marksOf returns the text that shows what wrote a file: names of columns, or the first objects.
func marksOf(f *tables.File) string {
	if f.Grid == nil {
		return f.Beginning()
	}
	rows := f.Grid.Rows[:min(3, len(f.Grid.Rows))]
	text := strings.Join(f.Grid.Header, "\n")
	for _, r := range rows {
		text += "\n" + strings.Join(r, "\n")
	}
	return text
}

// hasAll reports whether a text has all words.
func hasAll(text string, words ...string) bool {
	return !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(text, w) })
}

// hasCells reports whether a line of a text has all these words, each as a cell of its own.
func hasCells(text string, words ...string) bool {
	for line := range strings.Lines(text) {
		cells := strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune("\t,;|\"\r\n", r) })
		if !slices.ContainsFunc(words, func(w string) bool { return !slices.Contains(cells, w) }) {
			return true
		}
	}
	return false
}

// Columns that this package adds: an item's name, the place of a response in its subject's sequence, and how often the subject has had the item.
const (
	itemColumn         = "(item)"
	positionColumn     = "position"
	presentationColumn = "presentation"
)

// read reads files, which may differ in their columns.
func (p program) read(files []*tables.File, r tables.Reading) (*tables.Source, error) {
	t := &sheet{}
	out := &tables.Source{Name: files[0].Name}
	for _, f := range files {
		if err := t.add(f, r, p.twice, out); err != nil {
			return nil, err
		}
	}
	if p.prepare != nil {
		p.prepare(t)
	}
	for _, n := range p.needs {
		if t.at(n) < 0 {
			return nil, fmt.Errorf("%s: %s data without a column %s: there are %s", out.Name, p.name, n, strings.Join(t.header[:min(8, len(t.header))], ", "))
		}
	}
	m := p.of(t)
	out.Format = p.name
	if len(files) > 1 {
		out.Format += fmt.Sprintf(", %d files", len(files))
	}
	out.Known = m.Known
	out.Trials = !p.survey
	if m.note != "" {
		out.Notes = append(out.Notes, m.note)
	}
	rows := t.rows
	if m.response != nil {
		rows = slices.DeleteFunc(slices.Clone(rows), func(r tables.Row) bool { return !m.response(r.Cells) })
		if n := len(t.rows) - len(rows); n > 0 {
			out.Notes = append(out.Notes, fmt.Sprintf("%d of %d rows left out: %s", n, len(t.rows), m.others))
		}
		if len(rows) == 0 {
			return nil, fmt.Errorf("%s: %s data, in which no row has a response: all are %s", out.Name, p.name, m.others)
		}
	}
	// In a table of trials a person may name any column as that of the items; in one of respondents, what is kept are items.
	var kept []int
	own := 0
	for i, h := range t.header {
		if m.dropped(h) && !slices.Contains(m.Subject, h) {
			if own++; p.survey {
				continue
			}
			out.Ignored = append(out.Ignored, h)
		}
		kept = append(kept, i)
		out.Header = append(out.Header, h)
	}
	if own > 0 {
		out.Notes = append(out.Notes, fmt.Sprintf("%s of %s itself left out", plural(own, "column"), p.name))
	}
	nameless := func(r tables.Row) bool { return m.item == nil || m.item(r.Cells) == "" }
	named := slices.DeleteFunc(slices.Clone(rows), nameless)
	if 2*len(named) < len(rows) {
		out.Each = each(rows, kept, nil) // a person names the items with --item
		return out, nil
	}
	if n := len(rows) - len(named); n > 0 {
		out.Notes = append(out.Notes, fmt.Sprintf("%d of %d rows left out: nothing says what was shown", n, len(rows)))
		rows = named
	}
	t.number(out, rows, kept, m)
	return out, nil
}

// plural returns a number with a noun, in the plural unless the number is 1.
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// add adds the rows of a file.
func (t *sheet) add(f *tables.File, r tables.Reading, twice bool, out *tables.Source) error {
	if twice && f.Grid == nil {
		g, err := numbered(f, r)
		if err != nil {
			return err
		}
		named := *f
		named.Grid = g
		f = &named
	}
	if strings.Contains(marksOf(f), logStart) {
		text, err := f.Text(r)
		if err != nil {
			return err
		}
		log := *f
		log.Grid = logOf(text)
		f = &log
	}
	s, err := tables.Rectangle().Read([]*tables.File{f}, r)
	if err != nil {
		return err
	}
	if out.Read.Separator == "" {
		out.Read = s.Read
	}
	var to []int
	for _, h := range s.Header {
		i := slices.Index(t.header, h)
		if i < 0 {
			i = len(t.header)
			t.header = append(t.header, h)
		}
		to = append(to, i)
	}
	for row, err := range s.Each {
		if err != nil {
			return err
		}
		cells := make([]string, len(t.header))
		for i, c := range row.Cells {
			cells[to[i]] = strings.Clone(c)
		}
		t.rows = append(t.rows, tables.Row{File: row.File, Line: row.Line, Cells: cells})
	}
	for i, r := range t.rows {
		if n := len(t.header) - len(r.Cells); n > 0 {
			t.rows[i].Cells = append(r.Cells, make([]string, n)...)
		}
	}
	return nil
}

// number names the items, and numbers the responses of each subject, and those to the same item if there are several.
func (t *sheet) number(out *tables.Source, rows []tables.Row, kept []int, m meaning) {
	subject := t.at(m.Subject...)
	position, presented := map[string]int{}, map[[2]string]int{}
	again := false
	added := make([][]string, len(rows))
	for i, r := range rows {
		who, item := r.Cells[subject], m.item(r.Cells)
		position[who]++
		presented[[2]string{who, item}]++
		n := presented[[2]string{who, item}]
		again = again || n > 1
		added[i] = []string{item, strconv.Itoa(position[who]), strconv.Itoa(n)}
	}
	out.Header = append(out.Header, itemColumn, t.free(positionColumn))
	out.Item = []string{itemColumn}
	if again {
		column := t.free(presentationColumn)
		out.Header = append(out.Header, column)
		out.Repetition = []string{column}
		out.Notes = append(out.Notes, "subjects had items several times: numbered in file order, in column "+column)
	} else {
		for i := range added {
			added[i] = added[i][:2]
		}
	}
	out.Each = each(rows, kept, added)
}

// each gives some columns of rows, and what is added to each.
func each(rows []tables.Row, kept []int, added [][]string) func(yield func(tables.Row, error) bool) {
	return func(yield func(tables.Row, error) bool) {
		for i, r := range rows {
			var cells []string
			for _, k := range kept {
				cells = append(cells, r.Cells[k])
			}
			if added != nil {
				cells = append(cells, added[i]...)
			}
			if !yield(tables.Row{File: r.File, Line: r.Line, Cells: cells}, nil) {
				return
			}
		}
	}
}

var (
	tag    = regexp.MustCompile(`<[^>]*>`)
	called = regexp.MustCompile(`\bid\s*=\s*["']?([^"'\s>]+)`)
	source = regexp.MustCompile(`src\s*=\s*["']?([^"'\s>]+)`)
)

// said returns what a stimulus shows: text without tags, or else the files of pictures or sounds, or else what a tag is called.
func said(html string) string {
	text := strings.Trim(strings.Join(strings.Fields(tag.ReplaceAllString(html, " ")), " "), `[]" `)
	if text == "" {
		files := source.FindAllStringSubmatch(html, -1)
		for _, m := range files {
			if len(files) == 1 {
				text = m[1]
			} else {
				text = strings.TrimSpace(text + " " + path.Base(m[1]))
			}
		}
		if m := called.FindStringSubmatch(html); len(files) == 0 && m != nil {
			text = m[1]
		}
	}
	if r := []rune(text); len(r) > longestSaid {
		return string(r[:longestSaid-1]) + "…"
	}
	return text
}

// longestSaid is how many characters of what a stimulus shows make an item's name.
const longestSaid = 100
