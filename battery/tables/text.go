package tables

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/klauspost/compress/gzip"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// Limits of plain text: what a hostile file can make a reader hold, and how long it can go on.
const (
	maxRecord  = 1 << 24 // bytes of one row
	maxColumns = 1 << 20 // cells of one row
	maxText    = 1 << 34 // bytes of one file, unpacked
)

// The encodings of plain text.
const (
	utf8Text    = "utf-8"
	utf16Text   = "utf-16"
	latin1Text  = "latin-1"
	windowsText = "windows-1252"
)

// Encodings lists the encodings of plain text.
func Encodings() []string { return []string{utf8Text, utf16Text, latin1Text, windowsText} }

// A text is a file of plain text: separated cells.
type text struct {
	file   *File
	read   Reading
	header []string
	titled int  // lines of a title before the first row
	first  int  // lines before the first row: one that names the separator, or comments
	spaced bool // whether a space follows each separator
	old    bool // whether lines end with a carriage return alone, as on Macs before 2001
}

// packed reports whether the file is compressed by gzip.
func packed(f *File) bool { return bytes.HasPrefix(f.Head, []byte("\x1f\x8b")) }

// openText finds out how a file of plain text is to be read.
func openText(f *File, r Reading) (*text, error) {
	t := &text{file: f, read: r}
	head, err := t.head()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.Name, err)
	}
	if len(bytes.TrimSpace(head)) == 0 {
		return nil, fmt.Errorf("%s: the file is empty", f.Name)
	}
	if first, _, _ := bytes.Cut(head, []byte("\n")); bytes.IndexByte(first, 0) >= 0 {
		return nil, fmt.Errorf("%s: not text (it has zero bytes), and no other format that is known: save the table as CSV", f.Name)
	}
	if line, rest, ok := strings.Cut(string(head), "\n"); ok && strings.HasPrefix(line, "sep=") { // Excel's way
		t.first = 1
		if sep := strings.TrimSuffix(strings.TrimPrefix(line, "sep="), "\r"); t.read.Separator == "" {
			t.read.Separator = sep
		}
		head = []byte(rest)
	}
	comments := 0
	head, comments = uncommented(head)
	t.first += comments
	head, t.titled = untitled(head)
	t.first += t.titled
	if t.read.Separator == "" {
		t.read.Separator = separator(head)
	}
	if r, n := utf8.DecodeRuneInString(t.read.Separator); n != len(t.read.Separator) || r == '"' || r == '\n' || r == '\r' || r == utf8.RuneError {
		return nil, fmt.Errorf("%s: %q cannot separate cells: one of , ; tab | and a space", f.Name, t.read.Separator)
	}
	for row, err := range t.records() {
		if err != nil {
			return nil, err
		}
		t.header = slices.Clone(row.Cells)
		break
	}
	if t.header == nil {
		return nil, fmt.Errorf("%s: the file is empty", f.Name)
	}
	t.spaced = len(t.header) > 1 && strings.Contains(",;|", t.read.Separator) && !slices.ContainsFunc(t.header[1:], func(h string) bool { return !strings.HasPrefix(h, " ") })
	return t, t.rowNames()
}

// rowNames puts an empty name before those of the columns where the first row has one cell more than they are, as write.table of R
// writes rows with names. A line that ends with a separator has no such cell.
func (t *text) rowNames() error {
	n := 0
	for row, err := range t.records() {
		if n++; err != nil || n == 2 {
			if k := len(t.header); err == nil && k > 1 && len(row.Cells) == k+1 && strings.TrimSpace(row.Cells[k]) != "" {
				t.header = slices.Insert(t.header, 0, "")
			}
			return err
		}
	}
	return nil
}

// uncommented returns a text without the lines of comments, after #, before its first row, and how many they are. Names of columns may
// stand after # too: then there are as many as the next line has cells.
func uncommented(head []byte) (rest []byte, lines int) {
	separators := func(line []byte) int {
		return bytes.Count(line, []byte(",")) + bytes.Count(line, []byte(";")) + bytes.Count(line, []byte("\t"))
	}
	rest = head
	for bytes.HasPrefix(rest, []byte("#")) {
		line, after, more := bytes.Cut(rest, []byte("\n"))
		next, _, _ := bytes.Cut(after, []byte("\n"))
		if !more || len(bytes.TrimSpace(next)) == 0 || !bytes.HasPrefix(next, []byte("#")) && separators(next) == separators(line) {
			break
		}
		rest, lines = after, lines+1
	}
	return rest, lines
}

// mostTitle is the number of lines that a title has at most.
const mostTitle = 5

