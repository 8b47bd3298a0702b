package tables

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"achilles/sim/record"
)

// Most tables of numbers are no responses: yields beside the rows and columns of a field, prices beside years, what is known of patients. The columns of a
// test are called alike, or a column says who took it; where neither is so, a person must say that columns are items.

// fewestUnlike is the least number of columns of 0 and 1 with names of their own that are items without a word of a person: fewer are as often
// what is known of somebody.
const fewestUnlike = 5

// Up to mostByTheWay columns of numbers are a test if they are one in fewestShare of all columns or more.
const (
	fewestShare  = 5
	mostByTheWay = 8
)

// oneThing returns an error where nothing says that the columns of a matrix are items of one measure: neither what they are called nor what the rows are
// called after. A person who names the family has said it.
func oneThing(p *proposer) error {
	if p.form == long || p.src.Known.Subject != nil || p.right != "" || p.wish.Family != "" || p.wish.Metric != "" || p.wish.Trials != "" || p.wish.Subject != nil || p.wish.Rows != "" || p.wish.Count != "" || p.family == record.Count {
		return nil
	}
	label := p.label
	var items []*profile
	bare := true // whether the table has nothing but responses and the names or numbers of the rows
	for _, c := range p.columns {
		if p.used[c.name] == "response" && c.there() > 0 {
			items = append(items, c)
		} else if p.used[c.name] != "response" && p.src.column(c.name) >= 0 && c.name != fileColumn && p.used[c.name] != "label" && p.used[c.name] != "row numbers" && p.used[c.name] != "empty" && c.name != p.count {
			bare = false
		}
	}
	if calledAlike(items) && !(p.family == record.Real && (asPrograms(items) || byTheWay(p, items))) || p.form == transposed && slices.Contains(itemNames(), plain(label)) {
		return nil
	}
	named := isWho(label)
	switch p.family {
	case record.Binary:
		if named || bare || len(items) >= fewestUnlike {
			return nil
		}
	case record.Unit:
		if named || bare && len(items) > 1 {
			return nil
		}
	case record.Choice:
		if named || bare && ofOneRange(items) || mostOfOneScale(items) {
			return nil
		}
	default:
		if named && ofOneRange(items) && !byTheWay(p, items) && (!slices.Contains(generic(), plain(label)) || len(items) >= fewestOfScale) {
			return nil
		}
	}
	if i := slices.IndexFunc(items, func(c *profile) bool { return isWho(c.name) }); i >= 0 {
		name := items[i].name
		return fmt.Errorf("%s: rows seem to be single responses of what is in %s: use --subject %s, and name what was tested with --item, and the response with --metric; if the other columns are items of one test, use --family %s", p.src.Name, name, shellWord(name), p.family)
	}
	var said []string
	for _, c := range items {
		if c.numeric() {
			said = append(said, fmt.Sprintf("%s is from %g to %g", c.name, c.lo, c.hi))
		} else {
			said = append(said, c.name+" has "+listed(c.values))
		}
	}
	return fmt.Errorf("%s: nothing says that the columns are items of one test: %s; if they are, use --family %s; leave out those that are not with --leave-out, such as --leave-out %s; if a row is one response, name the columns with --subject, --item and --metric", p.src.Name, listed(said), p.family, strconv.Quote(items[0].name))
}

// asPrograms reports whether two columns are called by a letter, as programs call them (V1, V2), which says nothing of them.
func asPrograms(items []*profile) bool {
	words := wordsOf(items[0].name)
	return len(items) < fewestAlike && len(words) == 1 && len([]rune(words[0])) == 1
}

// byTheWay reports whether columns of numbers are no test but a few among many others, such as how often a child hears each of its languages.
func byTheWay(p *proposer, items []*profile) bool {
	others := 0
	for _, c := range p.columns {
		if p.src.column(c.name) >= 0 && c.there() > 0 {
			others++
		}
	}
	return len(items) <= mostByTheWay && fewestShare*len(items) < others
}

// calledAlike reports whether most of some columns are called alike but for digits, or all share a word: HR_baseline, HR_anger.
func calledAlike(columns []*profile) bool {
	if numberedAlike(columns) || len(columns) > 1 && len(setsOf(columns)) == 1 {
		return true
	}
	shared := wordsOf(columns[0].name)
	for _, c := range columns {
		words := wordsOf(c.name)
		shared = slices.DeleteFunc(slices.Clone(shared), func(w string) bool { return !slices.Contains(words, w) })
	}
	return len(shared) > 0 && len(columns) > 1
}

// numberedAlike reports whether most of some columns are called alike but for digits.
func numberedAlike(columns []*profile) bool {
	alike := 0
	for _, x := range setsOf(columns) {
		if len(x.columns) >= fewestAlike {
			alike += len(x.columns)
		}
	}
	return 2*alike > len(columns)
}

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
		p.found = append(p.found, [2]string{"note", fmt.Sprintf("%s: called otherwise than the other items; if not of them, use --leave-out %s", listed(alone), strconv.Quote(strings.Join(alone, ",")))})
	}
	if few := words; len(words) > 0 && len(digits) > 0 {
		if len(digits) < len(words) {
			few = digits
		}
		p.found = append(p.found, [2]string{"note", fmt.Sprintf("%s have words (such as %s), %s 0 and 1: one test is seldom coded in both ways; if %s are no items, use --leave-out %s", listed(words), p.column(words[0]).values[0], listed(digits), listed(few), strconv.Quote(strings.Join(few, ",")))})
	}
}

// mostOfOneScale reports whether two in three columns, at least fewestOfScale, have the same least and the same largest number.
func mostOfOneScale(columns []*profile) bool {
	ends := map[[2]float64]int{}
	for _, c := range columns {
		if n := [2]float64{c.lo, c.hi}; c.lo < c.hi {
			if ends[n]++; ends[n] >= fewestOfScale && 3*ends[n] >= 2*len(columns) {
				return true
			}
		}
	}
	return false
}

// timesOfOneUnit is by how many times the ranges of columns of one unit may differ: times of easy and of hard tasks differ tenfold.
const timesOfOneUnit = 10

// ofOneRange reports whether the ranges of columns of numbers do not differ by more than those of one unit do.
func ofOneRange(columns []*profile) bool {
	narrow, wide := math.Inf(1), 0.0
	for _, c := range columns {
		if w := c.width(); w > 0 {
			narrow, wide = min(narrow, w), max(wide, w)
		}
	}
	return wide <= timesOfOneUnit*narrow
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
	p.found = append(p.found, [2]string{"note", fmt.Sprintf("%s: words where most have 0 and 1, and so no items; if they are, use --family binary", listed(out))})
	return digits
}
