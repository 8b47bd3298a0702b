package tables

import (
	"math"
	"slices"

	"achilles/sim/conf"
	"achilles/sim/expr"
	"achilles/sim/record"
)

// A measure is a further number that rows of a long table have of their responses, such as a reaction time.
type measure struct {
	record.Measure
	Value string // an expression over the columns of the responses

	at conf.Place // of the expression
}

// readMeasures reads the tables called measure.
func (m *Mapping) readMeasures() {
	taken := []string{m.Responses.Measure}
	for _, t := range m.root.Tables("measure") {
		x := measure{at: t.At("value")}
		x.Name, x.Doc = t.NeedText("name", "what the measure is called"), t.Text("doc")
		x.Family = record.Family(t.Word("family", string(record.Real), string(record.Unit), string(record.Binary)))
		if x.Value, _ = t.Expression("value"); x.Value == "" {
			x.Value = x.Name
		}
		if err := record.CheckName(x.Name); err != nil && x.Name != "" {
			t.Reportf("name", "%q: %v", x.Name, err)
		}
		if slices.Contains(taken, x.Name) {
			t.Reportf("name", "%q is another measure already", x.Name)
		}
		taken = append(taken, x.Name)
		if m.Responses.Form != long {
			t.Reportf("", "a matrix has one number per response: further measures want form = \"long\"")
		}
		if len(m.Selection.Reverse) > 0 || m.Selection.Blanks != "" {
			t.Reportf("", "reverse and blanks are for tables with one measure")
		}
		m.Measures = append(m.Measures, x)
	}
}

// further evaluates the further measures of the mapping for every row.
func (b *builder) further() error {
	for i := range b.m.Measures {
		x := &b.m.Measures[i]
		n, err := expr.Parse(x.Value)
		if err != nil {
			return x.at.In(err)
		}
		p, row, err := b.over(n, x.at)
		if err != nil {
			return err
		}
		if p.Type() != expr.NumberType {
			return x.at.Errorf("%q is not a number", x.Value)
		}
		b.values = append(b.values, func(cells []string) (float64, error) {
			row(cells)
			v := p.Number(0)
			switch {
			case math.IsNaN(v):
				return v, nil // there is none
			case math.IsInf(v, 0):
				return v, x.at.Errorf("%q is infinite", x.Value)
			case x.Family != record.Real && (v < 0 || v > 1), x.Family == record.Binary && v != 0 && v != 1:
				return v, x.at.Errorf("%q is %g, which a %s measure cannot be", x.Value, v, x.Family)
			}
			return v, nil
		})
	}
	b.more = make([][]float64, len(b.values))
	return nil
}

// measured evaluates the further measures of the current row, which counts if it is kept.
func (b *builder) measured(cells []string, kept bool) error {
	for i, value := range b.values {
		v, err := math.NaN(), error(nil)
		if kept {
			v, err = value(cells)
		}
		if err != nil {
			return err
		}
		b.more[i] = append(b.more[i], v)
	}
	return nil
}

// withFurther adds the further measures of each response behind it. list has one response per answer.
func (b *builder) withFurther(list []record.Response) []record.Response {
	if len(b.more) == 0 {
		return list
	}
	out := make([]record.Response, 0, len(list)*(1+len(b.more)))
	for i, r := range list {
		out = append(out, r)
		for k, values := range b.more {
			if place := b.answers[i].place; place <= int64(len(values)) && !math.IsNaN(values[place-1]) {
				x := r
				x.Measure, x.Value, x.Trials = uint8(k+1), values[place-1], 0
				out = append(out, x)
			}
		}
	}
	return out
}

// over returns the program of an expression over the columns of the responses, and a function that sets the row that it reads. A
// column is one of numbers if every cell of it is a number or missing.
func (b *builder) over(n *expr.Node, at conf.Place) (*expr.Program, func(cells []string), error) {
	var index []int
	for _, name := range n.Names() {
		if i := b.src.column(name); i >= 0 {
			index = append(index, i)
		}
	}
	numeric := slices.Repeat([]bool{true}, len(b.src.Header))
	for row, err := range b.src.Each {
		if err != nil {
			return nil, nil, err
		}
		for _, i := range index {
			if _, ok := b.m.Read.number(row.Cells[i]); !ok && !missing(row.Cells[i]) {
				numeric[i] = false
			}
		}
	}
	cols := map[string]expr.Column{} // of one row, which is set again for each
	for _, i := range index {
		c := expr.Column{Text: []string{""}}
		if numeric[i] {
			c = expr.Column{Number: []float64{0}}
		}
		cols[b.src.Header[i]] = c
	}
	p, err := expr.Compile(n, func(name string) (expr.Column, bool) { c, ok := cols[name]; return c, ok }, b.src.Header...)
	if err != nil {
		return nil, nil, at.In(err)
	}
	return p, func(cells []string) {
		for _, i := range index {
			c := cols[b.src.Header[i]]
			if c.Text != nil {
				c.Text[0] = cells[i]
				continue
			}
			x, ok := b.m.Read.number(cells[i])
			if c.Number[0] = x; !ok {
				c.Number[0] = math.NaN()
			}
		}
	}, nil
}

// where returns the mapping's condition on rows.
func (b *builder) where() (func(cells []string) bool, error) {
	source := b.m.Responses.Where
	if source == "" {
		return nil, nil
	}
	at := b.m.root.At("responses.where")
	n, err := expr.Parse(source)
	if err != nil {
		return nil, at.In(err)
	}
	p, row, err := b.over(n, at)
	if err != nil {
		return nil, err
	}
	if p.Type() != expr.BoolType {
		return nil, at.Errorf("%q is not a condition", source)
	}
	return func(cells []string) bool { row(cells); return p.Bool(0) }, nil
}
