package tables

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/klauspost/compress/gzip"
)

// isJSON reports whether a file has JSON objects: one a line, or a list of them.
func isJSON(f *File) bool {
	name := strings.TrimSuffix(f.Name, ".gz")
	if packed(f) {
		return strings.HasSuffix(name, ".jsonl") || strings.HasSuffix(name, ".json") || strings.HasSuffix(name, ".ndjson")
	}
	head := bytes.TrimSpace(bytes.TrimPrefix(f.Head, []byte(byteOrderMark)))
	if bytes.HasPrefix(head, []byte("[")) {
		head = bytes.TrimSpace(head[1:])
		return bytes.HasPrefix(head, []byte("{")) || bytes.HasPrefix(head, []byte("[")) && strings.HasSuffix(name, ".json")
	}
	return bytes.HasPrefix(head, []byte("{"))
}

// maxKeys is the largest number of keys that the objects of a file may have together.
const maxKeys = 1 << 18

// objects is a file of JSON objects. Its columns are their keys, and those of objects in them as path.key; lists are left out.
type objects struct {
	file   *File
	keyed  bool // whether the file is one object whose values are the objects, so that its keys are their names
	header []string
	place  map[string]int
	lists  map[string]int // keys of lists with the number of objects that have them
	within []string       // those of lists of objects, in a file with one object
}

func openObjects(f *File) (*objects, error) {
	t := &objects{file: f, place: map[string]int{}, lists: map[string]int{}}
	var err error
	if t.keyed, err = t.isKeyed(); err != nil {
		return nil, err
	}
	if t.keyed {
		t.header, t.place[""] = []string{""}, 0
	}
	all := 0
	err = t.each(func(int) error { all++; return nil }, func(key, _ string) error {
		if _, ok := t.place[key]; ok {
			return nil
		}
		if len(t.header) == maxKeys {
			return fmt.Errorf("more than %d keys", maxKeys)
		}
		t.place[key] = len(t.header)
		t.header = append(t.header, key)
		return nil
	}, func(key string) error {
		if _, ok := t.lists[key]; !ok && len(t.lists) == maxKeys {
			return fmt.Errorf("more than %d keys", maxKeys)
		}
		t.lists[key]++
		return nil
	})
	if err == nil && len(t.header) == 0 && len(t.lists) > 0 {
		err = fmt.Errorf("%s: its values are lists (%s): %s", f.Name, listed(slices.Sorted(maps.Keys(t.lists))), asObjects)
	}
	if err == nil && all == 1 && len(t.within) > 0 {
		err = fmt.Errorf("%s: one object, whose rows may be in a list (%s): write the list as a file of its own, such as by jq .%s %s > rows.json", f.Name, listed(t.within), t.within[0], path.Base(f.Name))
	}
	return t, err
}

// asObjects says what JSON is read.
const asObjects = `write an object per subject, [{"model": "m1", "q1": 1, "q2": 0}, …], or per response, [{"model": "m1", "item": "q1", "score": 1}, …]; pandas does with to_json(orient="records")`

// isKeyed reports whether a file is one object of at least two objects, whose keys with a value are the same, or most of them.
func (t *objects) isKeyed() (bool, error) {
	objects, values, plain := 0, 0, false
	rows, keys := map[string]bool{}, map[string]bool{}
	err := t.each(func(int) error {
		if objects++; objects > 1 {
			return errStop
		}
		return nil
	}, func(path, _ string) error {
		row, key, nested := strings.Cut(path, ".")
		if plain = plain || !nested; plain || len(keys) == maxKeys {
			return errStop
		}
		rows[row], keys[key], values = true, true, values+1
		return nil
	}, func(string) error { return nil })
	if err != nil && !errors.Is(err, errStop) {
		return false, err
	}
	return objects == 1 && !plain && len(rows) > 1 && 2*values >= 3*len(keys), nil
}

func (t *objects) rows() iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		cells := make([]string, len(t.header))
		err := t.each(func(line int) error {
			if !yield(Row{File: t.file.Name, Line: line, Cells: cells}, nil) {
				return errStop
			}
			clear(cells)
			return nil
		}, func(key, value string) error {
			cells[t.place[key]] = value
			return nil
		}, func(string) error { return nil })
		if err != nil && !errors.Is(err, errStop) {
			yield(Row{}, err)
		}
	}
}

