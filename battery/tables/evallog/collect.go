package evallog

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"achilles/battery/tables"
)

// Limits of a collection, which bound its memory.
const (
	maxScores   = 1 << 23 // 128 MB
	maxCells    = 1 << 23 // of features, 128 MB and their texts
	maxFeatures = 1 << 12
	maxMetrics  = 1 << 12
	maxNames    = 1 << 22
	maxFeature  = 64 // longest text of a feature, in bytes
	maxWords    = 64 // most distinct texts of a feature that are not numbers
)

// A run is one evaluation of one model on one task.
type run struct {
	file    string
	subject []string // as many as words.subject
	task    string
	created int64  // when it began, in nanoseconds since 1970; 0: the log does not say
	retry   string // runs with the same one, if it is not empty, are attempts at one evaluation
}

// A sample is one attempt of a run at an item: its scores by several metrics, or the reason why there is none.
type sample struct {
	run, item, line int32
	repetition      int32
	filter          int16
	metrics         uint16 // how many scores it has, from scores[first]
	first           int32
}

// A score is what one metric says of a sample.
type score struct {
	value  float64 // NaN: none
	metric uint16
	letter byte // C, I, P or N: written so in the log; 0: a number
}

// An entry is a sample as a reader finds it. It is valid during the call of add.
type entry struct {
	item       string
	line       int
	repetition int
	filter     string
	scores     []named
	features   []feature
	hash       string // of the question; empty: the log has none
}

type named struct {
	metric string
	score
}

// A feature is what a log says of an item, as text.
type feature struct{ name, text string }

// words are what a format calls things: the columns of the table.
type words struct {
	format  string   // "Inspect log"
	subject []string // columns of a subject's name; only the first is its name unless a person says otherwise
	item    string
	repeat  string // column of repetitions; empty: the format has none
	filter  string // column of filters; empty: the format has none
	metric  string // the flag that chooses among metrics
	feature string // what features of an item are called in messages, and before a name that is taken
}

// A collection has all samples of logs.
type collection struct {
	words
	runs    []*run
	samples []sample
	scores  []score

	item     map[string]int32 // by task and item, separated by NUL
	tasks    []string         // [item]: its task
	ids      []string         // [item]: its name in the task
	hashes   []string         // [item]
	metric   map[string]uint16
	metrics  []string
	filter   map[string]int16
	filters  []string
	features map[string]*column
	order    []*column
	cells    int

	notes []*tally
}

// A column has a feature of all items.
type column struct {
	name   string
	values []string // by item, up to the last that has one
	words  map[string]string
	numbers,
	free, varies int // values that are numbers; texts that are no words; items with several values
}

// A tally is a number of things that were left out or taken for something.
type tally struct {
	noun, what, example string
	n                   int
}

func newCollection(w words) *collection {
	return &collection{words: w, item: map[string]int32{}, metric: map[string]uint16{}, filter: map[string]int16{}, features: map[string]*column{}}
}

// note counts a thing. Example is the first of its kind.
func (c *collection) note(noun, what, example string) {
	for _, t := range c.notes {
		if t.noun == noun && t.what == what {
			t.n++
			return
		}
	}
	if len(c.notes) < 1000 {
		c.notes = append(c.notes, &tally{noun: noun, what: what, example: short(example), n: 1})
	}
}

// merged returns the sums of tallies.
func merged(a, b []*tally) []*tally {
	c := collection{notes: a}
	for _, t := range b {
		n := t.n
		c.note(t.noun, t.what, t.example)
		for _, sum := range c.notes {
			if sum.noun == t.noun && sum.what == t.what && sum != t {
				sum.n += n - 1
			}
		}
	}
	return c.notes
}

// short returns a text that fits into a message of one line.
func short(s string) string {
	s = strings.Map(func(r rune) rune {
		if !strconv.IsPrint(r) {
			return ' '
		}
		return r
	}, s)
	if len(s) > 60 {
		s = strings.ToValidUTF8(s[:57], "") + "…"
	}
	return s
}

func (c *collection) start(r *run) int32 {
	c.runs = append(c.runs, r)
	return int32(len(c.runs) - 1)
}

