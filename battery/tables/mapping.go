package tables

import (
	"fmt"
	"path"
	"slices"

	"achilles/sim/conf"
	"achilles/sim/record"
)

// A Mapping says what the columns of a table of items, of a table of responses and, if there is one, of a table of subjects mean.
// Features of items are expressions (package expr) over the columns of the item table and the features declared before;
// covariates of subjects are the same over the columns of the table of subjects.
type Mapping struct {
	Name, Doc  string
	Read       Reading
	Items      itemMapping
	Features   []feature
	Responses  responseMapping
	Measures   []measure // further numbers beside the value of a response
	Subject    []string  // key of the table of subjects; nil: what is known of subjects stands beside their responses
	Covariates []feature // columns of the table of subjects to publish
	Selection
	HeldOut float64 // share of the pairs of subject and item that are held out to grade predictions, in [0, 1)
	Seed    uint64  // seed of the draw of these pairs

	root *conf.Table
}

// An itemMapping describes the table of items.
type itemMapping struct {
	ID    []string // the key: columns with the parts of the item's name; nil: the items are those of the responses
	Where string   // condition for keeping an item; empty: keep all

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
	Where           string             // condition for keeping a row; empty: keep all
	Only            map[string]string  // column → the text that a row must have to be kept
	Subject         []string           // key: columns with the parts of the subject's name; transposed: pattern of the subjects' columns, such as Agent*
	Item            []string           // long, transposed: key of the item
	Except          []string           // wide, transposed: columns that have no responses
	Value           string             // long: column with the value
	Right           string             // long, transposed, optional: column with the right value of what a response predicts; values are then 1 where they are the same (family binary), or errors, scaled by item (unit)
	Levels          map[string]float64 // words of Value → numbers
	Missing         []string           // words of Value for no value, beyond the usual ones
	Absent          *float64           // value of subjects and items of the table of items that have no row; nil: they have no response
	Repetition      []string           // long, optional: columns that tell repetitions apart, or inOrder
	Position        string             // optional: long: column with the place in the subject's sequence; inOrder: as rows or, wide, columns stand
	Chosen          chosenIn           // long, optional: columns that say where the subject went
	Key             map[string]string  // wide, optional: column → the right answer: its cells are choices, 1 where they are that
	Count           string             // wide, optional: column that says how many subjects each row stands for
	Trials          string             // long, optional: column with the number of trials of which the value counts the successes
	Each            int32              // number of trials of which every value counts the successes; 0: Trials says it
	Rate            *bool              // whether the value is the proportion of successes among the trials, not their number; nil: as it looks
	Split           string             // long, optional: column with fit or held-out
	Measure         string
	Family          record.Family
	IgnoreUnmatched bool // leave out responses to items that are not in the item table
}

// maxTrials is the largest number of trials of each response.
const maxTrials = 1 << 30

// inOrder, in place of a column, says that repetitions or positions are numbered as they stand in the file.
const inOrder = "(order)"

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
	read := root.Table("read")
	m.Read = Reading{Separator: read.Text("separator"), Decimal: read.Word("decimal", ".", ",")}
	if read.Has("encoding") {
		m.Read.Encoding = read.Word("encoding", Encodings()...)
	}
	m.Items = readItems(root.Table("items"))
	m.readFeatures()
	m.readCovariates()
	m.Responses = readResponses(root.Table("responses"))
	m.Selection = readSelection(root.Table("responses"))
	m.readMeasures()
	split := root.Table("split")
	m.HeldOut = split.Number("held_out", 0.2, "a fraction from 0 to below 1", func(x float64) bool { return x >= 0 && x < 1 })
	m.Seed = uint64(split.Whole("seed", 0, 0, 1<<62))
	return m, root.Err()
}

