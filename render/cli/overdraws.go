package cli

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"achilles/infer"
	"achilles/infer/diag"
	judging "achilles/infer/table"
	"achilles/sim/expr"
	"achilles/sim/num"
	"achilles/sim/table"
)

// drawnStart is the beginning of a parameter with the subject or item that it is of: ability[ada], difficulty[q1].
var drawnStart = regexp.MustCompile(`[A-Za-z_][A-Za-z_0-9]*\[`)

// replaceDrawn returns an expression in which short names stand for parameters with what they are of. That has brackets in pairs, or is in quotes:
// ability[model[4]], ability["a]"].
func replaceDrawn(text string, short func(parameter, of string) string) string {
	var out strings.Builder
	for {
		at := drawnStart.FindStringIndex(text)
		if at == nil {
			return out.String() + text
		}
		rest := text[at[1]:]
		end, depth := -1, 1
		for i := 0; i < len(rest) && end < 0; i++ {
			switch rest[i] {
			case '[':
				depth++
			case ']':
				if depth--; depth == 0 {
					end = i
				}
			}
		}
		of := rest[:max(0, end)]
		if quoted, err := strconv.QuotedPrefix(rest); err == nil && strings.HasPrefix(rest[len(quoted):], "]") {
			end = len(quoted)
			of, _ = strconv.Unquote(quoted)
		}
		if end < 0 || of == "" {
			out.WriteString(text[:at[1]])
			text = rest
			continue
		}
		out.WriteString(text[:at[0]])
		out.WriteString(short(text[at[0]:at[1]-1], of))
		text = rest[end+1:]
	}
}

// overDraws returns what an expression is over the posterior draws of a result: a condition's probability, or a number's mean and interval. Its names
// are parameters with their subject or item in brackets, and shared parameters. With a parameter of subjects, or of items, without brackets it is a
// table of all of them.
func overDraws(res *infer.Result, known naming, text string) (*table.Table, error) {
	if res.Draws == nil && res.UnitDraws == nil {
		return nil, errors.New("the result has no posterior draws")
	}
	names := map[string]string{} // in the expression that is compiled → of the user
	plain := replaceDrawn(text, func(parameter, of string) string {
		short := fmt.Sprintf("draws_%d", len(names))
		names[short] = parameter + "[" + of + "]"
		return short
	})
	n, err := expr.Parse(plain)
	if err != nil {
		return nil, err
	}
	if len(n.Names()) == 0 {
		return nil, fmt.Errorf("%s names no parameter, such as %s", text, strings.Join((&drawsByName{res: res, naming: known}).known(3), ", "))
	}
	of, each, err := eachOf(res, n.Names())
	if err != nil {
		return nil, fmt.Errorf("%s: %w", text, err)
	}
	var rows []overDrawn
	for _, unit := range each {
		row, err := evaluated(&drawsByName{res: res, naming: known}, n, text, func(short string) string {
			if name, ok := names[short]; ok {
				return name
			}
			if ofKind(res, short) == of && of != "" {
				return short + "[" + unit + "]"
			}
			return short
		})
		if err != nil {
			return nil, err
		}
		if row.unit = unit; of == ofSubject {
			row.unit = known.name(unit)
		}
		rows = append(rows, *row)
	}
	t := drawnTable(text, of, rows)
	t.Foot = append(t.Foot, averaging(res)...)
	for _, f := range res.Diagnostics.Findings {
		if f.Kind == judging.Disconnected {
			t.Foot = append(t.Foot, fmt.Sprintf("The responses fall into %d parts without a common subject or item: comparisons between parts rest on the prior alone.", f.Count))
		}
	}
	return t, nil
}

// The kinds of parameters without brackets.
const (
	ofItem    = "item"
	ofSubject = "subject"
)

// ofKind returns of what a name without brackets is a parameter: ofItem, ofSubject, or "".
func ofKind(res *infer.Result, name string) string {
	for k := range res.Units {
		if u := &res.Units[k]; u.Parameter == name && u.Kind == ofItem {
			return ofItem
		}
	}
	if res.Draws != nil && slices.Contains(res.Draws.Parameters(), name) {
		return ofSubject
	}
	return ""
}

