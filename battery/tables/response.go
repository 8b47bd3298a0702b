package tables

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"achilles/sim/record"
)

// A marking says what the cells of responses mean, by a mapping.
type marking struct {
	m       *Mapping
	rate    bool // whether values are proportions of trials
	percent bool // whether these are percentages

	// What notes says: letters N, rates that do not tell the count, and whether there are letters C or I.
	noAnswer, rounded int
	letters           bool
}

// value returns the number that a response's cell means.
func (a *marking) value(cell string) (float64, error) {
	m := &a.m.Responses
	for _, c := range []string{cell, strings.TrimSpace(cell)} {
		if x, ok := m.Levels[c]; ok {
			return x, a.legal(x, cell)
		}
	}
	if m.Family == record.Binary || m.Family == record.Unit {
		if x, ok := a.word(cell); ok {
			if m.Family == record.Binary && x == partial {
				return 0, fmt.Errorf(`value "P", partial credit; a binary measure has 0 or 1: set family = "unit", where it is 0.5, or under [responses.levels] P = 0 or P = 1`)
			}
			return x, nil
		}
	}
	x, ok := a.m.Read.number(strings.TrimSpace(cell))
	switch {
	case ok && m.Family == record.Choice && m.numbered():
		return 0, fmt.Errorf("value %q is not among [responses.levels], which have the numbers of the categories", cell)
	case ok:
		return x, a.legal(x, cell)
	case isComma(cell):
		return 0, fmt.Errorf("value %q has a decimal comma: use --decimal , or decimal = \",\" under [read]", cell)
	case m.Levels != nil:
		return 0, fmt.Errorf("value %q is neither a finite number nor among [responses.levels]", cell)
	}
	return 0, fmt.Errorf("value %q is not a finite number", cell)
}

// partial is the number of partial credit.
const partial = 0.5

// word returns the number of a word or letter for a success or failure.
func (a *marking) word(cell string) (x float64, ok bool) {
	switch cell {
	case "C":
		a.letters = true
		return 1, true
	case "I":
		a.letters = true
		return 0, true
	case "N": // no answer
		a.noAnswer++
		return 0, true
	case "P":
		return partial, true
	}
	switch strings.ToLower(cell) {
	case "true", "t", "yes", "y", "pass", "passed", "correct", "right", "success", "successful", "solved", "resolved", "✓", "✔", "✅", "☑", "richtig", "ja", "vrai", "oui", "correcto", "verdadero", "vero":
		return 1, true
	case "false", "f", "no", "n", "fail", "failed", "incorrect", "wrong", "failure", "unsuccessful", "no success", "no_success", "no-success", "error", "unsolved", "unresolved", "✗", "✘", "❌", "☐", "falsch", "nein", "faux", "non", "incorrecto", "falso":
		return 0, true
	}
	return 0, false
}

// largest is the largest number of a response. Programs write larger ones, such as 8.98e307 (Stata), for values that are missing.
const largest = 1e100

// legal returns an error if a measure cannot have a value.
func (a *marking) legal(v float64, cell string) error {
	family := a.m.Responses.Family
	whole := v == math.Trunc(v) && v >= 0
	switch {
	case math.Abs(v) > largest:
		return fmt.Errorf("value %q; numbers beyond ±%g are not responses, because their squares and sums overflow: if it means that there is no value, use --missing %q", cell, largest, cell)
	case family == record.Binary && v != 0 && v != 1:
		return fmt.Errorf("value %q; a binary measure has 0 or 1, true or false", cell)
	case family == record.Unit && !(v >= 0 && v <= 1):
		return fmt.Errorf("value %q; a unit measure lies between 0 and 1", cell)
	case (family == record.Count || family == record.Choice) && !whole:
		return fmt.Errorf("value %q; a %s is a whole number from 0%s", cell, family, a.remedy())
	}
	return nil
}

func (a *marking) remedy() string {
	if a.m.Responses.Family == record.Choice {
		return "; if scores are degrees of success, use --family unit"
	}
	if a.m.Responses.Trials == "" {
		return ""
	}
	return "; if it is a proportion of the trials, set rate = true"
}

