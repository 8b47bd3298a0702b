package tables

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"achilles/sim/record"
)

// measure finds out what the scores are.
func (p *proposer) measure() error {
	c := p.columns[len(p.columns)-1]
	if p.right != "" {
		p.family = record.Family(cmp.Or(p.wish.Family, string(record.Binary)))
		return nil
	}
	if p.form == long {
		c = p.column(p.score)
	}
	if done, err := saidTrials(p, c); done || err != nil {
		return err
	}
	if p.form == long {
		counted := p.wish.Family == "" || p.wish.Family == string(record.Count)
		if p.trials = p.named(trialsNames(), func(t *profile) bool {
			return t.numeric() && t.broken == 0 && t.lo >= 1 && (t.hi >= c.hi || c.percentage())
		}); p.trials != "" && !counted {
			p.trials = "" // left out, and named
		}
		if p.trials != "" {
			p.take("trials", p.trials)
			p.family = record.Count
			p.rate = c.broken > 0 || c.percentage() || c.hi <= 1 && isRate(c.name)
			return nil
		}
	}
	if c.ofTrials() && (p.wish.Family == "" || p.wish.Family == string(record.Count)) {
		p.family = record.Count
		p.found = append(p.found, [2]string{"coding", c.values[0] + " is read as successes of trials"})
		return nil
	}
	var words, texts, values []string // unknown words, all that are no numbers, and all
	for _, v := range c.values {
		if slices.ContainsFunc(p.wish.Missing, func(m string) bool { return alike(m, v) }) {
			continue
		}
		if _, ok := p.wish.Levels[v]; ok {
			continue
		}
		values = append(values, v)
		if _, ok := p.read.number(strings.TrimSpace(v)); !ok {
			texts = append(texts, v)
			var b builder
			if _, ok := b.word(v); !ok {
				words = append(words, v)
			}
		}
	}
	for _, word := range slices.Sorted(maps.Keys(p.wish.Levels)) {
		if _, ok := number(p.wish.Levels[word]); !ok {
			return fmt.Errorf("--levels %s=%s: %q is not a number", word, p.wish.Levels[word], p.wish.Levels[word])
		}
		p.levels = append(p.levels, [2]string{word, p.wish.Levels[word]})
		if !slices.Contains(values, p.wish.Levels[word]) {
			values = append(values, p.wish.Levels[word])
		}
	}
	if p.wish.Family != "" {
		if p.family = record.Family(p.wish.Family); p.family == record.Choice && !c.many {
			p.categories(values)
		}
		return nil
	}
	if len(words) > 0 {
		if p.form != long {
			if err := p.lineOf(words); err != nil {
				return err
			}
		}
		return wordsError(p.src.Name, c.name, texts)
	}
	return p.familyOf(c, values)
}

// saidTrials takes the number of trials that a person has said, or the column with it.
func saidTrials(p *proposer, c *profile) (done bool, err error) {
	if p.wish.Trials == "" {
		return false, nil
	}
	if p.wish.Family != "" && p.wish.Family != string(record.Count) {
		return false, fmt.Errorf("--trials %s: responses count successes then, and are of family count, not %s", p.wish.Trials, p.wish.Family)
	}
	p.family = record.Count
	if of := p.column(p.wish.Trials); of != nil {
		if p.form != long {
			return false, fmt.Errorf("--trials %s: only a table with a row per response has a column with the number of trials of each; of a matrix, say the number", p.wish.Trials)
		}
		p.trials = p.wish.Trials
		p.take("trials", p.trials)
		p.rate = c.broken > 0 || c.percentage() || c.hi <= 1 && (isRate(c.name))
		return true, nil
	}
	n, err := strconv.Atoi(p.wish.Trials)
	if err != nil || n < 1 || n > maxTrials {
		return false, fmt.Errorf("--trials %s: %s has no such column, and it is not a number of trials: want a whole number from 1", p.wish.Trials, p.src.Name)
	}
	p.each = n
	what := fmt.Sprintf("numbers of successes among %d trials", n)
	if c.broken > 0 || c.hi > float64(n) {
		what = fmt.Sprintf("proportions of %d trials", n)
	}
	p.found = append(p.found, [2]string{"coding", what})
	return true, nil
}

