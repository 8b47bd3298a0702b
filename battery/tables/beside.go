package tables

import (
	"fmt"
	"slices"
	"strings"

	"achilles/sim/record"
)

// maxWords is how many distinct words a column of text may have to be published.
const maxWords = 50

// source returns the table as one to read row by row.
func (t *Table) source() *Source {
	return &Source{Name: t.Name, Header: t.Header, Each: func(yield func(Row, error) bool) {
		for i, r := range t.Rows {
			if !yield(Row{File: t.Name, Line: t.lines[i], Cells: r}, nil) {
				return
			}
		}
	}}
}

// inTable returns the first column of a table with one of the names, and "" if there is none.
func (p *proposer) inTable(t *Table, names []string) string {
	for _, name := range names {
		for _, h := range t.Header {
			if plain(h) == name {
				return h
			}
		}
	}
	return ""
}

// keyIn returns the columns of a table that have the parts of a key of the responses: those of the same names, or else of names that
// mean the same.
func (p *proposer) keyIn(t *Table, key []string, what, flag string, names []string) ([]string, error) {
	var out []string
	for _, k := range key {
		name := p.inTable(t, one(plain(k)))
		lists := [][]string{names, groupNames()}
		if len(key) > 1 {
			slices.Reverse(lists) // a task is the group of several items
		}
		for _, list := range lists {
			if name == "" && slices.Contains(list, plain(k)) {
				if name = p.inTable(t, list); slices.Contains(out, name) {
					name = ""
				}
			}
		}
		if name == "" && len(key) == 1 {
			name = p.inTable(t, append(names, "id"))
		}
		if name == "" && len(key) == 1 && p.form != long {
			name = t.Header[0]
		}
		if name == "" {
			return nil, fmt.Errorf("%s has no column for %s, which tells %ss apart in %s: there are %s; name the columns of the %ss with --%s, or write a mapping", t.Name, k, what, p.src.Name, listed(t.Header), what, flag)
		}
		out = append(out, name)
	}
	return out, nil
}

// beside finds out which columns say something of items and of subjects.
func (p *proposer) beside() (err error) {
	taken := map[string]bool{"id": true, "suite": true, "paradigm": true, "task": true, "subject": true}
	item, subject := p.item, p.subject
	if p.form == wide {
		item = []string{"item"}
	}
	if p.form == transposed {
		subject = []string{"subject"}
	}
	if t := p.in.Items; t != nil {
		if p.itemKey, err = p.keyIn(t, item, "item", "item", itemNames()); err != nil {
			return err
		}
		if p.features, err = p.of(t, p.itemKey, taken); err != nil {
			return err
		}
	}
	if t := p.in.Subjects; t != nil {
		if p.subjectKey, err = p.keyIn(t, subject, "subject", "subject", subjectNames()); err != nil {
			return err
		}
		if p.covariates, err = p.of(t, p.subjectKey, taken); err != nil {
			return err
		}
		if len(p.covariates) == 0 {
			return fmt.Errorf("%s has no column to publish: numbers, or at most %d words", t.Name, maxWords)
		}
	}
	return p.within(taken)
}

// of returns the columns of a table to publish.
func (p *proposer) of(t *Table, key []string, taken map[string]bool) ([]published, error) {
	columns, _, err := survey(t.source(), p.wish.Missing)
	if err != nil {
		return nil, err
	}
	if p.wish.Decimal == "" && p.read.Decimal == "." {
		if p.read.Decimal, err = decimal(columns); err != nil {
			return nil, fmt.Errorf("%s: %w", t.Name, err)
		}
	}
	var out []published
	var ignored []string
	for _, c := range columns {
		switch {
		case slices.Contains(key, c.name):
		case p.publishable(c):
			out = append(out, p.published(c, taken))
		default:
			ignored = append(ignored, c.name)
		}
	}
	if len(ignored) > 0 {
		p.found = append(p.found, [2]string{"left out", fmt.Sprintf("%s of %s: %s", count(len(ignored), "column"), t.Name, listed(ignored))})
	}
	return out, nil
}

func (p *proposer) publishable(c *profile) bool {
	repeats := !c.many && len(c.values) <= maxWords && len(c.values) < c.there() // words that stand for groups, and are no names
	return !isOutcome(c.name) && !c.constant() && (c.numeric() || repeats)
}

func (p *proposer) published(c *profile, taken map[string]bool) published {
	name := c.name
	for _, prefix := range []string{"itemcov_", "cov_"} { // the Item Response Warehouse
		if rest := strings.TrimPrefix(name, prefix); rest != "" {
			name = rest
		}
	}
	out := published{name: identifier(name, taken), column: c.name, role: "condition"}
	if c.numeric() {
		out.role = "demand"
		if c.worded {
			out.missing = p.wish.Missing
		}
	}
	return out
}

