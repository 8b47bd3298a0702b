package tables

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"path"
	"slices"
	"strings"

	"achilles/sim/expr"
	"achilles/sim/record"
	"achilles/sim/rng"
)

// Input has what a dataset is made of.
type Input struct {
	Responses *Source
	Items     *Table // nil: the items are those of the responses, and so are their features
	Subjects  *Table // nil: what is known of subjects stands beside their responses
}

// Build returns the dataset of tables, and notes: what was left out, named and counted, a line each. Subjects keep their names, because
// there is no truth to seal. The error names the file, and the line or key with the fault.
func Build(in Input, m *Mapping) (*record.Dataset, []string, error) {
	d := &record.Dataset{Reasons: []string{""}}
	d.Manifest.Measures = []record.Measure{{Name: m.Responses.Measure, Family: m.Responses.Family}}
	b := &builder{m: m, d: d, src: in.Responses, item: newNames("item"), subject: newNames("subject"), repeated: map[string]int16{}, unmatched: map[string]int{}}
	for _, t := range []*Table{in.Items, in.Subjects} {
		if t != nil {
			t.read.Decimal = m.Read.Decimal
		}
	}
	if err := b.tables(in); err != nil {
		return nil, nil, err
	}
	if err := b.read(); err != nil {
		return nil, nil, err
	}
	if err := b.absent(); err != nil {
		return nil, nil, err
	}
	if len(b.answers) == 0 {
		return nil, nil, b.noResponses(in)
	}
	if err := b.items(); err != nil {
		return nil, nil, err
	}
	if err := b.subjects(in.Subjects); err != nil {
		return nil, nil, err
	}
	if err := b.finish(); err != nil {
		return nil, nil, err
	}
	return d, b.notes(), nil
}

// A builder collects the responses of a table.
type builder struct {
	m       *Mapping
	d       *record.Dataset
	src     *Source
	answers []answer
	row     int64 // number of the current row

	items_        *builtItems // of a table of items; nil: the items are those of the responses
	item, subject *names
	derived       [2]*derived // what the responses' table says of items, and of subjects; nil if tables do

	repetitions []string         // names of repetitions, in order of appearance
	repeated    map[string]int16 // their indices
	rate        bool             // whether values are proportions of trials

	// What notes says: responses without a value, rows that where or only leave out, letters N, whether there are letters C or I, rates
	// that do not tell the count, and responses to items that the table of items does not have.
	gone, filtered, noAnswer, rounded, filled int
	letters                                   bool
	unmatched                                 map[string]int
}

// An answer is a response, in 32 bytes.
type answer struct {
	value         float64
	subject, item int32
	place         int64 // number of its row, among all files
	trials        int32
	repetition    int16
	split         record.Split
}

// names has the names of items, or of subjects, in order of appearance.
type names struct {
	what     string
	index    map[string]int32
	list     []string
	parts    []string // of a name of several parts: these, separated by NUL; nil if names have one part
	answered []bool
}

func newNames(what string) *names { return &names{what: what, index: map[string]int32{}} }

// maxNames is the largest number of items, and of subjects.
const maxNames = 1 << 24

// of returns the index of the name that is made of these cells.
func (n *names) of(cells []string, columns []int) (int32, error) {
	if len(columns) == 1 {
		return n.named(cells[columns[0]])
	}
	i, err := n.named(joined(cells, columns))
	if err != nil {
		return 0, err
	}
	// Two keys may have the same name: a/b and c, a and b/c.
	if parts := exactly(cells, columns); int(i) == len(n.parts) {
		n.parts = append(n.parts, parts)
	} else if n.parts[i] != parts {
		return 0, fmt.Errorf("two keys make the name %q of the %s: their parts have slashes", n.list[i], n.what)
	}
	return i, nil
}