// percentage reports whether a column has percentages, by its name and its numbers.
func (p *profile) percentage() bool {
	return p.numeric() && p.broken > 0 && p.lo >= 0 && p.hi > 1 && p.hi <= 100 && isRate(p.name)
}

// wordsError is the error for words in a column of responses of which nothing says what they mean.
func wordsError(file, column string, words []string) error {
	var b builder
	all := degrees(words)
	if unknown := slices.DeleteFunc(slices.Clone(words), func(w string) bool { _, ok := b.word(w); return ok }); len(unknown) > 0 {
		words = unknown
	}
	levels := words[0] + "=1,…"
	if all = cmp.Or(all, degrees(words)); all != "" {
		levels = all
	}
	return fmt.Errorf("%s: words in %s that are neither numbers nor usual for a success or failure: %s; if they mean that there is no value, use --missing %s; if they are scores, use --levels %q; if they are answers that were chosen, use --key FILE, which has the right ones", file, column, listed(words), strconv.Quote(strings.Join(words, ",")), levels)
}

// degrees returns all degrees of the scale that words are of, numbered from 1, as --levels takes them; "" if they are of none that questionnaires
// use. What is agreed with, or often done, is more.
func degrees(words []string) string {
	for _, scale := range []string{
		"strongly disagree,disagree,somewhat disagree,slightly disagree,neither agree nor disagree,neutral,undecided,slightly agree,somewhat agree,agree,strongly agree",
		"never,almost never,rarely,seldom,occasionally,sometimes,often,frequently,usually,very often,almost always,always",
		"not at all,slightly,a little,a little bit,somewhat,moderately,quite a bit,very,very much,a lot,extremely",
		"not at all,several days,more than half the days,nearly every day",
		"very poor,poor,fair,good,very good,excellent",
		"very dissatisfied,dissatisfied,neither satisfied nor dissatisfied,neutral,satisfied,very satisfied",
		"very unlikely,unlikely,neither likely nor unlikely,neutral,likely,very likely",
		"no,rather no,unsure,maybe,perhaps,sometimes,rather yes,yes",
	} {
		var out []string
		for _, degree := range strings.Split(scale, ",") {
			if i := slices.IndexFunc(words, func(w string) bool { return strings.EqualFold(strings.TrimSpace(w), degree) }); i >= 0 {
				out = append(out, fmt.Sprintf("%s=%d", words[i], len(out)+1))
			}
		}
		if len(out) == len(words) {
			return strings.Join(out, ",")
		}
	}
	return ""
}

