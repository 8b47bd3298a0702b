package tables

import (
	"fmt"
	"slices"

	"achilles/sim/record"
)

// splitOf returns what a word of a split says of a response, and false if it says nothing.
func splitOf(word string) (record.Split, bool) {
	switch word {
	case "fit", "train":
		return record.Fit, true
	case "held-out", "test":
		return record.HeldOut, true
	}
	return record.Fit, false
}

// heldOut finds a column that says which responses are held out. One that says the same of all rows of an item, as of which part of a benchmark
// it is, or of a subject, is known of these.
func heldOut(p *proposer) error {
	name := p.named([]string{"split"}, varies)
	if name == "" || p.form != long || !p.differs(name, p.item) || !p.differs(name, p.subject) {
		return nil
	}
	c := p.column(name)
	why := ""
	switch other := func(word string) bool { _, is := splitOf(word); return !is }; {
	case c.gone > 0:
		why = "has empty cells"
	case c.many || slices.ContainsFunc(c.values, other):
		why = "has " + listed(c.values)
	case p.differs(name, slices.Concat(p.subject, p.item)):
		why = "differs between responses of one subject to one item"
	default:
		p.split = name
		p.take("split", name)
		return nil
	}
	p.found = append(p.found, [2]string{"note", fmt.Sprintf("%s %s, so that held-out responses are drawn at random; to use it, write train or test in it, one word per subject and item", name, why)})
	return nil
}
