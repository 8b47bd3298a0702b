package evallog

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"achilles/battery/tables"
)

// swebenchFormat reads which instances of SWE-bench an agent resolved: the summary that the evaluation harness writes
// (MODEL.RUN.json, with lists of instances), or its reports of single instances (logs/run_evaluation/RUN/MODEL/INSTANCE/report.json). A submission to the
// leaderboard, which names only what was resolved, is a list (tables.Lists).
func swebenchFormat() tables.Format {
	return tables.Format{
		Name:  "SWE-bench results",
		Sniff: func(f *tables.File) bool { return isSWESummary(f) || isSWEReport(f) },
		Read:  readSWEBench,
	}
}

func isSWESummary(f *tables.File) bool {
	return has(f, "total_instances", "resolved_instances", "completed_ids")
}

func isSWEReport(f *tables.File) (is bool) {
	if path.Base(f.Name) != "report.json" {
		return false
	}
	headKeys(f, func(s *scanner, _ string) bool {
		_ = s.object(func(key string) error {
			is = is || key == "patch_successfully_applied"
			return s.skip()
		})
		return false
	})
	return is
}

// What became of an instance.
const (
	notSubmitted = "not submitted (no value)"
	noPatch      = "without a patch (0, as the benchmark counts it)"
	broke        = "with an error (0, as the benchmark counts it)"
	unresolved   = ""
	resolved     = "resolved"
)

// An sweLog is results that are being read.
type sweLog struct {
	*collection
	outcomes []map[string]string // [run]: instance → what became of it
}

func readSWEBench(files []*tables.File, _ tables.Reading) (*tables.Source, error) {
	l := &sweLog{collection: newCollection(words{format: "SWE-bench results", subject: []string{"agent"}, item: "instance_id", metric: "metric", feature: "instance"})}
	var summaries []*tables.File
	reports := map[string]int{} // by folder of an agent's reports
	for _, f := range files {
		if isSWESummary(f) {
			summaries = append(summaries, f)
			continue
		}
		agent := path.Dir(path.Dir(f.Name))
		if _, ok := reports[agent]; !ok {
			reports[agent] = l.begin(f.Name, path.Base(agent))
		}
		if err := l.read(f, reports[agent], l.report); err != nil {
			return nil, err
		}
	}
	if len(summaries) > 0 && len(reports) > 0 {
		return nil, fmt.Errorf("%s: a summary of a run, beside reports of single instances: import one of them", summaries[0].Name)
	}
	names := map[string]string{}
	if summaries != nil {
		names = l.calledBy(summaries, func(f *tables.File) string { // a model's name may have points
			name := f.Base()
			return name[:max(strings.LastIndexByte(name, '.'), 0)]
		}, (*tables.File).Base, folder)
		l.notes = nil // the names do say it
	}
	for _, f := range summaries {
		if err := l.read(f, l.begin(f.Name, names[f.Name]), l.summary); err != nil {
			return nil, err
		}
	}
	if err := l.addAll(); err != nil {
		return nil, err
	}
	if n := len(l.samples); len(reports) > 0 {
		l.notes = append(l.notes, &tally{noun: "report", what: "of single instances; one whose evaluation broke off has none, and no value (the run's summary counts it as 0)", n: n})
	}
	return l.source(files)
}

func (l *sweLog) begin(file, agent string) int {
	l.outcomes = append(l.outcomes, map[string]string{})
	return int(l.start(&run{file: file, subject: []string{agent}}))
}

func (l *sweLog) read(f *tables.File, run int, key func(s *scanner, run int, key string) error) error {
	return stream(f, func(s *scanner) error {
		return s.object(func(k string) error { return key(s, run, k) })
	})
}

// summary reads a key of the harness's summary. What is resolved stands in two lists, and so does what is not.
func (l *sweLog) summary(s *scanner, run int, key string) error {
	outcome, ok := map[string]string{
		"resolved_ids": resolved, "unresolved_ids": unresolved, "error_ids": broke, "empty_patch_ids": noPatch, "incomplete_ids": notSubmitted,
	}[key]
	if !ok {
		return s.skip()
	}
	return l.list(s, run, outcome)
}

// list reads the names of instances of which the same became.
func (l *sweLog) list(s *scanner, run int, outcome string) error {
	return s.array(func() error {
		var id string
		if err := s.text(&id); err != nil {
			return err
		}
		return l.put(s, run, id, outcome)
	})
}

func (l *sweLog) put(s *scanner, run int, id, outcome string) error {
	if id == "" {
		return s.fault(fmt.Errorf("an instance without a name"))
	}
	of := l.outcomes[run]
	if len(of) == maxNames {
		return s.fault(fmt.Errorf("more than %d instances", maxNames))
	}
	order := []string{notSubmitted, unresolved, noPatch, broke, resolved} // where it stands in several lists, the later counts
	if was, ok := of[id]; !ok || slices.Index(order, outcome) > slices.Index(order, was) {
		of[strings.Clone(id)] = outcome
	}
	return nil
}

// report reads the report of an instance, whose name is the key.
func (l *sweLog) report(s *scanner, run int, id string) error {
	id = strings.Clone(id)
	outcome, none := "", false
	err := s.object(func(key string) error {
		if key != "resolved" && key != "patch_is_None" {
			return s.skip()
		}
		v, err := s.value()
		if err != nil {
			return err
		}
		if key == "resolved" && v.num == 1 {
			outcome = resolved
		}
		none = none || key == "patch_is_None" && v.num == 1
		return nil
	})
	if err != nil {
		return err
	}
	if none && outcome != resolved {
		outcome = noPatch
	}
	return l.put(s, run, id, outcome)
}

// addAll adds a sample for every instance of every run, in order of their names.
func (l *sweLog) addAll() error {
	for run, of := range l.outcomes {
		ids := slices.Sorted(maps.Keys(of))
		for k, id := range ids {
			e := entry{item: id, line: k + 1}
			if repo, _, ok := strings.Cut(id, "__"); ok {
				e.features = []feature{{name: "repository", text: repo}}
			}
			outcome := of[id]
			switch outcome {
			case resolved:
				e.scores = []named{{metric: "resolved", score: score{value: 1}}}
			case notSubmitted:
			default:
				e.scores = []named{{metric: "resolved"}}
			}
			if outcome != resolved && outcome != unresolved {
				l.note("instance", outcome, id)
			}
			if err := l.add(int32(run), &e); err != nil {
				return err
			}
		}
	}
	return nil
}