// exactly returns the parts of a name so that no other parts are the same, and "" if the name says it.
func exactly(cells []string, columns []int) string {
	for _, c := range columns {
		if strings.Contains(cells[c], "/") {
			parts := make([]string, len(columns))
			for i, c := range columns {
				parts[i] = cells[c]
			}
			return strings.Join(parts, "\x00")
		}
	}
	return ""
}

func (n *names) named(name string) (int32, error) {
	if i, ok := n.index[name]; ok {
		return i, nil
	}
	if err := record.CheckName(name); err != nil {
		return 0, fmt.Errorf("%s %q: %w", n.what, name, err)
	}
	if len(n.list) == maxNames {
		return 0, fmt.Errorf("more than %d %ss", maxNames, n.what)
	}
	name = strings.Clone(name) // not the whole row
	i := int32(len(n.list))
	n.index[name], n.list, n.answered = i, append(n.list, name), append(n.answered, false)
	return i, nil
}

// tables reads the table of items if there is one, and finds out which columns of the responses say something of items and subjects.
func (b *builder) tables(in Input) (err error) {
	if in.Items == nil {
		if b.derived[0], err = b.derive("item", b.m.Features, b.m.Items.expressions()...); err != nil {
			return err
		}
	} else {
		columns, err := b.m.columns(in.Items, "items.id", b.m.Items.ID)
		if err != nil {
			return err
		}
		if b.items_, err = buildItems(in.Items, b.m, in.Items.key(columns, "item")); err != nil {
			return err
		}
		for i, id := range b.items_.ID {
			b.item.index[id] = int32(i)
		}
		b.item.list, b.item.answered = b.items_.ID, make([]bool, len(b.items_.ID))
	}
	if in.Subjects == nil && len(b.m.Covariates) > 0 {
		b.derived[1], err = b.derive("subject", b.m.Covariates)
	}
	return err
}

// noResponses is the error if no response is left.
func (b *builder) noResponses(in Input) error {
	of := ""
	switch {
	case in.Items != nil && len(b.unmatched) > 0:
		of = " belongs to an item of " + in.Items.Name
	case b.filtered > 0:
		of = " satisfies where and only of [responses]"
	}
	return fmt.Errorf("%s: no response%s", b.src.Name, cmp.Or(of, " has a value"))
}

// columns returns the indices of the columns of a key. at is where the mapping has them, for the error if there is none of a name.
func (m *Mapping) columns(t *Table, at string, key []string) ([]int, error) {
	return m.find(at, t.Name, t.Header, key)
}

func (m *Mapping) find(at, table string, header, key []string) (out []int, err error) {
	for _, name := range key {
		i := slices.Index(header, name)
		if i < 0 {
			return nil, m.root.At(at).Errorf("%s has no column %q%s", table, name, expr.Hint(name, header))
		}
		out = append(out, i)
	}
	return out, nil
}

// A places has the columns of the responses.
type places struct{ subject, item, value, repetition, trials, split []int }

// read reads all responses.
func (b *builder) read() error {
	p := places{}
	m := &b.m.Responses
	for _, c := range []struct {
		key   string
		names []string
		into  *[]int
	}{{"subject", m.Subject, &p.subject}, {"item", m.Item, &p.item}, {"value", one(m.Value), &p.value}, {"repetition", m.Repetition, &p.repetition}, {"trials", one(m.Trials), &p.trials}, {"split", one(m.Split), &p.split}} {
		switch {
		case c.key == "subject" && m.Form == transposed, c.key == "item" && m.Form == wide, slices.Contains([]string{"value", "trials", "split"}, c.key) && m.Form != long:
			continue // only tables of other forms have it
		case len(c.names) == 1 && c.names[0] == inOrder:
			continue
		}
		var err error
		if *c.into, err = b.m.find("responses."+c.key, b.src.Name, b.src.Header, c.names); err != nil {
			return err
		}
	}
	if err := b.findRate(p.value, p.trials); err != nil {
		return err
	}
	keep, err := b.filter()
	if err != nil {
		return err
	}
	add := b.long
	if m.Form != long {
		cells, err := b.cells(&p)
		if err != nil {
			return err
		}
		add = func(row *Row, p *places) error { return b.wide(row, p, cells) }
	}
	for row, err := range b.src.Each {
		if err != nil {
			return err
		}
		if b.row++; !keep(row.Cells) {
			b.filtered++
			continue
		}
		if err := add(&row, &p); err != nil {
			return fmt.Errorf("%s: %w", row.at(), err)
		}
	}
	return nil
}