// add appends a sample of a run.
func (c *collection) add(r int32, e *entry) error {
	item, err := c.itemOf(c.runs[r].task, e)
	if err != nil {
		return err
	}
	s := sample{run: r, item: item, line: int32(e.line), repetition: int32(e.repetition), first: int32(len(c.scores)), metrics: uint16(len(e.scores))}
	if s.filter, err = c.filterOf(e.filter); err != nil {
		return err
	}
	for _, sc := range e.scores {
		m, ok := c.metric[sc.metric]
		if !ok {
			if len(c.metrics) == maxMetrics {
				return fmt.Errorf("more than %d metrics", maxMetrics)
			}
			m = uint16(len(c.metrics))
			c.metric[sc.metric], c.metrics = m, append(c.metrics, sc.metric)
		}
		sc.score.metric = m
		c.scores = append(c.scores, sc.score)
	}
	if len(c.scores)+len(c.samples) >= maxScores {
		return fmt.Errorf("more than %d samples and scores: import fewer logs at a time", maxScores)
	}
	c.samples = append(c.samples, s)
	for _, f := range e.features {
		if err := c.put(item, f); err != nil {
			return err
		}
	}
	return nil
}

func (c *collection) itemOf(task string, e *entry) (int32, error) {
	key := task + "\x00" + e.item
	i, ok := c.item[key]
	if !ok {
		if len(c.ids) == maxNames {
			return 0, fmt.Errorf("more than %d items", maxNames)
		}
		i = int32(len(c.ids))
		c.item[key] = i
		c.tasks, c.ids, c.hashes = append(c.tasks, task), append(c.ids, key[len(task)+1:]), append(c.hashes, e.hash)
	}
	if e.hash != "" && c.hashes[i] != e.hash {
		if c.hashes[i] != "" {
			c.note("sample", "whose question is not the one that another log has under the same name (the hashes differ)", e.item)
		} else {
			c.hashes[i] = e.hash
		}
	}
	return i, nil
}

func (c *collection) filterOf(name string) (int16, error) {
	f, ok := c.filter[name]
	if !ok {
		if len(c.filters) == maxMetrics {
			return 0, fmt.Errorf("more than %d filters", maxMetrics)
		}
		f = int16(len(c.filters))
		c.filter[name], c.filters = f, append(c.filters, name)
	}
	return f, nil
}

// put keeps a feature of an item. Of a column of free text no values are kept.
func (c *collection) put(item int32, f feature) error {
	col := c.features[f.name]
	if col == nil {
		if len(c.order) == maxFeatures {
			return fmt.Errorf("%s: more than %d keys", c.feature, maxFeatures)
		}
		col = &column{name: strings.Clone(f.name), words: map[string]string{}}
		c.features[col.name], c.order = col, append(c.order, col)
	}
	if col.free > 0 || f.text == "" {
		return nil
	}
	text := f.text
	if len(text) > maxFeature {
		return c.forget(col)
	}
	if n := int(item) + 1 - len(col.values); n > 0 {
		if c.cells += n; c.cells > maxCells {
			return fmt.Errorf("%s: more than %d values of items", c.feature, maxCells)
		}
		col.values = append(col.values, make([]string, n)...)
	}
	if have := col.values[item]; have != "" {
		if have != text {
			col.varies++
		}
		return nil
	}
	if _, err := strconv.ParseFloat(text, 64); err == nil {
		col.numbers++
		col.values[item] = strings.Clone(text)
		return nil
	}
	word, ok := col.words[text]
	if !ok {
		if len(col.words) == maxWords {
			return c.forget(col)
		}
		word = strings.Clone(text)
		col.words[word] = word
	}
	col.values[item] = word
	return nil
}

// forget makes a column one of free text, whose values are not kept.
func (c *collection) forget(col *column) error {
	c.cells -= len(col.values)
	col.free, col.values, col.words = 1, nil, nil
	return nil
}

