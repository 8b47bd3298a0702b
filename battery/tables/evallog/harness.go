package evallog

import (
	"cmp"
	"fmt"
	"io"
	"path"
	"regexp"
	"strconv"
	"strings"

	"achilles/battery/tables"
)

func harnessFormat() tables.Format {
	return tables.Format{
		Name:  "lm-evaluation-harness samples",
		Sniff: func(f *tables.File) bool { return isHarness(f) || isHarnessResults(f) },
		Read:  readHarness,
	}
}

func isHarness(f *tables.File) bool {
	return has(f, "doc_id", "doc") && (strings.HasPrefix(path.Base(f.Name), "samples_") || has(f, "doc_id", "filtered_resps") || has(f, "doc_id", "doc_hash"))
}

// isHarnessResults reports whether a file has the results of a run, of which the name of the model is needed.
func isHarnessResults(f *tables.File) bool {
	if !strings.HasPrefix(path.Base(f.Name), "results") || !strings.HasSuffix(f.Name, ".json") {
		return false
	}
	return has(f, "results") && !has(f, "config_general")
}

// stamp is the time in the names of files: of samples_demo_2026-11-01T10-00-00.000000.jsonl, 2026-11-01T10-00-00.000000.
var stamp = regexp.MustCompile(`_(\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d(?:\.\d+)?)$`)

// stamped returns the parts of a file's name: what stands before the time, and the time.
func stamped(f *tables.File) (before, at string) {
	name := strings.TrimSuffix(strings.TrimSuffix(strings.TrimSuffix(path.Base(f.Name), ".jsonl"), ".json"), ".parquet")
	if m := stamp.FindStringSubmatchIndex(name); m != nil {
		return name[:m[0]], name[m[2]:m[3]]
	}
	return name, ""
}

// stampTime returns a time in a file's name in nanoseconds since 1970.
func stampTime(at string) int64 {
	day, clock, _ := strings.Cut(at, "T")
	return instant(day + "T" + strings.ReplaceAll(clock, "-", ":"))
}

func readHarness(files []*tables.File, _ tables.Reading) (*tables.Source, error) {
	c := newCollection(words{
		format: "lm-evaluation-harness samples", subject: []string{"model", "model_args"},
		item: "doc_id", filter: "filter", metric: "metric", feature: "doc",
	})
	var samples, results []*tables.File
	for _, f := range files {
		if isHarness(f) {
			samples = append(samples, f)
		} else {
			results = append(results, f)
		}
	}
	if len(samples) == 0 {
		return nil, fmt.Errorf("%s: results without samples: name the folder that has samples_*.jsonl, which --log_samples writes", files[0].Name)
	}
	for _, f := range samples {
		r, err := c.harnessRun(f, beside(results, f))
		if err != nil {
			return nil, err
		}
		id := c.start(r)
		l := &harnessLog{collection: c, times: map[string]int{}}
		err = with(f, func(in io.ReaderAt) error {
			s := newScanner(io.NewSectionReader(in, 0, f.Size))
			for {
				if more, err := s.next(); !more || err != nil {
					return err
				}
				e := &entry{line: s.line}
				if err := l.line(s, e); err != nil {
					return err
				}
				if err := c.add(id, e); err != nil {
					return s.fault(err)
				}
			}
		})
		if err != nil {
			return nil, err
		}
	}
	return c.source(samples)
}

// harnessRun returns the run of a file of samples: the task and the time are in its name, the model in the results of the same time, or
// else in the folder's name.
func (c *collection) harnessRun(f *tables.File, results []*tables.File) (*run, error) {
	task, at := stamped(f)
	r := &run{file: f.Name, subject: make([]string, 2), task: strings.TrimPrefix(task, "samples_"), created: stampTime(at)}
	for _, g := range results {
		if _, when := stamped(g); when != at && len(results) > 1 {
			continue
		}
		err := stream(g, func(s *scanner) error {
			return s.object(func(key string) (err error) {
				switch key {
				case "model_name":
					err = s.text(&r.subject[0])
				case "config":
					err = s.object(func(key string) (err error) {
						if key == "model_args" {
							r.subject[1], err = s.raw()
							return err
						}
						return s.skip()
					})
				default:
					err = s.skip()
				}
				return err
			})
		})
		if err != nil {
			return nil, err
		}
	}
	if r.subject[0] == "" {
		folder := path.Base(path.Dir(f.Name))
		r.subject[0] = strings.Replace(folder, "__", "/", 1)
		if folder == "." || folder == "/" {
			r.subject[0] = cmp.Or(task, "samples")
			c.note("file", "without the model's name, which results_*.json beside it or its folder have: its subject is called after it; name the folder instead", f.Name)
		}
	}
	return r, nil
}

// A harnessLog is a file of samples that is being read.
type harnessLog struct {
	*collection
	times map[string]int // documents without a filter: how often they were there
}

// line reads a sample: what one filter made of the answers to one document.
func (l *harnessLog) line(s *scanner, e *entry) error {
	filtered, document := false, false
	err := s.object(func(key string) (err error) {
		switch key {
		case "doc_id":
			document = true
			err = s.text(&e.item)
		case "doc":
			e.features, err = l.readFeatures(s, nil)
		case "filter":
			filtered = true
			err = s.text(&e.filter)
		case "doc_hash":
			err = s.text(&e.hash)
		case "target", "arguments", "resps", "filtered_resps", "metrics", "prompt_hash", "target_hash", "input", "task_name":
			err = s.skip()
		default:
			var v value
			if v, err = s.value(); err == nil {
				l.metric(key, v, e)
			}
		}
		if len(e.scores) > maxMetrics {
			return fmt.Errorf("more than %d metrics", maxMetrics)
		}
		return err
	})
	if err != nil {
		return err
	}
	if !document || e.item == "" {
		return s.fault(fmt.Errorf("no doc_id"))
	}
	if len(e.scores) == 0 {
		l.note("sample", "without a score (no value)", e.item)
	}
	if !filtered { // before 2025, the lines of a second filter follow without a word
		l.times[strings.Clone(e.item)]++
		e.filter = strconv.Itoa(l.times[e.item])
		if e.filter == "2" {
			l.note("document", "repeated without a filter's name: filters are called 1, 2 … in their order", e.item)
		}
	}
	return nil
}

// metric takes a number for a metric. What has more than one value belongs to the whole task.
func (l *harnessLog) metric(key string, v value, e *entry) {
	switch v.kind {
	case '0', 'b', 'n':
		if sc, ok := l.readScore(key, v); ok {
			e.scores = append(e.scores, sc)
		}
	case '[', '{':
		l.note("value", fmt.Sprintf("of %s, which is a list or an object and not a score of one document, left out", key), e.item)
	default:
		l.note("value", fmt.Sprintf("of %s, which is a text and not a score, left out", key), e.item)
	}
}