// findRate finds out whether values are proportions of trials, if the mapping does not say so: if none is above 1 and one is not whole.
func (b *builder) findRate(value, trials []int) error {
	if len(trials) == 0 {
		return nil
	}
	if b.m.Responses.Rate != nil {
		b.rate = *b.m.Responses.Rate
		return nil
	}
	broken := false
	for row, err := range b.src.Each {
		if err != nil {
			return err
		}
		x, ok := b.m.Read.number(strings.TrimSpace(row.Cells[value[0]]))
		if ok && x > 1 {
			return nil
		}
		broken = broken || ok && x != math.Trunc(x)
	}
	b.rate = broken
	return nil
}

func one(name string) []string {
	if name == "" {
		return nil
	}
	return []string{name}
}

// maxAnswers is the largest number of responses.
const maxAnswers = 1 << 25

// add appends a response after its name has been looked up.
func (b *builder) add(row *Row, a answer) error {
	if len(b.answers) == maxAnswers {
		return fmt.Errorf("more than %d responses", maxAnswers)
	}
	a.place = b.row
	b.answers = append(b.answers, a)
	b.item.answered[a.item], b.subject.answered[a.subject] = true, true
	return nil
}

// find returns the index of an item. ok is false if its responses are to be left out. An item that is not in the item table
// is an error, unless the mapping says IgnoreUnmatched.
func (b *builder) find(cells []string, columns []int) (i int32, ok bool, err error) {
	if b.items_ == nil {
		i, err = b.item.of(cells, columns)
		return i, err == nil, err
	}
	name := joined(cells, columns)
	if i, ok = b.item.index[name]; ok || b.items_.dropped[name] {
		return i, ok, nil
	}
	if b.m.Responses.IgnoreUnmatched {
		if len(b.unmatched) < maxNames || b.unmatched[name] > 0 {
			b.unmatched[strings.Clone(name)]++
		}
		return i, false, nil
	}
	return 0, false, fmt.Errorf("unknown item %q%s; if the item table is meant to be a part, say other_items = \"ignore\" under [responses]", name, expr.DidYouMean(name, b.items_.ID))
}

// cells returns the columns of a wide or transposed table that have responses.
func (b *builder) cells(p *places) (out []int, err error) {
	m := &b.m.Responses
	except := []string{fileColumn}
	for _, name := range m.Except {
		if _, err := b.m.find("responses.except", b.src.Name, b.src.Header, []string{name}); err != nil {
			return nil, err
		}
		except = append(except, name)
	}
	for c, name := range b.src.Header {
		if slices.Contains(except, name) || slices.Contains(p.subject, c) || slices.Contains(p.item, c) {
			continue
		}
		if m.Form == transposed {
			if ok, err := path.Match(m.Subject[0], name); err != nil || !ok { // there is no error: ParseMapping has checked the pattern
				continue
			}
		}
		out = append(out, c)
	}
	if len(out) == 0 && m.Form == transposed {
		return nil, b.m.root.At("responses.subject").Errorf("%s: no column matches the subjects' pattern %q", b.src.Name, m.Subject[0])
	}
	if m.Form == transposed {
		return out, nil
	}
	kept := out[:0]
	for _, c := range out {
		_, ok, err := b.find(b.src.Header, []int{c})
		if err != nil {
			return nil, fmt.Errorf("%s: column %d: %w", b.src.Name, c+1, err)
		}
		if ok {
			kept = append(kept, c)
		}
	}
	return kept, nil
}