// resolve orders samples, and keeps the last of several attempts of runs that are retries of one evaluation: the last that has a score, or
// the last of all. It returns how many samples there are twice that nothing tells apart, and an example.
func (c *collection) resolve() (twice int, example [2]*sample) {
	slices.SortStableFunc(c.samples, func(x, y sample) int {
		a, b := c.runs[x.run], c.runs[y.run]
		return cmp.Or(cmp.Compare(x.item, y.item), cmp.Compare(a.subject[0], b.subject[0]), cmp.Compare(x.repetition, y.repetition),
			cmp.Compare(x.filter, y.filter), slices.Compare(a.subject, b.subject), cmp.Compare(a.created, b.created))
	})
	same := func(x, y *sample) bool {
		return x.item == y.item && x.repetition == y.repetition && x.filter == y.filter && c.runs[x.run].subject[0] == c.runs[y.run].subject[0]
	}
	kept := c.samples[:0]
	for i := range c.samples {
		s := c.samples[i]
		last := len(kept) - 1
		if last < 0 || !same(&kept[last], &s) {
			kept = append(kept, s)
			continue
		}
		before := kept[last]
		a, b := c.runs[before.run], c.runs[s.run]
		another := before.run != s.run && slices.Equal(a.subject, b.subject)
		attempt := another && a.retry != "" && a.retry == b.retry
		switch {
		case attempt && a.created == b.created && c.alike(&before, &s):
			c.note("sample", "that another file of the same run has, too", c.name(s.item))
			continue
		case attempt && a.created != b.created:
			c.note("sample", "of a run that was tried again, of which the last counts", c.name(s.item))
			if c.scored(&s) || !c.scored(&before) {
				kept[last] = s
			}
			continue
		case another && !c.scored(&s):
			c.note("sample", "without a score that another run has scored", c.name(s.item))
			continue
		case another && !c.scored(&before):
			c.note("sample", "without a score that another run has scored", c.name(s.item))
			kept[last] = s
			continue
		}
		if twice++; twice == 1 {
			example = [2]*sample{&before, &s}
		}
		kept = append(kept, s)
	}
	c.samples = kept
	return twice, example
}

// alike reports whether two samples have the same scores.
func (c *collection) alike(x, y *sample) bool {
	return slices.EqualFunc(c.scores[x.first:int(x.first)+int(x.metrics)], c.scores[y.first:int(y.first)+int(y.metrics)], func(a, b score) bool {
		return a.metric == b.metric && a.text() == b.text()
	})
}

func (c *collection) name(item int32) string {
	return strings.TrimPrefix(c.tasks[item]+"/"+c.ids[item], "/")
}

func (c *collection) scored(s *sample) bool {
	for _, sc := range c.scores[s.first : int(s.first)+int(s.metrics)] {
		if !math.IsNaN(sc.value) {
			return true
		}
	}
	return false
}

// several reports whether an item has scores by several metrics, and which items have several filters.
func (c *collection) several() (metrics bool, filters map[int32]bool) {
	filters = map[int32]bool{}
	metric, filter := slices.Repeat([]int32{-1}, len(c.ids)), slices.Repeat([]int16{-1}, len(c.ids))
	for i := range c.samples {
		s := &c.samples[i]
		for _, sc := range c.scores[s.first : int(s.first)+int(s.metrics)] {
			switch m := int32(sc.metric); metric[s.item] {
			case -1:
				metric[s.item] = m
			case m:
			default:
				metrics = true
			}
		}
		if filter[s.item] >= 0 && filter[s.item] != s.filter {
			filters[s.item] = true
		}
		filter[s.item] = s.filter
	}
	return metrics, filters
}

