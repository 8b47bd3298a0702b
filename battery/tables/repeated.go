package tables

import (
	"fmt"
	"slices"
	"strings"
)

// choices chooses one value of a column of which each has all responses again, and finds what tells repetitions apart.
func (p *proposer) choices() error {
	if p.form != long {
		if p.wish.Repetition != "" {
			return p.repeated()
		}
		return nil
	}
	choose := p.src.Choose
	if choose == nil {
		for _, flag := range []string{"metric", "filter", "scorer"} {
			if name := p.named([]string{flag, flag + "name"}, nil); name != "" {
				choose = append(choose, Choose{Flag: flag, Column: name})
			}
		}
	}
	for _, c := range choose {
		wish := map[string]string{"metric": p.wish.Metric, "filter": p.wish.Filter, "scorer": p.wish.Scorer}[c.Flag]
		values := p.column(c.Column)
		if wish == p.score || wish == leaf(p.score) {
			wish = "" // the metric is a column, not a value
		}
		p.take("choice", c.Column)
		switch {
		case wish == "" && (values.constant() || c.Optional):
			continue
		case wish == "":
			return fmt.Errorf("%s: several values of %q, each with responses of its own: choose one with --%s: %s", p.src.Name, c.Column, c.Flag, listed(values.values))
		case !values.many && !slices.Contains(values.values, wish):
			return fmt.Errorf("%s: no row has %q in %q: there are %s", p.src.Name, wish, c.Column, listed(values.values))
		}
		p.only = append(p.only, [2]string{c.Column, wish})
	}
	for _, w := range [][2]string{{"filter", p.wish.Filter}, {"scorer", p.wish.Scorer}} {
		if w[1] != "" && w[0] != p.src.ScoreFlag && !slices.ContainsFunc(choose, func(c Choose) bool { return c.Flag == w[0] }) {
			return fmt.Errorf("%s has no column called %s: leave out --%s", p.src.Name, w[0], w[0])
		}
	}
	return p.repeated()
}

// repeated finds what tells a subject's responses to one item apart.
func (p *proposer) repeated() error {
	switch wish := p.wish.Repetition; {
	case wish != "" && p.column(wish) != nil:
		p.repetition = []string{wish}
	case wish == "order":
		p.repetition = []string{inOrder}
		return nil
	case wish != "":
		return fmt.Errorf("%s has no column %q: name one that numbers repetitions, or use --repetition order", p.src.Name, wish)
	case p.src.Repetition != nil:
		p.repetition = p.src.Repetition
	case p.conditions:
		p.repetition = []string{inOrder}
		p.found = append(p.found, [2]string{"note", fmt.Sprintf("a trial's number does not say what was tested: the item is %s, and its trials are numbered in file order; if other columns say more about it, name all: --item %s,…", joinedNames(p.item), strings.Join(p.item, ","))})
		return nil
	default:
		for _, c := range p.columns {
			if p.used[c.name] == "" && c.name != p.wish.Position && !isPlace(p, c) && slices.Contains(repetitionNames(), plain(c.name)) && varies(c) && c.gone == 0 {
				p.repetition = append(p.repetition, c.name)
			}
		}
		if p.column(p.wish.Position) != nil && p.repetition == nil && p.again(slices.Concat(p.subject, p.item)) {
			p.repetition = []string{inOrder} // the column says when, not how often
			return nil
		}
	}
	if key := slices.Concat(p.subject, p.item, p.repetition); p.ofTrials && p.src.Repetition == nil && p.wish.Repetition == "" && len(p.item) == 1 && slices.Contains(trialNames(), plain(p.item[0])) && p.again(key) {
		p.repetition = []string{inOrder}
		p.found = append(p.found, [2]string{"note", "subjects had trials of one number several times: numbered in file order; if a column says what was tested, name it with --item"})
		return nil
	}
	p.take("repetition", p.repetition...)
	return nil
}
