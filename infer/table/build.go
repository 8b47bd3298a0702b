package table

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"achilles/sim/expr"
	"achilles/sim/record"
)

// A Spec declares a feature of the items.
type Spec struct {
	Name        string
	Role        Role   // empty: Other
	Expr        string // expression over the item columns (package expr), or the name of a text column; empty: Name
	Where       string // condition over the item columns; the feature is missing on items for which it is false; empty: none
	Nominal     bool   // whether numbers are treated as labels without order
	Standardise bool   // whether the mean over the items is subtracted, and the result divided by the standard deviation (n − 1)
}

// Build returns the scored test responses to a measure, with the declared features. It returns an error unless the
// measure is binary, unit or real, has such responses, and all their values are degrees of success in [0, 1]. It also
// returns an error for a wrong Spec.
func Build(d *record.Dataset, measure string, specs []Spec) (*Table, error) {
	m, ok := d.Measure(measure)
	if !ok {
		return nil, fmt.Errorf("measure %q is not in the data; %s", measure, known(d))
	}
	family := d.Manifest.Measures[m].Family
	if family == record.Count {
		return nil, fmt.Errorf("measure %q counts successes, and an analysis of success needs a binary or a unit measure: achilles irt, infer and compare take counts", measure)
	}
	if family == record.Choice {
		return nil, fmt.Errorf("measure %q has categories, and an analysis of success needs a binary or a unit measure: achilles irt takes ordered categories, and scores from 0 to 1 are a unit measure; %s", measure, known(d))
	}
	if family != record.Binary && family != record.Unit && family != record.Real {
		return nil, fmt.Errorf("measure %q is of family %q: an analysis of success needs a binary or a unit measure; %s", measure, family, known(d))
	}
	t := &Table{Measure: measure, Subjects: d.Subjects, Items: d.Items.ID, Binary: family == record.Binary}
	for _, s := range specs {
		f, err := feature(&d.Items, s)
		if err != nil {
			return nil, fmt.Errorf("feature %q: %w", s.Name, err)
		}
		if _, missing := t.Select([]string{s.Name}); missing == "" {
			return nil, fmt.Errorf("feature %q is declared twice", s.Name)
		}
		t.Features = append(t.Features, f)
	}
	t.fill(&d.Responses, m)
	for i, v := range t.Value {
		if !(v >= 0 && v <= 1) {
			return nil, fmt.Errorf("measure %q: subject %s, item %s: %g is not a degree of success; a real measure is analysed if all its values lie between 0 and 1", measure, t.Subjects[t.Subject[i]], t.Items[t.Item[i]], v)
		}
	}
	if t.Rows() == 0 {
		return nil, fmt.Errorf("no scored test response of measure %q", measure)
	}
	return t, nil
}

func known(d *record.Dataset) string {
	s := "its measures are"
	for _, m := range d.Manifest.Measures {
		s += fmt.Sprintf(" %s (%s)", m.Name, m.Family)
	}
	return s
}

// isRow reports whether a response belongs to the table of a measure: it is a scored response to the measure in a test
// trial.
func isRow(r record.Response, measure uint8) bool {
	return r.Measure == measure && r.Phase == record.Test && r.Unscored == 0
}

// fill copies the responses of a measure, which are sorted by subject already, to the rows of t.
func (t *Table) fill(rs *record.Responses, measure uint8) {
	n := 0
	for _, r := range rs.All() {
		if isRow(r, measure) {
			n++
		}
	}
	t.Subject, t.Item, t.Value = make([]int32, 0, n), make([]int32, 0, n), make([]float64, 0, n)
	for _, r := range rs.All() {
		if isRow(r, measure) {
			t.Subject, t.Item, t.Value = append(t.Subject, r.Subject), append(t.Item, r.Item), append(t.Value, r.Value)
		}
	}
}

// HeldOut returns, for every row of the table that Build makes, whether the response is held out. It returns nil for an
// unknown measure.
func HeldOut(d *record.Dataset, measure string) []bool {
	var out []bool
	m, ok := d.Measure(measure)
	if !ok {
		return nil
	}
	for _, r := range d.Responses.All() {
		if isRow(r, m) {
			out = append(out, r.Split == record.HeldOut)
		}
	}
	return out
}