// source returns the table of a collection.
func (c *collection) source(files []*tables.File) (*tables.Source, error) {
	if len(c.samples) == 0 {
		return nil, fmt.Errorf("%s: no samples%s", files[0].Name, c.because())
	}
	if len(c.scores) == 0 {
		return nil, fmt.Errorf("%s: no sample has a score%s", files[0].Name, c.because())
	}
	c.parts()
	twice, example := c.resolve()
	metrics, filters := c.several()
	out := &tables.Source{Name: files[0].Name, Format: c.format}
	if n := len(files); n > 1 {
		out.Format += fmt.Sprintf(", %d files", n)
	}
	t := &layout{collection: c, taken: map[string]bool{}, filtered: filters}
	out.Choose = []tables.Choose{}
	out.Subject, out.Item = c.subject[:1], []string{"task", c.words.item}
	out.Header = t.columns("", slices.Concat(c.subject, out.Item)...)
	out.Ignored = slices.Clone(c.subject[1:])
	out.Repetition = []string{}
	if c.repeat != "" {
		out.Header = append(out.Header, t.columns("", c.repeat)...)
		out.Repetition = []string{c.repeat}
	}
	if c.words.filter != "" {
		out.Header = append(out.Header, t.columns("", c.words.filter)...)
		out.Choose = []tables.Choose{{Flag: "filter", Column: c.words.filter, Optional: len(filters) == 0}}
	}
	out.Header = append(out.Header, t.columns("", "run", "file")...)
	out.Ignored = append(out.Ignored, "run", "file")
	out.ScoreFlag = c.words.metric
	if t.metrics = metrics || len(c.metrics) == 1; t.metrics {
		out.Scores = t.columns("score", c.metrics...)
	} else {
		out.Scores = t.columns("", "score")
	}
	out.Header = append(out.Header, out.Scores...)
	out.Demands = t.useful()
	out.Header = append(out.Header, out.Demands...)
	out.Header = append(out.Header, "(file)")
	out.Each = t.rows(len(out.Header))
	out.Twice = c.whenTwice(twice, example)
	c.sayRuns()
	if !metrics {
		c.sayMetrics()
	}
	out.Notes = c.lines()
	return out, nil
}

// parts leaves out the columns of a subject's name that no run has.
func (c *collection) parts() {
	for k := len(c.subject) - 1; k > 0; k-- {
		if slices.ContainsFunc(c.runs, func(r *run) bool { return r.subject[k] != "" }) {
			continue
		}
		c.subject = slices.Delete(slices.Clone(c.subject), k, k+1)
		for _, r := range c.runs {
			r.subject = slices.Delete(r.subject, k, k+1)
		}
	}
}

// because says why there are no samples.
func (c *collection) because() string {
	if len(c.notes) == 0 {
		return ""
	}
	return ": " + strings.Join(c.lines(), "; ")
}

func (c *collection) lines() (out []string) {
	for _, t := range c.notes {
		noun := t.noun
		if t.n != 1 {
			noun += "s"
		}
		line := fmt.Sprintf("%d %s %s", t.n, noun, t.what)
		if t.example != "" && t.n == 1 {
			line += ": " + t.example
		} else if t.example != "" {
			line += "; the first: " + t.example
		}
		out = append(out, line)
	}
	return out
}

// sayMetrics notes that tasks have different metrics, each item one.
func (c *collection) sayMetrics() {
	if len(c.metrics) < 2 {
		return
	}
	list := strings.Join(c.metrics[:min(len(c.metrics), 8)], ", ")
	c.note("metric", "together, each item has a score by one of them: "+list, "")
	c.notes[len(c.notes)-1].n = len(c.metrics)
}

// sayRuns notes subjects that were run in several ways, which are one subject all the same.
func (c *collection) sayRuns() {
	ways := map[string]map[string]bool{}
	for _, r := range c.runs {
		if ways[r.subject[0]] == nil {
			ways[r.subject[0]] = map[string]bool{}
		}
		ways[r.subject[0]][strings.Join(r.subject[1:], "\x00")] = true
	}
	for i, way := range c.subject[1:] {
		for _, r := range c.runs {
			if len(ways[r.subject[0]]) < 2 || !slices.ContainsFunc(c.runs, func(x *run) bool {
				return x.task == r.task && x.subject[0] == r.subject[0] && x.subject[i+1] != r.subject[i+1]
			}) {
				continue
			}
			c.note(c.subject[0], fmt.Sprintf("with several values of %s on one task: --subject %s,%s tells them apart", way, c.subject[0], way), r.subject[0])
			delete(ways, r.subject[0])
		}
	}
}

// whenTwice returns what a person can do if a subject has several responses to an item.
func (c *collection) whenTwice(n int, of [2]*sample) string {
	if n == 0 {
		return ""
	}
	a, b := c.runs[of[0].run], c.runs[of[1].run]
	if of[0].run == of[1].run {
		return fmt.Sprintf("%s has sample %s twice", a.file, c.name(of[0].item))
	}
	ways := ""
	for k, column := range c.subject {
		if a.subject[k] != b.subject[k] {
			ways += "," + column
		}
	}
	if ways != "" {
		ways = fmt.Sprintf("; they differ in %s: --subject %s%s tells them apart", ways[1:], c.subject[0], ways)
	}
	return fmt.Sprintf("two runs have the same samples (%d of them), and the logs do not say that one is a retry of the other: %s and %s. Leave one out, or say --repetition run if they are repetitions%s", n, a.file, b.file, ways)
}

