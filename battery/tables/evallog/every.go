package evallog

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"achilles/battery/tables"
)

func everyFormat() tables.Format {
	return tables.Format{Name: "Every Eval Ever", Sniff: func(f *tables.File) bool { return has(f, "schema_version", "evaluation_id") }, Read: readEvery}
}

// An everyLine is what one metric says of one sample.
type everyLine struct {
	evaluation, model, name, result, sample, hash string
	score                                         value
	failed                                        bool
	features                                      []feature
}

// An everyLog gathers the lines of samples, which may stand in any order.
type everyLog struct {
	*collection
	runs  map[string]int32        // by evaluation and its name
	found map[string]*everySample // by run, sample and name
	order []*everySample          // in order of appearance
	cells int
}

type everySample struct {
	run   int32
	entry entry
}

// readEvery reads files of instances. Files of results in aggregate have no samples, and are left out.
func readEvery(files []*tables.File, _ tables.Reading) (*tables.Source, error) {
	c := newCollection(words{
		format: "Every Eval Ever, instances", subject: []string{"model_id"},
		item: "sample_id", filter: "evaluation", metric: "metric", feature: "metadata",
	})
	l := &everyLog{collection: c, runs: map[string]int32{}, found: map[string]*everySample{}}
	for _, f := range files {
		err := with(f, func(in io.ReaderAt) error {
			s := newScanner(io.NewSectionReader(in, 0, f.Size))
			for {
				if more, err := s.next(); !more || err != nil {
					return err
				}
				if err := l.line(s, f.Name); err != nil {
					return err
				}
			}
		})
		if err != nil {
			return nil, err
		}
	}
	l.nameItems()
	for _, e := range l.order {
		if err := c.add(e.run, &e.entry); err != nil {
			return nil, err
		}
	}
	return c.source(files)
}

func (l *everyLog) line(s *scanner, file string) error {
	line := s.line
	var e everyLine
	version, aggregate := "", false
	err := s.object(func(key string) (err error) {
		switch key {
		case "schema_version":
			err = s.text(&version)
		case "evaluation_id":
			err = s.text(&e.evaluation)
		case "model_id":
			err = s.text(&e.model)
		case "evaluation_name":
			err = s.text(&e.name)
		case "evaluation_result_id":
			err = s.text(&e.result)
		case "sample_id":
			err = s.text(&e.sample)
		case "sample_hash":
			err = s.text(&e.hash)
		case "evaluation":
			err = s.object(func(key string) (err error) {
				if key != "score" {
					return s.skip()
				}
				e.score, err = s.value()
				return err
			})
		case "metadata":
			e.features, err = l.readFeatures(s, nil)
		case "error":
			var v value
			v, err = s.value()
			e.failed = v.kind != 'n' && v.kind != 0 && (v.kind != '"' || v.text != "" || v.long)
		case "evaluation_results":
			aggregate, err = true, s.skip()
		default:
			err = s.skip()
		}
		return err
	})
	if err != nil {
		return err
	}
	if aggregate && e.sample == "" {
		l.note("file", "with results in aggregate, which have no samples, left out", file)
		return nil
	}
	if !strings.HasPrefix(version, "0.") {
		l.note("line", "of schema "+short(version)+", read as 0.3", file)
	}
	s.line = line // for errors
	for _, need := range []struct{ key, value string }{{"model_id", e.model}, {"sample_id", e.sample}, {"evaluation_name", e.name}, {"evaluation_id", e.evaluation}} {
		if need.value == "" {
			return s.fault(fmt.Errorf("no %s", need.key))
		}
	}
	if err := l.keep(&e, file, line); err != nil {
		return s.fault(err)
	}
	return nil
}

// keep adds a line to its sample.
func (l *everyLog) keep(e *everyLine, file string, line int) error {
	run, err := l.runOf(e, file)
	if err != nil {
		return err
	}
	key := fmt.Sprint(run, "\x00", e.name, "\x00", e.sample)
	have := l.found[key]
	if have == nil {
		if len(l.order) == maxNames {
			return fmt.Errorf("more than %d samples", maxNames)
		}
		have = &everySample{run: run, entry: entry{item: e.sample, line: line, filter: e.name, hash: e.hash, features: e.features}}
		l.found[key], l.order = have, append(l.order, have)
	}
	metric := e.result
	if metric == "" {
		metric = "score"
	}
	switch sc, ok := l.readScore(metric, e.score); {
	case e.failed && (!ok || sc.value == 0):
		l.note("line", "with an error (no value, not 0)", e.sample)
	case !ok:
		l.note("line", "without a score (no value)", e.sample)
	default:
		for _, other := range have.entry.scores {
			if other.metric == metric {
				return fmt.Errorf("%s has a second score by %s; the first is in line %d or below", e.sample, metric, have.entry.line)
			}
		}
		have.entry.scores = append(have.entry.scores, sc)
		if l.cells++; l.cells > maxScores {
			return errors.New("too many scores: import fewer files at a time")
		}
	}
	return nil
}

// nameItems names items after their samples. Where samples of one name have different questions in different evaluations, as parts of a
// benchmark number them anew, the evaluation comes first. An evaluation that has the same question, as a total beside its parts, counts as
// the same one: which of the two is meant must be chosen.
func (l *everyLog) nameItems() {
	class, classes := map[string]string{}, map[string]int{} // of an evaluation or a hash, for a task and sample
	several := map[string]bool{}
	of := func(e *everySample, by string) string { return l.task(e) + "\x00" + e.entry.item + "\x00" + by }
	for _, e := range l.order {
		name, hash := of(e, "name "+e.entry.filter), of(e, "hash "+e.entry.hash)
		if class[name] == "" && e.entry.hash != "" {
			class[name] = class[hash]
		}
		if class[name] == "" {
			class[name] = e.entry.filter
			classes[of(e, "")]++
			several[l.task(e)] = several[l.task(e)] || classes[of(e, "")] > 1
		}
		class[hash] = class[name]
	}
	for _, e := range l.order {
		if several[l.task(e)] {
			e.entry.item = class[of(e, "name "+e.entry.filter)] + "/" + e.entry.item
		}
	}
}

func (l *everyLog) task(e *everySample) string { return l.collection.runs[e.run].task }

// runOf returns the run of a line. Its time is the last part of the evaluation's id, and what stands before the model in it says whose
// samples they are.
func (l *everyLog) runOf(e *everyLine, file string) (int32, error) {
	key := e.evaluation + "\x00" + e.model
	if r, ok := l.runs[key]; ok {
		return r, nil
	}
	if len(l.runs) == maxMetrics*16 {
		return 0, fmt.Errorf("more than %d evaluations", len(l.runs))
	}
	r := &run{file: file, subject: []string{e.model}, task: e.name}
	if parts := strings.Split(e.evaluation, "/"); len(parts) > 2 {
		r.task = strings.Join(parts[:len(parts)-2], "/")
		if seconds, err := strconv.ParseFloat(parts[len(parts)-1], 64); err == nil && seconds > 0 && seconds < 1<<33 {
			r.created = int64(seconds * 1e9)
		}
	}
	id := l.start(r)
	l.runs[strings.Clone(key)] = id
	return id, nil
}
