package score

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

	"achilles/battery"
	"achilles/battery/bib"
	"achilles/infer/voe"
	"achilles/sim/record"
	"achilles/sim/table"
)

// gradeObservers grades the surprises of observers. It needs the sealed part, which says which outcome is expected.
func gradeObservers(s *Scores, in Input) (err error) {
	if in.Sealed == nil {
		s.note("no sealed part: expected outcomes are unknown, so observers are not scored")
		return nil
	}
	labels := in.Sealed.Episodes()
	if len(labels) != in.Public.Items.Len() {
		return fmt.Errorf("score: sealed truth has labels of %d items, the public data %d", len(labels), in.Public.Items.Len())
	}
	if s.Observers, err = Observers(in.Result.Surprises, labels, Best(s.PublishedObservers)); err != nil {
		return err
	}
	if s.Seen, err = see(in.Result.Surprises, labels); err != nil {
		return err
	}
	s.Expected = expectations(in.Result.Surprises, labels)
	if !slices.ContainsFunc(labels, func(l bib.Label) bool { return len(l.Outcome) == 2 }) {
		s.note("no item has two outcomes, so observers are not scored")
	}
	return nil
}

// A Seen is one item, and which observers were right about it.
type Seen struct {
	bib.Label
	Right map[string]float64 // observer → 1 right, ½ tie, 0 wrong; nil if the item has one outcome
}

// see returns, for every item, which observers were right about it.
func see(surprises []voe.Surprise, labels []bib.Label) ([]Seen, error) {
	byItem := make(map[string]*bib.Label, len(labels))
	for i := range labels {
		byItem[labels[i].Item] = &labels[i]
	}
	rows, err := bySeen(surprises, byItem)
	if err != nil {
		return nil, err
	}
	all := make([]Seen, len(labels))
	for i := range labels {
		all[i].Label = labels[i]
		if len(labels[i].Outcome) < 2 {
			continue
		}
		all[i].Right = map[string]float64{}
		for observer, seen := range rows {
			o, err := pairUp(observer, &labels[i], seen)
			if err != nil {
				return nil, err
			}
			all[i].Right[observer] = o.right()
		}
	}
	return all, nil
}

// right returns 1 if the unexpected outcome surprised more, ½ if both surprised equally, else 0.
func (o *outcome) right() float64 { return larger(o.unexpected.Surprise, o.expected.Surprise) }

// larger returns 1 if a is larger than b, ½ if they are equal within observerTie, else 0.
func larger(a, b float64) float64 {
	switch d := a - b; {
	case d > observerTie:
		return 1
	case d >= -observerTie:
		return 0.5
	}
	return 0
}

// episodeTable returns which observers were right about each item: 1, 0.5 for a tie, 0, nothing if the item has one outcome.
func episodeTable(s *Scores) *table.Table {
	rows := make([]*Seen, len(s.Seen))
	for i := range rows {
		rows[i] = &s.Seen[i]
	}
	fields := []table.Field[*Seen]{
		table.Col(table.Column{Name: "item", Kind: table.Text}, func(x *Seen) table.Value { return table.String(x.Item) }),
		table.Col(table.Column{Name: "task", Kind: table.Text}, func(x *Seen) table.Value { return table.String(string(x.Task)) }),
		table.Col(table.Column{Name: "index", Kind: table.Count}, func(x *Seen) table.Value { return table.Int(x.Index) }),
		table.Col(table.Column{Name: "variant", Kind: table.Text}, func(x *Seen) table.Value { return table.Named(x.Variant) }),
		table.Col(table.Column{Name: "source", Kind: table.Text}, func(x *Seen) table.Value { return table.Named(x.Source) }),
		table.Col(table.Column{Name: "expected", Kind: table.Text, Doc: "the video with the expected outcome"}, func(x *Seen) table.Value { return table.Named(x.ExpectedVideo()) }),
	}
	if slices.ContainsFunc(s.Seen, func(x Seen) bool { return x.Nats != nil }) {
		fields = append(fields, table.Col(table.Column{Name: "nats", Digits: 2, Doc: "log odds of the expected outcome for the ideal observer"}, func(x *Seen) table.Value {
			if x.Nats == nil {
				return table.None
			}
			return table.Float(*x.Nats)
		}))
	}
	for _, name := range s.ObserverNames() {
		fields = append(fields, table.Col(table.Column{Name: name, Digits: 1, Doc: "1: right, 0.5: a tie, 0: wrong"}, func(x *Seen) table.Value {
			if x.Right == nil {
				return table.None
			}
			return table.Float(x.Right[name])
		}))
	}
	return table.Of(table.Table{Name: "episodes", Title: "Episodes: relative accuracy of each observer by item", Key: []string{"item"}, FileOnly: true}, rows, fields)
}

