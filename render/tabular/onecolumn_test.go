package tabular_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"achilles/render/tabular"
	"achilles/sim/part"
	"achilles/sim/table"
)

// TestOneLineIsAColumn adds a grade with a column, as one line, and checks that its text, its page, its file, its description in a
// manifest, and conditions and sorting by it come from this line.
func TestOneLineIsAColumn(t *testing.T) {
	type grade struct {
		subject string
		haste   float64
	}
	made := table.Of(table.Table{Name: "haste", Title: "Haste of the subjects", Key: []string{"subject"}}, []grade{{"a", 0.25}, {"b", 0.75}}, []table.Field[grade]{
		table.Col(table.Column{Name: "subject", Kind: table.Text}, func(g grade) table.Value { return table.String(g.subject) }),
		table.Col(table.Column{Name: "haste", Doc: "proportion of moves before a look", Digits: 2}, func(g grade) table.Value { return table.Float(g.haste) }),
	})
	file := tabular.CSV(made)
	m := part.New(part.Scores, nil, nil)
	m.Add("haste.csv", file, made)
	fsys := fstest.MapFS{part.ManifestFile: {Data: m.Encode()}, "haste.csv": {Data: file}}
	back, err := part.Read(fsys, part.Scores)
	if err != nil {
		t.Fatal(err)
	}
	read, err := tabular.Read(fsys, &back.Tables[0])
	if err != nil {
		t.Fatal(err)
	}
	few, err := tabular.Where(read, "haste > 0.5")
	if err != nil {
		t.Fatal(err)
	}
	sorted, err := tabular.Sort(read, "haste")
	if err != nil {
		t.Fatal(err)
	}
	for what, c := range map[string]struct{ got, want string }{
		"text":        {string(tabular.Text(read, 80)), "b         0.75"},
		"a condition": {string(tabular.CSV(few)), "subject,haste\nb,0.75\n"},
		"sorting":     {string(tabular.CSV(sorted)), "subject,haste\nb,0.75\na,0.25\n"},
		"a page":      {string(tabular.HTML(read, "x", nil)), "0.75"},
		"Markdown":    {string(tabular.Markdown(read)), "| b | 0.75 |"},
		"the doc":     {string(m.Encode()), `"doc": "proportion of moves before a look"`},
	} {
		if !strings.Contains(c.got, c.want) {
			t.Errorf("%s has no %q:\n%s", what, c.want, c.got)
		}
	}
}
