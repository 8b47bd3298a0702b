package cli

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"achilles/infer"
	"achilles/infer/diag"
	judging "achilles/infer/table"
	"achilles/sim/expr"
	"achilles/sim/num"
	"achilles/sim/table"
)

// drawnName is a parameter with the subject or item that it is of: ability[ada], difficulty[q1].
var drawnName = regexp.MustCompile(`[A-Za-z_][A-Za-z_0-9]*\[[^\[\]]+\]`)

// overDraws returns what an expression is over the posterior draws of a result: a condition's probability, or a number's mean and interval. Its names
// are parameters with their subject or item in brackets, and shared parameters.
func overDraws(res *infer.Result, text string) (*table.Table, error) {
	if res.Draws == nil && res.UnitDraws == nil {
		return nil, errors.New("the result has no posterior draws")
	}
	names := map[string]string{} // in the expression that is compiled → of the user
	plain := drawnName.ReplaceAllStringFunc(text, func(name string) string {
		short := fmt.Sprintf("draws_%d", len(names))
		names[short] = name
		return short
	})
	n, err := expr.Parse(plain)
	if err != nil {
		return nil, err
	}
	d := &drawsByName{res: res}
	columns := map[string]expr.Column{}
	for _, short := range n.Names() {
		name := short
		if given, ok := names[short]; ok {
			name = given
		}
		values, err := d.of(name)
		if err != nil {
			return nil, err
		}
		columns[short] = expr.Column{Number: values}
	}
	if len(columns) == 0 {
		return nil, fmt.Errorf("%s names no parameter, such as %s", text, strings.Join(d.known(3), ", "))
	}
	p, err := expr.Compile(n, func(name string) (expr.Column, bool) { c, ok := columns[name]; return c, ok })
	if err != nil {
		return nil, err
	}
	if p.Type() != expr.BoolType && p.Type() != expr.NumberType {
		return nil, fmt.Errorf("%s is a %s: a condition or a number is wanted", text, p.Type())
	}
	var chains [][]float64
	for k := range d.chain {
		if k == 0 || d.chain[k] != d.chain[k-1] {
			chains = append(chains, nil)
		}
		c := &chains[len(chains)-1]
		*c = append(*c, p.Number(k))
	}
	t := drawnTable(text, p.Type() == expr.BoolType, chains)
	for _, f := range res.Diagnostics.Findings {
		if f.Kind == judging.Disconnected {
			t.Foot = append(t.Foot, fmt.Sprintf("There are %d parts that nothing connects: what compares subjects or items of two of them is of the prior alone.", f.Count))
		}
	}
	return t, nil
}

// drawnTable returns the probability of a condition, or mean, interval and probability of being positive of a number.
func drawnTable(text string, condition bool, chains [][]float64) *table.Table {
	s := diag.Describe(chains)
	positive, n := 0.0, 0.0
	var all []float64
	for _, chain := range chains {
		for _, x := range chain {
			if n++; x > 0 {
				positive++
			}
		}
		all = append(all, chain...)
	}
	slices.Sort(all)
	number := func(name, head, doc string, digits int, x float64) table.Field[string] {
		return table.Col(table.Column{Name: name, Head: head, Doc: doc, Digits: digits}, func(string) table.Value { return table.Float(x) })
	}
	fields := []table.Field[string]{table.Col(table.Column{Name: "expression", Kind: table.Text}, func(s string) table.Value { return table.String(s) })}
	if condition {
		fields = append(fields, number("probability", "", "share of the draws", 3, positive/n))
	} else {
		fields = append(fields,
			table.Col(table.Column{Name: "mean", Digits: 3, Low: "low", High: "high"}, func(string) table.Value { return table.Float(s.Mean) }),
			number("low", "", "end of the central 95 % interval", 3, num.SortedQuantile(all, 0.025)),
			number("high", "", "end of the central 95 % interval", 3, num.SortedQuantile(all, 0.975)),
			number("sd", "SD", "", 3, s.SD),
			number("positive", "P(> 0)", "probability that it is above 0", 3, positive/n))
	}
	fields = append(fields, number("mcse", "MCSE", "Monte Carlo standard error of the probability, or of the mean", 4, diag.MCSEMean(chains)))
	return table.Of(table.Table{Name: "draws", Title: "Over the posterior draws", Foot: []string{fmt.Sprintf("Of %s draws.", num.Count(int(n)))}}, []string{text}, fields)
}

// drawsByName finds draws of a result. All that it returns are of the same draws: those of the first name, chain by chain.
type drawsByName struct {
	res         *infer.Result
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
			one, err := d.res.Draws.Of(subject)
			if err != nil {
				return nil, err
			}
			if one != nil {
				return d.same(name, one.Chain, one.Draw, one.Values[k])
			}
		}
	}
	near := expr.DidYouMean(name, d.known(-1))
	if near == "" {
		near = "; there are " + strings.Join(d.known(3), ", ") + " …"
	}
	return nil, fmt.Errorf("no draws of %s%s", name, near)
}

// unit returns the draws of an item or of a shared parameter.
func (d *drawsByName) unit(k int) ([]float64, error) {
	if d.res.UnitDraws == nil {
		return nil, fmt.Errorf("the result has no draws of %s: it is of an older version. achilles infer --force infers it anew", d.res.Units[k].Name())
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
		return nil, fmt.Errorf("the draws of %s are not those of the other names: fewer were kept", name)
	}
	return values, nil
}

// known returns the names of the first parameters; all if most is below 0.
func (d *drawsByName) known(most int) (names []string) {
	for _, p := range d.res.Profiles {
		names = append(names, p.Parameter+"["+p.Subject+"]")
	}
	for k := range d.res.Units {
		names = append(names, d.res.Units[k].Name())
	}
	if most >= 0 {
		names = names[:min(most, len(names))]
	}
	return names
}
