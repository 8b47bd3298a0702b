package evallog

import (
	"fmt"
	"strings"

	"achilles/battery/tables"
)

// livecodebenchFormat reads what LiveCodeBench writes of all problems: for each a list with the grade of every sample.
func livecodebenchFormat() tables.Format {
	return tables.Format{
		Name: "LiveCodeBench results",
		Sniff: func(f *tables.File) bool {
			return strings.HasSuffix(f.Base(), "_eval_all") && firstHas(f, "question_title")
		},
		Read: readLivecodebench,
	}
}

func readLivecodebench(files []*tables.File, _ tables.Reading) (*tables.Source, error) {
	c := newCollection(words{format: "LiveCodeBench results", subject: []string{"model"}, item: "question_id", repeat: "sample", metric: "metric", feature: "problem"})
	names := c.calledBy(files, folder, (*tables.File).Base)
	for _, f := range files {
		id := c.start(&run{file: f.Name, subject: []string{names[f.Name]}})
		err := records(f, func(s *scanner, number int) error {
			e := entry{line: number}
			var grades []named
			err := s.object(func(key string) (err error) {
				switch key {
				case "question_id":
					return s.text(&e.item)
				case "difficulty", "platform":
					e.features, err = wordOf(s, key, e.features)
					return err
				case "graded_list":
					return s.array(func() error {
						if len(grades) == maxMetrics {
							return s.fault(fmt.Errorf("more than %d samples of one problem", maxMetrics))
						}
						v, err := s.value()
						if err != nil {
							return err
						}
						if sc, ok := c.readScore("passed", v); ok {
							grades = append(grades, sc)
						}
						return nil
					})
				}
				return s.skip()
			})
			if err != nil {
				return err
			}
			if e.item == "" {
				return s.fault(fmt.Errorf("no question_id"))
			}
			if len(grades) == 0 {
				c.note("problem", "without a grade (no value)", e.item)
				return c.add(id, &e)
			}
			for n, sc := range grades {
				e.repetition, e.scores = n, []named{sc}
				if err := c.add(id, &e); err != nil {
					return s.fault(err)
				}
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return c.source(files)
}

// wordOf appends a value that is a text or a number to features.
func wordOf(s *scanner, key string, to []feature) ([]feature, error) {
	v, err := s.value()
	if err != nil || v.kind != '"' && v.kind != '0' || v.long || v.text == "" {
		return to, err
	}
	return append(to, feature{name: key, text: v.text}), nil
}
