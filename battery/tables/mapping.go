package tables

import (
	"errors"
	"fmt"
	"path"
	"strings"

	"github.com/BurntSushi/toml"

	"achilles/sim/record"
)

// A Mapping says which column of a pair of tables is what. Values of items are expressions (package expr) over the
// columns of the item table and the features declared before.
type Mapping struct {
	Name  string `toml:"name"`
	Doc   string `toml:"doc"`
	Items struct {
		ID       string `toml:"id"`       // column with the item's name
		Where    string `toml:"where"`    // boolean expression: which items to keep; empty: all
		Suite    string `toml:"suite"`    // text expressions; empty: the mapping's name
		Paradigm string `toml:"paradigm"` //
		Task     string `toml:"task"`     //

		// FeaturesOf gives an item the columns of another one: reproduces tables that were misaligned.
		FeaturesOf map[string]string `toml:"features_of"`

		// Prefixes makes columns of the parts of a name: of 1-12-3 with the separator -, level is 1 and arena 1-12.
		Prefixes struct {
			Column    string   `toml:"column"`
			Separator string   `toml:"separator"`
			Names     []string `toml:"names"` // of one part, two parts …
		} `toml:"prefixes"`
	} `toml:"items"`
	Feature   []Feature `toml:"feature"`
	Responses struct {
		Form       string `toml:"form"`        // "wide": one column an item; "transposed": one column a subject; "long": one row a response
		Subject    string `toml:"subject"`     // column with the subject's name; transposed: pattern of the subjects' columns, such as Agent*
		Item       string `toml:"item"`        // long, transposed: column with the item's name
		Value      string `toml:"value"`       // long: column with the value
		Repetition string `toml:"repetition"`  // long, optional: column with 0, 1, 2 …
		Split      string `toml:"split"`       // long, optional: column with fit or held-out
		Measure    string `toml:"measure"`     // its name; empty: success
		Family     string `toml:"family"`      // binary (default), real, unit, count or choice
		OtherItems string `toml:"other_items"` // "refuse" (default) or "ignore" responses to items that are not in the item table
	} `toml:"responses"`
	Split struct {
		HeldOut float64 `toml:"held_out"` // share of subject × item cells that predictions are graded on
		Seed    uint64  `toml:"seed"`
	} `toml:"split"`
}

// A Feature is one column to publish, or an intermediate step.
type Feature struct {
	Name        string             `toml:"name"`
	Value       string             `toml:"value"`       // expression; empty: the column of that name, or Levels of Column
	Column      string             `toml:"column"`      // with Levels: the text column to translate
	Levels      map[string]float64 `toml:"levels"`      // text → number
	Missing     []string           `toml:"missing"`     // words of Column that stand for no number; the others must be numbers
	Standardise bool               `toml:"standardise"` // subtract the mean and divide by the population standard deviation over the kept items
	Role        string             `toml:"role"`        // demand (default), nuisance, condition or shortcut
	Unit        string             `toml:"unit"`
	Doc         string             `toml:"doc"`
	Range       []float64          `toml:"range"` // declared closed range; empty: the observed one
	Step        bool               `toml:"step"`  // an intermediate result that is not published
}

// ParseMapping reads a mapping strictly: an unknown key, a wrong type or a value out of range is an error that names
// file, line and key.
func ParseMapping(file, text string) (*Mapping, error) {
	m := &Mapping{}
	m.Split.HeldOut = 0.2
	meta, err := toml.Decode(text, m)
	var pe toml.ParseError
	if errors.As(err, &pe) {
		return nil, fmt.Errorf("%s:%d: %s", file, pe.Position.Line, firstLine(pe.Message))
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if u := meta.Undecoded(); len(u) > 0 {
		return nil, fmt.Errorf("%s:%d: unknown key %s", file, lineOf(text, u[0]), u[0])
	}
	if err := m.check(); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return m, nil
}

func (m *Mapping) check() error {
	r := &m.Responses
	need := map[string]string{"items.id": m.Items.ID, "responses.subject": r.Subject}
	switch r.Form {
	case "wide":
	case "transposed":
		need["responses.item"] = r.Item
		if _, err := path.Match(r.Subject, ""); err != nil {
			return fmt.Errorf("key responses.subject: %q is no pattern of column names: %w", r.Subject, err)
		}
	case "long":
		need["responses.item"], need["responses.value"] = r.Item, r.Value
	default:
		return fmt.Errorf("key responses.form is %q; it must be wide (one column an item), transposed (one column a subject) or long (one row a response)", r.Form)
	}
	for _, k := range []string{"items.id", "responses.subject", "responses.item", "responses.value"} {
		if v, ok := need[k]; ok && v == "" {
			return fmt.Errorf("key %s is missing: it names a column", k)
		}
	}
	if r.Measure == "" {
		r.Measure = "success"
	}
	if r.Family == "" {
		r.Family = string(record.Binary)
	}
	switch record.Family(r.Family) {
	case record.Binary, record.Real, record.Unit, record.Count, record.Choice:
	default:
		return fmt.Errorf("key responses.family is %q; it must be binary, real, unit, count or choice", r.Family)
	}
	if r.OtherItems != "" && r.OtherItems != "refuse" && r.OtherItems != "ignore" {
		return fmt.Errorf("key responses.other_items is %q; it must be refuse or ignore", r.OtherItems)
	}
	if h := m.Split.HeldOut; !(h >= 0 && h < 1) {
		return fmt.Errorf("key split.held_out is %g; it must be at least 0 and below 1", h)
	}
	return m.checkFeatures()
}

func (m *Mapping) checkFeatures() error {
	if len(m.Feature) == 0 {
		return errors.New("no [[feature]]: at least one column of the items must be published")
	}
	seen := map[string]bool{"id": true, "suite": true, "paradigm": true, "task": true}
	for i := range m.Feature {
		f := &m.Feature[i]
		if f.Name == "" || seen[f.Name] {
			return fmt.Errorf("feature %d: name %q is empty, taken or reserved", i+1, f.Name)
		}
		seen[f.Name] = true
		if given := f.Levels != nil || f.Missing != nil; given && f.Value != "" || f.Levels != nil && f.Missing != nil {
			return fmt.Errorf("feature %s: only one of value, levels and missing", f.Name)
		}
		if len(f.Range) != 0 && (len(f.Range) != 2 || f.Range[0] > f.Range[1]) {
			return fmt.Errorf("feature %s: range must be [lowest, highest]", f.Name)
		}
		switch record.Role(f.Role) {
		case "":
			f.Role = string(record.Demand)
		case record.Demand, record.Nuisance, record.Condition, record.Shortcut:
		default:
			return fmt.Errorf("feature %s: role %q; it must be demand, nuisance, condition or shortcut", f.Name, f.Role)
		}
	}
	return nil
}

// lineOf finds the line of a key by its last part; 1 where it cannot be told.
func lineOf(text string, key toml.Key) int {
	last := key[len(key)-1]
	for i, l := range strings.Split(text, "\n") {
		l = strings.TrimSpace(l)
		if rest, ok := strings.CutPrefix(l, last); ok && strings.HasPrefix(strings.TrimSpace(rest), "=") {
			return i + 1
		}
		if strings.HasPrefix(l, "[") && strings.Trim(l, "[] ") == key.String() {
			return i + 1
		}
	}
	return 1
}

func firstLine(s string) string {
	l, _, _ := strings.Cut(s, "\n")
	return l
}