// ExpectedVideo returns the name of the video with the expected outcome, a or b.
func (s *Seen) ExpectedVideo() string {
	return record.VideoName(slices.Index(s.Outcome, battery.Expected))
}

// EpisodeKinds returns the kinds of episodes on which some observer was graded, in the order of the tables.
func (s *Scores) EpisodeKinds() []string {
	return slices.DeleteFunc(bib.Kinds(), func(kind string) bool {
		for _, of := range s.Observers {
			if _, ok := of[kind]; ok {
				return false
			}
		}
		return true
	})
}

// contends says whether an observer tries to be right for the right reason: ours, the published observer hbtom, and those from
// outside. The others are degenerate.
func contends(observer string) bool {
	return observer == "achilles" || observer == "hbtom" || !slices.ContainsFunc(voe.All(0), func(o voe.Named) bool { return o.Name == observer })
}

// A watched is a row of the table of observers: an observer in a kind of episode.
type watched struct {
	observer, kind string
	ObserverScore
	published *float64
}

// observersTable returns the grades of observers by kind of episode: first, row by row, those that contend, then the degenerate
// ones, as a matrix; nil if no observer is graded.
func observersTable(s *Scores) *table.Table {
	if s.Observers == nil {
		return nil
	}
	var rows []watched
	beside := false
	for _, kind := range bib.Kinds() {
		for _, o := range s.ObserverNames() {
			if x, ok := s.Observers[o][kind]; ok {
				rows = append(rows, watched{o, kind, x, published(s.PublishedObservers[o], kind)})
				beside = beside || x.Best != nil
			}
		}
	}
	t := table.Of(table.Table{
		Name: "observers", Title: "Observers: relative accuracy in per cent, ties half right", Key: []string{"observer", "kind"},
		Print: []string{"kind", "observer", "n", "accuracy", "published", "published_best", "auc", "auc_se", "ties", "max_step", "mean_step"},
		View:  &table.View{Where: "degenerate", Is: "false"},
		More: []table.View{{Title: "Degenerate observers: shortcut baselines, each of which fails a control", Where: "degenerate", Is: "true",
			Down: "observer", Across: "kind", Cell: "accuracy", Bare: true, Short: shortHeads()}},
		Foot: []string{"In brackets the exact (Clopper–Pearson) 95 % interval. AUC: area under the curve, over all videos of the kind, in per cent."},
	}, rows, []table.Field[watched]{
		table.Col(table.Column{Name: "observer", Kind: table.Text}, func(r watched) table.Value { return table.String(r.observer) }),
		table.Col(table.Column{Name: "kind", Head: "episodes", Kind: table.Text}, func(r watched) table.Value { return table.String(r.kind) }),
		table.Col(table.Column{Name: "n", Kind: table.Count, Weight: 1, Doc: "items with two outcomes"}, func(r watched) table.Value { return table.Int(r.N) }),
		table.Col(table.Column{Name: "accuracy", Digits: 1, Low: "low", High: "high", Doc: "items whose unexpected outcome surprised more"}, func(r watched) table.Value { return table.Float(r.Accuracy) }),
		table.Col(table.Column{Name: "low"}, func(r watched) table.Value { return low(r.Interval) }),
		table.Col(table.Column{Name: "high"}, func(r watched) table.Value { return high(r.Interval) }),
		table.Col(table.Column{Name: "ties", Kind: table.Count, Weight: 4}, func(r watched) table.Value { return table.Int(r.Ties) }),
		table.Col(table.Column{Name: "auc", Head: "AUC", Digits: 1, Weight: 3}, func(r watched) table.Value { return table.Maybe(r.AUC) }),
		table.Col(table.Column{Name: "auc_se", Head: "SE of AUC", Digits: 1, Weight: 5, Doc: "DeLong et al. 1988"}, func(r watched) table.Value { return table.Maybe(r.AUCError) }),
		table.Col(table.Column{Name: "max_step", Head: "by largest step", Digits: 1, Weight: 6, Doc: "accuracy if a video is as surprising as its most surprising step"}, func(r watched) table.Value { return table.Maybe(r.MaxStep) }),
		table.Col(table.Column{Name: "mean_step", Head: "by mean step", Digits: 1, Weight: 6}, func(r watched) table.Value { return table.Maybe(r.MeanStep) }),
		table.Col(table.Column{Name: "gap", Digits: 2, Hidden: true, Doc: "mean surprise of the unexpected outcome less that of the expected one; of achilles in nats"}, func(r watched) table.Value { return table.Maybe(r.Gap) }),
		table.Col(table.Column{Name: "published", Digits: 1, Weight: 1}, func(r watched) table.Value { return table.Maybe(r.published) }),
		table.Col(table.Column{Name: "published_best", Head: "best published", Digits: 1, Weight: 2}, func(r watched) table.Value { return table.Maybe(r.Best) }),
		table.Col(table.Column{Name: "degenerate", Kind: table.Flag, Doc: "whether it is a shortcut baseline"}, func(r watched) table.Value { return table.Bool(!contends(r.observer)) }),
	})
	t.Foot = append(t.Foot, s.from(beside)...)
	return t
}

