package score_test

import (
	"bytes"
	"encoding/csv"
	"testing"

	"achilles/scenarios/score"
	"achilles/sim/table"
)

// asCSV returns the values of a table, one line for each row.
func asCSV(t *table.Table) []byte {
	var heads []string
	for _, c := range t.Columns {
		heads = append(heads, c.Name)
	}
	rows := [][]string{heads}
	for _, values := range t.Rows {
		row := make([]string, len(values))
		for i, v := range values {
			row[i] = v.Text()
		}
		rows = append(rows, row)
	}
	var b bytes.Buffer
	if err := csv.NewWriter(&b).WriteAll(rows); err != nil {
		panic("a buffer fails")
	}
	return b.Bytes()
}

// tableOf returns the table of that name.
func tableOf(t *testing.T, s *score.Scores, name string) *table.Table {
	t.Helper()
	for _, x := range s.Tables() {
		if err := x.Check(); err != nil {
			t.Error(err)
		}
		if x.Name == name {
			return x
		}
	}
	t.Fatalf("no table %s", name)
	return nil
}
