package tables

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"achilles/sim/record"
)

// matrix finds out what rows and columns of a table without a column of scores are.
func (p *proposer) matrix() (err error) {
	var cells []*profile // columns that may have responses
	label := ""
	for i, c := range p.columns {
		if p.used[c.name] != "" {
			continue
		}
		unnamed := c.name == unnamed(i) || slices.Contains([]string{"unnamed0", "index", "rownames", "rownumber", "x"}, plain(c.name))
		switch {
		case i == 0 && unnamed && (c.index && len(p.columns) > 3 || c.sequence() && hasLabel(p)):
			p.take("row numbers", c.name)
		case label == "" && p.subject == nil && p.item == nil && p.isLabel(i, c, unnamed) && !coarser(p, c):
			label = c.name
			p.take("label", label)
		default:
			cells = append(cells, c)
		}
	}
	name := plain(label)
	items := p.wish.Rows == "items" || p.wish.Rows == "" && (p.item != nil || p.subject == nil && slices.Contains(itemNames(), name) && !slices.Contains(subjectNames(), name) && !manyRows(&p.surveyed))
	if p.item == nil && items && label != "" {
		p.item = []string{label}
	}
	if p.subject == nil && !items && label != "" {
		p.subject = []string{label}
	}
	if items && p.item == nil {
		return fmt.Errorf("%s has no column with the names of items: name it with --item", p.src.Name)
	}
	if p.form = wide; items {
		p.form, p.pattern = transposed, "*"
	}
	if run := p.runs(cells, p.subject); run != nil && p.form == wide && p.wish.Repetition == "" {
		p.wish.Repetition = run.name
		p.take("repetition", run.name)
		cells = slices.DeleteFunc(cells, func(c *profile) bool { return c == run })
	}
	for _, c := range cells {
		if n := patterns(c); n > 0 {
			return fmt.Errorf("%s: %s has strings of %d responses, such as %s: write one column per item", p.src.Name, c.name, n, c.values[0])
		}
	}
	if pairs := options(cells); pairs != nil && p.wish.Rows == "" && p.wish.Family == "" {
		return offered(p, pairs, cells)
	}
	if p.form == transposed && p.wish.Metric == "" && p.wish.Family == "" {
		if right, merged, other := p.rightBeside(cells); right != "" {
			p.right, p.except, p.columns = right, other, append(p.columns, merged)
			return nil
		}
	}
	leftOut := func(c *profile) bool { return slices.Contains(p.wish.LeaveOut, c.name) }
	if p.wish.Metric != "" {
		if cells, p.except, err = p.withWord(cells, p.wish.Metric); err != nil {
			return err
		}
	}
	likely := scale(slices.DeleteFunc(slices.Clone(cells), leftOut))
	if f := record.Family(p.wish.Family); f == record.Choice || f == record.Count || f == record.Real {
		likely = func(c *profile) bool { return c.number > c.word && isAnswer(c.name) }
	}
	could := slices.DeleteFunc(slices.Clone(cells), func(c *profile) bool {
		return leftOut(c) || c.sequence() || isPerson(c.name) && isWho(label) || !likely(c) && !p.said(c)
	})
	if p.wish.Family == "" && p.wish.Metric == "" {
		if err := oneScale(p.src.Name, could); err != nil {
			return err
		}
		if could, err = p.oneSet(could); err != nil {
			return err
		}
		if len(could) < len(cells) {
			could = withoutEmpty(could)
		}
		could = digitsAlone(p, could)
		sums, err := p.summed(cells, could)
		if err != nil {
			return err
		}
		for _, x := range sums {
			could = slices.DeleteFunc(could, func(c *profile) bool { return c == x.column })
			p.take(otherScore, x.column.name)
			p.found = append(p.found, [2]string{"left out", x.column.name + ", " + x.is})
		}
	}
	var responses []*profile
	for _, c := range cells {
		if leftOut(c) {
			p.take(otherScore, c.name)
		}
		if !slices.Contains(could, c) {
			p.except = append(p.except, c.name)
			continue
		}
		p.take("response", c.name)
		responses = append(responses, c)
	}
	if err := likeNamed(p, cells, responses); err != nil {
		return err
	}
	p.siblings(responses)
	p.wish.LeaveOut = slices.DeleteFunc(slices.Clone(p.wish.LeaveOut), func(name string) bool { return slices.Contains(p.except, name) }) // done
	if p.wish.Family == "" {
		if err := oneUnit(p.src.Name, responses); err != nil {
			return err
		}
	}
	if len(responses) > 1 {
		otherScale(p, cells, responses)
		otherwise(p, responses)
	}
	if len(responses) == 0 || len(responses) == 1 && len(cells) > 1 {
		if words := sharedWords(cells); len(responses) == 0 && words != nil {
			if err := p.lineOf(words); err != nil {
				return err
			}
			return wordsError(p.src.Name, "several columns", words)
		}
		if p.ofTrials {
			return p.trialsOf(p.subject).unscored(p.item)
		}
		found := "no column has"
		if len(responses) == 1 {
			found = fmt.Sprintf("only column %q has", responses[0].name)
		}
		single := "if a row is one response, name the columns with --subject, --item and --metric"
		if name := joinedNames(p.subject); isPerson(name) && p.again(p.subject) {
			single = fmt.Sprintf("if a row is one response of what is in %s, name it with --metric, and what was tested with --item%s", name, suchAs(&p.surveyed))
		}
		return fmt.Errorf("%s: %s responses, such as 0 and 1 or numbers in one range: the columns are %s%s; %s; if cells are answers that were chosen, use --key FILE, which has the right ones", p.src.Name, found, listed(p.src.Header[:p.width()]), percent(cells), single)
	}
	if one, other := repetitions(responses); one != "" && p.form == wide && p.wish.Rows == "" {
		return fmt.Errorf("%s: columns such as %s and %s look like repetitions of one item: write one row per subject and repetition, with a column that says which, and one column per item; if they are items, use --rows subjects", p.src.Name, one, other)
	}
	for _, c := range p.columns {
		if slices.Contains([]string{"row numbers", "empty", "repetition"}, p.used[c.name]) {
			p.except = append(p.except, c.name)
		}
	}
	merged := &profile{name: "responses", lo: responses[0].lo, hi: responses[0].hi}
	for _, c := range responses {
		merged.merge(c)
	}
	p.columns, p.label = append(p.columns, merged), label // what measure looks at
	return nil
}

