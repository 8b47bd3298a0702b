package tables

import (
	"fmt"
	"slices"
	"strconv"

	"achilles/sim/record"
)

// Most tables of numbers are no responses: yields beside the rows and columns of a field, prices beside years, what is known of patients. The columns of a
// test are called alike, or a column says who took it; where neither is so, a person must say that columns are items.

// fewestUnlike is the least number of columns of 0 and 1 with names of their own that are items without a word of a person: fewer are as often
// what is known of somebody.
const fewestUnlike = 5

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
