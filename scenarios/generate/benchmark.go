package generate

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strconv"
	"sync"

	"achilles/battery/bib"
	"achilles/battery/bib/format"
	"achilles/scenarios/results"
)

// A Benchmark reads episodes from files of the Baby Intuitions Benchmark.
type Benchmark struct {
	fsys   fs.FS
	folder string // name of the folder
	stems  []string
	notes  []string // about the episodes that were left out

	mu     sync.Mutex
	faults [][]format.Fault // by episode: what was corrected in it
	tasks  []bib.Task
}

// OpenBenchmark lists the episodes in fsys, the folder called folder. If skip is true, it leaves out episodes that
// cannot be read, and Notes says so.
func OpenBenchmark(ctx context.Context, fsys fs.FS, folder string, skip bool) (*Benchmark, error) {
	stems, err := format.Files(fsys)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", folder, err)
	}
	b := &Benchmark{fsys: fsys, folder: folder, stems: stems}
	if skip {
		if err := b.leaveOut(ctx); err != nil {
			return nil, err
		}
	}
	b.faults, b.tasks = make([][]format.Fault, len(b.stems)), make([]bib.Task, len(b.stems))
	return b, nil
}

// leaveOut removes from the list the episodes that cannot be read.
func (b *Benchmark) leaveOut(ctx context.Context) error {
	var good []string
	for _, stem := range b.stems {
		if err := ctx.Err(); err != nil {
			return err
		}
		if _, err := format.Open(b.fsys, b.folder, stem); err != nil {
			b.notes = append(b.notes, fmt.Sprintf("left out: %v", err))
			continue
		}
		good = append(good, stem)
	}
	b.stems = good
	return nil
}

// Session returns a Session whose items are the episodes, for observers to watch. published has published values to
// print beside ours; it may be nil.
func (b *Benchmark) Session(published json.RawMessage) (*Session, error) {
	root, err := b.digest()
	if err != nil {
		return nil, err
	}
	return &Session{Battery: bib.Battery(b.stems), Scene: b.read, Root: root, Published: published}, nil
}

// digest returns a root seed made from the names and contents of all files, so that only someone who has the files
// can compute it. With a root seed that can be guessed, anybody could compute which video of a pair is the expected
// one.
func (b *Benchmark) digest() (uint64, error) {
	h := sha256.New()
	for _, stem := range b.stems {
		for _, letter := range []string{"e", "u"} {
			f, err := b.fsys.Open(stem + letter + ".json")
			if errors.Is(err, fs.ErrNotExist) {
				continue
			}
			if err != nil {
				return 0, err
			}
			fmt.Fprintf(h, "%s%s\x00", stem, letter)
			_, err = io.Copy(h, f)
			if err = errors.Join(err, f.Close()); err != nil {
				return 0, err
			}
		}
	}
	return binary.LittleEndian.Uint64(h.Sum(nil)), nil
}

func (b *Benchmark) read(i int) (bib.Episode, error) {
	it, err := format.Open(b.fsys, b.folder, b.stems[i])
	if err != nil {
		return bib.Episode{}, results.Hinted(err, "--skip-broken leaves such episodes out")
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.faults[i], b.tasks[i] = it.Faults, it.Task
	e := it.Episode()
	e.Source = b.stems[i]
	e.Index, err = strconv.Atoi(path.Base(e.Source)[:6])
	return e, err
}

// Notes returns what was left out and, for the episodes that were read, what was corrected in each file.
func (b *Benchmark) Notes() []string {
	notes := b.notes
	for i, faults := range b.faults {
		for _, f := range faults {
			notes = append(notes, fmt.Sprintf("%s: %s", b.stems[i], f))
		}
	}
	return notes
}

// Count returns the number of episodes and the number of different tasks. tasks is right only after all episodes were
// read.
func (b *Benchmark) Count() (episodes, tasks int) {
	seen := map[bib.Task]bool{}
	for _, t := range b.tasks {
		seen[t] = true
	}
	return len(b.stems), len(seen)
}