// lineOf returns an error if all words that are no responses stand in one line of three or more: the names of columns, their units or
// a remark.
func (s *surveyed) lineOf(words []string) error {
	at, rows := "", 0
	for row, err := range s.src.Each {
		if err != nil {
			return nil
		}
		if rows++; slices.ContainsFunc(row.Cells, func(c string) bool { return slices.Contains(words, strings.TrimSpace(c)) }) {
			if at != "" {
				return nil
			}
			at = row.at()
		}
	}
	if at == "" || rows < 3 {
		return nil
	}
	return fmt.Errorf("%s: words (%s) where all other rows have numbers: if that line has the names of the columns, remove what is above it; if it has units, labels or a remark, remove it; if they mean that there is no value, use --missing %s", at, listed(words), strconv.Quote(strings.Join(words, ",")))
}

// digits are the numbers in names such as item12 and I3.t1.
var digits = regexp.MustCompile(`[0-9]+`)

// likeNamed returns an error if columns with other numbers are called as those of the responses are, but for the digits, or by single letters
// too: they may be items with more steps, or one row has what is no response.
func likeNamed(p *proposer, cells, responses []*profile) error {
	stem := func(c *profile) string {
		if len(c.name) == 1 && unicode.IsUpper(rune(c.name[0])) {
			return "A"
		}
		if s := digits.ReplaceAllString(c.name, "#"); s != c.name {
			return s
		}
		return ""
	}
	known := map[string]bool{}
	for _, c := range responses {
		known[stem(c)] = true
	}
	var odd []string
	example, families := "", "choice (or count, real)"
	for _, c := range cells {
		if s := stem(c); p.used[c.name] == "" && s != "" && known[s] && c.numeric() && slices.Contains(p.except, c.name) {
			odd = append(odd, c.name)
			for _, v := range c.values {
				if x, ok := p.read.number(v); example == "" && ok && x != 0 && x != 1 {
					example = v
					if 0 < x && x < 1 {
						families = "unit, if they are proportions"
					}
				}
			}
		}
	}
	if len(odd) == 0 || p.wish.Family != "" {
		return nil
	}
	return fmt.Errorf("%s: %s named like the responses, but with other numbers than these, such as %s: %s; if they are items with more categories, use --family %s; if one row is not responses (but levels, weights, sums), leave it out by its name with --leave-out; if they are not items, rename them", p.src.Name, map[bool]string{true: "a column is", false: "columns are"}[len(odd) == 1], example, listed(odd), families)
}