// A ranked is a row of the table that ranks observers.
type ranked struct {
	observer string
	accuracy float64 // mean over the evaluation tasks
	tasks    int
	worst    string // the task with the smallest accuracy
	least    float64
}

// rankingTable returns the mean accuracy of each observer over the evaluation tasks, the largest first, and the task on which it
// was right least often; nil if no observer is graded on such a task.
func rankingTable(s *Scores) *table.Table {
	var rows []ranked
	for _, o := range s.ObserverNames() {
		r := ranked{observer: o, least: math.Inf(1)}
		r.accuracy, r.tasks = meanAccuracy(s, o)
		for _, task := range twoOutcomes() {
			if x, ok := s.Observers[o][string(task)]; ok && x.Accuracy < r.least {
				r.worst, r.least = string(task), x.Accuracy
			}
		}
		if r.tasks > 0 {
			rows = append(rows, r)
		}
	}
	slices.SortStableFunc(rows, func(a, b ranked) int { return cmp.Compare(b.accuracy, a.accuracy) })
	return table.Of(table.Table{
		Name: "ranking", Title: "Observers, by their mean relative accuracy over the evaluation tasks, in per cent", Key: []string{"observer"},
	}, rows, []table.Field[ranked]{
		table.Col(table.Column{Name: "observer", Kind: table.Text}, func(r ranked) table.Value { return table.String(r.observer) }),
		table.Col(table.Column{Name: "mean", Head: "mean accuracy", Digits: 1, Doc: "over the evaluation tasks, each counting the same"}, func(r ranked) table.Value { return table.Float(r.accuracy) }),
		table.Col(table.Column{Name: "tasks", Kind: table.Count, Weight: 1}, func(r ranked) table.Value { return table.Int(r.tasks) }),
		table.Col(table.Column{Name: "worst", Head: "lowest on", Kind: table.Text}, func(r ranked) table.Value { return table.String(r.worst) }),
		table.Col(table.Column{Name: "lowest", Head: "accuracy there", Digits: 1}, func(r ranked) table.Value { return table.Float(r.least) }),
	})
}

// shortHeads returns short names of kinds of episodes.
func shortHeads() map[string]string {
	short := map[string]string{"efficiency": "eff", "efficiency_weighted": "eff wtd", "instrumental": "instr", "instrumental_weighted": "instr wtd"}
	for _, k := range ShortKinds() {
		short[k.Kind] = k.Head
	}
	return short
}

