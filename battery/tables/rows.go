package tables

import (
	"cmp"
	"fmt"
	"math"
	"path"
	"slices"
	"strings"

	"achilles/sim/expr"
	"achilles/sim/record"
)

// An answer is a response, in 32 bytes.
type answer struct {
	value         float64
	subject, item int32
	place         int64 // number of its row, among all files
	trials        int32
	repetition    int16
	split         record.Split
}

// A places has the columns of the responses.
type places struct {
	subject, item, value, right, repetition, position, trials, split []int
	chosen                                                           [len(choiceKeys)][]int // in the order of choiceKeys
}

// read reads all responses.
func (b *builder) read() error {
	p := places{}
	m := &b.m.Responses
	for _, c := range []struct {
		key   string
		names []string
		into  *[]int
	}{{"subject", m.Subject, &p.subject}, {"item", m.Item, &p.item}, {"value", one(m.Value), &p.value}, {"right", one(m.Right), &p.right}, {"repetition", m.Repetition, &p.repetition}, {"position", one(m.Position), &p.position}, {"trials", one(m.Trials), &p.trials}, {"split", one(m.Split), &p.split}} {
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
	for k, name := range m.Chosen {
		var err error
		if p.chosen[k], err = b.m.find("responses."+choiceKeys[k], b.src.Name, b.src.Header, one(name)); err != nil {
			return err
		}
	}
	cells, err := b.cells(&p)
	if err != nil {
		return err
	}
	if err := b.findRate(cells, p.trials); err != nil {
		return err
	}
	keep, err := b.filter()
	if err != nil {
		return err
	}
	if err := b.further(); err != nil {
		return err
	}
	add := b.long
	if m.Form != long {
		add = func(row *Row, p *places) error { return b.wide(row, p, cells) }
	}
	for row, err := range b.src.Each {
		if err != nil {
			return err
		}
		b.row++
		kept := keep(row.Cells)
		if err := b.measured(row.Cells, kept); err != nil {
			return fmt.Errorf("%s: %w", row.at(), err)
		}
		if !kept {
			b.filtered++
			continue
		}
		if name, ok := nameOf(m, row.Cells, &p); ok && slices.Contains(b.m.LeaveOut, name) {
			b.left[strings.Clone(name)] = true
			continue
		}
		if err := add(&row, &p); err != nil {
			return fmt.Errorf("%s: %w", row.at(), err)
		}
	}
	return nil
}

// nameOf returns the name of a row of a matrix whose rows have names.
func nameOf(m *responseMapping, cells []string, p *places) (name string, ok bool) {
	columns := p.subject
	if m.Form == transposed {
		columns = p.item
	}
	if m.Form == long || len(columns) == 0 {
		return "", false
	}
	return joined(cells, columns), true
}

// findRate finds out whether values are proportions of trials, if the mapping does not say so: if none is above 1 and one is not whole.
// Proportions of which one is above 1 are percentages, and so are numbers above that of trials.
func (b *builder) findRate(values, trials []int) error {
	each := float64(b.m.Responses.Each)
	if len(trials) == 0 && each == 0 {
		return nil
	}
	said := b.m.Responses.Rate
	if said != nil && !*said {
		return nil
	}
	broken, most := false, 0.0
	for row, err := range b.src.Each {
		if err != nil {
			return err
		}
		for _, c := range values {
			x, ok := b.m.Read.number(strings.TrimSpace(row.Cells[c]))
			if ok && x > 1 && said == nil && each == 0 {
				return nil
			}
			if ok {
				broken, most = broken || x != math.Trunc(x), max(most, x)
			}
		}
	}
	b.rate, b.percent = broken || said != nil || each > 0 && most > each, most > 1 && most <= 100
	return nil
}

// add appends a response after its name has been looked up.
func (b *builder) add(a answer) error {
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
	return 0, false, fmt.Errorf("unknown item %q%s; if the item table is meant to be incomplete, set other_items = \"ignore\" under [responses]", name, expr.DidYouMean(name, b.items_.ID))
}

// cells returns the columns that have responses.
func (b *builder) cells(p *places) (out []int, err error) {
	m := &b.m.Responses
	if m.Form == long {
		return p.value, nil
	}
	except := []string{fileColumn}
	for _, name := range m.Except {
		if _, err := b.m.find("responses.except", b.src.Name, b.src.Header, []string{name}); err != nil {
			return nil, err
		}
		except = append(except, name)
	}
	for c, name := range b.src.Header {
		if slices.Contains(except, name) || slices.Contains(p.subject, c) || slices.Contains(p.item, c) || slices.Contains(p.right, c) {
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
		if b.missing(cell) || len(p.right) > 0 && b.missing(row.Cells[p.right[0]]) {
			b.gone++
			continue
		}
		if err = b.valued(&a, cell, row.Cells, p.right); err != nil {
			return fmt.Errorf("subject %s, item %s: %w", b.subject.list[a.subject], b.item.list[a.item], err)
		}
		if a.repetition, err = b.repetition(row.Cells, p.repetition); err != nil {
			return err
		}
		if err := b.add(a); err != nil {
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
	if b.missing(cell) || len(p.right) > 0 && b.missing(row.Cells[p.right[0]]) {
		b.gone++
		return nil
	}
	if len(p.trials) > 0 {
		a.trials, a.value, err = b.ofTrials(cell, row.Cells[p.trials[0]])
	} else {
		err = b.valued(&a, cell, row.Cells, p.right)
	}
	if err != nil {
		return err
	}
	if a.repetition, err = b.repetition(row.Cells, p.repetition); err != nil {
		return err
	}
	if len(p.position) > 0 {
		if err := b.positions.note(b.row, b.m.Read, row.Cells[p.position[0]]); err != nil {
			return err
		}
	}
	if len(p.chosen[0]) > 0 {
		if err := b.note(b.row, row.Cells, &p.chosen); err != nil {
			return err
		}
	}
	if len(p.split) > 0 {
		s := row.Cells[p.split[0]]
		of, is := splitOf(s)
		if !is {
			return fmt.Errorf("split %q; it must be fit or held-out, or train or test", s)
		}
		a.split = of
	}
	return b.add(a)
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
			return 0, fmt.Errorf("%s = %q is not a repetition: want a whole number from 0", b.m.Responses.Repetition[0], name)
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
