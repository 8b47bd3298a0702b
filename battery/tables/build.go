package tables

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

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
	for _, x := range m.Measures {
		d.Manifest.Measures = append(d.Manifest.Measures, x.Measure)
	}
	if t := in.Items; t != nil && t.guessed && len(m.Items.ID) == 0 {
		in.Items = nil
	}
	if t := in.Subjects; t != nil && t.guessed && len(m.Subject) == 0 {
		in.Subjects = nil
	}
	b := &builder{marking: marking{m: m}, d: d, src: in.Responses, item: newNames("item"), subject: newNames("subject"), repeated: map[string]int16{}, left: map[string]bool{}, unmatched: map[string]int{}}
	var err error
	if b.src, err = b.src.keyed(m.Responses.Key, m.Responses.Missing); err != nil {
		return nil, nil, err
	}
	if c := m.Responses.Count; c != "" {
		if b.src, err = b.src.repeated(c, m.Responses.Subject); err != nil {
			return nil, nil, err
		}
	}
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
	if m.Responses.Right != "" && m.Responses.Family == record.Unit {
		scaleErrors(b.answers, len(b.item.list))
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
	selection := m.Selection
	selection.LeaveOut = slices.DeleteFunc(slices.Clone(m.LeaveOut), func(name string) bool { return b.left[name] })
	d, selected, err := selection.of(d)
	if err != nil {
		return nil, nil, err
	}
	return d, append(b.notes(), selected...), nil
}

// A builder collects the responses of a table.
type builder struct {
	marking
	d       *record.Dataset
	src     *Source
	answers []answer
	row     int64           // number of the current row
	left    map[string]bool // names of rows of a matrix that leave_out has

	items_        *builtItems // of a table of items; nil: the items are those of the responses
	item, subject *names
	derived       [2]*derived // what the responses' table says of items, and of subjects; nil if tables do

	repetitions []string         // names of repetitions, in order of appearance
	repeated    map[string]int16 // their indices
	positions   positions
	went        []wentTo // by number of the row, from 1

	values []func(cells []string) (float64, error) // of the further measures
	more   [][]float64                             // measure → row → its value, NaN where there is none

	// What notes says: responses without a value, rows that where or only leave out, and responses to items that the table of items does
	// not have.
	gone, filtered, filled int
	unmatched              map[string]int
}

// maxNames is the largest number of items, and of subjects.
const maxNames = 1 << 24

// tables reads the table of items if there is one, and finds out which columns of the responses say something of items and subjects.
func (b *builder) tables(in Input) (err error) {
	if in.Items == nil {
		if b.derived[0], err = b.derive("item", b.m.Features, b.m.Items.expressions()...); err != nil {
			return err
		}
	} else {
		if slices.Equal(b.m.Items.ID, []string{inOrder}) {
			if in.Items, err = nameByOrder(b, in.Items); err != nil {
				return err
			}
		}
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
		if b.m.Responses.Form == wide {
			of += "; if a row of the matrix is an item, use --rows items"
		}
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

// maxAnswers is the largest number of responses.
const maxAnswers = 1 << 25

const maxRepetitions = 1<<15 - 1

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
	if err := b.placed(list); err != nil {
		return err
	}
	b.choose(list)
	list = b.withFurther(list)
	b.answers, b.more = nil, nil
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
		return at.Errorf("a missing row can count as a failure only if all items are known: give the table of all items with --items")
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
			if err := b.add(answer{subject: int32(k / items), item: int32(k % items), value: *value}); err != nil {
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
	if len(b.left) > 0 {
		say("%s left out by leave_out", count(len(b.left), "row"))
	}
	if b.gone > 0 {
		say("%s without a value", count(b.gone, "response"))
	}
	if b.filled > 0 {
		say("%s without a row read as %g", count(b.filled, "response"), *b.m.Responses.Absent)
	}
	if b.m.Responses.Right != "" && b.m.Responses.Family == record.Unit {
		say("errors of predictions scaled by item, from 0 for the largest to 1 for the smallest; held-out responses take part")
	}
	if b.letters && b.noAnswer > 0 {
		say("%s N (no answer) read as 0", count(b.noAnswer, "value"))
	}
	if b.rounded > 0 {
		say("%s whose printed digits do not determine the count: the nearest was used", count(b.rounded, "rate"))
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
