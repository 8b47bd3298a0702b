package tables

import (
	"fmt"
	"path"
	"slices"

	"achilles/sim/conf"
	"achilles/sim/expr"
	"achilles/sim/record"
)

// A Mapping says what the columns of a table of items, of a table of responses and, if there is one, of a table of subjects mean.
// Features of items are expressions (package expr) over the columns of the item table and the features declared before;
// covariates of subjects are the same over the columns of the table of subjects.
type Mapping struct {
	Name, Doc  string
	Items      itemMapping
	Features   []feature
	Responses  responseMapping
	Subject    string    // column of the table of subjects with the subject's name; empty: there is no such table
	Covariates []feature // columns of the table of subjects to publish
	HeldOut    float64   // share of the pairs of subject and item that are held out to grade predictions, in [0, 1)
	Seed       uint64    // seed of the draw of these pairs

	root *conf.Table
}

// An itemMapping describes the table of items.
type itemMapping struct {
	ID    string // column with the item's name
	Where string // condition for keeping an item; empty: keep all

	Suite, Paradigm, Task string // expressions for these labels of an item; empty: the mapping's name

	// FeaturesOf maps an item to another item whose features it gets. It serves to reproduce published tables in which
	// features stood beside the wrong items.
	FeaturesOf map[string]string

	Prefixes prefixes
}

// prefixes declares columns with the prefixes of a name. If the name is 1-12-3, the separator - and the names are level and
// arena, then the column level has 1 and the column arena 1-12.
type prefixes struct {
	Column, Separator string
	Names             []string // names of the prefixes of one part, two parts …
}

// A responseMapping describes the table of responses. If the comment of a field begins with names of forms (wide,
// transposed, long), only tables of these forms use the field.
type responseMapping struct {
	Form            form
	Subject         string // column with the subject's name; transposed: pattern of the subjects' columns, such as Agent*
	Item            string // long, transposed: column with the item's name
	Value           string // long: column with the value
	Repetition      string // long, optional: column with the number of the repetition, 0, 1, 2 …
	Trials          string // long, optional: column with the number of trials of which the value counts the successes
	Split           string // long, optional: column with fit or held-out
	Measure         string
	Family          record.Family
	IgnoreUnmatched bool // leave out responses to items that are not in the item table
}

// A form is the shape of a table of responses.
type form string

// The forms of a table of responses.
const (
	wide       form = "wide"       // one column per item
	transposed form = "transposed" // one column per subject
	long       form = "long"       // one row per response
)

// A feature describes one column to publish, or an intermediate result.
type feature struct {
	Name        string
	Value       string             // expression; empty: the column called Column or else Name (Levels, Missing)
	Column      string             // with Levels or Missing: the column to read
	Levels      map[string]float64 // text → number
	Missing     []string           // words of Column that mean a missing value; its other cells must be numbers
	Standardise bool               // subtract the mean and divide by the population standard deviation over the kept items
	Role        record.Role
	Unit, Doc   string
	Range       []float64 // declared closed range; empty: the observed range
	Step        bool      // an intermediate result that is not published

	key string // key of its table in the mapping, such as feature[0]
}

// ParseMapping returns the mapping in a TOML text. file is the name of the file for errors. The error is a *conf.Error.
func ParseMapping(file, text string) (*Mapping, error) {
	root, err := conf.Parse(file, text)
	if err != nil {
		return nil, err
	}
	m := &Mapping{Name: root.Text("name"), Doc: root.Text("doc"), root: root}
	m.Items = readItems(root.Table("items"))
	m.readFeatures()
	m.readCovariates()
	m.Responses = readResponses(root.Table("responses"))
	split := root.Table("split")
	m.HeldOut = split.Number("held_out", 0.2, "a fraction from 0 to below 1", func(x float64) bool { return x >= 0 && x < 1 })
	m.Seed = uint64(split.Whole("seed", 0, 0, 1<<62))
	return m, root.Err()
}

func readItems(t *conf.Table) itemMapping {
	m := itemMapping{ID: t.NeedText("id", "it names a column")}
	m.Where, _ = t.Expression("where")
	m.Suite, _ = t.Expression("suite")
	m.Paradigm, _ = t.Expression("paradigm")
	m.Task, _ = t.Expression("task")
	if of := t.Table("features_of"); of.There() {
		m.FeaturesOf = map[string]string{}
		for _, item := range of.Keys() {
			m.FeaturesOf[item] = of.Text(item)
		}
	}
	if t.Has("prefixes") {
		p := t.Table("prefixes")
		m.Prefixes = prefixes{Column: p.NeedText("column", "it has the names"), Separator: p.NeedText("separator", "what stands between the parts of a name"), Names: p.Texts("names")}
	}
	return m
}

