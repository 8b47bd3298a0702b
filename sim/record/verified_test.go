package record_test

import (
	"io"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"achilles/sim/record"
)

// A changing file system changes a byte of a file after it was read once from its start to its end.
type changing struct {
	fs.FS
	path    string
	at      int64
	changed *bool
}

func (c changing) Open(name string) (fs.File, error) {
	f, err := c.FS.Open(name)
	if err != nil || name != c.path {
		return f, err
	}
	return &changingFile{f, c}, nil
}

type changingFile struct {
	fs.File
	c changing
}

func (f *changingFile) ReadAt(p []byte, at int64) (int, error) {
	n, err := f.File.(io.ReaderAt).ReadAt(p, at)
	if i := f.c.at - at; i >= 0 && i < int64(n) {
		p[i]++
		*f.c.changed = true
	}
	return n, err
}

// TestChangedWhileRead checks that a table that changes after its digest was verified is refused, whichever byte it is.
func TestChangedWhileRead(t *testing.T) {
	files := encode(t, sample(3, 1, 2000))
	size := int64(len(files["responses.parquet"]))
	if size < 1<<17 {
		t.Fatalf("the table has %d bytes: too few for several blocks", size)
	}
	for _, at := range []int64{0, 1<<16 - 1, 1 << 16, size/2 + 1, size - 1} {
		changed := false
		_, err := record.Read(changing{mapFS(files), "responses.parquet", at, &changed})
		if !changed || err == nil || !strings.Contains(err.Error(), "responses.parquet: ") || !strings.Contains(err.Error(), "changed while it was read") {
			t.Errorf("byte %d of %d: changed %t, error %v", at, size, changed, err)
		}
	}
	if _, err := record.Read(mapFS(files)); err != nil {
		t.Error(err)
	}
}

// streams is a file system whose files can only be read from their start.
type streams struct{ fstest.MapFS }

func (s streams) Open(name string) (fs.File, error) {
	f, err := s.MapFS.Open(name)
	return struct{ fs.File }{f}, err
}

// TestStreams checks that files which can only be read from their start are read, too.
func TestStreams(t *testing.T) {
	if _, err := record.Read(streams{mapFS(encode(t, sample(3, 2, 30)))}); err != nil {
		t.Error(err)
	}
}
