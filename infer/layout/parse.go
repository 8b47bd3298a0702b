package layout

import (
	"go/token"
	"slices"
	"strings"

	"achilles/infer/prior"
	"achilles/sim/conf"
	"achilles/sim/expr"
)

// Parse reads a layout and checks everything that can be checked without items. Its errors are of type *conf.Error. file
// is the name of the file in these errors.
func Parse(file, text string) (*Layout, error) {
	root, err := conf.Parse(file, text)
	if err != nil {
		return nil, err
	}
	l, err := Read(root)
	if err == nil {
		l.Text = text
	}
	return l, err
}

// Classification is the table of a layout that Read leaves to its caller: what parameters say of a subject where the layout is
// one of a candidate set. WasClassification is its former name.
const (
	Classification    = "classification"
	WasClassification = "verdict"
)

// Read reads a layout from a parsed file, and checks it as Parse does. It ignores a table [classification], which the caller
// reads.
func Read(root *conf.Table) (*Layout, error) {
	l := &Layout{File: root.Place("").File, at: root.Place(""), symbols: map[string]*symbol{}}
	r := &reader{Layout: l, vectors: map[string][]string{}}
	r.read(root)
	if err := root.Err(); err != nil {
		return nil, err
	}
	if err := r.expand(); err != nil {
		return nil, err
	}
	if err := l.check(); err != nil {
		return nil, err
	}
	return l, nil
}

// A reader is a layout whose file is being read.
type reader struct {
	*Layout
	vectors map[string][]string // vector → labels of its parts
	written int                 // names and operations so far, where functions of vectors are written out
}

func (r *reader) read(root *conf.Table) {
	root.Skip(root.Renamed(Classification, WasClassification))
	r.Name, r.Doc = root.NeedText("name", "what the layout is called"), root.Text("doc")
	r.Temperature = root.Number("temperature", defaultTemperature, "a number above 0", func(x float64) bool { return x > 0 })
	each(root.Table("constant"), r.readConstant)
	for _, of := range []*columnsOf{ofItems, ofSubjects} {
		each(root.Table(of.section), func(t *conf.Table, name string) { r.readColumn(t, name, of) })
	}
	for _, g := range groups {
		each(root.Table(string(g)), func(t *conf.Table, name string) { r.readParameter(t, name, g) })
	}
	each(root.Table("performance"), r.readPerformance)
	each(root.Table("response"), r.readResponse)
	if root.Has("walking") {
		r.readWalking(root.Table("walking"))
	}
	if root.Err() != nil {
		return // after an error, a section that seems to be missing may only have a wrong name
	}
	switch {
	case len(r.Parameters) == 0:
		root.Reportf("capability", "the layout has no parameter: add one under [capability], [bias] or [robustness]")
	case len(r.Responses) == 0:
		root.Reportf("response", "the layout has no response: add [response.success] with p")
	}
}

// each calls read for each entry of a section, in the order of the file.
func each(t *conf.Table, read func(t *conf.Table, name string)) {
	for _, name := range t.Keys() {
		read(t, name)
	}
}

// declare adds a name of a section to the symbols. It reports a name that is invalid or declared already.
func (r *reader) declare(t *conf.Table, name string, s symbol) {
	s.at = t.Place(name)
	if !token.IsIdentifier(name) || name == "_" || name == "Inf" || name == "true" || name == "false" {
		t.Reportf(name, "%q is not a name: use letters and digits, a letter first, and no keyword of Go", name)
	}
	if _, ok := expr.FunctionNamed(name); ok || name == "mean" || vectorFunctions[name] > 0 {
		t.Reportf(name, "%s is a function: choose another name", name)
	}
	if old := r.symbols[name]; old != nil {
		t.Reportf(name, "%s is declared twice, first in line %d as %s", name, old.at.Line, old.at.Key)
	}
	r.symbols[name] = &s
}

