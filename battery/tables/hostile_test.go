package tables_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"strings"
	"testing"

	"achilles/battery/tables"
	"achilles/sim/longtest"
)

// An endless file is a gzip file of a text that repeats, made while it is read. It counts what is asked of it.
type endless struct {
	packed []byte // some megabytes of the text, which gunzip joins to one
	size   int64
	asked  int64
}

// newEndless returns a file that unpacks to head and then so many copies of part, each compressed to a thousandth.
func newEndless(t *testing.T, head, part string, copies int64) (*tables.File, *endless) {
	t.Helper()
	pack := func(s string) []byte {
		var b bytes.Buffer
		z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.WriteString(z, s)
		z.Close()
		return b.Bytes()
	}
	first, rest := pack(head), pack(part)
	e := &endless{packed: append(first, rest...), size: int64(len(first)) + copies*int64(len(rest))}
	period := int64(len(rest))
	at := func(p []byte, off int64) (int, error) {
		n := 0
		for n < len(p) && off < e.size {
			k := off
			if k >= int64(len(first)) {
				k = int64(len(first)) + (k-int64(len(first)))%period
			}
			m := copy(p[n:min(int64(len(p)), int64(n)+e.size-off)], e.packed[k:])
			n, off = n+m, off+int64(m)
		}
		e.asked += int64(n)
		if n < len(p) {
			return n, io.EOF
		}
		return n, nil
	}
	f, err := tables.NewFile("bomb.csv.gz", e.size, func() (tables.Handle, error) { return readerAt(at), nil })
	if err != nil {
		t.Fatal(err)
	}
	return f, e
}

type readerAt func(p []byte, off int64) (int, error)

func (r readerAt) ReadAt(p []byte, off int64) (int, error) { return r(p, off) }
func (readerAt) Close() error                              { return nil }

// TestBombs checks that files which unpack without end are refused after little was read of them: a row that does not end, a quotation
// that does not end, columns without end, keys without end, objects in objects without end.
func TestBombs(t *testing.T) {
	keys := func(from int) string {
		var b strings.Builder
		for i := range 1 << 14 {
			fmt.Fprintf(&b, `"k%d":1,`, from+i)
		}
		return b.String()
	}
	var many strings.Builder
	many.WriteString(`{"model":"a","item":"b","score":1,`)
	for i := range 20 {
		many.WriteString(keys(i << 14))
	}
	const most = 1 << 20 // bytes of a packed file that may be read
	for i, c := range []struct{ name, file, head, part, want string }{
		{"a row without end", "bomb.csv.gz", "model,item,score\na,b,", strings.Repeat("1", 1<<20), "a row of more than 16777216 bytes"},
		{"columns without end", "bomb.csv.gz", "model,item,score\na,b", strings.Repeat(",", 1<<20), "more than 1048576 columns"},
		{"keys without end", "bomb.jsonl.gz", many.String(), strings.Repeat(" ", 1<<20), "more than 262144 keys"},
		{"objects in objects", "bomb.jsonl.gz", `{"model":"a"}` + "\n" + `{"a":`, strings.Repeat(`{"a":`, 1<<18), "objects in objects, more than 16 deep"},
		{"lists in lists", "bomb.jsonl.gz", `{"model":"a"}` + "\n" + `{"a":`, strings.Repeat(`[`, 1<<20), "lists in lists, more than 1024 deep"},
		{"a quotation without end", "bomb.csv.gz", "model,item,score\na,b,\"", strings.Repeat("1\n", 1<<19), "a row of more than 16777216 bytes"},
		{"a header without end", "bomb.csv.gz", "model,item", strings.Repeat(",x", 1<<19), "more than 1048576 columns"},
		{"a text without end", "bomb.jsonl.gz", `{"model":"`, strings.Repeat("a", 1<<20), "a row of more than 16777216 bytes"},
		{"blank lines without end", "bomb.jsonl.gz", `{"model":"a"}`, strings.Repeat("\n", 1<<20), "a row of more than 16777216 bytes"},
	} {
		if i >= 5 && !longtest.On() {
			break
		}
		f, e := newEndless(t, c.head, c.part, 1<<20)
		f.Name = c.file
		in, _, err := tables.Open([]tables.Format{tables.Rectangle()}, []*tables.File{f}, nil, nil, tables.Reading{})
		if err == nil {
			_, err = tables.Propose(in, tables.Wishes{})
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one with %q", c.name, err, c.want)
		}
		if e.asked > most {
			t.Errorf("%s: %d bytes were read", c.name, e.asked)
		}
	}
}
