package tables

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// A wide table of a person has more than responses: times beside them, weights, plausible values, other instruments. Columns that are called
// alike but for digits are one set, such as phq9_1 to phq9_9 or q1_correct to q20_correct.

// A set is columns of numbers that are called alike.
type set struct {
	name    string // with # for digits
	columns []*profile
}

// said says what a set is: q#_rt (8 columns, 300 to 1986).
func (s set) said() string {
	lo, hi := s.columns[0].lo, s.columns[0].hi
	for _, c := range s.columns {
		lo, hi = min(lo, c.lo), max(hi, c.hi)
	}
	return fmt.Sprintf("%s (%s from %g to %g)", s.name, count(len(s.columns), "column"), lo, hi)
}

// kind says what the numbers of a set can be: 0 and 1; degrees between them; few whole numbers, as of ordered categories; others.
func (s set) kind() int {
	kind := 0
	for _, c := range s.columns {
		switch k := c.kind(); {
		case k == shares && kind == categories, k == categories && kind == shares:
			kind = numbers
		default:
			kind = max(kind, k)
		}
	}
	return kind
}

const (
	passes = iota
	shares
	categories
	numbers
)

// mostSteps is the highest of the whole numbers that may be ordered categories: scales of questionnaires have at most 11 degrees, and items of
// tests are seldom worth more points.
const mostSteps = 20

func (c *profile) kind() int {
	switch {
	case c.number == 0 || c.binary():
		return passes
	case c.lo >= 0 && c.hi <= 1:
		return shares
	case c.broken == 0 && c.lo >= 0 && c.hi <= mostSteps:
		return categories
	}
	return numbers
}

// setsOf sorts columns of numbers by what they are called, in order of appearance.
func setsOf(cells []*profile) (out []set) {
	at := map[string]int{}
	for _, c := range cells {
		name := digits.ReplaceAllString(c.name, "#")
		k, ok := at[name]
		if !ok {
			k = len(out)
			at[name], out = k, append(out, set{name: name})
		}
		out[k].columns = append(out[k].columns, c)
	}
	return out
}

// fewestAlike is the least number of columns of a set: two may be called alike by chance.
const fewestAlike = 3

// mostSaid is how many sets an error names.
const mostSaid = 8

// oneSet returns the columns that are responses where those that could be are of several kinds: the one set that has most of the columns, with what is of
// its kind; all, where no set has most. It returns an error that names the sets where several could be meant.
func (s *surveyed) oneSet(could []*profile) ([]*profile, error) {
	sets := setsOf(slices.DeleteFunc(slices.Clone(could), func(c *profile) bool { return !c.numeric() || c.constant() }))
	var several []set
	alone, most := 0, set{}
	for _, x := range sets {
		if len(x.columns) < fewestAlike {
			alone += len(x.columns)
			continue
		}
		several = append(several, x)
		if len(x.columns) > len(most.columns) {
			most = x
		}
	}
	others := slices.DeleteFunc(slices.Clone(several), func(x set) bool { return x.kind() == most.kind() })
	if len(others) > 0 {
		var said []string
		for _, x := range several {
			if len(said) == mostSaid {
				said = append(said, fmt.Sprintf("%d more sets", len(several)-mostSaid))
				break
			}
			said = append(said, x.said())
		}
		return nil, fmt.Errorf("%s: columns of several kinds: %s; name the responses by a word that their columns share, such as --metric %s, or leave the others out with --leave-out", s.src.Name, strings.Join(said, ", "), wordThatTells(several))
	}
	if len(most.columns) <= alone {
		return could, nil // no set has most of the columns
	}
	return slices.DeleteFunc(slices.Clone(could), func(c *profile) bool {
		return c.numeric() && !c.constant() && !slices.Contains(most.columns, c) && c.kind() > most.kind()
	}), nil
}

