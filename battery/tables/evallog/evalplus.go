package evallog

import (
	"strings"

	"achilles/battery/tables"
)

// evalplusFormat reads the results of EvalPlus (HumanEval+, MBPP+) and of BigCodeBench: an object eval with a list of solutions for each task.
func evalplusFormat() tables.Format {
	return tables.Format{
		Name:  "EvalPlus or BigCodeBench results",
		Sniff: func(f *tables.File) bool { return strings.HasSuffix(f.Base(), "eval_results") && has(f, "eval") },
		Read:  readEvalplus,
	}
}

// An evalplusLog is results of programs that are being read.
type evalplusLog struct{ *collection }

func readEvalplus(files []*tables.File, _ tables.Reading) (*tables.Source, error) {
	c := newCollection(words{format: "EvalPlus results", subject: []string{"model"}, item: "id", repeat: "solution", metric: "metric", feature: "result"})
	names := c.called(files)
	for _, f := range files {
		runs := map[string]int32{}
		err := stream(f, func(s *scanner) error {
			return s.object(func(key string) error {
				if key != "eval" {
					return s.skip()
				}
				return s.object(func(id string) error {
					task, item, found := strings.Cut(id, "/")
					if !found {
						task, item = "", id
					}
					if _, ok := runs[task]; !ok {
						runs[task] = c.start(&run{file: f.Name, subject: []string{names[f.Name]}, task: task})
					}
					n := 0
					return s.array(func() error {
						e := &entry{item: item, repetition: n}
						n++
						return evalplusLog{c}.solution(s, runs[task], e)
					})
				})
			})
		})
		if err != nil {
			return nil, err
		}
	}
	return c.source(files)
}

// solution reads how one solution did with the tests: the original ones (base), and with those that EvalPlus adds (plus).
func (c evalplusLog) solution(s *scanner, run int32, e *entry) error {
	err := s.object(func(key string) error {
		switch key {
		case "base_status", "plus_status", "status":
			return c.status(s, strings.TrimSuffix(key, "_status"), e)
		}
		return s.skip()
	})
	if err != nil {
		return err
	}
	if len(e.scores) == 0 {
		c.note("solution", "without a status (no value)", e.item)
	}
	return c.add(run, e)
}

// status reads how a program ended its tests: pass is 1, and fail, timeout and the like are 0. Null is no score.
func (c evalplusLog) status(s *scanner, metric string, e *entry) error {
	v, err := s.value()
	if err != nil {
		return err
	}
	switch {
	case v.kind == '"' && v.text != "":
		sc := named{metric: metric}
		if v.text == "pass" || v.text == "success" {
			sc.value = 1
		}
		e.scores = append(e.scores, sc)
	case v.kind != 'n':
		if sc, ok := c.readScore(metric, v); ok {
			e.scores = append(e.scores, sc)
		}
	}
	return nil
}
