package tables_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"achilles/battery/tables"
)

// TestRates checks that a printed proportion gives back the count of which it was rounded, for every count of up to 80 trials and four
// printed digits.
func TestRates(t *testing.T) {
	var b strings.Builder
	var want []string
	b.WriteString("model,item,success,n_trials\n")
	for n := 1; n <= 80; n++ {
		for k := 0; k <= n; k++ {
			item := fmt.Sprintf("%03d-%03d", n, k)
			fmt.Fprintf(&b, "m,%s,%.4f,%d\n", item, float64(k)/float64(n), n)
			want = append(want, fmt.Sprintf("m %s %d of %d", item, k, n))
		}
	}
	d, _, notes, err := imported(t, tables.Wishes{}, tables.Reading{}, tab{"r.csv", b.String()})
	if err != nil {
		t.Fatal(err)
	}
	if got := cells(d); got != strings.Join(want, ", ") || len(notes) > 0 {
		t.Errorf("counts differ, notes %q", notes)
	}
}

// TestWhere checks conditions on rows, on columns of numbers and of words, and the key only.
func TestWhere(t *testing.T) {
	const table = "model,item,filter,score,rt\na,x,strict,1,3\na,x,flex,0,4\na,y,strict,0,\nb,x,strict,1,9\n"
	const mapping = "[responses]\nform = \"long\"\nsubject = \"model\"\nitem = \"item\"\nvalue = \"score\"\n"
	for _, c := range []struct{ key, want string }{
		{`where = 'filter == "strict"'`, "a x 1, a y 0, b x 1"},
		{`where = 'filter == "strict" && rt < 5'`, "a x 1"},
		{"[responses.only]\nfilter = \"flex\"", "a x 0"},
	} {
		m, err := tables.ParseMapping("m.toml", mapping+c.key+"\n")
		if err != nil {
			t.Fatal(err)
		}
		d, _, err := tables.Build(tables.Input{Responses: source(t, "r.csv", table)}, m)
		if err != nil {
			t.Fatal(err)
		}
		if got := cells(d); got != c.want {
			t.Errorf("%s: %s, want %s", c.key, got, c.want)
		}
	}
	for _, c := range []struct{ key, want string }{
		{`where = "fliter == 1"`, "m.toml:6: key responses.where: column 1: unknown name fliter: did you mean filter?"},
		{`where = "rt + 1"`, `m.toml:6: key responses.where: "rt + 1" is not a condition`},
		{"[responses.only]\nfiltre = \"flex\"", `has no column "filtre": did you mean filter?`},
		{`where = "rt > 100"`, "no response satisfies where and only"},
	} {
		m, err := tables.ParseMapping("m.toml", mapping+c.key+"\n")
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := tables.Build(tables.Input{Responses: source(t, "r.csv", table)}, m); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one with %q", c.key, err, c.want)
		}
	}
}

// TestCommaHint checks that a number with a decimal comma is never offered as a word for a missing value.
func TestCommaHint(t *testing.T) {
	ranged := strings.Replace(form("wide"), `name = "demand"`, "name = \"demand\"\nrange = [0, 20]", 1)
	_, err := build(t, ranged, strings.Replace(items, "2.5", `"2,5"`, 1), "who,a,b\nzoe,1,0\n")
	if err == nil || strings.Contains(err.Error(), "missing") || !strings.Contains(err.Error(), `use --decimal , or decimal = "," under [read]`) {
		t.Errorf("error %v", err)
	}
	d, err := build(t, ranged+"[read]\ndecimal = \",\"\n", strings.ReplaceAll(items, "2.5", `"2,5"`), "who,a,b\nzoe,1,0\n")
	if err != nil {
		t.Fatal(err)
	}
	if c, _ := d.Items.Column("demand"); !slices.Equal(c.Number, []float64{1, 2.5}) {
		t.Errorf("demands %v", c.Number)
	}
}