// eachOf returns the subjects or items for each of which an expression with these names is computed; one without a name if it is computed once.
func eachOf(res *infer.Result, names []string) (of string, each []string, err error) {
	for _, name := range names {
		kind := ofKind(res, name)
		if kind != "" && of != "" && kind != of {
			return "", nil, fmt.Errorf("%s has a value per %s, another name one per %s: name one subject or item in brackets", name, kind, of)
		}
		of = cmp.Or(of, kind)
	}
	switch of {
	case "":
		return "", []string{""}, nil
	case ofItem:
		for k := range res.Units {
			if u := &res.Units[k]; u.Kind == ofItem && slices.Contains(names, u.Parameter) && !slices.Contains(each, u.Unit) {
				each = append(each, u.Unit)
			}
		}
		return of, each, nil
	}
	for _, p := range res.Profiles {
		if len(each) == 0 || each[len(each)-1] != p.Subject {
			each = append(each, p.Subject)
		}
	}
	return of, each, nil
}

// An overDrawn is what an expression is at every draw.
type overDrawn struct {
	unit      string
	condition bool
	chains    [][]float64
}

// evaluated computes an expression. named returns the whole name of a parameter.
func evaluated(d *drawsByName, n *expr.Node, text string, named func(short string) string) (*overDrawn, error) {
	columns := map[string]expr.Column{}
	for _, short := range n.Names() {
		values, err := d.of(named(short))
		if err != nil {
			return nil, err
		}
		columns[short] = expr.Column{Number: values}
	}
	p, err := expr.Compile(n, func(name string) (expr.Column, bool) { c, ok := columns[name]; return c, ok })
	if err != nil {
		return nil, err
	}
	if p.Type() != expr.BoolType && p.Type() != expr.NumberType {
		return nil, fmt.Errorf("%s is a %s: want a condition or a number", text, p.Type())
	}
	out := &overDrawn{condition: p.Type() == expr.BoolType}
	for k := range d.chain {
		if k == 0 || d.chain[k] != d.chain[k-1] {
			out.chains = append(out.chains, nil)
		}
		c := &out.chains[len(out.chains)-1]
		*c = append(*c, p.Number(k))
	}
	return out, nil
}

// drawnTable returns the probability of a condition, or mean, interval and probability of being positive of a number; of each subject or item if of says
// so.
func drawnTable(text, of string, rows []overDrawn) *table.Table {
	type row struct {
		overDrawn
		diag.Summary
		positive float64
		sorted   []float64
	}
	var list []row
	for _, x := range rows {
		r := row{overDrawn: x, Summary: diag.Describe(x.chains), sorted: slices.Concat(x.chains...)}
		slices.Sort(r.sorted)
		at, _ := slices.BinarySearchFunc(r.sorted, 0.0, func(x, zero float64) int {
			if x > zero {
				return 1
			}
			return -1
		})
		r.positive = float64(len(r.sorted)-at) / float64(len(r.sorted))
		list = append(list, r)
	}
	number := func(name, head, doc string, digits int, f func(r row) float64) table.Field[row] {
		return table.Col(table.Column{Name: name, Head: head, Doc: doc, Digits: digits}, func(r row) table.Value { return table.Float(f(r)) })
	}
	quantile := func(p float64) func(r row) float64 {
		return func(r row) float64 { return num.SortedQuantile(r.sorted, p) }
	}
	t := table.Table{Name: "draws", Title: "Over the posterior draws", Foot: []string{fmt.Sprintf("Of %s draws.", num.Count(len(list[0].sorted)))}}
	var fields []table.Field[row]
	if of != "" {
		t.Title, t.Key = text+" over the posterior draws", []string{of}
		fields = append(fields, table.Col(table.Column{Name: of, Kind: table.Text}, func(r row) table.Value { return table.String(r.unit) }))
	} else {
		fields = append(fields, table.Col(table.Column{Name: "expression", Kind: table.Text}, func(row) table.Value { return table.String(text) }))
	}
	if list[0].condition {
		fields = append(fields, number("probability", "", "proportion of the draws", 3, func(r row) float64 { return r.positive }))
	} else {
		fields = append(fields,
			table.Col(table.Column{Name: "mean", Digits: 3, Low: "low", High: "high"}, func(r row) table.Value { return table.Float(r.Mean) }),
			number("low", "", "lower end of the equal-tailed 95 % interval", 3, quantile(0.025)),
			number("high", "", "upper end of the equal-tailed 95 % interval", 3, quantile(0.975)),
			number("sd", "SD", "", 3, func(r row) float64 { return r.SD }),
			number("positive", "P(> 0)", "probability that it is above 0", 3, func(r row) float64 { return r.positive }))
	}
	fields = append(fields, table.Col(table.Column{Name: "mcse", Head: "MCSE", Doc: "Monte Carlo standard error of the probability, or of the mean", Digits: 4, Weight: 1}, func(r row) table.Value { return table.Float(diag.MCSEMean(r.chains)) }))
	return table.Of(t, list, fields)
}

