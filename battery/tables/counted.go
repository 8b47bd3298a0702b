package tables

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// noCount, in place of a column, says that each row is one subject.
const noCount = "none"

// countNames are what people call the number of subjects with a pattern of responses.
func countNames() []string {
	return []string{"freq", "frequency", "frequencies", "count", "counts", "weight", "weights", "wt", "n", "nobs", "obs", "cases", "häufigkeit", "anzahl"}
}

// counts finds the column that says how many subjects each row of a matrix stands for. It asks where there seems to be one and nobody
// has said: tables of patterns and their counts look like tables of subjects.
func (p *proposer) counts() error {
	if p.count = p.wish.Count; p.count == noCount {
		p.count = ""
		return nil
	}
	if p.count != "" {
		c := p.column(p.count)
		switch {
		case c == nil:
			return fmt.Errorf("%s has no column %q: there are %s", p.src.Name, p.count, listed(p.src.Header[:p.width()]))
		case p.form != wide:
			return fmt.Errorf("--count %s: a row stands for several subjects only where rows are subjects", p.count)
		}
		p.take("count", p.count)
		return nil
	}
	if p.form != wide || p.rows < 3 {
		return nil
	}
	name := p.named(countNames(), func(c *profile) bool { return c.numeric() && c.broken == 0 && c.lo >= 0 && c.hi > 1 })
	if name == "" && p.subject == nil {
		name = p.onlyNumber()
	}
	if name == "" {
		return nil
	}
	var cells []int
	for i, h := range p.src.Header {
		if p.used[h] == "response" {
			cells = append(cells, i)
		}
	}
	seen := map[string]bool{}
	for row, err := range p.src.Each {
		if err != nil {
			return err
		}
		var pattern strings.Builder
		for _, i := range cells {
			fmt.Fprintf(&pattern, "%q", row.Cells[i])
		}
		if seen[pattern.String()] {
			return nil // of a table of patterns each stands there once
		}
		seen[pattern.String()] = true
	}
	return fmt.Errorf("%s: no two rows have the same responses, and %s has whole numbers: if it says how many subjects each row stands for, use --count %s; if it does not, use --count %s", p.src.Name, name, name, noCount)
}

// onlyNumber returns the one column of whole numbers beside responses, and "" if there is no such column.
func (s *surveyed) onlyNumber() (name string) {
	for _, c := range s.columns[:len(s.columns)-1] { // the last is all responses together
		switch {
		case s.used[c.name] != "":
		case name != "" || !c.numeric() || c.broken > 0 || c.lo < 0 || c.hi <= 1 || ofSubjects(c.name) || isOutcome(c.name):
			return ""
		default:
			name = c.name
		}
	}
	return name
}

// repeated returns a source in which each row stands as often as a column says, and each time with a subject's name of its own, if key
// columns have it.
func (s *Source) repeated(column string, key []string) (*Source, error) {
	at := s.column(column)
	if at < 0 {
		return nil, fmt.Errorf("%s has no column %q", s.Name, column)
	}
	name := -1
	if len(key) > 0 {
		name = s.column(key[len(key)-1])
	}
	out := *s
	out.Each = func(yield func(Row, error) bool) {
		total := 0.0
		for row, err := range s.Each {
			if err != nil {
				yield(row, err)
				return
			}
			n, ok := number(row.Cells[at])
			total += n
			switch {
			case !ok || n < 0 || n != math.Trunc(n):
				yield(Row{}, fmt.Errorf("%s: %s is %q: want a whole number from 0", row.at(), column, row.Cells[at]))
				return
			case total > maxNames:
				yield(Row{}, fmt.Errorf("%s: %s adds up to more than %d subjects", row.at(), column, maxNames))
				return
			}
			row.Cells = slices.Clone(row.Cells)
			called := ""
			if name >= 0 {
				called = row.Cells[name]
			}
			for k := range int(n) {
				if name >= 0 {
					row.Cells[name] = fmt.Sprint(called, "/", k+1)
				}
				if !yield(row, nil) {
					return
				}
			}
		}
	}
	return &out, nil
}
