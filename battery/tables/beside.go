package tables

import (
	"fmt"
	"slices"
	"strings"

	"achilles/sim/record"
)

// maxWords is how many distinct words a column of text may have to be published.
const maxWords = 50

// source returns the table as one to read row by row.
func (t *Table) source() *Source {
	return &Source{Name: t.Name, Header: t.Header, Each: func(yield func(Row, error) bool) {
		for i, r := range t.Rows {
			if !yield(Row{File: t.Name, Line: t.lines[i], Cells: r}, nil) {
				return
			}
		}
	}}
}

// inTable returns the first column of a table with one of the names, and "" if there is none.
func (p *proposer) inTable(t *Table, names []string) string {
	for _, name := range names {
		for _, h := range t.Header {
			if plain(h) == name {
				return h
			}
		}
	}
	return ""
}

// keyIn returns the columns of a table that have the parts of a key of the responses: those of the same names, or else of names that
// mean the same.
func (p *proposer) keyIn(t *Table, key []string, what, flag string, names []string) ([]string, error) {
	var out []string
	for _, k := range key {
		name := p.inTable(t, one(plain(k)))
		lists := [][]string{names, groupNames()}
		if len(key) > 1 {
			slices.Reverse(lists) // a task is the group of several items
		}
		for _, list := range lists {
			if name == "" && slices.Contains(list, plain(k)) {
				if name = p.inTable(t, list); slices.Contains(out, name) {
					name = ""
				}
			}
		}
		if name == "" && len(key) == 1 {
			name = p.inTable(t, append(names, "id"))
		}
		if name == "" && len(key) == 1 && p.form != long {
			name = t.Header[0]
		}
		if name == "" {
			return nil, fmt.Errorf("%s has no column for %s, which distinguishes %ss in %s: it has %s; name the columns of the %ss with --%s, or write a mapping", t.Name, k, what, p.src.Name, listed(t.Header), what, flag)
		}
		out = append(out, name)
	}
	return out, nil
}

// beside finds out which columns say something of items and of subjects.
func (p *proposer) beside() (err error) {
	taken := map[string]bool{"id": true, "item": true, "suite": true, "paradigm": true, "task": true, "subject": true}
	item, subject := p.item, p.subject
	if p.form == wide {
		item = []string{"item"}
	}
	if p.form == transposed {
		subject = []string{"subject"}
	}
	guesses(p, item, subject)
	if t := p.in.Items; t != nil {
		if inColumnOrder(p, t) {
			p.itemKey = []string{inOrder}
			p.found = append(p.found, [2]string{"note", fmt.Sprintf("rows of %s have no names: read as the items in the order of the columns", t.Name)})
		} else if p.itemKey, err = p.keyIn(t, item, "item", "item", itemNames()); err != nil {
			return err
		}
		if p.features, err = p.of(t, p.itemKey, taken); err != nil {
			return err
		}
	}
	if t := p.in.Subjects; t != nil {
		if p.subjectKey, err = p.keyIn(t, subject, "subject", "subject", callsOf(slices.Concat(subject, t.Header)...)); err != nil {
			return err
		}
		if p.covariates, err = p.of(t, p.subjectKey, taken); err != nil {
			return err
		}
		if len(p.covariates) == 0 {
			return fmt.Errorf("%s has no column to publish: numbers, or at most %d words", t.Name, maxWords)
		}
	}
	return p.within(taken)
}

// guesses leaves out sheets of a workbook of which nobody has said what they are, where they have no column with the names of items or of subjects.
func guesses(p *proposer, item, subject []string) {
	for _, g := range []struct {
		table **Table
		key   []string
		what  string
	}{{&p.in.Items, item, "item"}, {&p.in.Subjects, subject, "subject"}} {
		t := *g.table
		if t == nil || !t.guessed || g.what == "item" && inColumnOrder(p, t) {
			continue
		}
		names := itemNames()
		if g.what == "subject" {
			names = callsOf(slices.Concat(subject, t.Header)...)
		}
		if _, err := p.keyIn(t, g.key, g.what, g.what, names); err != nil {
			*g.table = nil
			p.found = append(p.found, [2]string{"left out", fmt.Sprintf("sheet %s, which has no column for %s; if it is the table of %ss, use --%ss %s and name the column with --%s", t.Name, joinedNames(g.key), g.what, g.what, shellWord(t.Name), g.what)})
		}
	}
}

// mixed returns a note that a column of numbers has a few words, and what therefore becomes of it; nil: it has none.
func mixed(t *Table, c *profile, becomes string) [][2]string {
	if c.word == 0 || c.word > c.number || c.many || isOutcome(c.name) {
		return nil
	}
	words := slices.DeleteFunc(slices.Clone(c.values), func(v string) bool { _, ok := number(v); return ok || isComma(v) })
	if len(words) == 0 || len(words) > 5 {
		return nil
	}
	return [][2]string{{"note", fmt.Sprintf("column %s of %s has words among its numbers (%s), and is %s; if they mean that there is no value, use --missing %q", c.name, t.Name, listed(words), becomes, strings.Join(words, ","))}}
}

// of returns the columns of a table to publish.
func (p *proposer) of(t *Table, key []string, taken map[string]bool) ([]published, error) {
	columns, _, err := survey(t.source(), p.wish.Missing)
	if err != nil {
		return nil, err
	}
	if p.wish.Decimal == "" && p.read.Decimal == "." {
		if p.read.Decimal, err = decimal(columns); err != nil {
			return nil, fmt.Errorf("%s: %w", t.Name, err)
		}
	}
	var out []published
	var ignored []string
	for _, c := range columns {
		switch {
		case slices.Contains(key, c.name):
		case p.publishable(c):
			p.found = append(p.found, mixed(t, c, "read as labels")...)
			out = append(out, p.published(c, taken))
		default:
			p.found = append(p.found, mixed(t, c, "left out")...)
			ignored = append(ignored, c.name)
		}
	}
	if len(ignored) > 0 {
		p.found = append(p.found, [2]string{"left out", fmt.Sprintf("%s of %s: %s", count(len(ignored), "column"), t.Name, listed(ignored))})
	}
	return out, nil
}

