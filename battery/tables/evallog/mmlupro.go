package evallog

import (
	"fmt"
	"path"
	"strings"

	"achilles/battery/tables"
)

// mmluproFormat reads what the scripts of MMLU-Pro write: a list of a category's questions with the right letter and the letter that was found in the
// model's answer. An answer without a letter is 0; the scripts guess at random there.
func mmluproFormat() tables.Format {
	return tables.Format{Name: "MMLU-Pro results", Sniff: func(f *tables.File) bool { return firstHas(f, "question_id", "answer_index", "pred") }, Read: readMMLUPro}
}

func readMMLUPro(files []*tables.File, _ tables.Reading) (*tables.Source, error) {
	c := newCollection(words{format: "MMLU-Pro results", subject: []string{"model"}, item: "question_id", metric: "metric", feature: "question"})
	names := map[string]string{}
	for _, f := range files {
		names[f.Name] = folder(f)
		if name := names[f.Name]; name == "." || name == "/" || name == ".." {
			return nil, fmt.Errorf("%s: the file does not say which model it is of: put a model's files into a folder called as the model is, and name the folder above it", f.Name)
		}
	}
	for _, f := range files {
		runs := map[string]int32{}
		err := records(f, func(s *scanner, number int) error {
			e := entry{line: number}
			var right, chosen, category string
			err := s.object(func(key string) error {
				switch key {
				case "question_id":
					return s.text(&e.item)
				case "answer":
					return s.text(&right)
				case "pred":
					v, err := s.value()
					chosen = v.text
					return err
				case "category":
					return s.text(&category)
				}
				return s.skip()
			})
			switch {
			case err != nil:
				return err
			case e.item == "" || right == "":
				return s.fault(fmt.Errorf("question %d has no question_id or no answer", number))
			case chosen == "":
				c.note("answer", "without a letter (0; the benchmark's own score guesses one at random)", path.Join(category, e.item))
			}
			sc := named{metric: "correct"}
			if strings.EqualFold(chosen, right) {
				sc.value = 1
			}
			e.scores = []named{sc}
			if _, ok := runs[category]; !ok {
				runs[category] = c.start(&run{file: f.Name, subject: []string{names[f.Name]}, task: category})
			}
			return c.add(runs[category], &e)
		})
		if err != nil {
			return nil, err
		}
	}
	return c.source(files)
}
