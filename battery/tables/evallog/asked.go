package evallog

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

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
			c.note(c.subject[0], fmt.Sprintf("with several values of %s on one task: --subject %s,%s distinguishes them", way, c.subject[0], way), r.subject[0])
			delete(ways, r.subject[0])
		}
	}
}