// untitled returns a text without a title: lines without anything that separates cells, or with one cell alone, before lines of three
// cells or more, and how many they are.
func untitled(head []byte) (rest []byte, lines int) {
	for _, sep := range []string{",", ";", "\t"} {
		rest := head
		for n := range mostTitle {
			line, after, more := bytes.Cut(rest, []byte("\n"))
			if cells := strings.TrimSpace(strings.Trim(strings.TrimRight(string(line), "\r"), sep)); strings.ContainsAny(cells, ",;\t|") || cells == "" && n == 0 || !more {
				if next, _, _ := bytes.Cut(after, []byte("\n")); n > 0 && bytes.Count(line, []byte(sep)) > 1 && bytes.Count(line, []byte(sep)) == bytes.Count(next, []byte(sep)) {
					return rest, n
				}
				break
			}
			rest = after
		}
	}
	return head, 0
}

// head returns the first characters of a file as UTF-8 and sets the encoding.
func (t *text) head() ([]byte, error) {
	h, err := t.file.Open()
	if err != nil {
		return nil, err
	}
	defer h.Close()
	raw := t.file.Head
	if packed(t.file) {
		z, err := gzip.NewReader(io.NewSectionReader(h, 0, t.file.Size))
		if err != nil {
			return nil, fmt.Errorf("not a readable gzip file: %w", err)
		}
		raw = make([]byte, headSize)
		n, err := io.ReadFull(z, raw)
		if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
			return nil, fmt.Errorf("not a readable gzip file: %w", err)
		}
		raw = raw[:n]
	}
	if t.read.Encoding == "" {
		t.read.Encoding = utf8Text
		if isUTF16(raw) {
			t.read.Encoding = utf16Text
		}
	}
	d, err := decoder(t.read.Encoding, raw)
	if err != nil {
		return nil, err
	}
	head := raw
	if d != nil {
		if head, err = io.ReadAll(transform.NewReader(bytes.NewReader(raw), d)); err != nil {
			return nil, err
		}
	}
	if t.old = bytes.ContainsRune(head, '\r') && !bytes.ContainsRune(head, '\n'); t.old {
		head = bytes.ReplaceAll(head, []byte("\r"), []byte("\n"))
	}
	return bytes.TrimPrefix(head, []byte(byteOrderMark)), nil
}

// newlines replaces carriage returns by line feeds.
type newlines struct{ in io.Reader }

func (r newlines) Read(p []byte) (int, error) {
	n, err := r.in.Read(p)
	for i, b := range p[:n] {
		if b == '\r' {
			p[i] = '\n'
		}
	}
	return n, err
}

const byteOrderMark = "\xef\xbb\xbf"

// isUTF16 reports whether text begins with a byte order mark of UTF-16, or is plain English in it without one.
func isUTF16(raw []byte) bool {
	if bytes.HasPrefix(raw, []byte("\xff\xfe")) || bytes.HasPrefix(raw, []byte("\xfe\xff")) {
		return true
	}
	return len(raw) >= 4 && (raw[0] != 0 && raw[1] == 0 && raw[2] != 0 && raw[3] == 0 || raw[0] == 0 && raw[1] != 0 && raw[2] == 0 && raw[3] != 0)
}

// decoder returns the transformer of an encoding to UTF-8, and nil for UTF-8.
func decoder(name string, raw []byte) (*encoding.Decoder, error) {
	switch name {
	case utf8Text:
		return nil, nil
	case utf16Text:
		order := unicode.LittleEndian
		if len(raw) >= 2 && raw[0] == 0 {
			order = unicode.BigEndian
		}
		return unicode.UTF16(order, unicode.UseBOM).NewDecoder(), nil
	case latin1Text:
		return charmap.ISO8859_1.NewDecoder(), nil
	case windowsText:
		return charmap.Windows1252.NewDecoder(), nil
	}
	return nil, fmt.Errorf("encoding %q is not one of %s", name, strings.Join(Encodings(), ", "))
}

// separator returns what separates the cells of a text: the one that cuts its first lines into the same number of cells, the
// largest if there are several; a comma if none does.
func separator(head []byte) string {
	if end := bytes.LastIndexByte(head, '\n'); end > 0 && len(head) > headSize/2 {
		head = head[:end] // the last line may be cut off
	}
	best, most := ",", 1
	for _, sep := range []string{",", ";", "\t", "|", " "} {
		if sep == " " && most > 1 {
			break // words may have spaces
		}
		r := csv.NewReader(bytes.NewReader(head))
		r.Comma, r.FieldsPerRecord, r.ReuseRecord = rune(sep[0]), -1, true
		rows, cells, same := 0, 0, true
		for range 100 {
			row, err := r.Read()
			if err != nil {
				break
			}
			if rows++; rows == 1 || rows == 2 && cells > 1 && len(row) == cells+1 { // R gives names of rows no name of a column
				cells = len(row)
			}
			same = same && len(row) == cells && (sep != " " || !slices.Contains(row, "")) && !slices.ContainsFunc(row, func(c string) bool { return c == "," || c == ";" || c == "|" })
		}
		if same && cells > most {
			best, most = sep, cells
		}
	}
	if most == 1 { // rows differ: go by the header alone
		first, _, _ := bytes.Cut(head, []byte("\n"))
		for _, sep := range []string{";", "\t", "|"} {
			if bytes.Count(first, []byte(sep)) > bytes.Count(first, []byte(best)) {
				best = sep
			}
		}
	}
	return best
}

