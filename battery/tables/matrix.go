package tables

import (
	"fmt"
	"slices"
	"strings"
)

// matrix finds out what rows and columns of a table without a column of scores are.
func (p *proposer) matrix() error {
	var cells []*profile // columns that may have responses
	label := ""
	for i, c := range p.columns {
		if p.used[c.name] != "" {
			continue
		}
		unnamed := c.name == unnamed(i) || slices.Contains([]string{"unnamed0", "index", "rownames", "rownumber", "x"}, plain(c.name))
		switch {
		case i == 0 && unnamed && c.index && len(p.columns) > 3:
			p.take("row numbers", c.name)
		case label == "" && p.subject == nil && p.item == nil && p.isLabel(i, c, unnamed):
			label = c.name
			p.take("label", label)
		default:
			cells = append(cells, c)
		}
	}
	name := plain(label)
	items := p.wish.Rows == "items" || p.wish.Rows == "" && (p.item != nil || p.subject == nil && slices.Contains(itemNames(), name) && !slices.Contains(subjectNames(), name))
	if p.item == nil && items && label != "" {
		p.item = []string{label}
	}
	if p.subject == nil && !items && label != "" {
		p.subject = []string{label}
	}
	if items && p.item == nil {
		return fmt.Errorf("%s has no column with the names of items: name it with --item", p.src.Name)
	}
	if p.form = wide; items {
		p.form, p.pattern = transposed, "*"
	}
	likely := scale(cells)
	var responses []*profile
	for _, c := range cells {
		if !likely(c) && !p.said(c) {
			p.except = append(p.except, c.name)
			continue
		}
		p.take("response", c.name)
		responses = append(responses, c)
	}
	if len(responses) == 0 || len(responses) == 1 && len(cells) > 1 {
		found := "no column has"
		if len(responses) == 1 {
			found = fmt.Sprintf("only column %q has", responses[0].name)
		}
		return fmt.Errorf("%s: %s responses, such as 0 and 1 or numbers in one range: the columns are %s%s; if a row is one response, name the columns with --subject, --item and --metric; if cells are answers that were chosen, say --key FILE, which has the right ones", p.src.Name, found, listed(p.src.Header[:p.width()]), percent(cells))
	}
	for _, c := range p.columns {
		if slices.Contains([]string{"row numbers", "empty", "repetition"}, p.used[c.name]) {
			p.except = append(p.except, c.name)
		}
	}
	merged := &profile{name: "responses", lo: responses[0].lo, hi: responses[0].hi}
	for _, c := range responses {
		merged.merge(c)
	}
	p.columns = append(p.columns, merged) // what measure looks at
	return nil
}

// said reports whether a person has numbered all words in a column.
func (p *proposer) said(c *profile) bool {
	return c.word > 0 && !c.many && !slices.ContainsFunc(c.values, func(v string) bool {
		_, level := p.wish.Levels[v]
		_, is := number(v)
		return !level && !is
	})
}

// percent is a hint if cells are percentages.
func percent(cells []*profile) string {
	for _, c := range cells {
		if len(c.values) > 0 && strings.HasSuffix(c.values[0], "%") {
			return fmt.Sprintf("; write %s as a fraction", c.values[0])
		}
	}
	return ""
}

func (p *profile) merge(c *profile) {
	p.gone, p.number, p.comma, p.point, p.word, p.broken = p.gone+c.gone, p.number+c.number, p.comma+c.comma, p.point+c.point, p.word+c.word, p.broken+c.broken
	p.lo, p.hi, p.many = min(p.lo, c.lo), max(p.hi, c.hi), p.many || c.many
	for _, v := range c.signs {
		if !slices.Contains(p.signs, v) && len(p.signs) < maxValues {
			p.signs = append(p.signs, v)
		}
	}
	for _, v := range c.values {
		if slices.Contains(p.values, v) {
			continue
		}
		if len(p.values) == maxValues {
			p.many = true
			return
		}
		p.values = append(p.values, v)
	}
}

// isLabel reports whether a column has the names of a matrix's rows.
func (p *proposer) isLabel(i int, c *profile, unnamed bool) bool {
	name := plain(c.name)
	if slices.Contains(itemNames(), name) || slices.Contains(subjectNames(), name) {
		return true
	}
	first := i == 0 || p.used[p.columns[i-1].name] == "row numbers"
	for _, end := range []string{"id", "code", "number", "nr"} {
		if first && strings.HasSuffix(name, end) && (c.many || len(c.values) == p.rows) {
			return true
		}
	}
	return first && (unnamed && len(p.columns) > 2 && !c.scoreLike() || c.word > 0 && !c.letters() && (c.many || len(c.values) == p.rows))
}

// scoreLike reports whether the values are few numbers or letters, as responses are.
func (p *profile) scoreLike() bool { return !p.many && len(p.values) <= 2 && p.scores() }

// scale returns whether a column has responses as most columns have: 0 and 1 or words for them, degrees between 0 and 1, or other numbers.
// A column in which words stand beside such numbers is one of them: the words may mean that there is no value.
func scale(cells []*profile) func(c *profile) bool {
	isDegree := func(c *profile) bool { return c.number > 0 && c.lo >= 0 && c.hi <= 1 }
	binary, degrees := 0, 0
	for _, c := range cells {
		switch {
		case c.binary():
			binary++
		case isDegree(c):
			degrees++
		}
	}
	var like func(c *profile) bool
	switch {
	case binary > degrees && 3*binary >= len(cells):
		like = (*profile).binary
	case binary+degrees > 0 && 3*(binary+degrees) >= len(cells):
		like = func(c *profile) bool { return c.binary() || isDegree(c) }
	default:
		like = func(c *profile) bool { return c.number > c.word }
	}
	return func(c *profile) bool { return (like(c) || c.there() == 0) && !ofSubjects(c.name) && !isOutcome(c.name) }
}

// binary reports whether a column has 0 and 1, or words for them, maybe beside a number that people use for no value.
func (p *profile) binary() bool {
	if p.letters() {
		return true
	}
	if p.number == 0 || p.broken > 0 || p.many {
		return false
	}
	found := false
	for _, v := range p.values {
		switch x, ok := number(v); {
		case !ok:
		case x == 0 || x == 1:
			found = true
		case !isCode(v):
			return false
		}
	}
	return found
}
