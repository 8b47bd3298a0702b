package evallog

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"achilles/battery/tables"
)

// helmStats is the file that is read of a run. The others are known.
const helmStats = "per_instance_stats.json"

func helmFormat() tables.Format {
	known := []string{helmStats, "run_spec.json", "scenario_state.json", "stats.json", "scenario.json", "instances.json", "display_predictions.json", "display_requests.json"}
	return tables.Format{
		Name: "HELM",
		Sniff: func(f *tables.File) bool {
			return slices.Contains(known, path.Base(f.Name)) && (path.Base(f.Name) != helmStats || strings.HasPrefix(strings.TrimSpace(string(f.Head)), "["))
		},
		Read: readHelm,
	}
}

func readHelm(files []*tables.File, _ tables.Reading) (*tables.Source, error) {
	c := newCollection(words{
		format: "HELM, statistics of instances", subject: []string{"model", "deployment"},
		item: "instance_id", repeat: "train_trial_index", metric: "metric", feature: "instance",
	})
	var stats []*tables.File
	for _, f := range files {
		if path.Base(f.Name) == helmStats {
			stats = append(stats, f)
		}
	}
	if len(stats) == 0 {
		return nil, fmt.Errorf("%s: %s, which has the scores, is missing", files[0].Name, helmStats)
	}
	for _, f := range stats {
		r, err := helmRun(f, beside(files, f))
		if err != nil {
			return nil, err
		}
		l := &helmLog{collection: c, run: c.start(r)}
		err = stream(f, func(s *scanner) error {
			n := 0
			err := s.array(func() error {
				n++
				return l.instance(s, &entry{line: n})
			})
			if err != nil {
				return err
			}
			return s.ends()
		})
		if err != nil {
			return nil, err
		}
	}
	return c.source(stats)
}

// helmRun returns the run of a file: the model is in run_spec.json beside it, and so is the scenario with what it was run with.
func helmRun(f *tables.File, beside []*tables.File) (*run, error) {
	r := &run{file: f.Name, subject: make([]string, 2)}
	name := path.Base(path.Dir(f.Name))
	for _, g := range beside {
		if path.Base(g.Name) != "run_spec.json" {
			continue
		}
		err := stream(g, func(s *scanner) error {
			return s.object(func(key string) (err error) {
				switch key {
				case "name":
					return s.text(&name)
				case "adapter_spec":
					return s.object(func(key string) error {
						switch key {
						case "model":
							return s.text(&r.subject[0])
						case "model_deployment":
							return s.text(&r.subject[1])
						}
						return s.skip()
					})
				}
				return s.skip()
			})
		})
		if err != nil {
			return nil, err
		}
	}
	r.task = helmScenario(name, &r.subject[0])
	if r.subject[0] == "" {
		return nil, fmt.Errorf("%s: the model's name is unknown: it is in run_spec.json beside the file, and in the name of its folder: give the folder of the run", f.Name)
	}
	return r, nil
}

// helmScenario returns what a run's name says without the model, which it notes unless it is known: of mmlu:subject=law,model=openai_gpt2,
// mmlu:subject=law.
func helmScenario(name string, model *string) string {
	scenario, args, _ := strings.Cut(name, ":")
	var kept []string
	for i, arg := range strings.Split(args, ",") {
		key, value, _ := strings.Cut(arg, "=")
		switch key {
		case "model":
			if *model == "" {
				*model = strings.Replace(value, "_", "/", 1)
			}
		case "model_deployment":
		default:
			if i > 0 || arg != "" {
				kept = append(kept, arg)
			}
		}
	}
	if kept == nil {
		return scenario
	}
	return scenario + ":" + strings.Join(kept, ",")
}

type helmLog struct {
	*collection
	run int32
}

// instance reads the statistics of an instance.
func (l *helmLog) instance(s *scanner, e *entry) error {
	perturbation := ""
	err := s.object(func(key string) (err error) {
		switch key {
		case "instance_id":
			err = s.text(&e.item)
		case "perturbation":
			perturbation, err = s.named()
		case "train_trial_index":
			var v value
			if v, err = s.value(); err == nil {
				e.repetition, err = whole(v)
			}
		case "stats":
			err = s.array(func() error { return l.stat(s, e) })
		default:
			err = s.skip()
		}
		return err
	})
	if err != nil {
		return err
	}
	if e.item == "" {
		return s.fault(fmt.Errorf("no instance_id"))
	}
	if perturbation != "" {
		e.item += "/" + perturbation
	}
	if len(e.scores) == 0 {
		l.note("instance", "without a score (no value)", e.item)
	}
	return l.add(l.run, e)
}

// named reads the name in an object that has one, or null.
func (s *scanner) named() (name string, err error) {
	if c, err := s.peek(); err != nil {
		return "", err
	} else if c != '{' {
		return "", s.skip()
	}
	err = s.object(func(key string) error {
		if key == "name" {
			return s.text(&name)
		}
		return s.skip()
	})
	return name, err
}

// stat reads a statistic of an instance, whose mean is the score.
func (l *helmLog) stat(s *scanner, e *entry) error {
	var mean value
	metric, split, part := "", "", ""
	count := 1.0
	err := s.object(func(key string) (err error) {
		switch key {
		case "name":
			err = s.object(func(key string) (err error) {
				switch key {
				case "name":
					err = s.text(&metric)
				case "split":
					err = s.text(&split)
				case "sub_split":
					err = s.text(&part)
				default:
					err = s.skip()
				}
				return err
			})
		case "mean":
			mean, err = s.value()
		case "count":
			var v value
			v, err = s.value()
			count = v.num
		default:
			err = s.skip()
		}
		return err
	})
	if err != nil {
		return err
	}
	if bookkeeping(metric) {
		l.note("statistic", "of bookkeeping left out (num_…, finish_reason_…, inference_…, training_…, batch_size, prompt_truncated)", metric)
		return nil
	}
	if split != "" && len(e.features) == 0 {
		e.features = append(e.features, feature{name: "split", text: split})
	}
	if part != "" {
		metric += "." + part
	}
	if count == 0 || mean.kind == 'n' || mean.kind == 0 {
		l.note("value", fmt.Sprintf("of %s without a mean (no value)", metric), e.item)
		return nil
	}
	if len(e.scores) == maxMetrics {
		return fmt.Errorf("more than %d statistics of one instance", maxMetrics)
	}
	if sc, ok := l.readScore(metric, mean); ok {
		for _, other := range e.scores {
			if other.metric == metric {
				return s.fault(fmt.Errorf("instance %s has %s twice", e.item, metric))
			}
		}
		e.scores = append(e.scores, sc)
	}
	return nil
}

// bookkeeping reports whether a statistic says how a run went and not how good an answer is.
func bookkeeping(metric string) bool {
	for _, prefix := range []string{"num_", "finish_reason_", "inference_", "training_"} {
		if strings.HasPrefix(metric, prefix) {
			return true
		}
	}
	return metric == "batch_size" || metric == "prompt_truncated"
}