// withoutEmpty leaves out columns without a value that are called otherwise than those with one: they may be anything.
func withoutEmpty(could []*profile) []*profile {
	named := func(c *profile) string { return digits.ReplaceAllString(c.name, "#") }
	have := map[string]bool{}
	for _, c := range could {
		if c.there() > 0 {
			have[named(c)] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(could), func(c *profile) bool { return !have[named(c)] })
}

// withWord returns the columns whose name has the word that a person named as the metric, and the others. Those of the others that are called alike are
// something else that was measured of the items, and say nothing of the subject.
func (s *surveyed) withWord(cells []*profile, word string) (named []*profile, others []string, err error) {
	for _, c := range cells {
		if slices.Contains(wordsOf(c.name), strings.ToLower(word)) {
			named = append(named, c)
		} else {
			others = append(others, c.name)
		}
	}
	if named == nil {
		return nil, nil, fmt.Errorf("%s: no column is called %s, and none has this word in its name: there are %s", s.src.Name, word, listed(s.src.Header[:s.width()]))
	}
	for _, x := range setsOf(cells) {
		for _, c := range x.columns {
			if len(x.columns) >= fewestAlike && !slices.Contains(named, c) {
				s.take(otherScore, c.name)
			}
		}
	}
	return named, others, nil
}

// siblings takes columns that say something else of what the responses are of, and so nothing of items or subjects: the time beside q1_correct is
// q1_time, where all responses end as the first does.
func (s *surveyed) siblings(responses []*profile) {
	if len(responses) < 2 {
		return
	}
	end := responses[0].name
	for _, c := range responses {
		for !strings.HasSuffix(c.name, end) {
			end = end[1:]
		}
	}
	if i := strings.IndexFunc(end, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }); i < 0 {
		return // names that end alike by chance
	} else {
		end = end[i:]
	}
	if len(wordsOf(end)) == 0 {
		return
	}
	for _, c := range responses {
		of := strings.TrimSuffix(c.name, end)
		for _, o := range s.columns {
			rest, ok := strings.CutPrefix(o.name, of)
			if first := []rune(rest + " ")[0]; ok && of != "" && s.used[o.name] == "" && !unicode.IsLetter(first) && !unicode.IsDigit(first) {
				s.take(otherScore, o.name)
			}
		}
	}
}

// wordThatTells returns a word that the names of one set have and those of the others have not, of the largest set that has one.
func wordThatTells(sets []set) string {
	sets = slices.Clone(sets)
	slices.SortStableFunc(sets, func(a, b set) int { return len(b.columns) - len(a.columns) })
	for _, s := range sets {
		for _, w := range wordsOf(s.name) {
			if len(w) > 1 && !slices.ContainsFunc(sets, func(o set) bool { return o.name != s.name && slices.Contains(wordsOf(o.name), w) }) {
				return w
			}
		}
	}
	return "WORD"
}

// wordsOf returns the words in a column's name, in small letters: those of q1_correct, Q1.Correct and q1Correct are q and correct.
func wordsOf(name string) (words []string) {
	var word []rune
	end := func() {
		if word != nil {
			words = append(words, strings.ToLower(string(word)))
			word = nil
		}
	}
	for _, r := range name {
		switch {
		case !unicode.IsLetter(r):
			end()
			continue
		case unicode.IsUpper(r) && len(word) > 0 && unicode.IsLower(word[len(word)-1]):
			end()
		}
		word = append(word, r)
	}
	end()
	return words
}

// ofSurvey matches what large assessments have beside responses: weights (W_FSTUWT, W_FSTR1) and plausible values (PV1MATH).
var ofSurvey = regexp.MustCompile(`^(W_F\w*|PV[0-9]+[A-Z]\w*)$`)

// isMark reports whether a name is that of a number which tells things apart, weighs or sums them up, and so no response: SCHOOLID, trial_no, W_FSTUWT.
func isMark(name string) bool {
	if ofSurvey.MatchString(name) {
		return true
	}
	words := wordsOf(name)
	if len(words) == 0 || unicode.IsDigit(rune(name[len(name)-1])) { // one of several
		return false
	}
	last := words[len(words)-1]
	return len(words) > 1 && slices.Contains([]string{"id", "ids", "no", "nr", "index", "uuid", "timestamp", "tstamp", "group", "weight", "version", "instance", "instrument", "event", "seed"}, last) ||
		slices.Contains([]string{"tstamp", "timestamp", "seed", "rowno", "trialno"}, last) ||
		name == strings.ToUpper(name) && len(name) > 4 && (strings.HasSuffix(name, "ID") || strings.HasSuffix(name, "WT"))
}

// codesBeyond returns the numbers in values that people use for no value, where the others are whole numbers without a gap and these stand far above: 7, 8
// and 9 beside 0, 1 and 2, but not 9 beside 8.
func (r *Reading) codesBeyond(values []string) (codes, rest []string) {
	var whole []float64
	for _, v := range values {
		x, ok := r.number(strings.TrimSpace(v))
		if !ok || x != math.Trunc(x) {
			return nil, nil
		}
		whole = append(whole, x)
	}
	slices.Sort(whole)
	k := 1
	for k < len(whole) && whole[k] == whole[k-1]+1 {
		k++
	}
	if k < 2 || k == len(whole) || whole[k] < whole[k-1]+3 {
		return nil, nil
	}
	for _, v := range values {
		switch x, _ := r.number(strings.TrimSpace(v)); {
		case x < whole[k]:
			rest = append(rest, v)
		case isCode(v) || slices.Contains([]float64{7, 97, 98, 997, 998}, x) && len(whole) > k+1:
			codes = append(codes, v)
		default:
			return nil, nil
		}
	}
	return codes, rest
}
