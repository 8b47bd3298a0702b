package tables

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// otherwise notes what sets a few of the responses apart: another name than most have, or words where the others have 0 and 1.
func otherwise(p *proposer, responses []*profile) {
	if p.wish.Family != "" || p.wish.Metric != "" {
		return
	}
	first := func(c *profile) string { return strings.Join(wordsOf(c.name)[:min(1, len(wordsOf(c.name)))], "") }
	called := map[string]bool{}
	for _, x := range setsOf(responses) {
		if len(x.columns) >= fewestAlike {
			called[first(x.columns[0])] = true
		}
	}
	var alone, words, digits []string
	for _, c := range responses {
		if !called[first(c)] {
			alone = append(alone, c.name)
		}
		switch {
		case c.letters():
			words = append(words, c.name)
		case c.binary() && c.numeric():
			digits = append(digits, c.name)
		}
	}
	if len(alone) > 0 && len(alone) <= fewestAlike && 2*len(alone) < len(responses) {
		p.found = append(p.found, [2]string{"note", fmt.Sprintf("%s: named unlike the other items; if not items, use --leave-out %s", listed(alone), strconv.Quote(strings.Join(alone, ",")))})
	}
	if few := words; len(words) > 0 && len(digits) > 0 {
		if len(digits) < len(words) {
			few = digits
		}
		p.found = append(p.found, [2]string{"note", fmt.Sprintf("%s have words (such as %s), %s 0 and 1: one test is seldom coded in both ways; if %s are no items, use --leave-out %s", listed(words), p.column(words[0]).values[0], listed(digits), listed(few), strconv.Quote(strings.Join(few, ",")))})
	}
}

// digitsAlone leaves out columns of words, such as Yes and No, where most of the others have 0 and 1 and are called alike: what is known of a subject beside
// the items of a test. A person who names the family has all of them.
func digitsAlone(p *proposer, could []*profile) []*profile {
	digits := slices.DeleteFunc(slices.Clone(could), func(c *profile) bool { return c.letters() })
	if len(digits) == len(could) || len(digits) <= 2*(len(could)-len(digits)) || !calledAlike(digits) {
		return could
	}
	var out []string
	for _, c := range could {
		if c.letters() {
			out = append(out, c.name)
		}
	}
	p.found = append(p.found, [2]string{"note", fmt.Sprintf("%s: not items, because they have words where most columns have 0 and 1; if they are, use --family binary", listed(out))})
	return digits
}
