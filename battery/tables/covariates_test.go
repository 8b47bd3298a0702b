package tables_test

import (
	"strings"
	"testing"

	"achilles/battery/tables"
	"achilles/battery/tables/tablestest"
	"achilles/sim/record"
)

const covariates = `
[subjects]
id = "name"
[[covariate]]
name = "months"
value = "12*years"
range = [0, 240]
[[covariate]]
name = "family"
`

// withSubjects builds the dataset of two subjects, ann and zoe, and a table of subjects.
func withSubjects(t *testing.T, m, subjects string) (*record.Dataset, error) {
	t.Helper()
	mp, err := tables.ParseMapping("m.toml", m)
	if err != nil {
		return nil, err
	}
	in := tables.Input{Responses: source(t, "responses.csv", "who,a,b\nzoe,1,0\nann,True,\n")}
	if in.Items, err = read("items.csv", []byte(items)); err != nil {
		t.Fatal(err)
	}
	if subjects != "" {
		if in.Subjects, err = read("subjects.csv", []byte(subjects)); err != nil {
			t.Fatal(err)
		}
	}
	d, _, err := tables.Build(in, mp)
	return d, err
}

// source returns a table of responses.
func source(t *testing.T, name, text string) *tables.Source {
	t.Helper()
	s, err := tables.Rectangle().Read([]*tables.File{tablestest.File(name, []byte(text))}, tables.Reading{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestCovariates checks that covariates are in the order of the subjects, that subjects without responses are left out, and
// that a dataset with them can be written.
func TestCovariates(t *testing.T) {
	d, err := withSubjects(t, form("wide")+covariates, "name,years,family\nzoe,2,jay\nbob,9,jay\nann,,crow\n")
	if err != nil {
		t.Fatal(err)
	}
	age, family := d.Covariates[0], d.Covariates[1]
	if age.Number[1] != 24 || !age.Missing[0] || age.Missing[1] || strings.Join(family.Text, " ") != "crow jay" || age.Role != record.Covariate {
		t.Errorf("covariates of ann and zoe: %+v", d.Covariates)
	}
	if _, err := record.Encode(d); err != nil {
		t.Error(err)
	}
}

func TestBadCovariates(t *testing.T) {
	const good = "name,years,family\nzoe,2,jay\nann,3,crow\n"
	for _, c := range []struct{ why, mapping, subjects, want string }{
		{"no table", covariates, "", "m.toml:21: key covariate: covariates are columns of a table of subjects, and none is given: add --subjects FILE"},
		{"no covariate", "", good, "m.toml: there is a table of subjects, subjects.csv, but the mapping does not describe it"},
		{"no section", "[[covariate]]\nname = \"years\"\n", good, "subjects: is missing: add [subjects] with id, the column of subjects.csv with the subject's name"},
		{"nothing published", "[subjects]\nid = \"name\"\n", good, "covariate: is missing: at least one column of the subjects"},
		{"no such column of names", strings.Replace(covariates, `"name"`, `"nam"`, 1), good, `subjects.csv has no column "nam": did you mean name?`},
		{"a role", covariates + "role = \"demand\"\n", good, "covariate[1].role"},
		{"a reserved name", covariates + "[[covariate]]\nname = \"subject\"\nvalue = \"years\"\n", good, `"subject" is taken or reserved`},
		{"a subject without a row", covariates, "name,years,family\nzoe,2,jay\n", `subjects.csv: no row for subject "ann", who has responses`},
		{"two rows of a subject", covariates, good + "zoe,3,jay\n", "subjects.csv:4: subject zoe is listed already, in line 2"},
		{"out of range", covariates, strings.Replace(good, "3", "30", 1), "subjects.csv:3: subject ann has 360, outside the declared range [0, 240]"},
		{"an unknown name", strings.Replace(covariates, "12*years", "12*yers", 1), good, "yers"},
	} {
		if _, err := withSubjects(t, form("wide")+c.mapping, c.subjects); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v does not say %q", c.why, err, c.want)
		}
	}
}