// wide adds the responses in a row of a wide table, which are of a subject, or of a transposed one, which are to an item.
func (b *builder) wide(row *Row, p *places, cells []int) error {
	var a answer
	var err error
	turned := b.m.Responses.Form == transposed
	if turned {
		var ok bool
		if a.item, ok, err = b.find(row.Cells, p.item); err != nil || !ok {
			return err
		}
		err = b.derived[0].note(row, int(a.item), b.item)
	} else if a.subject, err = b.subjectOf(row, p.subject); err == nil {
		err = b.derived[1].note(row, int(a.subject), b.subject)
	}
	if err != nil {
		return err
	}
	for _, c := range cells {
		if turned {
			a.subject, err = b.subject.named(b.src.Header[c])
		} else {
			a.item, _, err = b.find(b.src.Header, []int{c})
		}
		if err != nil {
			return fmt.Errorf("column %d: %w", c+1, err)
		}
		cell := row.Cells[c]
		if b.missing(cell) {
			b.gone++
			continue
		}
		if a.value, err = b.value(cell); err != nil {
			return fmt.Errorf("subject %s, item %s: %w", b.subject.list[a.subject], b.item.list[a.item], err)
		}
		if a.repetition, err = b.repetition(row.Cells, p.repetition); err != nil {
			return err
		}
		if err := b.add(row, a); err != nil {
			return err
		}
	}
	return nil
}

// subjectOf returns the index of a row's subject. A table without a column for it has a subject a row, called by its number.
func (b *builder) subjectOf(row *Row, columns []int) (int32, error) {
	if len(columns) == 0 {
		return b.subject.named(fmt.Sprint("row ", len(b.subject.list)+1))
	}
	return b.subject.of(row.Cells, columns)
}

func (b *builder) long(row *Row, p *places) error {
	var a answer
	var ok bool
	var err error
	if a.item, ok, err = b.find(row.Cells, p.item); err != nil || !ok {
		return err
	}
	if a.subject, err = b.subject.of(row.Cells, p.subject); err != nil {
		return err
	}
	if err := cmp.Or(b.derived[0].note(row, int(a.item), b.item), b.derived[1].note(row, int(a.subject), b.subject)); err != nil {
		return err
	}
	cell := row.Cells[p.value[0]]
	if b.missing(cell) {
		b.gone++
		return nil
	}
	if len(p.trials) > 0 {
		a.trials, a.value, err = b.trials(cell, row.Cells[p.trials[0]])
	} else {
		a.value, err = b.value(cell)
	}
	if err != nil {
		return err
	}
	if a.repetition, err = b.repetition(row.Cells, p.repetition); err != nil {
		return err
	}
	if len(p.split) > 0 {
		switch s := row.Cells[p.split[0]]; s {
		case "fit":
		case "held-out":
			a.split = record.HeldOut
		default:
			return fmt.Errorf("split %q; it must be fit or held-out", s)
		}
	}
	return b.add(row, a)
}

// repetition returns the index of a row's repetition in the order of appearance; finish makes numbers of them.
func (b *builder) repetition(cells []string, columns []int) (int16, error) {
	if len(columns) == 0 {
		return 0, nil
	}
	name := joined(cells, columns)
	i, ok := b.repeated[name]
	if !ok {
		if missing(name) {
			return 0, fmt.Errorf("no repetition: %s is %q", b.m.Responses.Repetition[0], name)
		}
		if len(b.repetitions) == maxRepetitions {
			return 0, fmt.Errorf("more than %d repetitions", maxRepetitions)
		}
		i = int16(len(b.repetitions))
		name = strings.Clone(name)
		b.repeated[name] = i
		b.repetitions = append(b.repetitions, name)
	}
	return i, nil
}

const maxRepetitions = 1<<15 - 1

