package evallog

import (
	"fmt"
	"strings"

	"achilles/battery/tables"
)

// openaiFormat reads the logs of OpenAI Evals: a line that says what ran, then an event a line. The events match and metrics have scores.
func openaiFormat() tables.Format {
	return tables.Format{Name: "OpenAI Evals log", Sniff: isOpenai, Read: readOpenai}
}

func isOpenai(f *tables.File) bool {
	is := has(f, "run_id", "event_id", "sample_id")
	headKeys(f, func(s *scanner, key string) bool {
		if key != "spec" {
			return s.skip() == nil
		}
		_ = s.object(func(key string) error { // other programs have a spec, too
			is = is || key == "completion_fns"
			return s.skip()
		})
		return false
	})
	return is
}

func readOpenai(files []*tables.File, _ tables.Reading) (*tables.Source, error) {
	c := newCollection(words{format: "OpenAI Evals log", subject: []string{"completion_fn"}, item: "sample_id", repeat: "repetition", metric: "metric", feature: "event"})
	for _, f := range files {
		r := &run{file: f.Name, subject: []string{f.Base()}, task: f.Base()}
		id := c.start(r)
		times := map[string]int{}
		named := false
		err := records(f, func(s *scanner, number int) error {
			e := entry{line: number}
			kind := ""
			err := s.object(func(key string) (err error) {
				switch key {
				case "spec":
					named = true
					return spec(s, r)
				case "sample_id":
					return s.text(&e.item)
				case "type":
					return s.text(&kind)
				case "data":
					return c.event(s, &e)
				}
				return s.skip()
			})
			if err != nil || kind != "match" && kind != "metrics" {
				return err
			}
			if e.item == "" {
				return s.fault(fmt.Errorf("a score of no sample_id"))
			}
			if len(e.scores) == 0 {
				c.note("event", "match or metrics without a score (no value)", e.item)
			}
			e.repetition = times[e.item]
			times[strings.Clone(e.item)]++
			return c.add(id, &e)
		})
		if err != nil {
			return nil, err
		}
		if !named {
			c.note("file", "without its first line, which says what ran: subject and task get the name of the file", f.Name)
		}
	}
	return c.source(files)
}

// spec reads what ran.
func spec(s *scanner, r *run) error {
	return s.object(func(key string) (err error) {
		switch key {
		case "completion_fns":
			var all []string
			err = s.array(func() error {
				var name string
				if err := s.text(&name); err != nil {
					return err
				}
				all = append(all, name)
				return nil
			})
			if name := strings.Join(all, "+"); name != "" {
				r.subject[0] = name
			}
			return err
		case "base_eval":
			var name string
			if err = s.text(&name); name != "" {
				r.task = name
			}
			return err
		}
		return s.skip()
	})
}

// event reads the scores of a match (correct) or of metrics (numbers by name).
func (c *collection) event(s *scanner, e *entry) error {
	if k, err := s.peek(); err != nil || k != '{' {
		if err == nil {
			err = s.skip()
		}
		return err
	}
	return s.object(func(key string) error {
		v, err := s.value()
		if err != nil || v.kind != 'b' && v.kind != '0' {
			return err
		}
		if sc, ok := c.readScore(key, v); ok {
			e.scores = append(e.scores, sc)
		}
		if len(e.scores) > maxMetrics {
			return s.fault(fmt.Errorf("more than %d scores of one sample", maxMetrics))
		}
		return nil
	})
}
