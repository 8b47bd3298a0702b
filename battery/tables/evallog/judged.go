package evallog

import (
	"fmt"

	"achilles/battery/tables"
)

// judgedFormat reads the judgments of MT-Bench, of one answer each: from 1 to 10, and −1 where the judge gave none.
func judgedFormat() tables.Format {
	return tables.Format{Name: "MT-Bench judgments", Sniff: func(f *tables.File) bool { return has(f, "question_id", "model", "judge") }, Read: readJudged}
}

func readJudged(files []*tables.File, _ tables.Reading) (*tables.Source, error) {
	c := newCollection(words{format: "MT-Bench judgments", subject: []string{"model"}, item: "question_id", filter: "judge", metric: "metric", feature: "question"})
	runs := map[[2]string]int32{}
	for _, f := range files {
		err := records(f, func(s *scanner, number int) error {
			e := entry{line: number}
			var model, turn, judge string
			var grade value
			err := s.object(func(key string) (err error) {
				switch key {
				case "question_id":
					return s.text(&e.item)
				case "model":
					return s.text(&model)
				case "turn":
					return s.text(&turn)
				case "judge":
					judge, err = judgeOf(s)
					return err
				case "score":
					grade, err = s.value()
					return err
				case "g1_winner", "winner":
					return s.fault(fmt.Errorf("a judgment of a pair of answers: give the file of single judgments, such as gpt-4_single.jsonl"))
				}
				return s.skip()
			})
			if err != nil {
				return err
			}
			if e.item == "" || model == "" {
				return s.fault(fmt.Errorf("no question_id or no model"))
			}
			switch sc, ok := c.readScore("score", grade); {
			case ok && sc.value == -1:
				c.note("judgment", "of -1, which is none (no value)", model+", question "+e.item)
			case ok:
				e.scores = append(e.scores, sc)
			default:
				c.note("judgment", "without a score (no value)", model+", question "+e.item)
			}
			e.filter = judge
			key := [2]string{model, turn}
			if _, ok := runs[key]; !ok {
				if len(runs) == maxMetrics*16 {
					return s.fault(fmt.Errorf("more than %d models and turns", len(runs)))
				}
				r := &run{file: f.Name, subject: []string{model}}
				if turn != "" {
					r.task = "turn " + turn
				}
				runs[key] = c.start(r)
			}
			return c.add(runs[key], &e)
		})
		if err != nil {
			return nil, err
		}
	}
	return c.source(files)
}

// judgeOf reads who judged: a model, or a list of it and of the prompt it had. The prompt goes with the turn, and says nothing of the judge.
func judgeOf(s *scanner) (name string, err error) {
	if k, err := s.peek(); err != nil || k != '[' {
		if err == nil {
			err = s.text(&name)
		}
		return name, err
	}
	n := 0
	err = s.array(func() error {
		if n++; n > 1 {
			return s.skip()
		}
		return s.text(&name)
	})
	return name, err
}