// familyOf finds out what the values of responses are.
func (p *proposer) familyOf(c *profile, values []string) error {
	has := func(v string) bool { return slices.Contains(values, v) }
	letters := slices.ContainsFunc(values, func(v string) bool { _, ok := p.read.number(strings.TrimSpace(v)); return !ok })
	lo, hi, broken := 0.0, 0.0, c.broken > 0
	zero, one := false, false
	var odd []string // numbers beside 0 and 1
	for i, v := range values {
		x, ok := p.read.number(strings.TrimSpace(v))
		if !ok {
			continue
		}
		if i == 0 {
			lo, hi = x, x
		}
		zero, one = zero || x == 0, one || x == 1
		if lo, hi = min(lo, x), max(hi, x); x != 0 && x != 1 {
			odd = append(odd, v)
		}
	}
	if c.many {
		lo, hi = c.lo, c.hi
	}
	if coded := codedAs(p, values); !c.many && lo < hi && coded != nil {
		p.family = record.Binary
		for _, v := range values {
			p.levels = append(p.levels, [2]string{v, coded[v]})
		}
		p.found = append(p.found, [2]string{"coding", fmt.Sprintf("%g is read as 0, %g as 1", lo, hi)})
		return nil
	}
	codes, rest := p.read.codesBeyond(values)
	switch {
	case c.numeric() && lo < hi && slices.Contains(timeNames(), plain(leaf(c.name))):
		p.family = record.Real // in seconds, all may be below 1
	case has("P") && has("F") && len(values) == 2:
		p.family, p.levels = record.Binary, append(p.levels, [][2]string{{"P", "1"}, {"F", "0"}}...)
	case has("P"):
		p.family = record.Unit
	case letters && len(odd) == 0 && !c.many:
		p.family = record.Binary
	case len(odd) == 1 && !c.many && zero && one && isCode(odd[0]):
		return fmt.Errorf("%s: 0, 1 and %s in %s: if %s means that there is no value, use --missing %s; if it is a value, use --family choice, count or real", p.src.Name, odd[0], c.name, odd[0], odd[0])
	case len(odd) == 0 && !c.many:
		p.family = record.Binary
	case !c.many && !broken && codes != nil:
		all := strings.Join(codes, ",")
		return fmt.Errorf("%s: %s beside %s in %s: if they mean that there is no value, use --missing %s; if they are values, use --family choice, count or real", p.src.Name, strings.Join(codes, ", "), listed(rest), c.name, all)
	case !broken && lo >= 0 && hi <= mostSteps && !c.many:
		p.family = record.Choice
		p.categories(values)
		if hi-lo >= manySteps {
			p.found = append(p.found, [2]string{"read as", fmt.Sprintf("ordered categories from %g to %g; if they are successes of trials, import with --trials and their number, if they count or measure something without end, with --family real", lo, hi)})
		}
	case lo >= 0 && hi <= 1:
		p.family = record.Unit
	default:
		p.family = record.Real
	}
	return nil
}

// manySteps is the least distance from the lowest to the highest of ordered categories that may as well be counts or measures: most scales of
// questionnaires have seven degrees or fewer.
const manySteps = 7

// codedAs returns which values are 0 and which are 1 if all are −1 or 1, or 0 or 100, and nil if they are not.
func codedAs(p *proposer, values []string) map[string]string {
	for _, code := range [][2]float64{{-1, 1}, {0, 100}} {
		out := map[string]string{}
		for _, v := range values {
			if x, ok := p.read.number(v); ok && x == code[0] {
				out[v] = "0"
			} else if ok && x == code[1] {
				out[v] = "1"
			}
		}
		if len(out) == len(values) && len(p.levels) == 0 {
			return out
		}
	}
	return nil
}

// categories numbers categories that are not 0, 1, 2 … from 0, in their order: those that occur or, where a person has numbered words,
// all from the least number on.
func (p *proposer) categories(values []string) {
	var numbers []float64
	for _, v := range values {
		x, ok := p.read.number(v)
		if !ok || x != math.Trunc(x) || x < 0 {
			return
		}
		numbers = append(numbers, x)
	}
	slices.Sort(numbers)
	numbers = slices.Compact(numbers)
	n, said := len(numbers), len(p.levels) > 0
	if n == 0 || numbers[n-1] == float64(n-1) || said && numbers[0] == 0 {
		return
	}
	index := func(v string) string {
		x, _ := p.read.number(v)
		k, _ := slices.BinarySearch(numbers, x)
		if said {
			k = int(x - numbers[0])
		}
		return strconv.Itoa(k)
	}
	for i, l := range p.levels {
		p.levels[i][1] = index(l[1])
	}
	for _, v := range slices.SortedFunc(slices.Values(values), record.CompareNames) {
		if !said {
			p.levels = append(p.levels, [2]string{v, index(v)})
		}
	}
	text := "numbered from 0, as levels in the mapping say"
	if p.form != long && !said && p.wish.Family == "" {
		text += "; if they are answers that were chosen, use --key FILE, which has the right ones"
	}
	if !said && int(numbers[n-1]-numbers[0]) >= n {
		text += "; numbers in between that nobody chose are not counted as categories: --levels names all there are"
	}
	p.found = append(p.found, [2]string{"categories", text})
}
