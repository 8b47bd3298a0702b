package tables

import (
	"cmp"
	"fmt"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"

	"achilles/sim/record"
	"achilles/sim/rng"
)

// Build makes a dataset of a table of items and a table of responses. Subjects keep their names, since there is no
// truth to seal. The error names the file, and the line or key where something is wrong.
func Build(items, responses *Table, m *Mapping) (*record.Dataset, error) {
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
	b := &builder{m: m, d: d, dropped: it.dropped, item: map[string]int32{}, subject: map[string]int32{}}
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
	if len(d.Responses) == 0 {
		return nil, fmt.Errorf("%s: no response belongs to an item of %s", responses.Name, items.Name)
	}
	return d, b.finish(responses.Name)
}

// A builder collects the responses of a table.
type builder struct {
	m       *Mapping
	d       *record.Dataset
	item    map[string]int32
	subject map[string]int32
	dropped map[string]bool // items that the mapping's where leaves out
}

func (b *builder) subjectIndex(name string) int32 {
	i, ok := b.subject[name]
	if !ok {
		i = int32(len(b.d.Subjects))
		b.subject[name] = i
		b.d.Subjects = append(b.d.Subjects, name)
	}
	return i
}

// find returns the index of an item. ok is false if its responses are to be left out; an item that is not in the table
// is an error unless the mapping ignores it.
func (b *builder) find(name string) (i int32, ok bool, err error) {
	if i, ok = b.item[name]; ok || b.dropped[name] || b.m.Responses.IgnoreUnmatched {
		return i, ok, nil
	}
	return 0, false, fmt.Errorf("unknown item %q; if the item table is meant to be a part, say other_items = \"ignore\" under [responses]", name)
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
				return fmt.Errorf("%s:%d: subject %s, item %s: %w", t.Name, t.lines[r], row[sub], name, err)
			}
			b.add(record.Response{Subject: b.subjectIndex(row[sub]), Item: item, Value: v})
		}
	}
	return nil
}

// transposed reads a table with one row per item and one column per subject; a pattern tells the columns of the
// subjects.
func (b *builder) transposed(t *Table) error {
	id, err := b.m.column(t, "responses.item", b.m.Responses.Item)
	if err != nil {
		return err
	}
	found := false
	for c, subject := range t.Header {
		if ok, err := path.Match(b.m.Responses.Subject, subject); err != nil || !ok || c == id {
			continue // the pattern was checked with the mapping
		}
		found = true
		for r, row := range t.Rows {
			item, ok, err := b.find(row[id])
			if err != nil {
				return fmt.Errorf("%s:%d: %w", t.Name, t.lines[r], err)
			}
			if !ok || missing(row[c]) {
				continue
			}
			v, err := b.value(row[c])
			if err != nil {
				return fmt.Errorf("%s:%d: subject %s, item %s: %w", t.Name, t.lines[r], subject, row[id], err)
			}
			b.add(record.Response{Subject: b.subjectIndex(subject), Item: item, Value: v})
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
	for _, c := range []struct{ key, name string }{{"subject", m.Subject}, {"item", m.Item}, {"value", m.Value}, {"repetition", m.Repetition}, {"split", m.Split}} {
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
		if err := b.longRow(row, cols); err != nil {
			return fmt.Errorf("%s:%d: %w", t.Name, t.lines[r], err)
		}
	}
	return nil
}

func (b *builder) longRow(row []string, cols map[string]int) error {
	m := &b.m.Responses
	item, ok, err := b.find(row[cols[m.Item]])
	if err != nil || !ok || missing(row[cols[m.Value]]) {
		return err
	}
	resp := record.Response{Item: item, Subject: b.subjectIndex(row[cols[m.Subject]])}
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
	if m.Split != "" {
		switch s := row[cols[m.Split]]; s {
		case "fit":
		case "held-out":
			resp.Split = record.HeldOut
		default:
			return fmt.Errorf("split %q; it must be fit or held-out", s)
		}
	}
	b.add(resp)
	return nil
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

func (b *builder) add(r record.Response) { b.d.Responses = append(b.d.Responses, r) }

// finish sorts subjects and responses, refuses duplicates, and draws the split if the table has no column for it.
func (b *builder) finish(file string) error {
	d := b.d
	names := slices.Clone(d.Subjects)
	slices.Sort(names)
	place := map[string]int32{}
	for i, n := range names {
		place[n] = int32(i)
	}
	for i := range d.Responses {
		d.Responses[i].Subject = place[d.Subjects[d.Responses[i].Subject]]
	}
	d.Subjects = names
	slices.SortFunc(d.Responses, func(x, y record.Response) int {
		return cmp.Or(cmp.Compare(x.Subject, y.Subject), cmp.Compare(x.Item, y.Item), cmp.Compare(x.Repetition, y.Repetition))
	})
	for i, r := range d.Responses {
		if i > 0 && r.Subject == d.Responses[i-1].Subject && r.Item == d.Responses[i-1].Item && r.Repetition == d.Responses[i-1].Repetition {
			return fmt.Errorf("%s: two responses of subject %s to item %s; give repetitions a column of their own", file, names[r.Subject], d.Items.ID[r.Item])
		}
	}
	if b.m.Responses.Split != "" {
		return nil
	}
	for i := range d.Responses {
		r := &d.Responses[i]
		s := rng.Stream(b.m.Seed, "split", d.Subjects[r.Subject], d.Items.ID[r.Item])
		if s.Bernoulli(b.m.HeldOut) {
			r.Split = record.HeldOut
		}
	}
	return nil
}
