package tables_test

import (
	"fmt"
	"strings"
	"testing"

	"achilles/battery/tables"
	"achilles/battery/tables/tablestest"
)

func TestKey(t *testing.T) {
	for text, want := range map[string]string{
		"item,key\nq1,A\nq2, b \n":            "map[q1:A q2:b]",
		"Nr;Lösung;Item\n1;A;q1\n2;C;q2\n":    "map[q1:A q2:C]",
		"q1,q2,q3\nA,B,\n":                    "map[q1:A q2:B]",
		"what,which\nq1,4\n":                  "map[q1:4]",
		"item,steps,correct\nq1,3,D\nq2,5,\n": "map[q1:D]",
		"item,key\nq1,A\nq1,B\n":              "m.csv:3: item q1 has the right answers A and B",
		"item\nq1\nq2\n":                      "m.csv: want a key with a row per item",
	} {
		table, err := tables.ReadTable([]*tables.File{tablestest.File("m.csv", []byte(text))}, tables.Reading{})
		if err != nil {
			t.Fatal(err)
		}
		key, err := table.Key()
		got := fmt.Sprint(key)
		if err != nil {
			got = err.Error()
		}
		if !strings.HasPrefix(got, want) {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}
