package record_test

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"strings"
	"testing"

	"achilles/sim/longtest"
	"achilles/sim/record"
)

// TestResponsesDoNotWait checks that responses are handed on to their table while they are given, long before a row group is full.
func TestResponsesDoNotWait(t *testing.T) {
	d := sample(1, 2, 2000)
	most, err := record.MostWaiting(d)
	if err != nil {
		t.Fatal(err)
	}
	if n := d.Responses.Len(); most >= n || most > 1<<16 {
		t.Errorf("%d of %d responses wait", most, n)
	}
}

// TestWaitingMemory limits the memory that a response takes while its row group is not full.
func TestWaitingMemory(t *testing.T) {
	longtest.Only(t, "measures the heap")
	d := sampleOf(1, 1, 20_000, 1)
	d.Reasons = d.Reasons[:1]
	const n = 10
	var used []float64 // after each 100,000 responses
	rows := &record.Rows{Each: func(yield func([]record.Response, error) bool) {
		d.Responses = record.Responses{}
		block := make([]record.Response, n)
		for item := range int32(d.Items.Len()) {
			for k := range block {
				block[k] = record.Response{Item: item, Repetition: int16(k), Position: item*n + int32(k) + 1}
			}
			if !yield(block, nil) {
				return
			}
			if item%10_000 == 9999 {
				used = append(used, inUse())
			}
		}
	}}
	err := record.Write(d, rows, func(string) (io.WriteCloser, error) { return new(buffer), nil })
	if err != nil {
		t.Fatal(err)
	}
	if each := (used[1] - used[0]) / 100_000; each > 30 {
		t.Errorf("%.0f bytes of each response are in use", each)
	}
}

// TestItemsInParts checks that items that are made in parts give the bytes of those that are there as a whole, and that an error names
// the row in the table.
func TestItemsInParts(t *testing.T) {
	encode := func(change func(part *record.Items, from int), parts bool) (map[string][]byte, error) {
		d := sampleOf(3, 1, 9000, 1)
		all := d.Items
		if parts {
			d.Items = record.Items{ID: all.ID, Make: func(from, n int) (*record.Items, error) {
				out := &record.Items{ID: all.ID[from:][:n], Suite: all.Suite[from:][:n], Paradigm: all.Paradigm[from:][:n], Task: all.Task[from:][:n]}
				rows := make([]int, n)
				for k := range rows {
					rows[k] = from + k
				}
				for k := range all.Columns {
					out.Columns = append(out.Columns, all.Columns[k].Rows(rows))
				}
				change(out, from)
				return out, nil
			}}
		}
		return record.Encode(d)
	}
	want, err := encode(nil, false)
	if err != nil {
		t.Fatal(err)
	}
	got, err := encode(func(*record.Items, int) {}, true)
	if err != nil || !maps.EqualFunc(got, want, bytes.Equal) {
		t.Errorf("parts give other bytes than the whole: %v", err)
	}
	for want, change := range map[string]func(part *record.Items){
		"row 8500: item i-": func(part *record.Items) { part.Columns[0].Number[8499%4096] = 11 },
		"differ in length":  func(part *record.Items) { part.Task = part.Task[1:] },
		"2 feature columns": func(part *record.Items) { part.Columns = part.Columns[1:] },
	} {
		_, err := encode(func(part *record.Items, from int) {
			if from == 8192 {
				change(part)
			}
		}, true)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v does not say %q", err, want)
		}
	}
}

// A tally counts what waits in its buffers.
type tally struct{ bytes, buffers int }

func (s *tally) GetBuffer() io.ReadWriteSeeker {
	s.buffers++
	return &tallied{tally: s}
}

func (s *tally) PutBuffer(io.ReadWriteSeeker) { s.buffers-- }

type tallied struct {
	bytes.Buffer
	*tally
}

func (b *tallied) Write(p []byte) (int, error) {
	b.tally.bytes += len(p)
	return b.Buffer.Write(p)
}

// Seek implements io.Seeker for a buffer that is written and then read once.
func (b *tallied) Seek(offset int64, whence int) (int64, error) {
	if offset != 0 || whence != io.SeekStart {
		return 0, fmt.Errorf("seek to %d", offset)
	}
	return 0, nil
}

// TestIndexWaitsInScratch checks that the columns of the index wait where they are told to, and that this changes no byte.
func TestIndexWaitsInScratch(t *testing.T) {
	all := brief(someTrajectories(5, 9000))
	want, _ := writeTrajectories(t, all)
	files := map[string]*buffer{}
	w := record.NewTrajectoryWriter(func(path string) (io.WriteCloser, error) {
		files[path] = new(buffer)
		return files[path], nil
	})
	scratch := new(tally)
	w.Scratch = scratch
	for _, tr := range all {
		if err := w.Write(tr); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := w.Close(); err != nil {
		t.Fatal(err)
	}
	for path, b := range files {
		if !bytes.Equal(b.Bytes(), want[path]) {
			t.Errorf("%s differs", path)
		}
	}
	if n := len(want["trajectories/index.parquet"]); scratch.bytes < n/2 || scratch.buffers != 0 {
		t.Errorf("%d bytes waited in the scratch for an index of %d; %d buffers were not freed", scratch.bytes, n, scratch.buffers)
	}
}