func (p *proposer) publishable(c *profile) bool {
	repeats := !c.many && len(c.values) <= maxWords && len(c.values) < c.there() && // words that stand for groups, and are no names
		!slices.ContainsFunc(c.values, func(v string) bool { return record.CheckName(v) != nil }) // nor texts of several lines
	return !isOutcome(c.name) && !c.constant() && (c.numeric() || repeats)
}

func (p *proposer) published(c *profile, taken map[string]bool) published {
	name := c.name
	for _, prefix := range []string{"itemcov_", "cov_"} { // the Item Response Warehouse
		if rest := strings.TrimPrefix(name, prefix); rest != "" {
			name = rest
		}
	}
	out := published{name: identifier(name, taken), column: c.name, role: "condition"}
	if c.numeric() {
		if !isNumbering(c.name) {
			out.role = "demand"
		}
		if c.worded {
			out.missing = p.wish.Missing
		}
	}
	return out
}

// within finds features and covariates among the columns of the responses: those that are the same in every row of an item, or of a
// subject.
func (p *proposer) within(taken map[string]bool) error {
	tested := func(c *profile) bool { return p.conditions && c.numeric() && slices.Contains(p.item, c.name) } // a delay is what it is called
	var rest []*profile
	for _, c := range p.columns {
		if p.src.column(c.name) >= 0 && (p.used[c.name] == "" || isPart(p.item, c.name) || isPart(p.subject, c.name) || tested(c)) && (p.publishable(c) || slices.Contains(p.src.Demands, c.name) && !c.constant()) && !neverBeside(c) {
			rest = append(rest, c)
		}
	}
	ofItem, ofSubject, names, err := p.depends(rest)
	if err != nil {
		return err
	}
	for i, c := range rest {
		for k, key := range [][]string{p.item, p.subject} {
			if !(k == 0 && p.conditions) && isPart(key, c.name) && (c.many || 3*len(c.values) > names[k] || slices.Contains(itemNames(), plain(c.name))) {
				ofItem[i], ofSubject[i] = false, false
			}
		}
		switch {
		case ofItem[i] && p.in.Items == nil && !(ofSubject[i] && ofSubjects(c.name)):
			p.features = append(p.features, p.published(c, taken))
			p.take("feature", c.name)
		case ofSubject[i] && p.in.Subjects == nil && !strings.HasPrefix(c.name, "itemcov_"):
			p.covariates = append(p.covariates, p.published(c, taken))
			p.take("covariate", c.name)
		}
	}
	return nil
}

// isPart reports whether a column is one of several that make up the names of items or subjects. Such a one may say something of them: the delay of a
// trial, before or after a training. It does if there are few values to many names.
func isPart(key []string, name string) bool { return len(key) > 1 && slices.Contains(key, name) }

// neverBeside reports whether a column is of a single response, whatever its values are. Words called time are occasions: before, after.
func neverBeside(c *profile) bool {
	name := plain(leaf(c.name))
	return slices.Contains(append(timeNames(), "date", "month", "day", "respraw", "rater", "timestamp"), name) || name == "time" && c.numeric() || isComment(c.name)
}

// maxKept is how many cells depends holds.
const maxKept = 1 << 22

// depends returns which columns have one value in all rows of an item, and in all rows of a subject; and the numbers of items and of
// subjects, 0 where there are too many to count. Rows of a matrix whose names are their numbers are different items or subjects.
func (p *proposer) depends(columns []*profile) (ofItem, ofSubject []bool, names [2]int, err error) {
	ofItem, ofSubject = slices.Repeat([]bool{p.form != wide}, len(columns)), slices.Repeat([]bool{p.form != transposed}, len(columns))
	if len(columns) == 0 || p.form == wide && len(p.subject) == 0 || p.form == transposed && len(p.item) == 0 || p.form != long && p.rows*len(columns) > maxKept {
		return ofItem, ofSubject, [2]int{p.rows, p.rows}, nil
	}
	index := func(names []string) (out []int) {
		for _, n := range names {
			if c := p.src.column(n); c >= 0 {
				out = append(out, c)
			}
		}
		return out
	}
	item, subject, at := index(p.item), index(p.subject), []int{}
	for _, c := range columns {
		at = append(at, p.src.column(c.name))
	}
	seen := [2]map[string][]string{{}, {}}
	kept := 0
	for row, err := range p.src.Each {
		if err != nil {
			return nil, nil, names, err
		}
		for k, key := range [][]int{item, subject} {
			same := [][]bool{ofItem, ofSubject}[k]
			if !slices.Contains(same, true) {
				continue
			}
			name := joined(row.Cells, key)
			have := seen[k][name]
			if have == nil {
				if kept += len(at); kept > maxKept {
					clear(same)
					seen[k] = nil
					continue
				}
				have = make([]string, len(at))
				seen[k][strings.Clone(name)] = have
			}
			for j, c := range at {
				switch cell := row.Cells[c]; {
				case !same[j] || missing(cell):
				case have[j] == "":
					have[j] = strings.Clone(cell)
				case have[j] != cell:
					same[j] = false
				}
			}
		}
	}
	return ofItem, ofSubject, [2]int{len(seen[0]), len(seen[1])}, nil
}