// A layout is how a collection is laid out as a table.
type layout struct {
	*collection
	taken    map[string]bool
	metrics  bool           // a column for each metric
	filtered map[int32]bool // items with several filters; others have no filter if there are any, so that every choice keeps them
	shown    []*column
}

// columns returns names of columns that no column has yet. A name that is taken gets the prefix.
func (t *layout) columns(prefix string, names ...string) (out []string) {
	for _, name := range names {
		if name == "" {
			name = prefix
		}
		for t.taken[name] || name == "(file)" {
			name = prefix + "." + name
		}
		t.taken[name] = true
		out = append(out, name)
	}
	return out
}

// useful returns the names of the features that can be published, and notes the others.
func (t *layout) useful() (out []string) {
	for _, col := range t.order {
		switch {
		case col.free > 0:
			t.note(t.feature+" key", "with texts that are no words, left out", col.name)
		case isAnswer(col.name):
			t.note(t.feature+" key", "with an answer or a running number, left out", col.name)
		case col.varies > 0:
			t.note(t.feature+" key", "whose value differs between samples of one item, left out", col.name)
		case len(col.values) > 0:
			t.shown = append(t.shown, col)
			out = append(out, t.columns(t.feature, col.name)...)
		}
	}
	return out
}

// isAnswer reports whether a key has the right answer, or a number of an item. Both may be numbers and are no demands.
func isAnswer(name string) bool {
	name = strings.ToLower(name)
	return strings.Contains(name, "answer") || slices.Contains([]string{"id", "idx", "index", "row", "label", "labels", "gold", "target", "solution", "seed", "uuid", "hash", "timestamp"}, name)
}

// rows gives a row for each sample.
func (t *layout) rows(width int) func(yield func(tables.Row, error) bool) {
	repeated := t.repetitions()
	return func(yield func(tables.Row, error) bool) {
		cells := make([]string, width)
		for i := range t.samples {
			s := &t.samples[i]
			r := t.runs[s.run]
			next := copy(cells, r.subject)
			put := func(text string) {
				cells[next] = text
				next++
			}
			put(t.tasks[s.item])
			put(t.ids[s.item])
			if t.repeat != "" {
				put(strconv.Itoa(int(s.repetition)))
			}
			if t.words.filter != "" {
				if put(""); len(t.filtered) == 0 || t.filtered[s.item] {
					cells[next-1] = t.filters[s.filter]
				}
			}
			put(t.runName(s, repeated))
			put(r.file)
			scores := t.scores[s.first : int(s.first)+int(s.metrics)]
			if t.metrics {
				clear(cells[next : next+len(t.collection.metrics)])
				for _, sc := range scores {
					cells[next+int(sc.metric)] = sc.text()
				}
				next += len(t.collection.metrics)
			} else if put(""); len(scores) > 0 {
				cells[next-1] = scores[0].text()
			}
			for _, col := range t.shown {
				if put(""); int(s.item) < len(col.values) {
					cells[next-1] = col.values[s.item]
				}
			}
			put(r.file)
			if !yield(tables.Row{File: r.file, Line: int(s.line), Cells: cells}, nil) {
				return
			}
		}
	}
}

// repetitions reports whether runs have repetitions of their own.
func (t *layout) repetitions() bool {
	for i := range t.samples {
		if t.samples[i].repetition != t.samples[0].repetition {
			return true
		}
	}
	return false
}

// runName returns a name of a sample's run, with its repetition in the run if there are several.
func (t *layout) runName(s *sample, repeated bool) string {
	name := fmt.Sprintf("%04d", s.run)
	if repeated {
		name += fmt.Sprintf(".%05d", s.repetition)
	}
	return name
}

// text returns a score as a table has it.
func (s score) text() string {
	switch {
	case s.letter != 0:
		return string(rune(s.letter))
	case math.IsNaN(s.value) || math.IsInf(s.value, 0):
		return ""
	}
	return strconv.FormatFloat(s.value, 'g', -1, 64)
}
