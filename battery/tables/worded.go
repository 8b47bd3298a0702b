package tables

import (
	"slices"
	"strings"
	"unicode"
)

// worded returns the columns of numbers from 0 to 1, or of two values, whose name has a word for a score and more: score_binarized, is_solved,
// task_success. Only where rows have a subject and an item, so that each is a response; a column with the same value everywhere is none.
func (p *surveyed) worded() (out []string) {
	if p.named(itemNames(), varies) == "" && shownOnce(p, p.who()) == "" || p.who() == "" {
		return nil
	}
	words := []string{"score", "reward", "correct", "success", "successful", "accuracy", "acc", "passed", "pass", "solved", "resolved", "completed"}
	for _, c := range p.columns {
		parts := strings.FieldsFunc(strings.ToLower(leaf(c.name)), func(r rune) bool { return !unicode.IsLetter(r) })
		if p.used[c.name] == "" && varies(c) && (c.binary() || c.numeric() && c.lo >= 0 && c.hi <= 1) && slices.ContainsFunc(parts, func(w string) bool { return slices.Contains(words, w) }) {
			out = append(out, c.name)
		}
	}
	return out
}

// otherScores returns a column that must have the scores although its cells do not look so: one called as scores are, with words, or the
// only one of 0 and 1 beside a key that a person named.
func (p *proposer) otherScores() (scores []string) {
	for _, c := range p.columns {
		named := slices.Contains(scoreNames(), plain(leaf(c.name))) && !c.many && c.word > 0
		if p.used[c.name] == "" && (named || p.wish.Item != nil && p.wish.Rows == "" && c.binary()) {
			scores = append(scores, c.name)
		}
	}
	if len(scores) > 1 && p.wish.Metric == "" {
		return nil
	}
	return scores
}
