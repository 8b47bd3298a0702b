package evallog

import (
	"cmp"
	"fmt"
	"path"
	"strings"

	"achilles/battery/tables"
)

// terminalFormat reads the results of Terminal-Bench: results.json of a run, which has all its trials, and run_metadata.json beside it, which
// says who ran. The results of single trials in folders below have the same again.
func terminalFormat() tables.Format {
	return tables.Format{
		Name:  "Terminal-Bench results",
		Sniff: func(f *tables.File) bool { return isTerminalRun(f) || isTerminalTrial(f) || isTerminalWho(f) },
		Read:  readTerminal,
	}
}

func isTerminalRun(f *tables.File) bool {
	list := false
	headKeys(f, func(s *scanner, key string) bool {
		if key != "results" {
			return s.skip() == nil
		}
		_ = s.array(func() error {
			return s.object(func(key string) error {
				list = list || key == "is_resolved"
				return s.skip()
			})
		})
		return false
	})
	return list
}

func isTerminalTrial(f *tables.File) bool { return has(f, "trial_name", "task_id", "is_resolved") }

func isTerminalWho(f *tables.File) bool {
	return path.Base(f.Name) == "run_metadata.json" && has(f, "agent_name")
}

// A terminalLog is a run that is being read.
type terminalLog struct{ *collection }

func readTerminal(files []*tables.File, _ tables.Reading) (*tables.Source, error) {
	c := newCollection(words{format: "Terminal-Bench results", subject: []string{"agent"}, item: "task_id", repeat: "trial", metric: "metric", feature: "task"})
	var runs, who []*tables.File
	trials := 0
	for _, f := range files {
		switch {
		case isTerminalRun(f):
			runs = append(runs, f)
		case isTerminalWho(f):
			who = append(who, f)
		default:
			trials++
		}
	}
	if len(runs) == 0 {
		return nil, fmt.Errorf("%s: the results of a single trial: name the run's folder, whose results.json has all", files[0].Name)
	}
	if trials > 0 {
		c.note("file", "with single trials, which the run's own results.json has, too", "")
		c.notes[len(c.notes)-1].n = trials
	}
	var unnamed []*tables.File
	for _, f := range runs {
		if len(beside(who, f)) == 0 {
			unnamed = append(unnamed, f)
		}
	}
	var names map[string]string
	if unnamed != nil {
		names = c.called(unnamed)
	}
	for _, f := range runs {
		r := &run{file: f.Name, subject: []string{names[f.Name]}}
		for _, g := range beside(who, f) {
			if err := ran(g, r); err != nil {
				return nil, err
			}
		}
		id, times := c.start(r), map[string]int{}
		err := stream(f, func(s *scanner) error {
			return s.object(func(key string) error {
				if key != "results" {
					return s.skip()
				}
				n := 0
				return s.array(func() error {
					n++
					return terminalLog{c}.attempt(s, id, n, times)
				})
			})
		})
		if err != nil {
			return nil, err
		}
	}
	return c.source(runs)
}

// ran reads which agent ran with which model.
func ran(f *tables.File, r *run) error {
	var agent, model string
	err := stream(f, func(s *scanner) error {
		return s.object(func(key string) error {
			switch key {
			case "agent_name":
				return s.text(&agent)
			case "model_name":
				return s.text(&model)
			case "dataset_name":
				return s.text(&r.task)
			}
			return s.skip()
		})
	})
	r.subject[0] = cmp.Or(strings.Trim(agent+" "+model, " "), r.file)
	return err
}

// attempt reads one trial. Of a trial that broke off before its tests, is_resolved is null.
func (c terminalLog) attempt(s *scanner, id int32, number int, times map[string]int) error {
	e := entry{line: number}
	err := s.object(func(key string) error {
		switch key {
		case "task_id":
			return s.text(&e.item)
		case "is_resolved":
			return c.addScore(s, "resolved", &e)
		}
		return s.skip()
	})
	if err != nil {
		return err
	}
	if e.item == "" {
		return s.fault(fmt.Errorf("trial %d has no task_id", number))
	}
	if len(e.scores) == 0 {
		c.note("trial", "that ended before its tests (no value)", e.item)
	}
	e.repetition = times[e.item]
	times[strings.Clone(e.item)]++
	return c.add(id, &e)
}