func readItems(t *conf.Table) itemMapping {
	m := itemMapping{ID: readKey(t, "id")}
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

// readSelection reads the keys of a Selection.
func readSelection(t *conf.Table) Selection {
	s := Selection{LeaveOut: t.Texts("leave_out"), Reverse: t.Texts("reverse"), Part: t.Whole("part", 0, 0, maxNames)}
	if t.Has("blanks") {
		s.Blanks = t.Word("blanks", BlankSubjects, BlankEnds)
	}
	return s
}

func readResponses(t *conf.Table) responseMapping {
	if !t.Has("form") {
		t.Missing("form", "wide (one column per item), transposed (one column per subject) or long (one row per response)")
	}
	m := responseMapping{
		Form:       form(t.Word("form", string(wide), string(transposed), string(long))),
		Subject:    readKey(t, "subject"),
		Except:     t.Texts("except"),
		Missing:    t.Texts("missing"),
		Repetition: readKey(t, "repetition"), Position: t.Text("position"), Count: t.Text("count"), Split: t.Text("split"),
		Measure:         t.Text("measure"),
		Family:          record.Family(t.Word("family", string(record.Binary), string(record.Real), string(record.Unit), string(record.Count), string(record.Choice))),
		IgnoreUnmatched: t.Word("other_items", "refuse", "ignore") == "ignore",
	}
	m.Where, _ = t.Expression("where")
	if key := t.Table("key"); key.There() {
		m.Key = map[string]string{}
		for _, column := range key.Keys() {
			m.Key[column] = key.Text(column)
		}
	}
	if only := t.Table("only"); only.There() {
		m.Only = map[string]string{}
		for _, column := range only.Keys() {
			m.Only[column] = only.Text(column)
		}
	}
	m.Levels = readLevels(t)
	if t.Has("absent") {
		x := t.Number("absent", 0, "a number", nil)
		m.Absent = &x
	}
	if len(m.Subject) == 0 && m.Form != wide {
		t.Missing("subject", "it names a column")
	}
	if m.Item = readKey(t, "item"); len(m.Item) == 0 && m.Form != wide {
		t.Missing("item", "it names a column")
	}
	if len(m.Subject) > 1 && m.Form == transposed {
		t.Reportf("subject", "a transposed table has one pattern for its columns of subjects")
	}
	if _, is := t.Value("trials").(int64); is {
		m.Each = int32(t.Whole("trials", 0, 1, maxTrials))
	} else {
		m.Trials = t.Text("trials")
	}
	if t.Has("rate") {
		rate := t.Flag("rate", false)
		if m.Rate = &rate; rate && m.Trials == "" && m.Each == 0 {
			t.Reportf("rate", "a proportion of successes needs the number of trials: set trials")
		}
	}
	if m.Value = t.Text("value"); m.Value == "" && m.Form == long {
		t.Missing("value", "it names a column")
	}
	if m.Position != "" && m.Position != inOrder && m.Form != long {
		t.Reportf("position", "a matrix has no column with the positions of its responses: set position = %q if its %s stand in the order of presentation, or nothing", inOrder, map[form]string{wide: "columns", transposed: "rows"}[m.Form])
	}
	m.Chosen.read(t.Text, t.Reportf, m.Form)
	if m.Trials != "" && (m.Form != long || m.Family != record.Count) {
		t.Reportf("trials", "a number of trials is given for each response that counts successes: set form = \"long\" and family = \"count\"")
	} else if m.Each > 0 && m.Family != record.Count {
		t.Reportf("trials", "responses that count successes among trials: set family = \"count\"")
	}
	if len(m.Subject) == 1 && m.Form == transposed {
		if _, err := path.Match(m.Subject[0], ""); err != nil {
			t.Reportf("subject", "%q is not a pattern of column names: %v", m.Subject[0], err)
		}
	}
	m.Right = t.Text("right")
	if m.Right != "" && !t.Has("family") {
		t.Reportf("right", `say what a response becomes: family = "binary", 1 where it is the right value and else 0, or family = "unit", a degree of success by its error`)
	}
	m.checkRight(t.Reportf)
	if m.Measure == "" {
		m.Measure = "success"
	}
	return m
}

func (m *Mapping) readFeatures() {
	tables := m.root.Tables("feature")
	m.Features = readColumns("feature", tables, "id", "item", "suite", "paradigm", "task")
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
	subjects := m.root.Table("subjects")
	if m.Subject = readKey(subjects, "id"); subjects.There() && m.Subject == nil {
		subjects.Missing("id", "it names the column with the subject's name")
	}
	if subjects.There() && len(tables) == 0 {
		m.root.Missing("covariate", "at least one column of the subjects must be published, as [[covariate]]")
	}
}

// readColumns reads the tables of a key, each a column to publish. taken has names that no column may have.
func readColumns(key string, tables []*conf.Table, taken ...string) (out []feature) {
	for i, t := range tables {
		f := readFeature(t)
		f.key = fmt.Sprintf("%s[%d]", key, i)
		if err := record.CheckName(f.Name); err != nil && f.Name != "" {
			t.Reportf("name", "%q: %v", f.Name, err)
		}
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
	f.Levels = readLevels(t)
	if given := f.Levels != nil || f.Missing != nil; given && f.Value != "" || f.Levels != nil && f.Missing != nil {
		t.Reportf("", "only one of value, levels and missing")
	}
	return f
}

// numbered reports whether levels give the numbers of categories that are numbers themselves.
func (r *responseMapping) numbered() bool {
	for cell := range r.Levels {
		if _, ok := number(cell); ok {
			return true
		}
	}
	return false
}

// readLevels reads a table of texts and their numbers.
func readLevels(t *conf.Table) map[string]float64 {
	levels := t.Table("levels")
	if !levels.There() {
		return nil
	}
	out := map[string]float64{}
	for _, text := range levels.Keys() {
		out[text] = levels.Number(text, 0, "a number", nil)
	}
	return out
}

// readKey reads a key: a column, or a list of columns of which a name is made.
func readKey(t *conf.Table, key string) []string {
	if t.IsList(key) {
		return t.Texts(key)
	}
	return one(t.Text(key))
}

// expressions returns the expressions of the mapping of items.
func (m *itemMapping) expressions() []string { return []string{m.Where, m.Suite, m.Paradigm, m.Task} }
