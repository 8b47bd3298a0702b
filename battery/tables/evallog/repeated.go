package evallog

import (
	"cmp"
	"fmt"
	"slices"
)

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
		ways = fmt.Sprintf("; they differ in %s: --subject %s%s distinguishes them", ways[1:], c.subject[0], ways)
	}
	return fmt.Sprintf("two runs have the same samples (%d of them), and the logs do not say that one is a retry of the other: %s and %s. Omit one, or use --repetition run if they are repetitions%s", n, a.file, b.file, ways)
}
