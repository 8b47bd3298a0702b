package layout

import (
	"go/token"
	"math"
	"slices"
	"strings"

	"achilles/infer/prior"
	"achilles/sim/expr"
)

// Parse reads a layout and checks all that can be checked without items. file is the name that errors carry; an error
// is an *Error.
func Parse(file, text string) (*Layout, error) {
	root, err := readDocument(file, text)
	if err != nil {
		return nil, err
	}
	l := &Layout{file: file, Temperature: DefaultTemperature, symbols: map[string]*symbol{}}
	if err := l.read(root); err != nil {
		return nil, err
	}
	if err := l.check(); err != nil {
		return nil, err
	}
	return l, nil
}

func (l *Layout) read(root *entry) error {
	if err := root.allow("name", "doc", "temperature", "constant", "metafeature", "capability", "bias", "robustness", "performance", "response", "walking", "verdict"); err != nil {
		return err
	}
	if root.find("name") == nil {
		return &Error{File: l.file, Key: "name", Msg: "missing: the layout needs a name"}
	}
	if err := root.strings(field{"name", &l.Name}, field{"doc", &l.Doc}); err != nil {
		return err
	}
	if err := l.readTemperature(root.find("temperature")); err != nil {
		return err
	}
	sections := []struct {
		name string
		read func(*entry) error
	}{
		{"constant", l.readConstant},
		{"metafeature", l.readMetafeature},
		{"capability", func(e *entry) error { return l.readParameter(e, Capability) }},
		{"bias", func(e *entry) error { return l.readParameter(e, Bias) }},
		{"robustness", func(e *entry) error { return l.readParameter(e, Robustness) }},
		{"performance", l.readPerformance},
		{"response", l.readResponse},
	}
	for _, s := range sections {
		e := root.find(s.name)
		if e == nil {
			continue
		}
		if err := e.table(); err != nil {
			return err
		}
		for _, k := range e.entries {
			if err := s.read(k); err != nil {
				return err
			}
		}
	}
	if err := l.readWalking(root.find("walking")); err != nil {
		return err
	}
	switch {
	case len(l.Parameters) == 0:
		return &Error{File: l.file, Key: "capability", Msg: "the layout has no parameter: add one under [capability], [bias] or [robustness]"}
	case len(l.Responses) == 0:
		return &Error{File: l.file, Key: "response", Msg: "the layout has no response: add [response.success] with p"}
	}
	return nil
}

// A field is a text key and where it goes.
type field struct {
	key string
	to  *string
}

func (e *entry) strings(fields ...field) error {
	for _, f := range fields {
		if k := e.find(f.key); k != nil {
			s, err := k.text()
			if err != nil {
				return err
			}
			*f.to = s
		}
	}
	return nil
}

func (l *Layout) readTemperature(e *entry) error {
	if e == nil {
		return nil
	}
	v, err := e.number()
	if err != nil {
		return err
	}
	if !(v > 0) || math.IsInf(v, 0) {
		return e.errorf("must be a positive number, and is %g", v)
	}
	l.Temperature = v
	return nil
}

func (l *Layout) readWalking(e *entry) error {
	if e == nil {
		return nil
	}
	if err := e.table(); err != nil {
		return err
	}
	if err := e.allow("place", "chance"); err != nil {
		return err
	}
	place := e.find("place")
	if place == nil {
		return e.errorf("missing key place: what one more place asks of op, for instance place = 1")
	}
	v, err := place.number()
	if err != nil {
		return err
	}
	if !(v > 0) || math.IsInf(v, 0) {
		return place.errorf("must be a positive number, and is %g", v)
	}
	l.Walking = &Walking{Place: v}
	if chance := e.find("chance"); chance != nil {
		if v, err = chance.number(); err != nil {
			return err
		}
		if !(v >= 0 && v <= 1) {
			return chance.errorf("must be a share from 0 to 1, and is %g", v)
		}
		l.Walking.Chance = &v
	}
	return nil
}

// declare gives a name its meaning, once.
func (l *Layout) declare(e *entry, s symbol) error {
	name := e.name()
	if !token.IsIdentifier(name) || name == "_" || name == "Inf" || name == "true" || name == "false" {
		return e.errorf("%q is not a name: use letters and digits, a letter first, and no keyword of Go", name)
	}
	if _, ok := expr.FunctionNamed(name); ok || name == "mean" {
		return e.errorf("%s is a function: choose another name", name)
	}
	if old := l.symbols[name]; old != nil {
		return e.errorf("%s is declared twice, first in line %d as %s", name, old.entry.line, strings.Join(old.entry.key, "."))
	}
	s.entry = e
	l.symbols[name] = &s
	return nil
}

func (l *Layout) readConstant(e *entry) error {
	v, err := e.number()
	if err != nil {
		return err
	}
	if math.IsInf(v, 0) {
		return e.errorf("must be finite")
	}
	l.Constants = append(l.Constants, Constant{e.name(), v, e})
	return l.declare(e, symbol{kind: aConstant, index: len(l.Constants) - 1, level: constant})
}

func (l *Layout) readMetafeature(e *entry) error {
	if err := e.table(); err != nil {
		return err
	}
	if err := e.allow("column", "range", "levels", "missing", "unit", "doc"); err != nil {
		return err
	}
	m := Metafeature{Name: e.name(), entry: e}
	if err := e.strings(field{"column", &m.Column}, field{"unit", &m.Unit}, field{"doc", &m.Doc}); err != nil {
		return err
	}
	if m.Column == "" {
		return e.errorf("missing key column: the name of a column of the items")
	}
	if err := m.readValues(e); err != nil {
		return err
	}
	l.Metafeatures = append(l.Metafeatures, m)
	return l.declare(e, symbol{kind: aMetafeature, index: len(l.Metafeatures) - 1, level: data})
}