// runs returns the column that tells apart several rows of a subject, such as a column of runs, and nil if none of them does.
func (s *surveyed) runs(cells []*profile, subject []string) *profile {
	for _, c := range cells {
		if len(subject) > 0 && slices.Contains(repetitionNames(), plain(c.name)) && c.gone == 0 && s.tellsApart(c.name, subject) {
			return c
		}
	}
	return nil
}

// tellsApart reports whether some subject has several rows, and a column another value in each of them.
func (s *surveyed) tellsApart(name string, subject []string) bool {
	columns := []int{}
	for _, k := range subject {
		columns = append(columns, s.src.column(k))
	}
	at := s.src.column(name)
	subjects, rows := map[string]bool{}, map[string]bool{}
	for row, err := range s.src.Each {
		if err != nil {
			return false
		}
		id := joined(row.Cells, columns)
		run := id + "\x00" + row.Cells[at]
		if rows[run] {
			return false
		}
		rows[run], subjects[strings.Clone(id)] = true, true
	}
	return len(subjects) < len(rows)
}

// patterns returns how many responses of 0 and 1 stand side by side in every cell of a column, and 0 if none do: all cells are as long,
// and some begin with 0.
func patterns(c *profile) int {
	zero := false
	for _, v := range c.values {
		if len(v) < 3 || len(v) != len(c.values[0]) || strings.Trim(v, "01") != "" {
			return 0
		}
		zero = zero || v[0] == '0'
	}
	if !zero || len(c.values) < 2 {
		return 0
	}
	return len(c.values[0])
}

// repeatedName matches the name of an item with the word for a repetition and its number: q1_run2, q1 (epoch 3).
var repeatedName = regexp.MustCompile(`(?i)^(.+?)[ _.(-]+(?:run|epoch|rep|repeat|repetition|replicate|attempt|seed|iteration)[ _.-]*\d+\)?$`)

// repetitions returns the names of two columns of one item if all columns are repetitions of items, each at least twice, and nothing
// if they are not.
func repetitions(cells []*profile) (one, other string) {
	first, times := map[string]string{}, map[string]int{}
	for _, c := range cells {
		m := repeatedName.FindStringSubmatch(c.name)
		if m == nil {
			return "", ""
		}
		if times[m[1]]++; times[m[1]] == 1 {
			first[m[1]] = c.name
		} else if one == "" {
			one, other = first[m[1]], c.name
		}
	}
	for _, n := range times {
		if n < 2 {
			return "", ""
		}
	}
	return one, other
}

// sharedWords returns the words in columns of few words each, at least two of which share one: the answers of a questionnaire, not what
// a column alone says of people.
func sharedWords(cells []*profile) (words []string) {
	const most = 12 // kinds of answers
	worded := func(c *profile) bool { return c.word > 0 && c.number == 0 && !c.many && len(c.values) <= most }
	columns := map[string]int{}
	for _, c := range cells {
		if worded(c) {
			for _, v := range c.values {
				columns[v]++
			}
		}
	}
	for _, c := range cells {
		if !worded(c) || !slices.ContainsFunc(c.values, func(v string) bool { return columns[v] > 1 }) {
			continue
		}
		for _, v := range c.values {
			if !slices.Contains(words, v) {
				words = append(words, v)
			}
		}
	}
	if len(words) > most {
		return nil
	}
	return words
}

// said reports whether a person has numbered all words in a column.
func (p *proposer) said(c *profile) bool {
	return c.word > 0 && !c.many && !slices.ContainsFunc(c.values, func(v string) bool {
		_, level := p.wish.Levels[v]
		_, is := number(v)
		return !level && !is
	})
}

// percent is a hint if cells are percentages.
func percent(cells []*profile) string {
	for _, c := range cells {
		if len(c.values) > 0 && strings.HasSuffix(c.values[0], "%") {
			return fmt.Sprintf("; write %s as a fraction", c.values[0])
		}
	}
	return ""
}

