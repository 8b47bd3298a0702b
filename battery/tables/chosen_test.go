package tables_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"achilles/battery/tables"
	"achilles/battery/tables/tablestest"
	"achilles/sim/record"
)

// TestChoices imports tables that say where subjects went, with and without a mapping's help, and compares with what they say.
func TestChoices(t *testing.T) {
	const text = "subject,item,value,choice,place,latency,visited\na,x,1,right,2,40,\na,y,0,A,1,35,3 2\nb,x,0,none,0,0,\nb,y,0,,,,\n"
	d, p, _, err := imported(t, tables.Wishes{}, tables.Reading{}, tab{"m.csv", text})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range d.Responses.All() {
		visited := ""
		if r.Chosen.Visited > 0 {
			visited = d.Visits[r.Chosen.Visited]
		}
		got = append(got, fmt.Sprintf("%s %s %v %s %d %d [%s]", d.Subjects[r.Subject], d.Items.ID[r.Item], r.Value, r.Chosen.Went, r.Chosen.Place, r.Chosen.Latency, visited))
	}
	want := []string{"a x 1 right 2 40 []", "a y 0 A 1 35 [3 2]", "b x 0 none 0 0 []", "b y 0  0 0 []"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q\n%s", got, want, p.Text)
	}
	if _, err := record.Encode(d); err != nil {
		t.Error(err)
	}
	for _, c := range []struct{ from, to, want string }{
		{"A,1,35", "A,1,-35", `latency "-35" is not a whole number from 0`},
		{"A,1,35", "A,300,35", `place "300" is not a whole number from 0 to 255`},
		{"none,0,0", "none,1,0", `choice "none" has no place, latency or visited`},
	} {
		if _, _, _, err := imported(t, tables.Wishes{}, tables.Reading{}, tab{"m.csv", strings.Replace(text, c.from, c.to, 1)}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: the error is %v", c.to, err)
		}
	}
}

// TestChoicesOfAMapping checks what is said about the keys of a mapping, and about words that the format does not have.
func TestChoicesOfAMapping(t *testing.T) {
	const mapping = "[responses]\nform = \"long\"\nsubject = \"s\"\nitem = \"i\"\nvalue = \"v\"\nfamily = \"binary\"\n"
	const text = "s,i,v,went\na,x,1,B\n"
	for _, c := range []struct{ keys, want string }{
		{"choice = \"went\"\n", `choice "B" is not one of right, A, last-seen, nearest, other, none`},
		{"latency = \"went\"\n", "it belongs to a choice"},
	} {
		m, err := tables.ParseMapping("m.toml", mapping+c.keys)
		if err == nil {
			in := tables.Input{}
			if in.Responses, err = tables.Rectangle().Read([]*tables.File{tablestest.File("responses.csv", []byte(text))}, tables.Reading{}); err != nil {
				t.Fatal(err)
			}
			_, _, err = tables.Build(in, m)
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: the error is %v", c.keys, err)
		}
	}
}
