package tables_test

import (
	"slices"
	"testing"

	"achilles/battery/tables"
	"achilles/sim/record"
)

// imported proposes a mapping for a file and builds the dataset that it makes.
func imported(t *testing.T, name, text string, w tables.Wishes) (*record.Dataset, *tables.Proposal, []string, error) {
	t.Helper()
	in, notes, err := tables.Open([]tables.Format{tables.Rectangle()}, []*tables.File{tables.InMemory(name, []byte(text))}, nil, nil, tables.Reading{Decimal: w.Decimal})
	if err != nil {
		return nil, nil, nil, err
	}
	p, err := tables.Propose(in, w)
	if err != nil {
		return nil, nil, nil, err
	}
	d, more, err := tables.Build(in, p.Mapping)
	return d, p, append(notes, more...), err
}

// TestMatrixAlone checks that a table of subjects × items and nothing else is enough.
func TestMatrixAlone(t *testing.T) {
	d, _, notes, err := imported(t, "m.csv", "model,q1,q2,q10\nb,1,NA,0\na,0,1,\n", tables.Wishes{})
	if err != nil {
		t.Fatal(err)
	}
	want := []record.Response{{Subject: 0, Item: 0, Value: 0}, {Subject: 0, Item: 2, Value: 1}, {Subject: 1, Item: 0, Value: 1}, {Subject: 1, Item: 1, Value: 0}}
	got := d.Responses.List()
	for i := range got {
		got[i].Split = record.Fit
	}
	if !slices.Equal(d.Subjects, []string{"a", "b"}) || !slices.Equal(d.Items.ID, []string{"q1", "q10", "q2"}) || !slices.Equal(got, want) {
		t.Errorf("subjects %v, items %v, responses %+v", d.Subjects, d.Items.ID, got)
	}
	if !slices.Equal(notes, []string{"2 responses without a value"}) {
		t.Errorf("notes %q", notes)
	}
	if _, err := record.Encode(d); err != nil {
		t.Error(err)
	}
}
