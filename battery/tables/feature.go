package tables

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

	"achilles/sim/expr"
	"achilles/sim/record"
)

// feature returns the column of one feature, and adds it to the columns that later expressions may use. It returns an
// error if a value is outside the declared range.
func (s *sheet) feature(m *Mapping, f feature) (record.Column, error) {
	out := record.Column{Feature: record.Feature{Name: f.Name, Kind: record.Number, Role: f.Role, Unit: f.Unit, Doc: f.Doc}}
	col, err := s.values(m, f)
	if err != nil {
		return out, err
	}
	if f.Standardise {
		if err := standardise(col.Number, col.Missing); err != nil {
			return out, err
		}
	}
	s.cols[f.Name] = col
	out.Number, out.Text, out.Missing = col.Number, col.Text, col.Missing
	if col.Number == nil {
		out.Kind = record.Text
		return out, s.words(f, col.Text)
	}
	lo, hi := math.Inf(1), math.Inf(-1)
	for i, x := range col.Number {
		if col.Missing == nil || !col.Missing[i] {
			lo, hi = min(lo, x), max(hi, x)
			if len(f.Range) == 2 && (x < f.Range[0] || x > f.Range[1]) {
				return out, fmt.Errorf("%s has %g, outside the declared range [%g, %g]", s.row(i), x, f.Range[0], f.Range[1])
			}
		}
	}
	if len(f.Range) == 2 {
		lo, hi = f.Range[0], f.Range[1]
	}
	if lo <= hi {
		out.Range = &[2]float64{lo, hi}
	}
	return out, nil
}

// words returns an error if the cells of a feature have words although numbers are meant: if the feature has a range, or is
// a demand that has numbers in other cells.
func (s *sheet) words(f feature, cells []string) error {
	word, numbers := -1, 0
	for i, cell := range cells {
		if _, ok := s.table.read.number(cell); ok {
			numbers++
		} else if word < 0 && !missing(cell) {
			word = i
		}
	}
	if word < 0 || len(f.Range) == 0 && (f.Role != record.Demand || numbers == 0) {
		return nil
	}
	if isComma(cells[word]) {
		return fmt.Errorf("%s has %q, with a decimal comma: use --decimal , or decimal = \",\" under [read]", s.row(word), cells[word])
	}
	return fmt.Errorf("%s has %q, which is not a finite number; if it means that there is none, set missing = [%q]", s.row(word), cells[word], cells[word])
}

func (s *sheet) values(m *Mapping, f feature) (expr.Column, error) {
	var col expr.Column
	if f.Levels != nil {
		from, ok := s.cols[f.Column]
		if !ok || from.Text == nil {
			return col, fmt.Errorf("levels need a text column; %q is not one", f.Column)
		}
		for i, t := range from.Text {
			x, ok := f.Levels[t]
			if !ok {
				return col, fmt.Errorf("%s has %q, which is not among the levels%s", s.row(i), t, expr.Hint(t, slices.Sorted(maps.Keys(f.Levels))))
			}
			col.Number = append(col.Number, x)
		}
		return col, nil
	}
	if f.Missing != nil {
		return s.numbers(f)
	}
	source := cmp.Or(f.Value, f.Column, f.Name)
	if c, ok := s.cols[source]; ok {
		return expr.Column{Number: slices.Clone(c.Number), Text: c.Text, Missing: c.Missing}, nil
	}
	p, err := s.program(m.root.At(f.key+".value"), source)
	if err != nil {
		return col, err
	}
	return s.evaluate(p, source)
}

// numbers returns the numbers in a text column. The words in f.Missing become missing values.
func (s *sheet) numbers(f feature) (col expr.Column, err error) {
	from, ok := s.cols[cmp.Or(f.Column, f.Name)]
	if !ok {
		return col, fmt.Errorf("no column %q", cmp.Or(f.Column, f.Name))
	}
	if from.Text == nil { // every cell of the column is a number or missing
		return expr.Column{Number: slices.Clone(from.Number), Missing: from.Missing}, nil
	}
	for i, t := range from.Text {
		gone := missing(t) || slices.ContainsFunc(f.Missing, func(m string) bool { return alike(m, t) })
		x, ok := 0.0, true
		if !gone {
			x, ok = s.table.read.number(t)
		}
		if !ok {
			return col, fmt.Errorf("%s has %q, which is neither a finite number nor among the missing", s.row(i), t)
		}
		col.Number, col.Missing = append(col.Number, x), append(col.Missing, gone)
	}
	return col, nil
}

func (s *sheet) evaluate(p *expr.Program, source string) (col expr.Column, err error) {
	gone := make([]bool, len(s.table.Rows))
	n, err := expr.Parse(source)
	if err != nil {
		return col, err
	}
	for _, name := range n.Names() {
		for i, m := range s.cols[name].Missing {
			gone[i] = gone[i] || m
		}
	}
	for i := range s.table.Rows {
		switch {
		case p.Type() == expr.TextType:
			col.Text = append(col.Text, p.Text(i))
			continue
		case gone[i]:
			col.Number = append(col.Number, 0)
			continue
		case p.Type() == expr.BoolType:
			x := 0.0
			if p.Bool(i) {
				x = 1
			}
			col.Number = append(col.Number, x)
			continue
		}
		x := p.Number(i)
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return col, fmt.Errorf("%s: value %q is %g", s.row(i), source, x)
		}
		col.Number = append(col.Number, x)
	}
	if slices.Contains(gone, true) {
		col.Missing = gone
	}
	return col, nil
}

// standardise subtracts the mean of x from its values and divides them by the population standard deviation, in place.
// Values with gone true are left out. It returns an error if all values are equal.
func standardise(x []float64, gone []bool) error {
	there := func(i int) bool { return gone == nil || !gone[i] }
	n, sum := 0.0, 0.0
	for i, v := range x {
		if there(i) {
			n++
			sum += v
		}
	}
	mean, ss := sum/n, 0.0
	for i, v := range x {
		if there(i) {
			ss += float64((v - mean) * (v - mean))
		}
	}
	sd := math.Sqrt(ss / n)
	if !(sd > 0) {
		return fmt.Errorf("a column of %g equal numbers cannot be standardised", n)
	}
	for i := range x {
		if there(i) {
			x[i] = (x[i] - mean) / sd
		}
	}
	return nil
}
