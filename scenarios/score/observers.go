package score

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"

	"achilles/battery"
	"achilles/battery/bib"
	"achilles/infer/voe"
	"achilles/sim/record"
)

// gradeObservers grades the surprises of observers. It needs the sealed part, which says which outcome is expected.
func (s *Scores) gradeObservers(in Input) (err error) {
	if in.Sealed == nil {
		s.note("no sealed part: nothing says which outcome is expected, and observers are not graded")
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
	if !slices.ContainsFunc(labels, func(l bib.Label) bool { return len(l.Outcome) == 2 }) {
		s.note("no item has two outcomes: nobody is graded")
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
func (o *outcome) right() float64 {
	switch d := o.unexpected.Surprise - o.expected.Surprise; {
	case d > observerTie:
		return 1
	case d >= -observerTie:
		return 0.5
	}
	return 0
}

func (s *Scores) observerRows() [][]string {
	rows := [][]string{{"observer", "kind", "n", "accuracy", "low", "high", "ties", "auc", "auc_se", "max_step", "mean_step", "published", "published_best"}}
	for _, observer := range s.ObserverNames() {
		for _, kind := range bib.Kinds() {
			x, ok := s.Observers[observer][kind]
			if !ok {
				continue
			}
			row := append([]string{observer, kind, strconv.Itoa(x.N), full(x.Accuracy)}, ends(x.Interval)...)
			rows = append(rows, append(row, strconv.Itoa(x.Ties), optional(x.AUC), optional(x.AUCError), optional(x.MaxStep), optional(x.MeanStep),
				optional(published(s.PublishedObservers[observer], kind)), optional(x.Best)))
		}
	}
	return rows
}

// episodeRows returns the rows of episodes.csv. They have a column for each observer: 1 if it was right about the item,
// 0.5 for a tie, 0 if it was wrong, empty if the item has one outcome.
func (s *Scores) episodeRows() [][]string {
	names := s.ObserverNames()
	rows := [][]string{append([]string{"item", "task", "index", "variant", "source", "expected"}, names...)}
	for i := range s.Seen {
		x := &s.Seen[i]
		row := []string{x.Item, string(x.Task), strconv.Itoa(x.Index), x.Variant, x.Source, x.ExpectedVideo()}
		for _, n := range names {
			right := ""
			if x.Right != nil {
				right = full(x.Right[n])
			}
			row = append(row, right)
		}
		rows = append(rows, row)
	}
	return rows
}

// ExpectedVideo returns the name of the video with the expected outcome, a or b.
func (s *Seen) ExpectedVideo() string {
	return record.VideoName(slices.Index(s.Outcome, battery.Expected))
}

// ObserverNames returns the observers that were graded, in the order of the tables.
func (s *Scores) ObserverNames() []string { return observerNames(s.Observers) }

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

// observerNames lists the observers of package voe in its order, then those from outside by name.
func observerNames(scores map[string]map[string]ObserverScore) []string {
	var names []string
	for _, o := range voe.Observers(0) {
		if scores[o.Name] != nil {
			names = append(names, o.Name)
		}
	}
	return append(names, strangers(scores)...)
}

// strangers lists the observers that are not in package voe, by name.
func strangers(scores map[string]map[string]ObserverScore) []string {
	return slices.DeleteFunc(sortedKeys(scores), func(name string) bool {
		return slices.ContainsFunc(voe.Observers(0), func(o voe.Named) bool { return o.Name == name })
	})
}

// ObserverTables returns the tables of the function ObserverTables, or nil if no observer is graded.
func (s *Scores) ObserverTables() []byte {
	if s.Observers == nil {
		return nil
	}
	return ObserverTables(s.Observers, &Published{Source: s.Source, Observers: s.PublishedObservers})
}

// ObserverTables returns three tables: the contenders with their intervals, the degenerate observers, which are right
// for a wrong reason, and the published accuracies. It leaves out the second or third if it would be empty.
func ObserverTables(scores map[string]map[string]ObserverScore, p *Published) []byte {
	parts := [][]byte{contenderTable(scores, p)}
	var rows []matrixRow
	for _, o := range observerNames(scores) {
		if !slices.Contains(contenders(scores), o) {
			rows = append(rows, matrixRow{o, func(kind string) *float64 {
				if s, ok := scores[o][kind]; ok {
					return &s.Accuracy
				}
				return nil
			}})
		}
	}
	if rows != nil {
		parts = append(parts, matrix("Degenerate observers: each is right for a wrong reason, and a control that it cannot pass it fails", rows))
	}
	rows = nil
	for _, o := range sortedKeys(p.Observers) {
		rows = append(rows, matrixRow{o, func(kind string) *float64 { return published(p.Observers[o], kind) }})
	}
	if rows != nil {
		parts = append(parts, matrix("Published, on the benchmark's own episodes: beside ours, not to be compared digit by digit", rows))
	}
	return bytes.Join(parts, []byte("\n"))
}

// contenders returns the observers that try to be right for the right reason: ours, the published observer hbtom, and
// those from outside.
func contenders(scores map[string]map[string]ObserverScore) []string {
	ours := slices.DeleteFunc([]string{"achilles", "hbtom"}, func(o string) bool { return scores[o] == nil })
	return append(ours, strangers(scores)...)
}

func contenderTable(scores map[string]map[string]ObserverScore, p *Published) []byte {
	t := textTable{title: "Observers: relative accuracy in per cent, ties half right [95 %: Clopper–Pearson], and area under the curve", head: []string{"episodes", "n"}}
	first := contenders(scores)
	for _, o := range first {
		t.head = append(t.head, o, "95 %", "AUC")
		if p.Observers[o] != nil {
			t.head = append(t.head, "published")
		}
	}
	if len(p.Observers) > 0 {
		t.head = append(t.head, "best published")
	}
	best := Best(p.Observers)
	for _, kind := range bib.Kinds() {
		row := []string{kind, ""}
		for _, o := range first {
			s, ok := scores[o][kind]
			if !ok {
				row = append(row, "–", "", "")
				continue
			}
			row[1] = strconv.Itoa(s.N)
			row = append(row, fixed(s.Accuracy, 1), span(s.Interval, 1), decimals(s.AUC, 1))
			if p.Observers[o] != nil {
				row = append(row, decimals(published(p.Observers[o], kind), 1))
			}
		}
		if row[1] != "" {
			t.rows = append(t.rows, append(row, decimals(published(best, kind), 1)))
		}
	}
	t.sourced(p.Source)
	return t.text()
}

// A matrixRow is a row of a table that has a column for each kind of episode. value returns nil if there is no
// accuracy.
type matrixRow struct {
	name  string
	value func(kind string) *float64
}

// matrix returns a table of accuracies. The heads of columns are short names of kinds of episodes; kinds without any
// accuracy have no column.
func matrix(title string, rows []matrixRow) []byte {
	t := textTable{title: title, head: []string{""}}
	for _, c := range ShortKinds() {
		if slices.ContainsFunc(rows, func(r matrixRow) bool { return r.value(c.Kind) != nil }) {
			t.head = append(t.head, c.Head)
		}
	}
	for _, r := range rows {
		row := []string{r.name}
		for _, c := range ShortKinds() {
			switch v := r.value(c.Kind); {
			case v != nil:
				row = append(row, fixed(*v, 1))
			case slices.Contains(t.head, c.Head):
				row = append(row, "–")
			}
		}
		t.rows = append(t.rows, row)
	}
	return t.text()
}

// A ShortKind is a kind of episode with a short name, for tables with many columns.
type ShortKind struct{ Kind, Head string }

// ShortKinds returns all kinds except the means, in the order of the tables.
func ShortKinds() []ShortKind {
	return []ShortKind{
		{string(bib.Preference), "pref"}, {string(bib.MultiAgent), "multi"}, {"multi_agent_a", "A"}, {"multi_agent_b", "B"},
		{string(bib.InaccessibleGoal), "inacc"}, {string(bib.EfficiencyPath), "path"}, {string(bib.EfficiencyTime), "time"},
		{string(bib.EfficiencyIrrational), "irrat"}, {string(bib.EfficiencyIrrationalControl), "control"},
		{string(bib.InstrumentalNoBarrier), "no barrier"}, {string(bib.InstrumentalInconsequential), "inconseq"}, {string(bib.InstrumentalBlocking), "blocking"},
	}
}