// feature computes a declared feature for all items.
func feature(items *record.Items, s Spec) (Feature, error) {
	f := Feature{Name: s.Name, Role: s.Role, Value: make([]float64, items.Len()), Missing: make([]bool, items.Len())}
	switch s.Role {
	case "":
		f.Role = Other
	case Relevant, Irrelevant, Other:
	default:
		return f, fmt.Errorf("key role: %q is not one of relevant, irrelevant, other", s.Role)
	}
	if s.Name == "" {
		return f, fmt.Errorf("key name is needed")
	}
	src := s.Expr
	if src == "" {
		src = s.Name
	}
	if c, ok := items.Column(src); ok && c.Kind == record.Text {
		f.label(c.Text, c.Missing)
	} else if err := f.compute(items, src); err != nil {
		return f, fmt.Errorf("key expr: %w", err)
	}
	if err := f.where(items, s.Where); err != nil {
		return f, fmt.Errorf("key where: %w", err)
	}
	if s.Nominal && !f.Nominal() {
		text := make([]string, len(f.Value))
		for i, v := range f.Value {
			text[i] = strconv.FormatFloat(v, 'g', -1, 64)
		}
		f.label(text, f.Missing)
	}
	if s.Standardise {
		if f.Nominal() {
			return f, fmt.Errorf("key standardise: the feature has labels, not numbers")
		}
		f.standardise()
	}
	if !slices.Contains(f.Missing, true) {
		f.Missing = nil
	}
	return f, nil
}

// label makes the feature nominal, with these labels.
func (f *Feature) label(text []string, missing []bool) {
	f.Levels = []string{}
	for i, s := range text {
		if missing == nil || !missing[i] {
			f.Levels = append(f.Levels, s)
		}
	}
	slices.Sort(f.Levels)
	f.Levels = slices.Compact(f.Levels)
	for i, s := range text {
		f.Value[i] = 0
		if f.Missing[i] = missing != nil && missing[i]; !f.Missing[i] {
			k, _ := slices.BinarySearch(f.Levels, s)
			f.Value[i] = float64(k)
		}
	}
}

// compute evaluates an expression on every item. A value that is not finite counts as missing.
func (f *Feature) compute(items *record.Items, src string) error {
	p, err := compile(items, src)
	if err != nil {
		return err
	}
	for i := range f.Value {
		v := p.Number(i)
		if f.Missing[i] = math.IsNaN(v) || math.IsInf(v, 0); !f.Missing[i] {
			f.Value[i] = v
		}
	}
	return nil
}

// where makes the feature missing on the items for which the condition src is false.
func (f *Feature) where(items *record.Items, src string) error {
	if src == "" {
		return nil
	}
	p, err := compile(items, src)
	if err != nil {
		return err
	}
	if p.Type() != expr.BoolType {
		return fmt.Errorf("%s is a number: a condition is needed", src)
	}
	for i := range f.Value {
		if !p.Bool(i) {
			f.Value[i], f.Missing[i] = 0, true
		}
	}
	return nil
}

func compile(items *record.Items, src string) (*expr.Program, error) {
	n, err := expr.Parse(src)
	if err != nil {
		return nil, err
	}
	names := []string{"suite", "paradigm", "task"}
	for _, c := range items.Columns {
		names = append(names, c.Name)
	}
	return expr.Compile(n, func(name string) (expr.Column, bool) {
		c, ok := items.Column(name)
		return expr.Column{Number: c.Number, Text: c.Text, Missing: c.Missing}, ok
	}, names...)
}

// standardise subtracts the mean of the values and divides by their standard deviation. A constant feature becomes 0.
func (f *Feature) standardise() {
	n, sum, square := 0.0, 0.0, 0.0
	for i, v := range f.Value {
		if !f.Missing[i] {
			n, sum = n+1, sum+v
		}
	}
	mean := sum / max(n, 1)
	for i, v := range f.Value {
		if !f.Missing[i] {
			square += float64((v - mean) * (v - mean))
		}
	}
	sd := math.Sqrt(square / max(n-1, 1))
	for i := range f.Value {
		if f.Missing[i] {
			continue
		}
		if f.Value[i] -= mean; sd > 0 {
			f.Value[i] /= sd
		}
	}
}
