package record_test

import (
	"reflect"
	"strings"
	"testing"

	"achilles/sim/record"
)

// known returns a dataset of three subjects with an age, which the second has not told, and a family.
func known() *record.Dataset {
	d := sample(3, 3, 4)
	d.Covariates = []record.Column{
		{Feature: record.Feature{Name: "age", Kind: record.Number, Role: record.Covariate, Unit: "years", Range: &[2]float64{0, 20}}, Number: []float64{4, 0, 7.5}, Missing: []bool{false, true, false}},
		{Feature: record.Feature{Name: "family", Kind: record.Text, Role: record.Covariate}, Text: []string{"crow", "crow", "jay"}},
	}
	for _, c := range d.Covariates {
		d.Manifest.Covariates = append(d.Manifest.Covariates, c.Feature)
	}
	return d
}

func TestCovariatesComeBack(t *testing.T) {
	d := known()
	files := encode(t, d)
	for _, read := range []func() (*record.Dataset, error){
		func() (*record.Dataset, error) { return record.Read(mapFS(files)) },
		func() (*record.Dataset, error) { return record.Tables(mapFS(files)) },
	} {
		got, err := read()
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got.Covariates, d.Covariates) {
			t.Errorf("covariates come back as %+v", got.Covariates)
		}
	}
}

func TestBadCovariatesAreRefused(t *testing.T) {
	for _, c := range []struct {
		why    string
		change func(d *record.Dataset)
		want   string
	}{
		{"a column of items in the role of one of subjects", func(d *record.Dataset) { d.Manifest.Features[0].Role = record.Covariate }, "only columns of subjects have the role covariate"},
		{"a column of subjects in the role of one of items", func(d *record.Dataset) { d.Manifest.Covariates[0].Role = record.Demand }, `covariate "age": role "demand"`},
		{"the name of the subjects", func(d *record.Dataset) { d.Manifest.Covariates[0].Name = "subject" }, `covariate "subject": the name is taken`},
		{"a value too few", func(d *record.Dataset) { d.Covariates[1].Text = []string{"crow"} }, "column family: 1 values for 3 subjects"},
		{"a value outside the range", func(d *record.Dataset) { d.Covariates[0].Number[2] = 21 }, "row 3: subject s-000000c6: 21 is outside the declared range [0, 20]"},
		{"columns without a declaration", func(d *record.Dataset) { d.Manifest.Covariates = d.Manifest.Covariates[:1] }, "2 feature columns for 1 declared"},
	} {
		d := known()
		c.change(d)
		if _, err := record.Encode(d); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v does not say %q", c.why, err, c.want)
		}
	}
}

// TestTableOfOtherSubjects reads directories whose subjects.parquet is of other subjects, is not listed, or is not declared.
func TestTableOfOtherSubjects(t *testing.T) {
	two := known()
	two.Subjects = two.Subjects[:2]
	two.Responses = record.PackResponses(two.Responses.List()[:2*two.Responses.Len()/3])
	for k := range two.Covariates {
		c := &two.Covariates[k]
		if c.Number != nil {
			c.Number, c.Missing = c.Number[:2], c.Missing[:2]
		} else {
			c.Text = c.Text[:2]
		}
	}
	three, fewer := encode(t, known()), encode(t, two)
	swapped := func(from, to map[string][]byte) map[string][]byte {
		files := map[string][]byte{}
		for name, b := range from {
			files[name] = b
		}
		files["subjects.parquet"] = to["subjects.parquet"]
		return listed(t, files)
	}
	undeclared := listed(t, swapped(encode(t, sample(3, 3, 4)), three))
	for _, c := range []struct {
		why   string
		files map[string][]byte
		want  string
	}{
		{"a row too few", swapped(three, fewer), "subjects.parquet: no row for subject s-000000c6, who has responses"},
		{"a row too many", swapped(fewer, three), "subjects.parquet: row 3: subject s-000000c6"},
		{"undeclared", undeclared, "subjects.parquet is listed, and no covariate is declared"},
	} {
		if _, err := record.Read(mapFS(c.files)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v does not say %q", c.why, err, c.want)
		}
	}
	delete(three, "subjects.parquet")
	if _, err := record.Read(mapFS(listed(t, three))); err == nil || !strings.Contains(err.Error(), "subjects.parquet is not listed") {
		t.Errorf("a table that is not listed: error %v", err)
	}
}

// listed returns files whose manifest lists just the other files, with their digests.
func listed(t *testing.T, files map[string][]byte) map[string][]byte {
	t.Helper()
	m, err := record.ReadManifest(mapFS(files))
	if err != nil {
		t.Fatal(err)
	}
	return withManifest(*m, files)
}
