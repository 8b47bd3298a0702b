package study

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
)

// A Storage is a file that rows are appended to. *os.File is one.
type Storage interface {
	io.ReadWriteSeeker
	Sync() error
	Truncate(size int64) error
}

// A Log keeps the rows that browsers send, one JSON object a line. A row is in the storage, and synchronised, before Append
// returns. Many goroutines may use it.
type Log struct {
	study string
	items map[string]bool // ids of the study's items

	mu   sync.Mutex
	rows map[rowKey]bool
	done map[string]*Done // by participant

	file Storage
	size int64 // of the part of the file that is whole
	in   chan *appending
	over chan struct{}
}

// A Done is what a participant has done.
type Done struct {
	Items     []string `json:"items"`     // in the order in which they were taken
	Practised string   `json:"practised"` // passed or failed; empty: not yet
	Ended     bool     `json:"-"`
}

type rowKey struct {
	participant, session string
	row                  int
}

// An appending is rows that wait to be written.
type appending struct {
	rows  []row
	lines [][]byte // as they came
	done  chan error
}

// A row is what the log reads of a row; the rest is kept as it came.
type row struct {
	Study       string `json:"study"`
	Participant string `json:"participant"`
	Session     string `json:"session"`
	Row         int    `json:"row"`
	Kind        string `json:"kind"`
	Item        string `json:"item"`
	Event       string `json:"event"`
}

// Limits of what a browser sends.
const (
	maxRow  = 1 << 17 // size of a row in bytes
	maxName = 100     // length of a name
)

// OpenLog reads the rows of a study that are in a file, and returns a log that appends more. A last row that is not whole, because
// the machine stopped while it was written, is cut off: nobody was told that it was kept. items are the ids of the study's items. The error
// names the line that is no row.
func OpenLog(file Storage, study string, items []string) (*Log, error) {
	l := &Log{study: study, items: map[string]bool{}, rows: map[rowKey]bool{}, done: map[string]*Done{}, file: file, in: make(chan *appending), over: make(chan struct{})}
	for _, id := range items {
		l.items[id] = true
	}
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	in := bufio.NewReader(file)
	for n := 1; ; n++ {
		line, err := in.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			break // line is empty, or not whole
		}
		if err != nil {
			return nil, err
		}
		r, err := l.check(bytes.TrimSuffix(line, []byte("\n")))
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		l.size += int64(len(line))
		l.keep(r)
	}
	if err := l.cut(); err != nil {
		return nil, err
	}
	go l.write()
	return l, nil
}

// cut ends the file behind its last whole row.
func (l *Log) cut() error {
	err := l.file.Truncate(l.size)
	_, sought := l.file.Seek(l.size, io.SeekStart)
	return cmp.Or(err, sought)
}

// check returns a row, or what is wrong with it.
func (l *Log) check(line []byte) (r row, err error) {
	if len(line) > maxRow {
		return r, fmt.Errorf("a row of %d bytes, more than %d", len(line), maxRow)
	}
	if err := json.Unmarshal(line, &r); err != nil {
		return r, fmt.Errorf("not a JSON object: %w", err)
	}
	switch {
	case r.Study != l.study:
		return r, fmt.Errorf("a row of the study %.20q, not of %s", r.Study, l.study)
	case r.Participant == "" || len(r.Participant) > maxName || r.Session == "" || len(r.Session) > maxName || r.Row < 1:
		return r, fmt.Errorf("a row needs participant, session and row")
	case !slices.Contains([]string{"item", "trial", "practice", "attention", "event"}, r.Kind):
		return r, fmt.Errorf("a row of the kind %.20q: want item, trial, practice, attention or event", r.Kind)
	case (r.Kind == "item" || r.Kind == "trial") && !l.items[r.Item]:
		return r, fmt.Errorf("no item %.20q is in the study", r.Item)
	}
	return r, nil
}

// keep notes that a row is there.
func (l *Log) keep(r row) {
	l.rows[rowKey{r.Participant, r.Session, r.Row}] = true
	d := l.done[r.Participant]
	if d == nil {
		d = &Done{Items: []string{}}
		l.done[r.Participant] = d
	}
	switch {
	case r.Kind == "item" && !slices.Contains(d.Items, r.Item):
		d.Items = append(d.Items, r.Item)
	case r.Event == "practice passed":
		d.Practised = "passed"
	case r.Event == "practice failed":
		d.Practised = "failed"
	case r.Event == "finished":
		d.Ended = true
	}
}

// ErrRow says that something sent is no row of the study.
var ErrRow = errors.New("not a row of this study")

// Append keeps rows, one a line. When it returns nil, all are in the storage; a row that was there before is not added again. If
// one is no row, none is kept and the error wraps ErrRow.
func (l *Log) Append(text []byte) error {
	a := &appending{done: make(chan error, 1)}
	for line := range bytes.Lines(text) {
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		r, err := l.check(line)
		if err != nil {
			return fmt.Errorf("%w: %w", ErrRow, err)
		}
		a.rows, a.lines = append(a.rows, r), append(a.lines, line)
	}
	if len(a.rows) == 0 {
		return nil
	}
	select {
	case l.in <- a:
	case <-l.over:
		return errors.New("study: the log is closed")
	}
	return <-a.done
}

// write appends what waits. Rows that wait together are synchronised together.
func (l *Log) write() {
	defer close(l.over)
	for a := range l.in {
		if a == nil {
			return
		}
		list := []*appending{a}
		var closing bool
		for more := true; more; {
			select {
			case b := <-l.in:
				if more = b != nil; more {
					list = append(list, b)
				} else {
					closing = true
				}
			default:
				more = false
			}
		}
		err := l.put(list)
		for _, b := range list {
			b.done <- err
		}
		if closing {
			return
		}
	}
}

func (l *Log) put(list []*appending) error {
	var all []byte
	var fresh []row
	batch := map[rowKey]bool{}
	for _, a := range list {
		for i, r := range a.rows {
			if key := (rowKey{r.Participant, r.Session, r.Row}); !l.rows[key] && !batch[key] { // no other goroutine changes rows
				batch[key] = true
				fresh = append(fresh, r)
				all = append(append(all, a.lines[i]...), '\n')
			}
		}
	}
	if len(fresh) == 0 {
		return nil
	}
	_, err := l.file.Write(all)
	if err == nil {
		err = l.file.Sync()
	}
	if err != nil {
		return errors.Join(err, l.cut()) // what is half there must not stand before the next row
	}
	l.size += int64(len(all))
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, r := range fresh {
		l.keep(r)
	}
	return nil
}

// Close ends the log after what waits is written. It does not close the file.
func (l *Log) Close() {
	select {
	case l.in <- nil:
		<-l.over
	case <-l.over:
	}
}

// Done returns what a participant has done before.
func (l *Log) Done(participant string) Done {
	l.mu.Lock()
	defer l.mu.Unlock()
	if d := l.done[participant]; d != nil {
		return Done{slices.Clone(d.Items), d.Practised, d.Ended}
	}
	return Done{Items: []string{}}
}

// Count returns the numbers of participants, of those who have come to the end, and of items taken.
func (l *Log) Count() (participants, ended, items int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, d := range l.done {
		participants++
		items += len(d.Items)
		if d.Ended {
			ended++
		}
	}
	return participants, ended, items
}
