package evallog

import (
	"fmt"
	"strconv"
	"strings"

	"achilles/battery/tables"
)

// opencompassFormat reads the results of OpenCompass: results/MODEL/DATASET.json with details of each question, which it writes where
// --dump-eval-details is said.
func opencompassFormat() tables.Format {
	return tables.Format{Name: "OpenCompass results", Sniff: isOpenCompass, Read: readOpenCompass}
}

func isOpenCompass(f *tables.File) (is bool) {
	if !strings.HasSuffix(f.Name, ".json") {
		return false
	}
	headKeys(f, func(s *scanner, key string) bool {
		if key != "details" {
			return s.skip() == nil
		}
		look := func() error {
			return s.object(func(key string) error {
				is = is || key == "predictions" || key == "pred" || key == "origin_prediction"
				return s.skip()
			})
		}
		if k, err := s.peek(); err == nil && k == '[' {
			_ = s.array(look)
			return false
		}
		_ = s.object(func(string) error {
			if k, err := s.peek(); err != nil || k != '{' {
				return s.skip()
			}
			return look()
		})
		return false
	})
	return is
}

// An opencompassLog is results that are being read.
type opencompassLog struct{ *collection }

func readOpenCompass(files []*tables.File, _ tables.Reading) (*tables.Source, error) {
	c := opencompassLog{newCollection(words{format: "OpenCompass results", subject: []string{"model"}, item: "question", metric: "metric", feature: "question"})}
	for _, f := range files {
		model := folder(f)
		if model == "." || model == "/" || model == ".." {
			return nil, fmt.Errorf("%s: OpenCompass names the folder of a model's results as the model: name that folder, or the one above", f.Name)
		}
		id := c.start(&run{file: f.Name, subject: []string{model}, task: f.Base()})
		err := stream(f, func(s *scanner) error {
			return s.object(func(key string) error {
				if key != "details" {
					return s.skip()
				}
				return c.details(s, id)
			})
		})
		if err != nil {
			return nil, err
		}
	}
	return c.source(files)
}

// details reads the questions: an object with their numbers as keys, or a list.
func (c opencompassLog) details(s *scanner, run int32) error {
	k, err := s.peek()
	if err != nil {
		return err
	}
	if k == '[' {
		n := 0
		return s.array(func() error {
			n++
			return c.question(s, run, strconv.Itoa(n-1), n)
		})
	}
	n := 0
	return s.object(func(key string) error {
		if k, err := s.peek(); err != nil || k != '{' {
			if err != nil {
				return err
			}
			return s.skip() // such as the type
		}
		n++
		return c.question(s, run, strings.Clone(key), n)
	})
}

// question reads one question: whether the answer is correct, which some datasets have in a list of one, or a score.
func (c opencompassLog) question(s *scanner, run int32, id string, number int) error {
	e := entry{item: id, line: number}
	one := func(metric string) error {
		if k, err := s.peek(); err == nil && k == '[' {
			return s.array(func() error {
				if len(e.scores) > 0 {
					return s.skip()
				}
				return c.addScore(s, metric, &e)
			})
		}
		return c.addScore(s, metric, &e)
	}
	err := s.object(func(key string) error {
		switch key {
		case "correct", "is_correct", "cascade_correct":
			return one("correct")
		case "score":
			return one("score")
		}
		return s.skip()
	})
	if err != nil {
		return err
	}
	if len(e.scores) == 0 {
		c.note("question", "without a score (no value)", e.item)
	}
	return c.add(run, &e)
}