// A rationed reader gives at most left bytes and cells separators, which whoever reads records sets again for each.
type rationed struct {
	in          io.Reader
	left, total int64
	cells       int
	separator   []byte
}

// record allows the bytes of another record.
func (r *rationed) record() { r.left, r.cells = maxRecord, maxColumns }

var (
	errLongRecord = fmt.Errorf("a row of more than %d bytes; is a quotation mark missing?", maxRecord)
	errLongText   = fmt.Errorf("more than %d bytes of text", int64(maxText))
	errWide       = fmt.Errorf("more than %d columns", maxColumns)
)

func (r *rationed) Read(p []byte) (int, error) {
	if r.left <= 0 {
		return 0, errLongRecord
	}
	if r.total <= 0 {
		return 0, errLongText
	}
	n, err := r.in.Read(p[:min(int64(len(p)), r.left, r.total)])
	r.left, r.total, r.cells = r.left-int64(n), r.total-int64(n), r.cells-bytes.Count(p[:n], r.separator)
	if r.cells < 0 {
		return 0, errWide
	}
	return n, err
}

// open returns the text as UTF-8.
func (t *text) open() (*rationed, Handle, error) {
	h, err := t.file.Open()
	if err != nil {
		return nil, nil, err
	}
	var in io.Reader = io.NewSectionReader(h, 0, t.file.Size)
	if packed(t.file) {
		if in, err = gzip.NewReader(in); err != nil {
			h.Close()
			return nil, nil, fmt.Errorf("not a readable gzip file: %w", err)
		}
	}
	d, err := decoder(t.read.Encoding, t.file.Head)
	if err != nil {
		h.Close()
		return nil, nil, err
	}
	if d != nil {
		in = transform.NewReader(in, d)
	}
	if t.old {
		in = newlines{in}
	}
	return &rationed{in: in, left: maxRecord, total: maxText, cells: maxColumns, separator: []byte(t.read.Separator)}, h, nil
}

// records gives all records with their lines, the header too.
func (t *text) records() iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		name := t.file.Name
		in, h, err := t.open()
		if err != nil {
			yield(Row{}, fmt.Errorf("%s: %w", name, err))
			return
		}
		defer h.Close()
		r := csv.NewReader(&unmarked{in: in, lines: t.first})
		r.Comma, _ = utf8.DecodeRuneInString(t.read.Separator)
		r.FieldsPerRecord, r.ReuseRecord, r.TrimLeadingSpace = -1, true, t.spaced // the number of cells is compared with the header by whoever knows it
		for {
			in.record()
			cells, err := r.Read()
			var fault *csv.ParseError
			switch {
			case errors.Is(err, io.EOF):
				return
			case errors.As(err, &fault):
				yield(Row{}, fmt.Errorf("%s:%d: column %d: %w", name, fault.Line+t.first, fault.Column, fault.Err))
				return
			case err != nil:
				yield(Row{}, fmt.Errorf("%s: %w", name, err))
				return
			}
			line, _ := r.FieldPos(0)
			for _, c := range cells {
				if !utf8.ValidString(c) && t.read.Encoding == utf8Text {
					yield(Row{}, fmt.Errorf("%s:%d: %q is not UTF-8; if it means %s, use --encoding %s", name, line+t.first, short(c), windows(c), windowsText))
					return
				}
			}
			if !yield(Row{File: name, Line: line + t.first, Cells: cells}, nil) {
				return
			}
		}
	}
}

// windows returns a cell of Windows-1252 as UTF-8, for a hint.
func windows(cell string) string {
	s, err := charmap.Windows1252.NewDecoder().String(short(cell))
	if err != nil {
		return "another word"
	}
	return fmt.Sprintf("%q", s)
}

// short returns at most 40 bytes of a cell.
func short(cell string) string { return cell[:min(len(cell), 40)] }

// An unmarked reader leaves out a byte order mark, and lines before the first row.
type unmarked struct {
	in      io.Reader
	lines   int
	started bool
}

func (u *unmarked) Read(p []byte) (int, error) {
	if u.started {
		return u.in.Read(p)
	}
	u.started = true
	var head []byte
	b := make([]byte, 1)
	for len(head) < len(byteOrderMark) {
		if _, err := io.ReadFull(u.in, b); err != nil {
			break
		}
		head = append(head, b[0])
	}
	head = bytes.TrimPrefix(head, []byte(byteOrderMark))
	for u.lines > 0 {
		if i := bytes.IndexByte(head, '\n'); i >= 0 {
			head, u.lines = head[i+1:], u.lines-1
			continue
		}
		if _, err := io.ReadFull(u.in, b); err != nil {
			return 0, io.EOF
		}
		head = append(head[:0], b[0])
	}
	if len(head) == 0 {
		return u.in.Read(p)
	}
	u.in = io.MultiReader(bytes.NewReader(head), u.in)
	return u.in.Read(p)
}