func readResponses(t *conf.Table) responseMapping {
	if !t.Has("form") {
		t.Missing("form", "wide (one column per item), transposed (one column per subject) or long (one row per response)")
	}
	m := responseMapping{
		Form:       form(t.Word("form", string(wide), string(transposed), string(long))),
		Subject:    t.NeedText("subject", "it names a column"),
		Repetition: t.Text("repetition"), Trials: t.Text("trials"), Split: t.Text("split"),
		Measure:         t.Text("measure"),
		Family:          record.Family(t.Word("family", string(record.Binary), string(record.Real), string(record.Unit), string(record.Count), string(record.Choice))),
		IgnoreUnmatched: t.Word("other_items", "refuse", "ignore") == "ignore",
	}
	if m.Item = t.Text("item"); m.Item == "" && m.Form != wide {
		t.Missing("item", "it names a column")
	}
	if m.Value = t.Text("value"); m.Value == "" && m.Form == long {
		t.Missing("value", "it names a column")
	}
	if m.Trials != "" && (m.Form != long || m.Family != record.Count) {
		t.Reportf("trials", "a number of trials stands beside each response that counts successes: say form = \"long\" and family = \"count\"")
	}
	if _, err := path.Match(m.Subject, ""); err != nil && m.Form == transposed {
		t.Reportf("subject", "%q is no pattern of column names: %v", m.Subject, err)
	}
	if m.Measure == "" {
		m.Measure = "success"
	}
	return m
}

func (m *Mapping) readFeatures() {
	tables := m.root.Tables("feature")
	if len(tables) == 0 {
		m.root.Missing("feature", "at least one column of the items must be published, as [[feature]]")
	}
	m.Features = readColumns("feature", tables, "id", "suite", "paradigm", "task")
	for i, t := range tables {
		m.Features[i].Role = record.Role(t.Word("role", string(record.Demand), string(record.Nuisance), string(record.Condition), string(record.Shortcut)))
	}
}

// readCovariates reads what the table of subjects is and which of its columns are published.
func (m *Mapping) readCovariates() {
	tables := m.root.Tables("covariate")
	m.Covariates = readColumns("covariate", tables, "subject")
	for i := range m.Covariates {
		m.Covariates[i].Role = record.Covariate
	}
	switch subjects := m.root.Table("subjects"); {
	case subjects.There() && len(tables) == 0:
		m.root.Missing("covariate", "at least one column of the subjects must be published, as [[covariate]]")
	case subjects.There():
		m.Subject = subjects.NeedText("id", "it names the column with the subject's name")
	case len(tables) > 0:
		m.root.Missing("subjects", "covariates are columns of a table of subjects: say [subjects] with id, the column with the subject's name")
	}
}

// readColumns reads the tables of a key, each a column to publish. taken has names that no column may have.
func readColumns(key string, tables []*conf.Table, taken ...string) (out []feature) {
	for i, t := range tables {
		f := readFeature(t)
		f.key = fmt.Sprintf("%s[%d]", key, i)
		if slices.Contains(taken, f.Name) {
			t.Reportf("name", "%q is taken or reserved", f.Name)
		}
		taken = append(taken, f.Name)
		out = append(out, f)
	}
	return out
}

func readFeature(t *conf.Table) feature {
	f := feature{
		Name: t.NeedText("name", "what the feature is called"), Value: t.Text("value"), Column: t.Text("column"),
		Missing: t.Texts("missing"), Standardise: t.Flag("standardise", false), Step: t.Flag("step", false),
		Unit: t.Text("unit"), Doc: t.Text("doc"),
		Range: t.Numbers("range", "[lowest, highest]", func(x []float64) bool { return len(x) == 2 && x[0] <= x[1] }),
	}
	if levels := t.Table("levels"); levels.There() {
		f.Levels = map[string]float64{}
		for _, text := range levels.Keys() {
			f.Levels[text] = levels.Number(text, 0, "a number", nil)
		}
	}
	if given := f.Levels != nil || f.Missing != nil; given && f.Value != "" || f.Levels != nil && f.Missing != nil {
		t.Reportf("", "only one of value, levels and missing")
	}
	return f
}

// column returns the index of a named column of a table. key is where the mapping has the name, for the error if there
// is no such column.
func (m *Mapping) column(t *Table, key, name string) (int, error) {
	if i := slices.Index(t.Header, name); i >= 0 {
		return i, nil
	}
	return 0, m.root.At(key).Errorf("%s has no column %q%s", t.Name, name, expr.Hint(name, t.Header))
}