// drawsByName finds draws of a result. All that it returns are of the same draws: those of the first name, chain by chain.
type drawsByName struct {
	res *infer.Result
	naming
	chain, draw []int32
}

// of returns the draws of a parameter of a subject, of an item, or of all.
func (d *drawsByName) of(name string) ([]float64, error) {
	for k := range d.res.Units {
		if d.res.Units[k].Name() == name {
			return d.unit(k)
		}
	}
	parameter, subject, ok := strings.Cut(strings.TrimSuffix(name, "]"), "[")
	if ok && d.res.Draws != nil {
		if k := slices.Index(d.res.Draws.Parameters(), parameter); k >= 0 {
			one, err := d.res.DrawsOf(d.id(subject))
			if err != nil {
				return nil, err
			}
			if one != nil {
				return d.same(name, one.Chain, one.Draw, one.Values[k])
			}
		}
	}
	if of := d.whose(parameter); ok && of != nil {
		if near := expr.Nearest(subject, of); near != nil {
			return nil, fmt.Errorf("no draws of %s: did you mean %s[%s]?", name, parameter, near[0])
		}
		return nil, fmt.Errorf("no draws of %s: there are those of %s", name, strings.Join(of[:min(6, len(of))], ", "))
	}
	near := expr.DidYouMean(name, d.known(-1))
	if near == "" {
		near = "; there are " + strings.Join(d.known(3), ", ") + " …"
	}
	return nil, fmt.Errorf("no draws of %s%s", name, near)
}

// whose returns the subjects or items that have a parameter.
func (d *drawsByName) whose(parameter string) (names []string) {
	for _, p := range d.res.Profiles {
		if p.Parameter == parameter {
			names = append(names, d.name(p.Subject))
		}
	}
	for k := range d.res.Units {
		if u := &d.res.Units[k]; u.Parameter == parameter && u.Unit != "" {
			names = append(names, u.Unit)
		}
	}
	return names
}

// unit returns the draws of an item or of a shared parameter.
func (d *drawsByName) unit(k int) ([]float64, error) {
	if d.res.UnitDraws == nil {
		return nil, fmt.Errorf("the result has no draws of %s: it is of an older version. achilles infer --force infers it again", d.res.Units[k].Name())
	}
	chains, err := d.res.UnitDraws.Of(k)
	if err != nil {
		return nil, err
	}
	var chain, draw []int32
	var values []float64
	for c, x := range chains {
		for i, v := range x {
			chain, draw, values = append(chain, int32(c)), append(draw, d.res.UnitDraws.Draws()[i]), append(values, v)
		}
	}
	return d.same(d.res.Units[k].Name(), chain, draw, values)
}

// same returns values in order if they are of the draws of the first name.
func (d *drawsByName) same(name string, chain, draw []int32, values []float64) ([]float64, error) {
	if d.chain == nil {
		d.chain, d.draw = chain, draw
	}
	if !slices.Equal(chain, d.chain) || !slices.Equal(draw, d.draw) {
		return nil, fmt.Errorf("%s has fewer draws than the other names, so that they cannot be combined", name)
	}
	return values, nil
}

// known returns the names of the first parameters; all if most is below 0.
func (d *drawsByName) known(most int) (names []string) {
	for _, p := range d.res.Profiles {
		names = append(names, p.Parameter+"["+d.name(p.Subject)+"]")
	}
	for k := range d.res.Units {
		names = append(names, d.res.Units[k].Name())
	}
	if most >= 0 {
		names = names[:min(most, len(names))]
	}
	return names
}