func (r *reader) readConstant(t *conf.Table, name string) {
	r.Constants = append(r.Constants, Constant{name, t.Number(name, 0, "a finite number", nil)})
	r.declare(t, name, symbol{kind: aConstant, index: len(r.Constants) - 1, level: constant})
}

func (r *reader) readColumn(section *conf.Table, name string, of *columnsOf) {
	t := section.Table(name)
	m := Metafeature{Name: name, Unit: t.Text("unit"), Doc: t.Text("doc"), at: section.Place(name)}
	declared := of.declared(r.Layout)
	if t.Has("columns") && !t.Has("column") {
		r.readColumns(section, t, name, m, of)
		return
	}
	m.Column = t.NeedText("column", "the name of a column of the "+of.unit+"s")
	m.readValues(t, of)
	m.readJudge(t, of)
	*declared = append(*declared, m)
	r.declare(section, name, symbol{kind: of.kind, index: len(*declared) - 1, level: data, text: m.Levels != nil})
}

// readColumns reads a vector of metafeatures or covariates: columns of numbers with one range.
func (r *reader) readColumns(section, t *conf.Table, name string, m Metafeature, of *columnsOf) {
	columns := t.Texts("columns")
	m.readValues(t, of)
	m.readJudge(t, of)
	switch sorted := slices.Sorted(slices.Values(columns)); {
	case m.Levels != nil:
		t.Reportf("levels", "the columns of a vector must be numbers: declare their range")
	case columns != nil && (len(columns) == 0 || len(columns) > mostParts || len(slices.Compact(sorted)) < len(columns)):
		t.Reportf("columns", "want 1 to %d columns, each once", mostParts)
	}
	declared := of.declared(r.Layout)
	r.declareVector(section, name, columns, symbol{kind: of.kind, index: len(*declared), level: data})
	for _, c := range columns {
		m.Name, m.Column = partName(name, c), c
		*declared = append(*declared, m)
	}
}

// readValues reads the range of a column of numbers, or the levels of a column of texts.
func (m *Metafeature) readValues(t *conf.Table, of *columnsOf) {
	numeric, text, missing := t.Has("range"), t.Has("levels"), t.Has("missing")
	switch {
	case !numeric && !text:
		t.Missing("range", "[lowest, highest] of a number; a text has levels = [\"a\", \"b\"] instead")
	case numeric && text:
		t.Reportf("levels", "a %s has a range or levels, not both", of.section)
	case text && missing:
		t.Reportf("missing", "only a number has a value for missing ones")
	}
	if text {
		m.Levels = t.Texts("levels")
		if m.Levels != nil && len(m.Levels) == 0 {
			t.Reportf("levels", "must name at least one text")
		}
		return
	}
	if x := t.Numbers("range", "two numbers, [lowest, highest], the first not above the second", func(x []float64) bool { return len(x) == 2 && x[0] <= x[1] }); x != nil {
		m.Range = [2]float64(x)
	}
	if missing {
		x := t.Number("missing", m.Range[0], "a number", nil)
		if x < m.Range[0] || x > m.Range[1] {
			t.Reportf("missing", "%g is outside the range %g to %g", x, m.Range[0], m.Range[1])
		}
		m.Missing = &x
	}
}

func (r *reader) readParameter(section *conf.Table, name string, g Group) {
	t := section.Table(name)
	p := Parameter{Name: name, Group: g, Unit: t.Text("unit"), Doc: t.Text("doc"), at: t.Place("prior")}
	var n *expr.Node
	if p.Prior, n = t.Expression("prior"); !t.Has("prior") {
		t.Missing("prior", "for instance prior = \"uniform(0, 1)\"")
	}
	if n != nil {
		if err := p.parsePrior(n); err != nil {
			t.Report(p.at.In(err))
		}
	}
	p.readJoint(t)
	labels := r.partsOf(t)
	if labels == nil {
		r.Parameters = append(r.Parameters, p)
		r.declare(section, name, symbol{kind: aParameter, index: len(r.Parameters) - 1, level: parameter})
		return
	}
	r.declareVector(section, name, labels, symbol{kind: aParameter, index: len(r.Parameters), level: parameter})
	for k, label := range labels {
		p.Name, p.part, p.parts = partName(name, label), k, len(labels)
		r.Parameters = append(r.Parameters, p)
	}
}