// successes returns how many of n trials a rate means: a whole number to a thousandth of a trial, or one that makes a proportion with
// the digits that are printed.
func (a *marking) successes(cell string, n float64) (float64, error) {
	rate, ok := a.m.Read.number(cell)
	half := 0.5 * math.Pow(10, -float64(decimals(cell))) // what rounding the printed digits may have taken away
	if a.percent {
		rate, half = rate/100, half/100
	}
	if !ok || rate < 0 || rate > 1 {
		return 0, fmt.Errorf("value %q is not a proportion of trials, between 0 and 1, or a percentage", cell)
	}
	k := math.Round(float64(rate * n))
	if off := math.Abs(float64(rate*n) - k); off > 1e-3 {
		if math.Abs(rate-k/n) > half*(1+1e-9) {
			return 0, fmt.Errorf("value %q of %g trials is not a whole number of successes: %g/%g is %.*g", cell, n, k, n, decimals(cell)+2, k/n)
		}
		if half*n >= 0.5 {
			a.rounded++
		}
	}
	return k, nil
}

// missing reports whether a cell of a response means that there is none.
func (a *marking) missing(cell string) bool {
	if _, ok := a.m.Responses.Levels[cell]; ok {
		return false // such as - for a failure
	}
	return missing(cell) || slices.ContainsFunc(a.m.Responses.Missing, func(m string) bool { return alike(m, cell) })
}

// ofTrials returns a number of trials, and that of successes among them.
func (a *marking) ofTrials(cell, of string) (trials int32, successes float64, err error) {
	x, ok := number(of)
	if !ok || x != float64(int32(x)) || x < 1 {
		return 0, 0, fmt.Errorf("%s successes of %q trials: want a whole number of trials from 1, at least as many as successes", cell, of)
	}
	successes, err = a.among(cell, x)
	return int32(x), successes, err
}

// among returns the number of successes among n trials.
func (a *marking) among(cell string, n float64) (successes float64, err error) {
	if a.rate {
		return a.successes(cell, n)
	}
	if successes, err = a.value(cell); err == nil && n < successes {
		err = fmt.Errorf("%g successes of %g trials: want a whole number of trials from 1, at least as many as successes", successes, n)
	}
	return successes, err
}

// decimals returns the number of digits after the decimal sign of a number. An exponent counts, and a sign of percentage.
func decimals(cell string) int {
	cell, isPercentage := strings.CutSuffix(strings.ToLower(strings.TrimSpace(cell)), "%")
	mantissa, exponent, _ := strings.Cut(strings.TrimSpace(cell), "e")
	n := 0
	if isPercentage {
		n = 2
	}
	if i := strings.IndexAny(mantissa, ".,"); i >= 0 {
		n += len(mantissa) - i - 1
	}
	if x, ok := number(exponent); ok {
		n -= int(x)
	}
	return n
}

// twice is the error for two responses of a subject to an item that nothing tells apart.
func (b *builder) twice(x, y *answer) error {
	var rows [2]Row
	n := int64(0)
	for row, err := range b.src.Each {
		if err != nil {
			return err
		}
		n++
		for i, place := range []int64{x.place, y.place} {
			if n == place {
				rows[i] = Row{row.File, row.Line, slices.Clone(row.Cells)}
			}
		}
		if n == y.place {
			break
		}
	}
	what := fmt.Sprintf("%s: two responses of subject %s to item %s", rows[1].at(), b.d.Subjects[y.subject], b.d.Items.ID[y.item])
	if b.src.Twice != "" {
		return fmt.Errorf("%s: %s", what, b.src.Twice)
	}
	differ, example := "", ""
	for i, name := range b.src.Header {
		if b.m.Responses.Form != long && !slices.Contains(b.m.Responses.Except, name) {
			continue // a row has many responses
		}
		if u, v := rows[0].Cells[i], rows[1].Cells[i]; u != v && name != b.m.Responses.Value && len(u)+len(v) < 100 {
			differ += fmt.Sprintf(", %s (%q and %q)", name, u, v)
			example = cmp.Or(example, fmt.Sprintf(", such as --only %q", name+"="+v))
		}
	}
	if differ != "" {
		differ = "; their rows differ in " + differ[2:]
	}
	part, err := apart(b)
	if err != nil {
		return err
	}
	if part == "" && b.m.Responses.Form == wide && len(b.m.Responses.Repetition) == 0 {
		part += fmt.Sprintf("; if each row is one response of what is in %s, name it with --metric, and what was tested with --item", joinedNames(b.m.Responses.Subject))
	}
	if slices.Equal(b.m.Responses.Subject, []string{fileColumn}) {
		part = "; no column is called as those with the names of subjects are: if one of these has them, name it with --subject" + part
	}
	return fmt.Errorf("%s, the other in line %d%s%s; if each was scored several times, choose one scoring%s; if they are repetitions, name the column that numbers them with --repetition; --repetition order numbers them in file order",
		what, rows[0].Line, differ, part, example)
}

