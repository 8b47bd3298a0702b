package tables

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"

	"achilles/sim/expr"
	"achilles/sim/record"
	"achilles/sim/rng"
)

// Build returns the dataset of a table of items, a table of responses and, if the mapping has covariates, a table of subjects, which
// is nil otherwise. Subjects keep their names, because there is no truth to seal. The error names the file, and the line or key with
// the fault.
func Build(items, responses, subjects *Table, m *Mapping) (*record.Dataset, error) {
	it, err := buildItems(items, m)
	if err != nil {
		return nil, err
	}
	d := &record.Dataset{Items: it.Items, Reasons: []string{""}}
	d.Manifest.Format, d.Manifest.Version = record.Format, record.Version
	d.Manifest.Measures = []record.Measure{{Name: m.Responses.Measure, Family: m.Responses.Family}}
	for _, c := range it.Columns {
		d.Manifest.Features = append(d.Manifest.Features, c.Feature)
	}
	b := &builder{m: m, d: d, table: responses, dropped: it.dropped, item: map[string]int32{}, subject: map[string]int32{}}
	for i, id := range it.ID {
		b.item[id] = int32(i)
	}
	switch m.Responses.Form {
	case wide:
		err = b.wide(responses)
	case transposed:
		err = b.transposed(responses)
	default:
		err = b.long(responses)
	}
	if err != nil {
		return nil, err
	}
	if len(b.answers) == 0 {
		return nil, fmt.Errorf("%s: no response belongs to an item of %s", responses.Name, items.Name)
	}
	if err := b.finish(); err != nil {
		return nil, err
	}
	return d, b.covariates(subjects)
}

// A builder collects the responses of a table.
type builder struct {
	m       *Mapping
	d       *record.Dataset
	table   *Table // the table of responses
	answers []answer
	item    map[string]int32 // index by name
	subject map[string]int32 // index by name, in order of appearance
	dropped map[string]bool  // names of the items that the mapping's condition leaves out
}

// An answer is a response, and its row in the table.
type answer struct {
	record.Response
	row int
}

// add appends the response of a subject.
func (b *builder) add(row int, subject string, r record.Response) error {
	i, ok := b.subject[subject]
	if !ok {
		if err := record.CheckName(subject); err != nil {
			return fmt.Errorf("subject %q: %w", subject, err)
		}
		i = int32(len(b.subject))
		b.subject[subject] = i
	}
	r.Subject = i
	b.answers = append(b.answers, answer{r, row})
	return nil
}

// find returns the index of an item. ok is false if its responses are to be left out. An item that is not in the item table
// is an error, unless the mapping says IgnoreUnmatched.
func (b *builder) find(name string) (i int32, ok bool, err error) {
	if i, ok = b.item[name]; ok || b.dropped[name] || b.m.Responses.IgnoreUnmatched {
		return i, ok, nil
	}
	return 0, false, fmt.Errorf("unknown item %q%s; if the item table is meant to be a part, say other_items = \"ignore\" under [responses]", name, expr.DidYouMean(name, b.d.Items.ID))
}

func (b *builder) wide(t *Table) error {
	sub, err := b.m.column(t, "responses.subject", b.m.Responses.Subject)
	if err != nil {
		return err
	}
	for c, name := range t.Header {
		if c == sub {
			continue
		}
		item, ok, err := b.find(name)
		if err != nil {
			return fmt.Errorf("%s: column %d: %w", t.Name, c+1, err)
		}
		if !ok {
			continue
		}
		for r, row := range t.Rows {
			if missing(row[c]) {
				continue
			}
			v, err := b.value(row[c])
			if err != nil {
				return fmt.Errorf("%s: subject %s, item %s: %w", t.at(r), row[sub], name, err)
			}
			if err := b.add(r, row[sub], record.Response{Item: item, Value: v}); err != nil {
				return fmt.Errorf("%s: %w", t.at(r), err)
			}
		}
	}
	return nil
}

// transposed adds the responses of a table with one row per item and one column per subject. The columns of subjects are
// those whose names match the pattern of the mapping.
func (b *builder) transposed(t *Table) error {
	id, err := b.m.column(t, "responses.item", b.m.Responses.Item)
	if err != nil {
		return err
	}
	found := false
	for c, subject := range t.Header {
		if ok, err := path.Match(b.m.Responses.Subject, subject); err != nil || !ok || c == id {
			continue // there is no error: ParseMapping has checked the pattern
		}
		found = true
		for r, row := range t.Rows {
			item, ok, err := b.find(row[id])
			if err != nil {
				return fmt.Errorf("%s: %w", t.at(r), err)
			}
			if !ok || missing(row[c]) {
				continue
			}
			v, err := b.value(row[c])
			if err != nil {
				return fmt.Errorf("%s: subject %s, item %s: %w", t.at(r), subject, row[id], err)
			}
			if err := b.add(r, subject, record.Response{Item: item, Value: v}); err != nil {
				return fmt.Errorf("%s: column %d: %w", t.Name, c+1, err)
			}
		}
	}
	if !found {
		return b.m.root.At("responses.subject").Errorf("%s: no column matches the subjects' pattern %q", t.Name, b.m.Responses.Subject)
	}
	return nil
}