func (m *Metafeature) readValues(e *entry) error {
	r, v, d := e.find("range"), e.find("levels"), e.find("missing")
	switch {
	case r == nil && v == nil:
		return e.errorf("missing key: range = [least, largest] for a number, or levels = [\"a\", \"b\"] for a text")
	case r != nil && v != nil:
		return v.errorf("a metafeature has a range or levels, not both")
	case v != nil && d != nil:
		return d.errorf("only a number has a value for missing ones")
	}
	if v != nil {
		var err error
		if m.Levels, err = v.texts(); err != nil {
			return err
		}
		if len(m.Levels) == 0 {
			return v.errorf("must name at least one text")
		}
		return nil
	}
	if err := m.readRange(r); err != nil || d == nil {
		return err
	}
	x, err := d.number()
	if err != nil {
		return err
	}
	if x < m.Range[0] || x > m.Range[1] {
		return d.errorf("%g is outside the range %g to %g", x, m.Range[0], m.Range[1])
	}
	m.Missing = &x
	return nil
}

func (m *Metafeature) readRange(r *entry) error {
	list, err := r.list()
	if err != nil {
		return err
	}
	if len(list) != 2 {
		return r.errorf("must be two numbers, [least, largest]")
	}
	for i, x := range list {
		b, ok := asNumber(x)
		if !ok {
			return r.errorf("must be two numbers, [least, largest]")
		}
		m.Range[i] = b
	}
	if !(m.Range[0] <= m.Range[1]) {
		return r.errorf("the first number must not be above the second")
	}
	return nil
}

func (l *Layout) readParameter(e *entry, g Group) error {
	if err := e.table(); err != nil {
		return err
	}
	if err := e.allow("prior", "unit", "doc"); err != nil {
		return err
	}
	p := Parameter{Name: e.name(), Group: g, entry: e}
	if err := e.strings(field{"prior", &p.Prior}, field{"unit", &p.Unit}, field{"doc", &p.Doc}); err != nil {
		return err
	}
	at := e.find("prior")
	if at == nil {
		return e.errorf("missing key prior, for instance prior = \"uniform(0, 1)\"")
	}
	p.entry = at
	if err := p.parsePrior(); err != nil {
		return err
	}
	l.Parameters = append(l.Parameters, p)
	return l.declare(e, symbol{kind: aParameter, index: len(l.Parameters) - 1, level: parameter})
}

func (p *Parameter) parsePrior() error {
	n, err := p.entry.expression()
	if err != nil {
		return err
	}
	if n.Op != expr.Call {
		return p.entry.in(n.Errorf("a prior is one of %s with its arguments", strings.Join(prior.Names(), ", ")))
	}
	f, ok := prior.Named(n.Text)
	if !ok {
		hint := expr.DidYouMean(n.Text, prior.Names())
		if hint == "" {
			hint = ": known are " + strings.Join(prior.Names(), ", ")
		}
		return p.entry.in(n.Errorf("unknown prior %s%s", n.Text, hint))
	}
	if want := f.Args(); len(n.Args) != len(want) {
		return p.entry.in(n.Errorf("%s takes %d arguments, not %d: %s(%s)", f, len(want), len(n.Args), f, strings.Join(want, ", ")))
	}
	p.family, p.args = f, n.Args
	return nil
}

func (l *Layout) readPerformance(e *entry) error {
	n, err := e.expression()
	if err != nil {
		return err
	}
	l.Performances = append(l.Performances, Performance{e.name(), e.value.(string), e, n})
	return l.declare(e, symbol{kind: aPerformance, index: len(l.Performances) - 1, level: unknownLevel})
}

func (l *Layout) readResponse(e *entry) error {
	if err := e.table(); err != nil {
		return err
	}
	family := string(Bernoulli)
	r := Response{Measure: e.name()}
	if err := e.strings(field{"family", &family}, field{"doc", &r.Doc}); err != nil {
		return err
	}
	r.Family = Family(family)
	if !slices.Contains(families, r.Family) {
		var names []string
		for _, f := range families {
			names = append(names, string(f))
		}
		return e.find("family").errorf("unknown family %s: known are %s", family, strings.Join(names, ", "))
	}
	keys := r.Family.keys()
	if err := e.allow(append([]string{"family", "doc"}, keys...)...); err != nil {
		return err
	}
	for _, k := range keys {
		a := e.find(k)
		if a == nil {
			return e.errorf("missing key %s: family %s needs %s", k, family, strings.Join(keys, " and "))
		}
		if err := r.readArgument(a); err != nil {
			return err
		}
	}
	l.Responses = append(l.Responses, r)
	return nil
}

func (r *Response) readArgument(e *entry) error {
	sources := []string{}
	if r.Family == Choice {
		var err error
		if sources, err = e.texts(); err != nil {
			return err
		}
		if len(sources) < 2 {
			return e.errorf("a choice needs at least two utilities, one for each category")
		}
	} else {
		s, err := e.text()
		if err != nil {
			return err
		}
		sources = append(sources, s)
	}
	for _, s := range sources {
		n, err := expr.Parse(s)
		if err != nil {
			return e.in(err)
		}
		r.Args, r.entries, r.nodes = append(r.Args, s), append(r.entries, e), append(r.nodes, n)
	}
	return nil
}

// expression parses the entry's text.
func (e *entry) expression() (*expr.Node, error) {
	s, err := e.text()
	if err != nil {
		return nil, err
	}
	n, err := expr.Parse(s)
	if err != nil {
		return nil, e.in(err)
	}
	return n, nil
}