// apart says which further column tells apart what a subject has of one item, if it is a part of the subject's or the item's name: the one of
// fewest different cells, which are less than one in four rows, as those of a time or a note are not. It looks at the first rows of a long file.
func apart(b *builder) (string, error) {
	m := &b.m.Responses
	if m.Form == transposed || len(m.Repetition) > 0 || len(m.Subject) == 0 {
		return "", nil
	}
	keep, err := b.filter()
	if err != nil {
		return "", err
	}
	key := m.Subject
	if m.Form == long {
		key = slices.Concat(m.Subject, m.Item)
	}
	at, err := b.m.find("responses", b.src.Name, b.src.Header, key)
	if err != nil {
		return "", err
	}
	cells := make([]map[string]bool, len(b.src.Header)) // of columns that may still do
	seen := make([]map[string]bool, len(b.src.Header))
	for i, name := range b.src.Header {
		if !slices.Contains(at, i) && name != m.Value && !strings.Contains(name, ",") && (m.Form == long || slices.Contains(m.Except, name)) {
			cells[i], seen[i] = map[string]bool{}, map[string]bool{}
		}
	}
	rows := 0
	for row, err := range b.src.Each {
		if err != nil {
			return "", err
		}
		if !keep(row.Cells) {
			continue
		}
		if rows++; rows > 100_000 {
			break
		}
		whole := joined(row.Cells, at)
		for i, of := range cells {
			if of == nil {
				continue
			}
			of[row.Cells[i]] = true
			if k := whole + "\x00" + row.Cells[i]; seen[i][k] || missing(row.Cells[i]) {
				cells[i] = nil
			} else {
				seen[i][k] = true
			}
		}
	}
	best := -1
	for i, of := range cells {
		if of != nil && 4*len(of) < rows && (best < 0 || len(of) < len(cells[best])) {
			best = i
		}
	}
	if best < 0 {
		return "", nil
	}
	name := b.src.Header[best]
	said := func(key []string) string {
		all := strings.Join(append(slices.Clone(key), name), ",")
		if strings.ContainsAny(all, " '\"") {
			all = strconv.Quote(all)
		}
		return all
	}
	if m.Form == wide {
		return fmt.Sprintf("; if %s is a part of the subject, use --subject %s", name, said(m.Subject)), nil
	}
	return fmt.Sprintf("; if %s is a part of the item, use --item %s, of the subject, --subject %s", name, said(m.Item), said(m.Subject)), nil
}

// filter returns whether a row has a response that the mapping's where and only keep. A cell that is empty fits every choice: the
// response is there once.
func (b *builder) filter() (func(cells []string) bool, error) {
	m := &b.m.Responses
	var only []int
	var want []string
	for _, name := range slices.Sorted(keys(m.Only)) {
		i, err := b.m.find("responses.only", b.src.Name, b.src.Header, []string{name})
		if err != nil {
			return nil, err
		}
		only, want = append(only, i[0]), append(want, m.Only[name])
	}
	where, err := b.where()
	if err != nil {
		return nil, err
	}
	return func(cells []string) bool {
		for k, i := range only {
			if cells[i] != want[k] && cells[i] != "" {
				return false
			}
		}
		return where == nil || where(cells)
	}, nil
}

// alike reports whether two cells are the same word or the same number: 9 and 9.0.
func alike(a, b string) bool {
	if a == b {
		return true
	}
	x, ok := number(a)
	y, also := number(b)
	return ok && also && x == y
}
