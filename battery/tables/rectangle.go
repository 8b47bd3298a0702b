package tables

import (
	"bytes"
	"fmt"
	"iter"
	"maps"
	"path"
	"slices"
	"strings"
)

// rectangleName is the name of the format of plain tables.
const rectangleName = "table"

// Rectangle is the format of plain tables: text with separators or aligned, Parquet, JSON objects, Markdown, HTML and LaTeX, each also in
// several files with the same columns.
func Rectangle() Format {
	return Format{Name: rectangleName, Sniff: isRectangle, Read: readRectangle}
}

func isRectangle(f *File) bool {
	if f.Grid != nil || isParquet(f) || isJSON(f) || isFeather(f) || isMarkdown(f) || isHTML(f) || isLaTeX(f) {
		return true
	}
	switch path.Ext(strings.TrimSuffix(strings.ToLower(f.Name), ".gz")) {
	case ".csv", ".tsv", ".tab", ".txt", ".dat", ".prn", ".rst":
		return true
	}
	first, _, _ := bytes.Cut(f.Head, []byte("\n"))
	return path.Ext(f.Name) == "" && bytes.ContainsAny(first, ",;\t")
}

func isFeather(f *File) bool {
	return bytes.HasPrefix(f.Head, []byte("ARROW1")) || bytes.HasPrefix(f.Head, []byte("FEA1"))
}

// A sheetFile is one file of a table.
type sheetFile struct {
	file   *File
	kind   string // in words
	header []string
	read   Reading
	skip   bool // whether the first row is the header
	rows   iter.Seq2[Row, error]
	notes  []string
}

func openSheet(f *File, r Reading) (*sheetFile, error) {
	s := &sheetFile{file: f}
	switch {
	case f.Grid != nil:
		return s.grid(f.Grid, nil)
	case isFeather(f):
		return nil, fmt.Errorf("%s: a Feather (Arrow) file; save it as Parquet: df.to_parquet in pandas, write_parquet in R's arrow", f.Name)
	case isParquet(f):
		t, err := openParquet(f)
		if err != nil {
			return nil, err
		}
		s.kind, s.header, s.rows = "Parquet", t.header, t.rows()
		if len(t.lists) > 0 {
			s.notes = append(s.notes, fmt.Sprintf("%s left out, with several values per row: %s", count(len(t.lists), "column"), listed(t.lists)))
		}
	case isJSON(f):
		t, err := openObjects(f)
		if err != nil {
			return nil, err
		}
		s.kind, s.header, s.rows = "JSON objects", t.header, t.rows()
		if len(t.lists) > 0 {
			s.notes = append(s.notes, fmt.Sprintf("%s left out, which have lists: %s", count(len(t.lists), "key"), listed(slices.Sorted(maps.Keys(t.lists)))))
		}
	case isMarkdown(f):
		return s.grid(openMarkdown(f))
	case isHTML(f):
		return s.grid(openHTML(f))
	case isLaTeX(f):
		return s.grid(openLaTeX(f))
	default:
		t, err := openText(f, r)
		if err != nil {
			return nil, err
		}
		s.read = t.read
		if len(t.header) == 1 {
			if g, err := t.aligned(); g != nil || err != nil {
				return s.grid(g, err)
			}
		}
		s.kind, s.header, s.rows = "text", t.header, t.records()
		s.nameless()
		if t.titled > 0 {
			s.notes = append(s.notes, fmt.Sprintf("%s before the names of the columns left out", count(t.titled, "line")))
		}
	}
	return s, s.checkHeader()
}

// grid takes the table from a grid.
func (s *sheetFile) grid(g *Grid, err error) (*sheetFile, error) {
	if err != nil {
		return nil, err
	}
	s.kind, s.header, s.skip, s.rows, s.notes = g.Kind, g.header(), g.Header == nil, g.each(s.file.Name), slices.Clone(g.Notes)
	if s.skip {
		s.nameless()
	}
	return s, s.checkHeader()
}

// nameless gives columns numbers if the first row has no names.
func (s *sheetFile) nameless() {
	if s.skip = !allNumbers(s.header); s.skip {
		return
	}
	for i := range s.header {
		s.header[i] = unnamed(i)
	}
	s.notes = append(s.notes, "the first row has responses, not names: the columns are called column 1, column 2 …")
}

