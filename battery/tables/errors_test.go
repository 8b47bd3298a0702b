package tables_test

import (
	"math"
	"strings"
	"testing"
)

const predicted = `
name = "predictions"
[items]
id = "id"
[responses]
form = "transposed"
subject = "m*"
item = "id"
right = "mass"
family = "unit"
[split]
held_out = 0
`

// TestErrorsByItem scales errors by hand: at item a the errors are 1, 0 and 4, of which the least becomes 1 and the largest 0; at item b all
// are the same; at item c m2 has no prediction. The column with the right values is no subject, though it fits the pattern.
func TestErrorsByItem(t *testing.T) {
	d, err := build(t, predicted, "id\na\nb\nc\nd\n", "id,m1,m2,m3,mass\na,3,2,-2,2\nb,1,3,1,2\nc,0.5,,10,0\n")
	if err != nil {
		t.Fatal(err)
	}
	if len(d.Subjects) != 3 || d.Manifest.Measures[0].Family != "unit" {
		t.Fatalf("subjects %v, measures %v", d.Subjects, d.Manifest.Measures)
	}
	want := map[string]float64{"m1 a": 0.75, "m2 a": 1, "m3 a": 0, "m1 b": 1, "m2 b": 1, "m3 b": 1, "m1 c": 1, "m3 c": 0}
	for _, r := range d.Responses.All() {
		key := d.Subjects[r.Subject] + " " + d.Items.ID[r.Item]
		if w, ok := want[key]; !ok || math.Abs(r.Value-w) > 1e-12 {
			t.Errorf("%s: %g, want %g", key, r.Value, w)
		}
		delete(want, key)
	}
	if len(want) > 0 {
		t.Errorf("missing: %v", want)
	}
	long := strings.NewReplacer(`"transposed"`, `"long"`, `"m*"`, `"who"`, `item = "id"`, "item = \"id\"\nvalue = \"y\"").Replace(predicted)
	if d, err = build(t, long, "id\na\n", "id,who,y,mass\na,x,3,2\na,y,2,2\n"); err != nil || d.Responses.At(0).Value != 0 || d.Responses.At(1).Value != 1 {
		t.Errorf("a row per response: %v", err)
	}
	for _, c := range []struct{ from, to, rows, want string }{
		{"family = \"unit\"\n", "", "", `m.toml:9: key responses.right: say what a response becomes: family = "binary", 1 where it is the right value and else 0, or family = "unit"`},
		{"family = \"unit\"\n", "family = \"real\"\n", "", `key responses.right: responses that are compared with right values have family`},
		{`"transposed"`, `"wide"`, "", "transpose it"},
		{`"mass"`, `"weight"`, "", `has no column "weight"`},
		{"[split]", "absent = 0\n[split]", "", "neither levels nor trials"},
		{"", "", "d,1,2,3,heavy\n", `right value "heavy" is not a finite number`},
		{"", "", "d,1,2,x,1\n", `subject m3, item d: prediction "x"`},
	} {
		if _, err := build(t, strings.Replace(predicted, c.from, c.to, 1), "id\na\nb\nc\nd\n", "id,m1,m2,m3,mass\na,3,2,-2,2\n"+c.rows); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.to+c.rows, err, c.want)
		}
	}
}