// readJoint reads the keys of layouts whose subjects are measured together.
func (p *Parameter) readJoint(t *conf.Table) {
	if p.Group != Shared {
		p.Per = t.Text("per")
	}
	if p.walks {
		p.Within = t.Text("within")
	}
	if p.walks && p.Per == "" {
		t.Reportf("prior", "a walk goes along the values of a column, one group after the other: set per = \"column\"")
	}
	if !t.Has("centred") {
		return
	}
	x := t.Flag("centred", true)
	p.Centred = &x
	if p.args != nil && !p.family.HasScore() {
		t.Reportf("centred", "only a normal or lognormal prior has scores to move instead")
	}
}

// parsePrior reads the family of a prior and its arguments. The error is an *expr.Error.
func (p *Parameter) parsePrior(n *expr.Node) error {
	if n.Op != expr.Call {
		return n.Errorf("a prior is one of %s with its arguments", strings.Join(append(prior.Names(), walkName), ", "))
	}
	if n.Text == walkName {
		return p.parseWalk(n)
	}
	f, ok := prior.Named(n.Text)
	if !ok {
		return n.Errorf("unknown prior %s%s", n.Text, expr.Hint(n.Text, append(prior.Names(), walkName)))
	}
	if want := f.Args(); len(n.Args) != len(want) {
		return n.Errorf("%s takes %d arguments, not %d: %s(%s)", f, len(want), len(n.Args), f, strings.Join(want, ", "))
	}
	p.family, p.args = f, n.Args
	return nil
}

func (r *reader) readPerformance(t *conf.Table, name string) {
	source, n := t.Expression(name)
	r.Performances = append(r.Performances, Performance{name, source, t.Place(name), n})
	r.declare(t, name, symbol{kind: aPerformance, index: len(r.Performances) - 1, level: unknownLevel})
}

func (r *reader) readResponse(section *conf.Table, name string) {
	t := section.Table(name)
	var known []string
	for _, f := range families {
		known = append(known, string(f))
	}
	of := ResponseModel{Measure: name, Family: Family(t.Word("family", known...)), Doc: t.Text("doc")}
	keys := of.Family.keys()
	if keys == nil { // an unknown family is reported already, and its keys are unknown too
		t.Skip(t.Keys()...)
		return
	}
	for _, k := range keys {
		if k == trialsKey && !t.Has(k) {
			continue // as many as each response says
		}
		if !t.Has(k) {
			t.Missing(k, "family "+string(of.Family)+" needs "+strings.Join(keys, " and "))
		}
		of.readArgument(t, k)
	}
	r.Responses = append(r.Responses, of)
}

// readArgument reads the expression of an argument. For a choice it reads the list of its categories' utilities.
func (r *ResponseModel) readArgument(t *conf.Table, key string) {
	if r.Family != Choice {
		source, n := t.Expression(key)
		r.add(t.Place(key), source, n)
		return
	}
	utilities := t.Texts(key)
	if utilities != nil && len(utilities) < 2 {
		t.Reportf(key, "a choice needs at least two utilities, one for each category")
	}
	for _, source := range utilities {
		n, err := expr.Parse(source)
		if err != nil {
			t.Report(t.Place(key).In(err))
		}
		r.add(t.Place(key), source, n)
	}
}

func (r *ResponseModel) add(at conf.Place, source string, n *expr.Node) {
	r.Args, r.places, r.nodes = append(r.Args, source), append(r.places, at), append(r.nodes, n)
}
