package infer

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"achilles/infer/voe"
	"achilles/sim/table"
)

// TestDeclaredColumns holds the columns that manifests declare against those that the structs of rows have in Parquet, and the
// columns of draws against the file's.
func TestDeclaredColumns(t *testing.T) {
	rows := map[string]any{"profiles": Profile{}, "parameters": Unit{}, unitDrawsName: UnitDraw{}, "sampler": Sampled{}, "predictions": Prediction{}, "paths": PathPrediction{},
		"estimates": Estimated{}, "likelihood": Likelihood{}, "surprises": voe.Surprise{}, "trials": voe.TrialSurprise{}, "beliefs": voe.Conviction{}, "moments": voe.Frame{}, "asked": voe.Asked{}}
	for _, x := range declared([]string{"b", "a"}) {
		if err := x.Check(); err != nil {
			t.Error(err)
		}
		if x.Title == "" || len(x.Key) == 0 {
			t.Errorf("table %s has no title or no key", x.Name)
		}
		if x.Name == "draws" || x.Name == "averaged" {
			schema, _ := drawsSchema([]string{"b", "a"})
			var has []string
			for _, path := range schema.Columns() {
				has = append(has, path[0])
			}
			names := namesOf(x.Columns)
			if slices.Sort(names); !slices.Equal(names, has) {
				t.Errorf("%s: columns %v, the file has %v", x.Name, names, has)
			}
			continue
		}
		row, ok := rows[x.Name]
		if !ok {
			t.Errorf("table %s has no rows", x.Name)
			continue
		}
		delete(rows, x.Name)
		var want []table.Column
		for _, f := range reflect.VisibleFields(reflect.TypeOf(row)) {
			name, _, _ := strings.Cut(f.Tag.Get("parquet"), ",")
			want = append(want, table.Column{Name: name, Kind: kindOf(f.Type)})
		}
		if !slices.Equal(namesOf(x.Columns), namesOf(want)) {
			t.Errorf("table %s: columns %v, the file has %v", x.Name, namesOf(x.Columns), namesOf(want))
			continue
		}
		for i, c := range x.Columns {
			if c.Kind != want[i].Kind {
				t.Errorf("table %s, column %s: kind %s, the file has %s", x.Name, c.Name, c.Kind, want[i].Kind)
			}
		}
	}
	if len(rows) > 0 {
		t.Errorf("not declared: %v", rows)
	}
}

func namesOf(columns []table.Column) (out []string) {
	for _, c := range columns {
		out = append(out, c.Name)
	}
	return out
}

// kindOf returns the kind of a column whose values are of a type. A list is printed as a text.
func kindOf(t reflect.Type) table.Kind {
	switch t.Kind() {
	case reflect.Pointer:
		return kindOf(t.Elem())
	case reflect.Bool:
		return table.Flag
	case reflect.Float64:
		return table.Number
	case reflect.Int32:
		return table.Count
	}
	return table.Text
}