func (p *profile) merge(c *profile) {
	p.gone, p.number, p.comma, p.point, p.word, p.shares, p.broken = p.gone+c.gone, p.number+c.number, p.comma+c.comma, p.point+c.point, p.word+c.word, p.shares+c.shares, p.broken+c.broken
	p.lo, p.hi, p.many = min(p.lo, c.lo), max(p.hi, c.hi), p.many || c.many
	for _, v := range c.signs {
		if !slices.Contains(p.signs, v) && len(p.signs) < maxValues {
			p.signs = append(p.signs, v)
		}
	}
	for _, v := range c.values {
		if slices.Contains(p.values, v) {
			continue
		}
		if len(p.values) == maxValues {
			p.many = true
			return
		}
		p.values = append(p.values, v)
	}
}

// isLabel reports whether a column has the names of a matrix's rows.
func (p *proposer) isLabel(i int, c *profile, unnamed bool) bool {
	name := plain(c.name)
	if slices.Contains(itemNames(), name) || isWho(c.name) {
		return true
	}
	if strings.Contains(name, "timestamp") || slices.Contains([]string{"time", "date", "datetime", "zeitstempel", "datum", "horodateur"}, name) {
		return false // as forms begin with
	}
	first := i == 0 || p.used[p.columns[i-1].name] == "row numbers"
	for _, end := range []string{"id", "code", "number", "nr", "case"} {
		if first && strings.HasSuffix(name, end) && (c.many || len(c.values) == p.rows) {
			return true
		}
	}
	return first && (unnamed && len(p.columns) > 2 && !c.scoreLike() || c.word > 0 && !c.letters() && (c.many || len(c.values) == p.rows))
}

// hasLabel reports whether a column is called as those with the names of subjects are, and has another name in every row.
func hasLabel(p *proposer) bool {
	name := p.who()
	return name != "" && (p.column(name).many || len(p.column(name).values) == p.rows)
}

// scoreLike reports whether the values are few numbers or letters, as responses are.
func (p *profile) scoreLike() bool { return !p.many && len(p.values) <= 2 && p.scores() }

// scale returns whether a column has responses as most columns have: 0 and 1 or words for them, degrees between 0 and 1, or other numbers.
// A column in which words stand beside such numbers is one of them: the words may mean that there is no value.
func scale(cells []*profile) func(c *profile) bool {
	isDegree := func(c *profile) bool { return c.number > 0 && c.lo >= 0 && c.hi <= 1 }
	binary, degrees, trials := 0, 0, 0
	if alike := slices.DeleteFunc(slices.Clone(cells), func(c *profile) bool { return !c.numeric() || !c.binary() }); numberedAlike(alike) {
		cells = slices.DeleteFunc(slices.Clone(cells), func(c *profile) bool { return c.number <= c.word && !c.binary() }) // texts beside items that are called alike say nothing of them
	}
	for _, c := range cells {
		switch {
		case c.binary():
			binary++
		case isDegree(c):
			degrees++
		case c.ofTrials():
			trials++
		}
	}
	var like func(c *profile) bool
	switch {
	case trials > binary+degrees && 3*trials >= len(cells):
		like = (*profile).ofTrials
	case binary > degrees && 3*binary >= len(cells):
		like = (*profile).binary
	case binary+degrees > 0 && 3*(binary+degrees) >= len(cells):
		like = func(c *profile) bool { return c.binary() || isDegree(c) }
	default:
		like = func(c *profile) bool { return c.number > c.word }
	}
	return func(c *profile) bool { return (like(c) || c.there() == 0) && isAnswer(c.name) }
}

// isAnswer reports whether a column of a matrix may have responses, by its name.
func isAnswer(name string) bool {
	return !ofSubjects(name) && !slices.Contains(positionNames(), plain(name)) && !isOutcome(name) && !ofTime(name) && !ofPlace(name) && !isMark(name)
}

// binary reports whether a column has 0 and 1, or words for them, maybe beside a number that people use for no value.
func (p *profile) binary() bool {
	if p.letters() {
		return true
	}
	if p.number == 0 || p.broken > 0 || p.many {
		return false
	}
	found := false
	for _, v := range p.values {
		switch x, ok := number(v); {
		case !ok:
		case x == 0 || x == 1:
			found = true
		case !isCode(v):
			return false
		}
	}
	return found
}
