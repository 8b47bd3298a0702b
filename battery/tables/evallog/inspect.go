package evallog

import (
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"
	"time"

	"achilles/battery/tables"
)

// Limits of a zip archive.
const (
	maxDirectory = 1 << 25   // bytes of its directory, of some 700,000 entries
	maxWindow    = 128 << 20 // of an entry in zstandard
	maxRatio     = 1000      // an entry may unpack to so many times its size
	packedSlack  = 1 << 24   // and so many bytes beyond that
)

func inspectFormat() tables.Format {
	return tables.Format{Name: "Inspect log", Sniff: func(f *tables.File) bool { return isArchive(f) || isInspect(f) || isListing(f) }, Read: readInspect}
}

// isInspect reports whether a file is a log in JSON: an object with an evaluation, which has a task.
func isInspect(f *tables.File) (yes bool) {
	headKeys(f, func(s *scanner, key string) bool {
		if c, err := s.peek(); key != "eval" || err != nil || c != '{' {
			return s.skip() == nil
		}
		found := 0
		_ = s.object(func(key string) error {
			switch key {
			case "task", "created", "run_id", "model":
				found++
			}
			if yes = found >= 2; yes {
				return io.EOF
			}
			return s.skip()
		})
		return false
	})
	return yes
}

// isListing reports whether a file lists the logs of a folder, and has no samples.
func isListing(f *tables.File) bool {
	return slices.Contains([]string{"logs.json", "listing.json", "eval-set.json"}, path.Base(f.Name)) && !isInspect(f)
}

// An inspectLog is a log that is being read.
type inspectLog struct {
	*collection
	file        string
	run         int32 // −1 until the evaluation was read
	invalidated bool  // some samples were declared invalid
}

func readInspect(files []*tables.File, _ tables.Reading) (*tables.Source, error) {
	c := newCollection(words{
		format: "Inspect log", subject: []string{"model", "solver", "task_args", "model_args"},
		item: "id", repeat: "epoch", metric: "scorer", feature: "metadata",
	})
	for _, f := range files {
		if isListing(f) {
			c.note("file", "that lists logs and has no samples, left out", f.Name)
			continue
		}
		l := &inspectLog{collection: c, file: f.Name, run: -1}
		read := l.json
		if isArchive(f) {
			read = l.zip
		}
		if err := with(f, func(in io.ReaderAt) error { return read(in, f.Size) }); err != nil {
			return nil, err
		}
	}
	return c.source(files)
}

// json reads a log in JSON. The evaluation comes before the samples in what Inspect writes; if it does not, the file is read twice.
func (l *inspectLog) json(in io.ReaderAt, size int64) error {
	for first := true; ; first = false {
		s := newScanner(io.NewSectionReader(in, 0, size))
		found, later := false, false
		err := s.object(func(key string) error {
			if key == "samples" {
				if found = true; l.run < 0 {
					later = true
					return s.skip()
				}
				return l.samples(s, nil)
			}
			if !first {
				return s.skip()
			}
			return l.headerKey(s, key)
		})
		if err == nil {
			err = s.ends()
		}
		switch {
		case err != nil:
			return err
		case l.run < 0:
			return errors.New("no evaluation (eval) is in the log")
		case later:
			continue
		case !found:
			l.note("log", "without samples (a header only)", l.file)
		}
		return nil
	}
}

func (l *inspectLog) header(s *scanner) error {
	if err := s.object(func(key string) error { return l.headerKey(s, key) }); err != nil {
		return err
	}
	if l.run < 0 {
		return errors.New("no evaluation (eval) is in the header")
	}
	return nil
}

// headerKey reads the value of a key of a log, other than its samples.
func (l *inspectLog) headerKey(s *scanner, key string) error {
	switch key {
	case "eval":
		return l.eval(s)
	case "version":
		v, err := s.value()
		if err == nil && v.num > 3 {
			l.note("log", "of a version later than 3, read as if it were 3", l.file)
		}
		return err
	case "status":
		v, err := s.value()
		if err == nil && v.text != "success" && v.text != "" {
			l.note("log", fmt.Sprintf("with status %s: the samples that it has count", short(v.text)), l.file)
		}
		return err
	case "invalidated":
		v, err := s.value()
		l.invalidated = v.kind == 'b' && v.num == 1
		return err
	}
	return s.skip()
}

