package evallog

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"achilles/battery/tables"
)

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
			t.note(t.feature+" key", "with texts that are not single words, left out", col.name)
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
