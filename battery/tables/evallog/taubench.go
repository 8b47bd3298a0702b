package evallog

import (
	"cmp"
	"fmt"
	"strconv"

	"achilles/battery/tables"
)

// taubenchFormat reads the results of τ-bench, a list of trials, and of τ²-bench, an object with a list of simulations.
func taubenchFormat() tables.Format {
	return tables.Format{
		Name: "τ-bench results",
		Sniff: func(f *tables.File) bool {
			return firstHas(f, "task_id", "reward", "info") || has(f, "info", "simulations") || has(f, "timestamp", "info", "tasks")
		},
		Read: readTaubench,
	}
}

// A taubenchLog is results of agents that are being read.
type taubenchLog struct{ *collection }

func readTaubench(files []*tables.File, _ tables.Reading) (*tables.Source, error) {
	c := newCollection(words{format: "τ-bench results", subject: []string{"model"}, item: "task_id", repeat: "trial", metric: "metric", feature: "task"})
	var unnamed []*tables.File
	for _, f := range files {
		if firstHas(f, "task_id") {
			unnamed = append(unnamed, f)
		}
	}
	var names map[string]string
	if unnamed != nil {
		names = c.called(unnamed)
	}
	for _, f := range files {
		r := &run{file: f.Name, subject: []string{cmp.Or(names[f.Name], f.Base())}}
		id := c.start(r)
		var err error
		if names[f.Name] != "" {
			err = records(f, func(s *scanner, number int) error { return taubenchLog{c}.trial(s, id, number) })
		} else {
			err = stream(f, func(s *scanner) error { return taubenchLog{c}.simulations(s, r, id) })
		}
		if err != nil {
			return nil, err
		}
	}
	return c.source(files)
}

// simulations reads a file of τ²-bench.
func (c taubenchLog) simulations(s *scanner, r *run, id int32) error {
	return s.object(func(key string) error {
		switch key {
		case "info":
			return s.object(func(key string) error {
				var to *string
				var name string
				switch key {
				case "agent_info":
					to, name = &r.subject[0], "llm"
				case "environment_info":
					to, name = &r.task, "domain_name"
				default:
					return s.skip()
				}
				return s.object(func(key string) error {
					if key == name {
						return s.text(to)
					}
					return s.skip()
				})
			})
		case "simulations":
			n := 0
			return s.array(func() error {
				n++
				return c.trial(s, id, n)
			})
		}
		return s.skip()
	})
}

// trial reads one attempt at a task.
func (c taubenchLog) trial(s *scanner, id int32, number int) error {
	e := entry{line: number}
	trial := ""
	err := s.object(func(key string) error {
		switch key {
		case "task_id":
			return s.text(&e.item)
		case "trial":
			return s.text(&trial)
		case "reward":
			return c.addScore(s, "reward", &e)
		case "reward_info":
			if k, err := s.peek(); err != nil || k != '{' {
				return s.skip()
			}
			return s.object(func(key string) error {
				if key == "reward" {
					return c.addScore(s, key, &e)
				}
				return s.skip()
			})
		}
		return s.skip()
	})
	if err != nil {
		return err
	}
	if e.item == "" {
		return s.fault(fmt.Errorf("trial %d has no task_id", number))
	}
	if e.repetition, err = strconv.Atoi(cmp.Or(trial, "0")); err != nil {
		return s.fault(fmt.Errorf("trial %q: want a number", short(trial)))
	}
	if len(e.scores) == 0 {
		c.note("trial", "without a reward (no value)", e.item)
	}
	return c.add(id, &e)
}