func (b *builder) long(t *Table) error {
	cols := map[string]int{}
	m := &b.m.Responses
	for _, c := range []struct{ key, name string }{{"subject", m.Subject}, {"item", m.Item}, {"value", m.Value}, {"repetition", m.Repetition}, {"trials", m.Trials}, {"split", m.Split}} {
		if c.name == "" {
			continue
		}
		i, err := b.m.column(t, "responses."+c.key, c.name)
		if err != nil {
			return err
		}
		cols[c.name] = i
	}
	for r, row := range t.Rows {
		if err := b.longRow(r, row, cols); err != nil {
			return fmt.Errorf("%s: %w", t.at(r), err)
		}
	}
	return nil
}

func (b *builder) longRow(r int, row []string, cols map[string]int) error {
	m := &b.m.Responses
	item, ok, err := b.find(row[cols[m.Item]])
	if err != nil || !ok || missing(row[cols[m.Value]]) {
		return err
	}
	resp := record.Response{Item: item}
	if resp.Value, err = b.value(row[cols[m.Value]]); err != nil {
		return err
	}
	if m.Repetition != "" {
		n, err := strconv.ParseInt(row[cols[m.Repetition]], 10, 16)
		if err != nil || n < 0 {
			return fmt.Errorf("repetition %q is not a whole number from 0", row[cols[m.Repetition]])
		}
		resp.Repetition = int16(n)
	}
	if m.Trials != "" {
		cell := row[cols[m.Trials]]
		n, err := strconv.ParseInt(cell, 10, 32)
		if err != nil || n < 1 || float64(n) < resp.Value {
			return fmt.Errorf("%g successes of %q trials: want a whole number of trials from 1, and not below that of successes", resp.Value, cell)
		}
		resp.Trials = int32(n)
	}
	if m.Split != "" {
		switch s := row[cols[m.Split]]; s {
		case "fit":
		case "held-out":
			resp.Split = record.HeldOut
		default:
			return fmt.Errorf("split %q; it must be fit or held-out", s)
		}
	}
	return b.add(r, row[cols[m.Subject]], resp)
}

func (b *builder) value(cell string) (float64, error) {
	family := b.m.Responses.Family
	if family == record.Binary {
		switch strings.ToLower(cell) {
		case "true", "t", "yes", "pass":
			return 1, nil
		case "false", "f", "no", "fail":
			return 0, nil
		}
	}
	v, err := strconv.ParseFloat(cell, 64)
	whole := v == math.Trunc(v) && v >= 0
	switch {
	case err != nil || math.IsNaN(v) || math.IsInf(v, 0):
		return 0, fmt.Errorf("value %q is not a finite number", cell)
	case family == record.Binary && v != 0 && v != 1:
		return 0, fmt.Errorf("value %q; a binary measure has 0 or 1, true or false", cell)
	case family == record.Unit && !(v >= 0 && v <= 1):
		return 0, fmt.Errorf("value %q; a unit measure lies between 0 and 1", cell)
	case (family == record.Count || family == record.Choice) && !whole:
		return 0, fmt.Errorf("value %q; a %s is a whole number from 0", cell, family)
	}
	return v, nil
}

// finish sorts subjects and responses, returns an error if there are duplicates, and draws which responses are held out if
// the table has no column that says so.
func (b *builder) finish() error {
	d := b.d
	sorted := slices.Sorted(maps.Keys(b.subject))
	place := make([]int32, len(sorted)) // [index by order of appearance]: index in sorted
	for i, name := range sorted {
		place[b.subject[name]] = int32(i)
	}
	d.Subjects = sorted
	for i := range b.answers {
		b.answers[i].Subject = place[b.answers[i].Subject]
	}
	slices.SortStableFunc(b.answers, func(x, y answer) int {
		return cmp.Or(cmp.Compare(x.Subject, y.Subject), cmp.Compare(x.Item, y.Item), cmp.Compare(x.Repetition, y.Repetition))
	})
	list := make([]record.Response, 0, len(b.answers))
	for i, r := range b.answers {
		if i > 0 && r.Subject == b.answers[i-1].Subject && r.Item == b.answers[i-1].Item && r.Repetition == b.answers[i-1].Repetition {
			return fmt.Errorf("%s: two responses of subject %s to item %s, the other in line %d; give repetitions a column of their own",
				b.table.at(r.row), d.Subjects[r.Subject], d.Items.ID[r.Item], b.table.lines[b.answers[i-1].row])
		}
		list = append(list, r.Response)
	}
	if b.m.Responses.Split == "" {
		b.split(list)
	}
	d.Responses = record.PackResponses(list)
	return nil
}

// split draws which responses are held out.
func (b *builder) split(list []record.Response) {
	for i := range list {
		r := &list[i]
		s := rng.Stream(b.m.Seed, "split", b.d.Subjects[r.Subject], b.d.Items.ID[r.Item])
		if s.Bernoulli(b.m.HeldOut) {
			r.Split = record.HeldOut
		}
	}
}