// allNumbers reports whether a first row has no names but responses: numbers or nothing, with one of them twice; its first cell may be a
// name.
func allNumbers(row []string) bool {
	seen := map[string]bool{}
	twice := false
	for i, c := range row {
		if _, ok := number(c); !ok && !missing(c) {
			if i == 0 && c != "" {
				continue
			}
			return false
		}
		twice = twice || seen[c] && c != ""
		seen[c] = true
	}
	return twice
}

// unnamed returns the name of a column that has none.
func unnamed(i int) string { return fmt.Sprint("column ", i+1) }

// checkHeader gives columns without a name one, and returns an error if two columns have the same.
func (s *sheetFile) checkHeader() error {
	column := make(map[string]bool, len(s.header))
	for i, h := range s.header {
		h = strings.TrimSpace(h)
		if s.header[i] = h; h == "" {
			h = unnamed(i)
			s.header[i] = h
		}
		if column[h] || h == fileColumn {
			return fmt.Errorf("%s: two columns are called %q; if that line is above the names of the columns, remove it (what it says about items goes into a table of items, --items)", s.file.Name, h)
		}
		column[h] = true
	}
	return nil
}

// count returns a number with a noun.
func count(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return fmt.Sprint(n, " ", noun)
}

// listed returns at most eight names, and how many there are beyond them.
func listed(names []string) string {
	if len(names) > 8 {
		return strings.Join(names[:8], ", ") + fmt.Sprintf(" and %d more", len(names)-8)
	}
	return strings.Join(names, ", ")
}

// readRectangle reads files with the same columns as one table. The last column is the name of the file.
func readRectangle(files []*File, r Reading) (*Source, error) {
	var sheets []*sheetFile
	for _, f := range files {
		s, err := openSheet(f, r)
		if err != nil {
			return nil, err
		}
		if len(sheets) > 0 && !slices.Equal(s.header, sheets[0].header) {
			return nil, fmt.Errorf("%s has other columns than %s: %s, and %s", f.Name, sheets[0].file.Name, listed(s.header), listed(sheets[0].header))
		}
		sheets = append(sheets, s)
	}
	first := sheets[0]
	out := &Source{Name: first.file.Name, Format: first.kind, Header: append(slices.Clone(first.header), fileColumn), Read: first.read, Notes: first.notes}
	if len(sheets) > 1 {
		out.Format += fmt.Sprintf(", %d files", len(sheets))
	}
	out.Known.Ignored = []string{fileColumn}
	names := fileNames(files)
	out.Each = func(yield func(Row, error) bool) {
		for i, s := range sheets {
			if !s.each(names[i], yield) {
				return
			}
		}
	}
	return out, nil
}

// fileNames returns what files are called in fileColumn: their names without folders and extensions or, if some of these are the same,
// with the folders in which they differ.
func fileNames(files []*File) (names []string) {
	seen := map[string]bool{}
	for _, f := range files {
		names = append(names, f.Base())
		seen[f.Base()] = true
	}
	if len(seen) == len(files) {
		return names
	}
	common := path.Dir(files[0].Name) + "/"
	for _, f := range files {
		for !strings.HasPrefix(f.Name, common) {
			common = common[:strings.LastIndexByte(common[:len(common)-1], '/')+1]
		}
	}
	for i, f := range files {
		names[i] = path.Join(strings.TrimPrefix(path.Dir(f.Name)+"/", common), f.Base())
	}
	return names
}

// each gives the rows of a file, and returns false if no more are wanted.
func (s *sheetFile) each(name string, yield func(Row, error) bool) bool {
	n, header := len(s.header), s.skip
	cells := make([]string, n+1)
	for row, err := range s.rows {
		if err != nil {
			yield(Row{}, err)
			return false
		}
		if header {
			header = false
			continue
		}
		for i, c := range row.Cells {
			row.Cells[i] = strings.TrimSpace(c)
		}
		if len(row.Cells) == 1 && row.Cells[0] == "" {
			continue // spaces alone
		}
		if len(row.Cells) != n {
			yield(Row{}, fmt.Errorf("%s: %d cells; the header has %d%s", row.at(), len(row.Cells), n, map[bool]string{true: "; remove what is not a row of the table", false: ""}[len(row.Cells) == 1]))
			return false
		}
		if blank(row.Cells) {
			continue
		}
		copy(cells, row.Cells)
		cells[n] = name
		row.Cells = cells
		if !yield(row, nil) {
			return false
		}
	}
	return true
}

// blank reports whether every cell of a row of several is empty, as spreadsheets leave them below a table.
func blank(cells []string) bool {
	for _, c := range cells {
		if c != "" {
			return false
		}
	}
	return len(cells) > 1
}
