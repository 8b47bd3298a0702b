package evallog

import (
	"fmt"
	"strconv"

	"achilles/battery/tables"
)

// alpacaFormat reads AlpacaEval's annotations: which of two answers to an instruction is preferred. The first generator is the same baseline
// throughout, so that a response is the second one's share of preference: preference − 1, from 0 to 1.
func alpacaFormat() tables.Format {
	return tables.Format{Name: "AlpacaEval annotations", Sniff: func(f *tables.File) bool { return firstHas(f, "instruction", "generator_1") }, Read: readAlpaca}
}

const longestInstruction = 1 << 20 // in bytes

func readAlpaca(files []*tables.File, _ tables.Reading) (*tables.Source, error) {
	c := newCollection(words{format: "AlpacaEval annotations", subject: []string{"generator"}, item: "instruction", filter: "annotator", metric: "metric", feature: "instruction"})
	numbers := map[string]int{}
	baseline := ""
	for _, f := range files {
		runs := map[[2]string]int32{}
		err := records(f, func(s *scanner, number int) error {
			e := entry{line: number}
			var instruction, first, second, dataset string
			var preference value
			err := s.object(func(key string) (err error) {
				switch key {
				case "instruction":
					if k, err := s.peek(); err != nil || k != '"' {
						return s.skip()
					}
					instruction, _, err = s.string(longestInstruction)
				case "generator_1":
					err = s.text(&first)
				case "generator_2":
					err = s.text(&second)
				case "dataset":
					err = s.text(&dataset)
				case "annotator":
					err = s.text(&e.filter)
				case "preference":
					preference, err = s.value()
				default:
					err = s.skip()
				}
				return err
			})
			switch {
			case err != nil:
				return err
			case instruction == "" || second == "":
				return s.fault(fmt.Errorf("annotation %d has no instruction or no generator_2", number))
			case baseline != "" && first != baseline:
				return s.fault(fmt.Errorf("annotation %d compares with %s, others with %s: shares of preference over different models are not comparable", number, short(first), short(baseline)))
			}
			baseline = first
			if len(numbers) == maxNames {
				return s.fault(fmt.Errorf("more than %d instructions", maxNames))
			}
			if _, ok := numbers[instruction]; !ok {
				numbers[instruction] = len(numbers) + 1
			}
			e.item = strconv.Itoa(numbers[instruction])
			switch sc, ok := c.readScore("preference", preference); {
			case !ok:
				c.note("annotation", "without a preference (no value)", e.item)
			case sc.value == 0: // a draw, in the first version
				sc.value = 0.5
				e.scores = append(e.scores, sc)
			case sc.value < 1 || sc.value > 2:
				return s.fault(fmt.Errorf("annotation %d has the preference %g, which is not from 1 (the first answer) to 2", number, sc.value))
			default:
				sc.value--
				e.scores = append(e.scores, sc)
			}
			key := [2]string{second, dataset}
			if _, ok := runs[key]; !ok {
				runs[key] = c.start(&run{file: f.Name, subject: []string{second}, task: dataset})
			}
			return c.add(runs[key], &e)
		})
		if err != nil {
			return nil, err
		}
		if len(runs) > 0 {
			c.note("file", "of preferences over "+short(baseline)+": a response is the share of preference for the other model", f.Name)
		}
	}
	return c.source(files)
}
