package evallog

import (
	"fmt"
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

// A feature is what a log says of an item, as text. It is nested if it stood in an object within the log's.
type feature struct {
	name, text string
	nested     bool
}

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
			c.note("sample", "whose question differs from that of another log under the same name (the hashes differ)", e.item)
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
		if f.nested && len(c.order) >= maxFeatures/2 {
			c.note("value", fmt.Sprintf("of %s in objects with more than %d keys in all, left out", c.feature, maxFeatures/2), f.name)
			return nil
		}
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

func (c *collection) name(item int32) string {
	return strings.TrimPrefix(c.tasks[item]+"/"+c.ids[item], "/")
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
	if !slices.ContainsFunc(c.runs, func(r *run) bool { return r.task != "" }) {
		out.Item, out.Ignored = out.Item[1:], append(out.Ignored, out.Item[0])
	}
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