// within finds features and covariates among the columns of the responses: those that are the same in every row of an item, or of a
// subject.
func (p *proposer) within(taken map[string]bool) error {
	var rest []*profile
	for _, c := range p.columns {
		if p.src.column(c.name) >= 0 && p.used[c.name] == "" && (p.publishable(c) || slices.Contains(p.src.Demands, c.name) && !c.constant()) && !neverBeside(c.name) {
			rest = append(rest, c)
		}
	}
	ofItem, ofSubject, err := p.depends(rest)
	if err != nil {
		return err
	}
	for i, c := range rest {
		switch {
		case ofItem[i] && p.in.Items == nil && !(ofSubject[i] && ofSubjects(c.name)):
			p.features = append(p.features, p.published(c, taken))
			p.take("feature", c.name)
		case ofSubject[i] && p.in.Subjects == nil && !strings.HasPrefix(c.name, "itemcov_"):
			p.covariates = append(p.covariates, p.published(c, taken))
			p.take("covariate", c.name)
		}
	}
	return nil
}

// neverBeside reports whether a column is of a single response, whatever its values are.
func neverBeside(name string) bool {
	return slices.Contains([]string{"rt", "date", "time", "respraw", "rater", "timestamp"}, plain(name))
}

// maxKept is how many cells depends holds.
const maxKept = 1 << 22

// depends returns which columns have one value in all rows of an item, and in all rows of a subject.
func (p *proposer) depends(columns []*profile) (ofItem, ofSubject []bool, err error) {
	ofItem, ofSubject = slices.Repeat([]bool{p.form != wide}, len(columns)), slices.Repeat([]bool{p.form != transposed}, len(columns))
	if p.form != long || len(columns) == 0 {
		return ofItem, ofSubject, nil
	}
	index := func(names []string) (out []int) {
		for _, n := range names {
			out = append(out, p.src.column(n))
		}
		return out
	}
	item, subject, at := index(p.item), index(p.subject), []int{}
	for _, c := range columns {
		at = append(at, p.src.column(c.name))
	}
	seen := [2]map[string][]string{{}, {}}
	kept := 0
	for row, err := range p.src.Each {
		if err != nil {
			return nil, nil, err
		}
		for k, key := range [][]int{item, subject} {
			same := [][]bool{ofItem, ofSubject}[k]
			if !slices.Contains(same, true) {
				continue
			}
			name := joined(row.Cells, key)
			have := seen[k][name]
			if have == nil {
				if kept += len(at); kept > maxKept {
					clear(same)
					seen[k] = nil
					continue
				}
				have = make([]string, len(at))
				seen[k][strings.Clone(name)] = have
			}
			for j, c := range at {
				switch cell := row.Cells[c]; {
				case !same[j] || missing(cell):
				case have[j] == "":
					have[j] = strings.Clone(cell)
				case have[j] != cell:
					same[j] = false
				}
			}
		}
	}
	return ofItem, ofSubject, nil
}

// report says what was taken for what.
func (p *proposer) report() error {
	say := func(what, format string, args ...any) {
		p.found = append(p.found, [2]string{what, fmt.Sprintf(format, args...)})
	}
	rest := p.found
	p.found = nil
	read := p.src.Format
	if p.read.Separator != "" {
		read += fmt.Sprintf(", separator %q, decimal sign %q, %s", p.read.Separator, p.read.Decimal, p.read.Encoding)
	}
	say("format", "%s; %s × %s", read, count(p.rows, "row"), count(p.width(), "column"))
	subject, item := joinedNames(p.subject), joinedNames(p.item)
	c := p.columns[len(p.columns)-1]
	switch p.form {
	case long:
		c = p.column(p.score)
	case wide:
		if p.subject == nil {
			subject = "a row each, called row 1, row 2 …"
		}
		item = p.cells("column")
	case transposed:
		subject = p.cells("column")
	}
	say("subject", "%s", subject)
	say("item", "%s", item)
	score := fmt.Sprintf("%s: %s", c.name, listed(slices.SortedFunc(slices.Values(c.values), record.CompareNames)))
	if c.many {
		score = fmt.Sprintf("%s: from %g to %g", c.name, c.lo, c.hi)
	}
	switch {
	case p.rate:
		score += fmt.Sprintf("; proportions of the trials in %s (count)", p.trials)
	case p.trials != "":
		score += fmt.Sprintf("; of the trials in %s (count)", p.trials)
	default:
		score += fmt.Sprintf(" (%s)", p.family)
	}
	say("score", "%s", score)
	for _, o := range p.only {
		say("chosen", "%s %s", o[0], o[1])
	}
	if say("missing", "%s", "none"); c.gone > 0 {
		signs := slices.Clone(c.signs)
		if i := slices.Index(signs, ""); i >= 0 {
			signs[i] = "empty"
		}
		p.found[len(p.found)-1][1] = fmt.Sprintf("%d: %s", c.gone, listed(signs))
	}
	say("repetitions", "%s", orNone(joinedNames(p.repetition)))
	say("features", "%s", orNone(names2(p.features)))
	if len(p.covariates) > 0 {
		say("covariates", "%s", names2(p.covariates))
	}
	var ignored []string
	for _, c := range p.columns {
		if p.src.column(c.name) >= 0 && slices.Contains([]string{"", "row numbers", "empty", otherScore}, p.used[c.name]) {
			ignored = append(ignored, c.name)
		}
	}
	if len(ignored) > 0 {
		say("left out", "%s: %s", count(len(ignored), "column"), listed(ignored))
	}
	p.found = append(p.found, rest...)
	for _, n := range p.src.Notes {
		say("note", "%s", n)
	}
	return nil
}