// numbered returns the number of each repetition: itself if all are whole numbers from 0, its rank among the names otherwise.
func numbered(repetitions []string) []int16 {
	out := make([]int16, len(repetitions))
	for i, name := range repetitions {
		x, ok := number(name)
		if !ok || x < 0 || x > maxRepetitions || x != float64(int16(x)) {
			sorted := slices.SortedFunc(slices.Values(repetitions), record.CompareNames)
			for i, name := range repetitions {
				k, _ := slices.BinarySearchFunc(sorted, name, record.CompareNames)
				out[i] = int16(k)
			}
			return out
		}
		out[i] = int16(x)
	}
	return out
}

// missing reports whether a cell of a response means that there is none.
func (b *builder) missing(cell string) bool {
	return missing(cell) || slices.Contains(b.m.Responses.Missing, cell)
}

// items sorts the items by their names, and drops those that the mapping leaves out.
func (b *builder) items() error {
	it := b.items_
	if it == nil {
		var err error
		if it, err = buildItems(b.derived[0].table(b.src, b.item, b.m.Read.Decimal), b.m, 0); err != nil {
			return err
		}
	}
	b.d.Items = it.Items
	for _, c := range it.Columns {
		b.d.Manifest.Features = append(b.d.Manifest.Features, c.Feature)
	}
	if b.items_ != nil {
		return nil
	}
	place := make([]int32, len(b.item.list))
	for i, name := range b.item.list {
		k, ok := slices.BinarySearch(it.ID, name)
		if place[i] = int32(k); !ok {
			place[i] = -1
		}
	}
	kept := b.answers[:0]
	for _, a := range b.answers {
		if a.item = place[a.item]; a.item >= 0 {
			kept = append(kept, a)
		}
	}
	b.answers = kept
	return nil
}

// subjects sorts the subjects with responses by their names, and adds their covariates.
func (b *builder) subjects(t *Table) error {
	there := make([]bool, len(b.subject.list))
	for _, a := range b.answers {
		there[a.subject] = true
	}
	for i, name := range b.subject.list {
		if there[i] {
			b.d.Subjects = append(b.d.Subjects, name)
		}
	}
	slices.Sort(b.d.Subjects)
	place := make([]int32, len(there))
	for i, name := range b.subject.list {
		k, _ := slices.BinarySearch(b.d.Subjects, name)
		place[i] = int32(k)
	}
	for i := range b.answers {
		b.answers[i].subject = place[b.answers[i].subject]
	}
	if t == nil && b.derived[1] != nil {
		t = b.derived[1].table(b.src, b.subject, b.m.Read.Decimal)
	}
	return b.covariates(t)
}

// finish sorts responses, returns an error if there are duplicates, and draws which responses are held out if the table has no column
// that says so.
func (b *builder) finish() error {
	d := b.d
	number := numbered(b.repetitions)
	for i := range b.answers {
		if len(number) > 0 {
			b.answers[i].repetition = number[b.answers[i].repetition]
		}
	}
	order := func(x, y answer) int {
		return cmp.Or(cmp.Compare(x.subject, y.subject), cmp.Compare(x.item, y.item), cmp.Compare(x.repetition, y.repetition), cmp.Compare(x.place, y.place))
	}
	if !slices.IsSortedFunc(b.answers, order) {
		slices.SortFunc(b.answers, order)
	}
	same := func(x, y *answer) bool {
		return x.subject == y.subject && x.item == y.item && x.repetition == y.repetition
	}
	inOrder := slices.Equal(b.m.Responses.Repetition, []string{inOrder})
	for i := 1; i < len(b.answers); i++ {
		before, a := &b.answers[i-1], &b.answers[i]
		switch {
		case inOrder && before.subject == a.subject && before.item == a.item:
			if a.repetition = before.repetition + 1; a.repetition == maxRepetitions {
				return fmt.Errorf("%s: subject %s has more than %d responses to item %s", b.src.Name, d.Subjects[a.subject], maxRepetitions, d.Items.ID[a.item])
			}
		case same(before, a):
			return b.twice(before, a)
		}
	}
	b.split()
	list := make([]record.Response, len(b.answers))
	for i, a := range b.answers {
		list[i] = record.Response{Subject: a.subject, Item: a.item, Repetition: a.repetition, Split: a.split, Trials: a.trials, Value: a.value}
	}
	b.answers = nil
	d.Responses = record.PackResponses(list)
	return nil
}