// eval reads what an evaluation is.
func (l *inspectLog) eval(s *scanner) error {
	r := &run{file: l.file, subject: make([]string, len(l.subject))}
	solver, args := "", ""
	err := s.object(func(key string) (err error) {
		switch key {
		case "task":
			err = s.text(&r.task)
		case "task_id":
			err = s.text(&r.retry)
		case "model":
			err = s.text(&r.subject[0])
		case "solver":
			err = s.text(&solver)
		case "solver_args":
			args, err = s.raw()
		case "task_args":
			r.subject[2], err = s.raw()
		case "model_args":
			r.subject[3], err = s.raw()
		case "created":
			var text string
			if err = s.text(&text); err == nil {
				r.created = instant(text)
			}
		default:
			err = s.skip()
		}
		return err
	})
	if err != nil {
		return err
	}
	for name, value := range map[string]string{"task": r.task, "model": r.subject[0]} {
		if value == "" {
			return fmt.Errorf("the evaluation has no %s", name)
		}
	}
	r.subject[1] = strings.TrimSpace(solver + " " + args)
	l.run = l.start(r)
	return nil
}

// instant returns a time in nanoseconds since 1970, and 0 if it cannot be read.
func instant(text string) int64 {
	for _, form := range []string{time.RFC3339Nano, "2006-01-02T15:04:05"} {
		if t, err := time.Parse(form, text); err == nil {
			return t.UnixNano()
		}
	}
	return 0
}

// samples reads a list of samples, or of summaries of them.
func (l *inspectLog) samples(s *scanner, check func(e *inspectSample) error) error {
	n := 0
	return s.array(func() error {
		n++
		e := inspectSample{entry: entry{line: n}}
		if err := l.sample(s, &e); err != nil {
			return err
		}
		if check != nil {
			return check(&e)
		}
		return l.keep(&e)
	})
}

// An inspectSample is a sample of a log, or its summary.
type inspectSample struct {
	entry
	described                            bool // metadata are there, be they empty
	failed, limited, invalid, unfinished bool
}

func (l *inspectLog) sample(s *scanner, e *inspectSample) error {
	there := func() (bool, error) {
		c, err := s.peek()
		if err != nil {
			return false, err
		}
		return c != 'n', s.skip()
	}
	return s.object(func(key string) (err error) {
		switch key {
		case "id":
			err = s.text(&e.item)
		case "epoch":
			var v value
			if v, err = s.value(); err == nil {
				e.repetition, err = whole(v)
			}
		case "scores":
			err = l.scored(s, e)
		case "metadata":
			e.described = true
			e.features, err = l.readFeatures(s, e.features[:0])
		case "error":
			e.failed, err = there()
		case "limit":
			e.limited, err = there()
		case "invalidation":
			e.invalid, err = there()
		case "completed":
			var v value
			v, err = s.value()
			e.unfinished = v.kind == 'b' && v.num == 0
		default:
			err = s.skip()
		}
		return err
	})
}

// whole returns a whole number from 0.
func whole(v value) (int, error) {
	if n := int(v.num); v.kind == '0' && float64(n) == v.num && n >= 0 && n < 1<<31 {
		return n, nil
	}
	return 0, fmt.Errorf("%q is not a whole number", short(v.text))
}

// scored reads the scores of a sample. A score with parts is one score for each.
func (l *inspectLog) scored(s *scanner, e *inspectSample) error {
	if c, err := s.peek(); err != nil {
		return err
	} else if c != '{' {
		return s.skip()
	}
	e.scores = e.scores[:0]
	add := func(metric string) error { return l.addScore(s, metric, &e.entry) }
	return s.object(func(scorer string) error {
		if c, err := s.peek(); err != nil {
			return err
		} else if c != '{' {
			return add(scorer)
		}
		return s.object(func(key string) error {
			c, err := s.peek()
			switch {
			case err != nil:
				return err
			case key != "value":
				return s.skip()
			case c == '{':
				return s.object(func(part string) error { return add(scorer + "." + part) })
			}
			return add(scorer)
		})
	})
}

// keep adds a sample, and notes what is odd about it.
func (l *inspectLog) keep(e *inspectSample) error {
	if e.item == "" {
		return errors.New("a sample has no id")
	}
	name := l.runs[l.run].task + "/" + e.item
	switch {
	case e.invalid:
		l.note("sample", "declared invalid (no value)", name)
		e.scores = nil
	case len(e.scores) > 0 && e.limited:
		l.note("sample", "stopped by a limit, with a score all the same", name)
	case len(e.scores) > 0:
	case e.failed:
		l.note("sample", "stopped by an error, without a score (no value)", name)
	case e.unfinished:
		l.note("sample", "not finished (no value)", name)
	default:
		l.note("sample", "without a score (no value)", name)
	}
	return l.add(l.run, &e.entry)
}
