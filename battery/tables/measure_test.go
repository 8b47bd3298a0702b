package tables_test

import (
	"math"
	"strings"
	"testing"
)

const timed = `
name = "timed"
[items]
id = "item"
[responses]
form = "long"
subject = "who"
item = "item"
value = "ok"
where = 'kind == "item"'
[[measure]]
name = "logRT"
value = "log(rt / 1000)"
doc = "ln s"
[[measure]]
name = "sure"
family = "unit"
`

// TestMeasures checks that rows can have further numbers of their responses: computed, left out where there is none, and only of rows
// that are kept.
func TestMeasures(t *testing.T) {
	d, err := build(t, timed, "item\nq1\nq2\n", "kind,who,item,ok,rt,sure\nitem,b,q1,1,1000,0.5\nitem,a,q1,0,2000,\nevent,,,,0,\nitem,a,q2,1,,1\n")
	if err != nil {
		t.Fatal(err)
	}
	if m := d.Manifest.Measures; len(m) != 3 || m[1].Name != "logRT" || m[1].Family != "real" || m[1].Doc != "ln s" || m[2].Family != "unit" {
		t.Fatalf("measures %+v", m)
	}
	var got []string
	values := map[string]float64{}
	for _, r := range d.Responses.All() {
		key := d.Subjects[r.Subject] + " " + d.Items.ID[r.Item] + " " + d.Manifest.Measures[r.Measure].Name
		got = append(got, key)
		values[key] = r.Value
	}
	if all := strings.Join(got, ", "); all != "a q1 success, a q1 logRT, a q2 success, a q2 sure, b q1 success, b q1 logRT, b q1 sure" {
		t.Errorf("responses: %s", all)
	}
	if math.Abs(values["a q1 logRT"]-math.Ln2) > 1e-12 || values["b q1 logRT"] != 0 || values["a q2 sure"] != 1 || values["a q1 success"] != 0 {
		t.Errorf("values %v", values)
	}
	for _, c := range []struct{ old, new, rows, want string }{
		{`value = "log(rt / 1000)"`, `value = "lgo(rt)"`, "", "lgo"},
		{`value = "log(rt / 1000)"`, `value = "who"`, "", "not a number"},
		{`name = "sure"`, `name = "logRT"`, "", "another measure"},
		{`name = "sure"`, `name = "success"`, "", "another measure"},
		{`doc = "ln s"`, `family = "count"`, "", "family"},
		{"[[measure]]", "blanks = \"ends\"\n[[measure]]", "", "one measure"},
		{`form = "long"`, `form = "wide"`, "", `form = "long"`},
		{"", "", "item,b,q1,1,1000,1.5\n", "unit measure"},
		{"", "", "item,b,q1,1,0,1\n", "infinite"},
	} {
		_, err := build(t, strings.Replace(timed, c.old, c.new, 1), "item\nq1\nq2\n", "kind,who,item,ok,rt,sure\n"+c.rows+"item,a,q2,1,7,1\n")
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s, %s: %v", c.new, c.rows, err)
		}
	}
}