func orNone(s string) string {
	if s == "" {
		return "none"
	}
	return s
}

func joinedNames(names []string) string { return strings.Join(names, " / ") }

func names2(list []published) string {
	var names []string
	for _, f := range list {
		names = append(names, f.name)
	}
	if len(names) == 0 {
		return ""
	}
	return fmt.Sprintf("%d: %s", len(names), listed(names))
}

// width is the number of columns of the responses, without that of the file's name.
func (p *proposer) width() int {
	n := len(p.src.Header)
	if p.src.column(fileColumn) >= 0 {
		n--
	}
	return n
}

// cells says which columns have the responses of a matrix.
func (p *proposer) cells(what string) string {
	var names []string
	for _, h := range p.src.Header {
		if p.used[h] == "response" {
			names = append(names, h)
		}
	}
	return fmt.Sprintf("%s: %s", count(len(names), what), listed(names))
}

// text returns the mapping in TOML.
func (p *proposer) text() string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("# What achilles import took for what. Edit it, and import the same files with --mapping and this file.")
	line("name = %s", quoted(p.title()))
	if p.read.Separator != "" {
		line("\n[read]\nencoding = %s\nseparator = %s\ndecimal = %s", quoted(p.read.Encoding), quoted(p.read.Separator), quoted(p.read.Decimal))
	} else if p.read.Decimal == "," {
		line("\n[read]\ndecimal = \",\"")
	}
	if p.itemKey != nil {
		line("\n[items]\nid = %s", quotedKey(p.itemKey))
	}
	for _, f := range p.features {
		line("\n[[feature]]\nname = %s", quoted(f.name))
		if f.column != f.name {
			line("column = %s", quoted(f.column))
		}
		if f.role != "demand" {
			line("role = %s", quoted(f.role))
		}
		if f.missing != nil {
			line("missing = %s", quotedList(f.missing))
		}
	}
	if p.subjectKey != nil {
		line("\n[subjects]\nid = %s", quotedKey(p.subjectKey))
	}
	for _, f := range p.covariates {
		line("\n[[covariate]]\nname = %s", quoted(f.name))
		if f.column != f.name {
			line("column = %s", quoted(f.column))
		}
		if f.missing != nil {
			line("missing = %s", quotedList(f.missing))
		}
	}
	line("\n[responses]\nform = %s", quoted(string(p.form)))
	if p.form == transposed {
		line("subject = %s", quoted(p.pattern))
	} else if p.subject != nil {
		line("subject = %s", quotedKey(p.subject))
	}
	if p.form != wide {
		line("item = %s", quotedKey(p.item))
	}
	if p.form != long && len(p.except) > 0 {
		line("except = %s", quotedList(p.except))
	}
	if p.form == long {
		line("value = %s", quoted(p.score))
	}
	for _, l := range []struct {
		key  string
		list []string
	}{{"missing", p.wish.Missing}, {"repetition", p.repetition}} {
		if len(l.list) > 0 {
			line("%s = %s", l.key, quotedList(l.list))
		}
	}
	if p.trials != "" {
		line("trials = %s\nrate = %v", quoted(p.trials), p.rate)
	}
	if p.src.Absent != "" {
		line("absent = %s # no row", p.src.Absent)
	}
	line("measure = \"success\"\nfamily = %s", quoted(string(p.family)))
	if p.itemKey != nil {
		line("other_items = \"ignore\"")
	}
	for _, t := range []struct {
		name string
		list [][2]string
	}{{"only", p.only}, {"levels", p.levels}} {
		if len(t.list) == 0 {
			continue
		}
		line("\n[responses.%s]", t.name)
		for _, kv := range t.list {
			value := kv[1]
			if t.name == "only" {
				value = quoted(value)
			}
			line("%s = %s", quoted(kv[0]), value)
		}
	}
	line("\n[split]\nheld_out = 0.2 # proportion of subject × item cells that grade predictions\nseed = 0")
	return b.String()
}

// title returns the name of a mapping: that of the file.
func (p *proposer) title() string {
	return (&File{Name: p.src.Name}).Base()
}

// quoted returns a text as TOML has it.
func quoted(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range strings.ToValidUTF8(s, "\ufffd") {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r < ' ' || r == 0x7f:
			fmt.Fprintf(&b, `\u%04X`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

func quotedList(list []string) string {
	var out []string
	for _, s := range list {
		out = append(out, quoted(s))
	}
	return "[" + strings.Join(out, ", ") + "]"
}

// quotedKey returns a key: a text, or a list of several.
func quotedKey(key []string) string {
	if len(key) == 1 {
		return quoted(key[0])
	}
	return quotedList(key)
}
