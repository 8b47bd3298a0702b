package tables

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"achilles/sim/record"
)

// report says what was taken for what.
func (p *proposer) report() error {
	say := func(what, format string, args ...any) {
		p.found = append(p.found, [2]string{what, fmt.Sprintf(format, args...)})
	}
	rest := p.found
	p.found = nil
	read := p.src.Format
	if p.read.Separator != "" && !strings.HasPrefix(read, alignedText) {
		read += fmt.Sprintf(", separator %q, decimal sign %q, %s", p.read.Separator, p.read.Decimal, p.read.Encoding)
	}
	say("format", "%s; %s × %s", read, count(p.rows, "row"), count(p.width(), "column"))
	subject, item := joinedNames(p.subject), joinedNames(p.item)
	c := p.columns[len(p.columns)-1]
	switch p.form {
	case long:
		c = p.column(p.score)
	case wide:
		if p.subject == nil {
			subject = "one per row, called row 1, row 2 …"
		}
		item = p.cells("column")
	case transposed:
		subject = p.cells("column")
	}
	say("subject", "%s", subject)
	if n := len(p.wish.Key); n > 0 {
		say("key", "right answers of %s: 1 where they were chosen, 0 where others were", count(n, "column"))
	}
	if p.count != "" {
		say("count", "each row is as many subjects as %s says", p.count)
	}
	say("item", "%s", item)
	score := fmt.Sprintf("%s: %s", c.name, listed(byLevel(c.values, p.levels)))
	if c.many {
		score = fmt.Sprintf("%s: from %g to %g", c.name, c.lo, c.hi)
	}
	switch {
	case p.rate:
		score += fmt.Sprintf("; proportions of the trials in %s (count)", p.trials)
	case p.trials != "":
		score += fmt.Sprintf("; of the trials in %s (count)", p.trials)
	default:
		score += fmt.Sprintf(" (%s)", p.family)
	}
	switch {
	case p.right != "" && p.family == record.Unit:
		score = fmt.Sprintf("by how far %s is from %s, from 1 to 0 (unit)", p.score, p.right)
	case p.right != "":
		score = fmt.Sprintf("1 where %s is what %s says, 0 where it is not", map[bool]string{true: p.score, false: "a response"}[p.form == long], p.right)
	}
	say("score", "%s", score)
	for _, o := range p.only {
		say("chosen", "%s %s", o[0], o[1])
	}
	if say("missing", "%s", "none"); c.gone > 0 {
		signs := slices.Clone(c.signs)
		if i := slices.Index(signs, ""); i >= 0 {
			signs[i] = "empty"
		}
		p.found[len(p.found)-1][1] = fmt.Sprintf("%d: %s", c.gone, listed(signs))
	}
	say("repetitions", "%s", orNone(joinedNames(p.repetition)))
	if p.position != "" {
		say("position", "%s", map[bool]string{true: "as " + map[form]string{long: "rows", transposed: "rows", wide: "columns"}[p.form] + " stand", false: p.position}[p.position == inOrder])
	}
	if p.went[0] != "" {
		say("choices", "%s", joinedNames(slices.DeleteFunc(slices.Clone(p.went[:]), func(s string) bool { return s == "" })))
	}
	if p.split != "" {
		say("held out", "by column %s", p.split)
	}
	say("features", "%s", orNone(names2(p.features)))
	if len(p.covariates) > 0 {
		say("covariates", "%s", names2(p.covariates))
	}
	var ignored []string
	for _, c := range p.columns {
		if p.src.column(c.name) >= 0 && slices.Contains([]string{"", "row numbers", "empty", otherScore}, p.used[c.name]) {
			ignored = append(ignored, c.name)
		}
	}
	if len(ignored) > 0 {
		say("left out", "%s: %s", count(len(ignored), "column"), listed(ignored))
	}
	p.found = append(p.found, rest...)
	for _, n := range p.src.Notes {
		say("note", "%s", n)
	}
	return nil
}

func orNone(s string) string {
	if s == "" {
		return "none"
	}
	return s
}

func joinedNames(names []string) string { return strings.Join(names, " / ") }

func names2(list []published) string {
	var names []string
	for _, f := range list {
		names = append(names, f.name)
	}
	if len(names) == 0 {
		return ""
	}
	return fmt.Sprintf("%d: %s", len(names), listed(names))
}

// byLevel returns values of a score from the lowest level to the highest; what has no level is last, by name.
func byLevel(values []string, levels [][2]string) []string {
	number := map[string]float64{}
	for _, l := range levels {
		if x, err := strconv.ParseFloat(l[1], 64); err == nil {
			number[l[0]] = x
		}
	}
	of := func(value string) float64 {
		if x, ok := number[value]; ok {
			return x
		}
		return math.Inf(1)
	}
	return slices.SortedFunc(slices.Values(values), func(a, b string) int {
		return cmp.Or(cmp.Compare(of(a), of(b)), record.CompareNames(a, b))
	})
}