// publishedObserverTable returns the published accuracies, beside ours; nil if no observer is graded.
func publishedObserverTable(s *Scores) *table.Table {
	if s.Observers == nil {
		return nil
	}
	var rows []watched
	for _, kind := range bib.Kinds() {
		for _, o := range slices.Sorted(maps.Keys(s.PublishedObservers)) {
			if x := published(s.PublishedObservers[o], kind); x != nil {
				r := watched{observer: o, kind: kind, published: x}
				r.AUC = published(s.PublishedAUC[o], kind)
				rows = append(rows, r)
			}
		}
	}
	return table.Of(table.Table{
		Name: "published-observers", Title: "Published accuracies, in per cent", Key: []string{"observer", "kind"},
		View: &table.View{Down: "observer", Across: "kind", Cell: "accuracy", Short: shortHeads()},
		More: []table.View{{Title: "Published areas under the curve, over all videos", Where: "with_auc", Is: "true", Down: "observer", Across: "kind", Cell: "auc", Short: shortHeads()}},
		Foot: append([]string{"From the benchmark's own episodes: not directly comparable with these results."}, s.from(true)...),
	}, rows, []table.Field[watched]{
		table.Col(table.Column{Name: "observer", Kind: table.Text}, func(r watched) table.Value { return table.String(r.observer) }),
		table.Col(table.Column{Name: "kind", Head: "episodes", Kind: table.Text}, func(r watched) table.Value { return table.String(r.kind) }),
		table.Col(table.Column{Name: "accuracy", Digits: 1}, func(r watched) table.Value { return table.Maybe(r.published) }),
		table.Col(table.Column{Name: "auc", Head: "AUC", Digits: 1, Doc: "area under the curve over all videos of the kind"}, func(r watched) table.Value { return table.Maybe(r.AUC) }),
		table.Col(table.Column{Name: "with_auc", Kind: table.Flag, Hidden: true, Doc: "whether its AUC was published"}, func(r watched) table.Value { return table.Bool(r.AUC != nil) }),
		table.Col(table.Column{Name: "version", Kind: table.Text, Doc: "version of the publication"}, func(r watched) table.Value { return table.Named(s.PublishedVersion[r.observer]) }),
	})
}

// A ShortKind is a kind of episode with a short name, for tables with many columns.
type ShortKind struct{ Kind, Head string }

// ShortKinds returns all kinds except the means, in the order of the tables.
func ShortKinds() []ShortKind {
	return []ShortKind{
		{string(bib.Preference), "pref"}, {string(bib.MultiAgent), "multi"}, {"multi_agent_a", "A"}, {"multi_agent_b", "B"},
		{string(bib.InaccessibleGoal), "inacc"}, {string(bib.EfficiencyPath), "path"}, {string(bib.EfficiencyTime), "time"},
		{string(bib.EfficiencyIrrational), "irrat"}, {string(bib.EfficiencyIrrationalControl), "control"},
		{string(bib.InstrumentalNoBarrier), "no barrier"}, {string(bib.InstrumentalInconsequential), "inconseq"}, {string(bib.InstrumentalBlocking), "blocking"}, {string(bib.ConstrainedPreference), "constr"},
		{string(bib.FalseBelief), "false"}, {string(bib.TrueBelief), "true"}, {string(bib.UnseenReturn), "return"}, {string(bib.IgnorantActor), "ignorant"},
	}
}

// meanAccuracy returns the mean accuracy over the tasks on which an observer was graded, in per cent, and
// the number of these tasks.
func meanAccuracy(s *Scores, observer string) (mean float64, tasks int) {
	for _, task := range twoOutcomes() {
		if x, ok := s.Observers[observer][string(task)]; ok {
			mean += x.Accuracy
			tasks++
		}
	}
	return mean / float64(max(tasks, 1)), tasks
}

// twoOutcomes returns the tasks on which observers are graded: those that end in one of two ways.
func twoOutcomes() []bib.Task {
	return slices.Concat(bib.Evaluation(), bib.Controls(), bib.Beliefs())
}
