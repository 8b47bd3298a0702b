package tables

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A questionnaire may have several scales in one table: degrees from 1 to 5 beside marks from 0 to 100 beside yes and no. Items of one measure
// have one scale.

// Limits of scales.
const (
	mostDegrees    = 10 // steps of a scale of few degrees
	fewestOfScale  = 3  // columns of one
	timesItsRange  = 5  // as many times a scale of marks is wider than one of degrees
	fewestOfMarked = 21 // different marks
)

// degrees reports whether a column has a few whole numbers, as scales of degrees have.
func (c *profile) degrees() bool {
	return c.numeric() && !c.many && c.broken == 0 && c.lo >= 0 && c.hi-c.lo >= 2 && c.hi-c.lo <= mostDegrees && len(c.values) > 2
}

// marks reports whether a column has many whole numbers in a range that is wide beside that of degrees.
func (c *profile) marks(widest float64) bool {
	return c.numeric() && c.broken == 0 && (c.many || len(c.values) >= fewestOfMarked) && c.hi-c.lo >= timesItsRange*widest
}

// oneScale returns an error if, of columns of whole numbers, some have a few degrees and others many marks, and they are called differently.
func oneScale(file string, responses []*profile) error {
	var degrees, marks []string
	stems, widest := map[string]bool{}, 0.0
	for _, c := range responses {
		if c.degrees() {
			degrees, widest = append(degrees, c.name), max(widest, c.hi-c.lo)
			stems[digits.ReplaceAllString(c.name, "#")] = true
		}
	}
	for _, c := range responses {
		if len(degrees) > 1 && c.marks(widest) {
			marks = append(marks, c.name)
			if stem := digits.ReplaceAllString(c.name, "#"); stems[stem] && stem != c.name {
				return nil
			}
		}
	}
	if len(degrees) < 2 || len(marks) < 2 {
		return nil
	}
	return fmt.Errorf("%s: columns of different scales: %s have a few degrees each, %s many marks; import one scale at a time: --leave-out %s, or --leave-out %s; if all count or measure one thing, use --family real", file, listed(degrees), listed(marks), strconv.Quote(strings.Join(marks, ",")), strconv.Quote(strings.Join(degrees, ",")))
}

// otherScale notes columns of whole degrees beside responses that are 0 and 1, or proportions: they are covariates, unless a person says that they are
// items of a scale of their own.
func otherScale(p *proposer, cells, responses []*profile) {
	var others, rest []string
	for _, c := range cells {
		switch {
		case slices.Contains(responses, c):
			rest = append(rest, c.name)
		case p.used[c.name] == "" && c.degrees() && isAnswer(c.name):
			others = append(others, c.name)
		case p.used[c.name] == "" && c.numeric() && isAnswer(c.name):
			rest = append(rest, c.name)
		}
	}
	if len(others) < fewestOfScale || p.wish.Family != "" {
		return
	}
	p.found = append(p.found, [2]string{"note", fmt.Sprintf("%s have other whole numbers and are no items here; if they are items of a scale of their own, import them by themselves: --family choice --leave-out %s", listed(others), strconv.Quote(strings.Join(rest, ",")))})
}

// options returns the names of columns in pairs that differ by what tells two options apart, such as valueA and valueB, and nil unless there are
// pairs of different ranges: items of one measure may be called so too, but amounts and probabilities are what was offered.
func options(cells []*profile) (pairs [][2]string) {
	at := map[string]*profile{}
	for _, c := range cells {
		if c.numeric() {
			at[c.name] = c
		}
	}
	narrow, wide := 0.0, 0.0
	for _, c := range cells {
		for _, m := range [][2]string{{"A", "B"}, {"a", "b"}, {"left", "right"}, {"Left", "Right"}, {"ss", "ll"}, {"SS", "LL"}, {"sooner", "later"}, {"safe", "risky"}} {
			for _, other := range []string{strings.TrimSuffix(c.name, m[0]) + m[1], m[1] + strings.TrimPrefix(c.name, m[0])} {
				d := at[other]
				if at[c.name] == nil || d == nil || d == c || c.binary() && d.binary() || len(other)-len(c.name) != len(m[1])-len(m[0]) || len(c.name) == len(m[0]) {
					continue
				}
				width := max(c.hi, d.hi) - min(c.lo, d.lo)
				if width == 0 {
					continue
				}
				if pairs = append(pairs, [2]string{c.name, d.name}); len(pairs) == 1 {
					narrow = width
				}
				narrow, wide = min(narrow, width), max(wide, width)
			}
		}
	}
	if len(pairs) < 2 || wide < timesItsRange*narrow {
		return nil
	}
	return pairs
}

// offered is the error for a table of choices between options.
func offered(p *proposer, pairs [][2]string, cells []*profile) error {
	var listed, offers []string
	for _, c := range pairs {
		listed, offers = append(listed, c[0]+" and "+c[1]), append(offers, c[0], c[1])
	}
	chosen := ""
	for _, word := range []string{"chos", "choice", "decision", "pick", "prefer", "rate", "response"} {
		for _, c := range cells {
			if chosen == "" && !slices.Contains(offers, c.name) && strings.Contains(strings.ToLower(c.name), word) {
				chosen = ", such as --metric " + c.name
			}
		}
	}
	item := strings.Join(p.item, ",")
	if item == "" {
		item = strings.Join(offers, ",")
	}
	return fmt.Errorf("%s: columns come in pairs, as the options of a choice do (%s): a row is then a choice between them; name what was chosen with --metric%s, and what was offered with --item %s; if these are responses of one row, use --rows subjects", p.src.Name, strings.Join(listed, ", "), chosen, strconv.Quote(item))
}