// each calls value with the keys and texts of an object, list with its keys of lists, and then object.
func (t *objects) each(object func(line int) error, value func(key, text string) error, list func(key string) error) error {
	h, err := t.file.Open()
	if err != nil {
		return err
	}
	defer h.Close()
	var in io.Reader = io.NewSectionReader(h, 0, t.file.Size)
	if packed(t.file) {
		if in, err = gzip.NewReader(in); err != nil {
			return fmt.Errorf("%s: not a readable gzip file: %w", t.file.Name, err)
		}
	}
	ration := &rationed{in: in, total: maxText, separator: []byte("\x00")}
	ration.record()
	lines := &lineReader{in: bufio.NewReaderSize(ration, 1<<16)}
	d := json.NewDecoder(lines)
	d.UseNumber()
	w := &walker{d: d, value: value, list: list, rows: func(key string) {
		if !slices.Contains(t.within, key) && len(t.within) < maxValues {
			t.within = append(t.within, key)
		}
	}}
	for line := 0; ; {
		ration.record()
		token, err := d.Token()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return fmt.Errorf("%s:%d: %w", t.file.Name, lines.at(d.InputOffset()), err)
		case token == json.Delim('[') || token == json.Delim(']'):
			continue
		case token != json.Delim('{'):
			return fmt.Errorf("%s:%d: %v where an object is wanted: %s", t.file.Name, lines.at(d.InputOffset()), token, asObjects)
		}
		line = lines.at(d.InputOffset())
		if t.keyed {
			w.row = func(key string) error { return value("", key) }
			w.done = func() error { ration.record(); return object(lines.at(d.InputOffset())) }
		}
		if err := w.object("", 0); err != nil {
			if errors.Is(err, errStop) {
				return err
			}
			return fmt.Errorf("%s:%d: %w", t.file.Name, line, err)
		}
		if t.keyed {
			continue
		}
		if err := object(line); err != nil {
			return err
		}
	}
}

// A walker reads an object, and hands on its values.
type walker struct {
	d     *json.Decoder
	value func(key, text string) error
	list  func(key string) error
	rows  func(key string)       // is told of lists of objects
	row   func(key string) error // of a file whose outermost object has a row in each value: begins and ends one; else nil
	done  func() error
}

// maxDepth is how deep objects may stand in objects, and maxListDepth how deep anything may in a list.
const (
	maxDepth     = 16
	maxListDepth = 1 << 10
)

// object reads an object after its brace.
func (w *walker) object(prefix string, depth int) error {
	if depth > maxDepth {
		return fmt.Errorf("objects in objects, more than %d deep", maxDepth)
	}
	seen := map[string]bool{}
	for {
		token, err := w.d.Token()
		if err != nil {
			return noEOF(err)
		}
		if token == json.Delim('}') {
			return nil
		}
		key := prefix + fmt.Sprint(token) // a key is a text
		if seen[key] {
			return fmt.Errorf("key %q appears twice in one object", key)
		}
		seen[key] = true
		if token, err = w.d.Token(); err != nil {
			return noEOF(err)
		}
		switch v := token.(type) {
		case json.Delim:
			if v == '{' && w.row != nil && depth == 0 {
				if err = w.row(key); err == nil {
					err = w.object("", 1)
				}
				if err == nil {
					err = w.done()
				}
			} else if v == '{' {
				err = w.object(key+".", depth+1)
			} else if err = w.skip(key); err == nil {
				err = w.list(key)
			}
		case string:
			err = w.value(key, v)
		case json.Number:
			err = w.value(key, v.String())
		case bool:
			err = w.value(key, strconv.FormatBool(v))
		default: // null
			err = w.value(key, "")
		}
		if err != nil {
			return err
		}
	}
}

// skip reads the rest of a list.
func (w *walker) skip(key string) error {
	for depth, first := 1, true; depth > 0; first = false {
		token, err := w.d.Token()
		if err != nil {
			return noEOF(err)
		}
		if first && token == json.Delim('{') {
			w.rows(key)
		}
		switch token {
		case json.Delim('['), json.Delim('{'):
			if depth++; depth > maxListDepth {
				return fmt.Errorf("lists in lists, more than %d deep", maxListDepth)
			}
		case json.Delim(']'), json.Delim('}'):
			depth--
		}
	}
	return nil
}

func noEOF(err error) error {
	if errors.Is(err, io.EOF) {
		return errors.New("the text ends within an object")
	}
	return err
}

// A lineReader knows the lines of what it has read lately.
type lineReader struct {
	in     io.Reader
	offset int64   // of the next byte
	line   int     // number of line ends before ends[0]
	ends   []int64 // offsets of line ends that at has not passed yet
}

func (r *lineReader) Read(p []byte) (int, error) {
	n, err := r.in.Read(p)
	for i, b := range p[:n] {
		if b == '\n' {
			r.ends = append(r.ends, r.offset+int64(i))
		}
	}
	r.offset += int64(n)
	if n := len(r.ends) - maxEnds; n > 0 { // blank lines without end
		r.ends, r.line = r.ends[n:], r.line+n
	}
	return n, err
}

// maxEnds is how many line ends a lineReader holds.
const maxEnds = 1 << 20

// at returns the line, from 1, of the byte before an offset, which must not go back.
func (r *lineReader) at(offset int64) int {
	k := 0
	for k < len(r.ends) && r.ends[k] < offset {
		k++
	}
	r.ends, r.line = r.ends[k:], r.line+k
	return r.line + 1
}