// split draws which responses are held out.
func (b *builder) split() {
	if b.m.Responses.Split != "" {
		return
	}
	for i := range b.answers {
		a := &b.answers[i]
		s := rng.Stream(b.m.Seed, "split", b.d.Subjects[a.subject], b.d.Items.ID[a.item])
		if s.Bernoulli(b.m.HeldOut) {
			a.split = record.HeldOut
		}
	}
}

// absent adds the responses of subjects to items that have no row, if the mapping gives them a value.
func (b *builder) absent() error {
	value := b.m.Responses.Absent
	if value == nil {
		return nil
	}
	at := b.m.root.At("responses.absent")
	if b.items_ == nil {
		return at.Errorf("who has no row failed only an item that there is: give the table of all items with --items")
	}
	if err := b.legal(*value, fmt.Sprint(*value)); err != nil {
		return at.Errorf("%v", err)
	}
	items, subjects := len(b.item.list), len(b.subject.list)
	if int64(items)*int64(subjects) > maxAnswers {
		return fmt.Errorf("more than %d responses", maxAnswers)
	}
	there := make([]bool, items*subjects)
	for _, a := range b.answers {
		there[int(a.subject)*items+int(a.item)] = true
	}
	for k, ok := range there {
		if !ok {
			b.row++
			b.filled++
			if err := b.add(&Row{}, answer{subject: int32(k / items), item: int32(k % items), value: *value}); err != nil {
				return err
			}
		}
	}
	return nil
}

// notes says what was left out.
func (b *builder) notes() (out []string) {
	say := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	if b.filtered > 0 {
		say("%s left out by where and only", count(b.filtered, "row"))
	}
	if b.gone > 0 {
		say("%s without a value", count(b.gone, "response"))
	}
	if b.filled > 0 {
		say("%s without a row taken for %g", count(b.filled, "response"), *b.m.Responses.Absent)
	}
	if b.letters && b.noAnswer > 0 {
		say("%s N (no answer) taken for 0", count(b.noAnswer, "value"))
	}
	if b.rounded > 0 {
		say("%s of which the printed digits do not tell the count exactly: the nearest was taken", count(b.rounded, "rate"))
	}
	if len(b.unmatched) > 0 {
		n := 0
		for _, k := range b.unmatched {
			n += k
		}
		say("%s to %s that the table of items does not have: %s", count(n, "response"), count(len(b.unmatched), "item"), listed(slices.Sorted(maps.Keys(b.unmatched))))
	}
	for _, n := range []*names{b.item, b.subject} {
		var without []string
		for i, name := range n.list {
			if !n.answered[i] {
				without = append(without, name)
			}
		}
		if len(without) > 0 {
			slices.SortFunc(without, record.CompareNames)
			say("%s without a response: %s", count(len(without), n.what), listed(without))
		}
	}
	return out
}

// trials returns a number of trials, and that of successes among them.
func (b *builder) trials(cell, of string) (trials int32, successes float64, err error) {
	x, ok := number(of)
	if !ok || x != float64(int32(x)) || x < 1 {
		return 0, 0, fmt.Errorf("%s successes of %q trials: want a whole number of trials from 1, and not below that of successes", cell, of)
	}
	if b.rate {
		successes, err = b.successes(cell, x)
	} else if successes, err = b.value(cell); err == nil && x < successes {
		err = fmt.Errorf("%g successes of %q trials: want a whole number of trials from 1, and not below that of successes", successes, of)
	}
	return int32(x), successes, err
}
