package tables_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"achilles/battery/tables"
	"achilles/sim/record"
)

// TestHeldOutByColumn checks that a column called split says which responses are held out, if it does so of responses.
func TestHeldOutByColumn(t *testing.T) {
	table := func(split func(s, i int) string) string {
		text := "subject,item,split,correct\n"
		for s := range 4 {
			for i := range 6 {
				text += fmt.Sprintf("s%d,i%d,%s,%d\n", s, i, split(s, i), (s*i+s)%3%2)
			}
		}
		return text
	}
	either := func(is bool, yes, no string) string {
		if is {
			return yes
		}
		return no
	}
	for _, test := range []struct {
		name, text, found, note string
		out                     int // held out: 0, as the draw has it
	}{
		{"train and test", table(func(s, i int) string { return either((s+i)%4 == 0, "test", "train") }), "by column split", "", 6},
		{"fit and held-out", table(func(s, i int) string { return either((s+i)%4 == 0, "held-out", "fit") }), "by column split", "", 6},
		{"of items", table(func(_, i int) string { return either(i%3 == 0, "test", "train") }), "", "", 0},
		{"of subjects", table(func(s, _ int) string { return either(s%3 == 0, "test", "train") }), "", "", 0},
		{"three words", table(func(s, i int) string { return []string{"train", "test", "dev"}[(s+i)%3] }), "", "split has train, test, dev, so", 0},
		{"a gap", table(func(s, i int) string { return either(s+i == 1, "", either((s+i)%4 == 0, "test", "train")) }), "", "split has empty cells, so", 0},
		{"one cell", table(func(s, i int) string { return either((s+i)%4 == 0, "test", "train") }) + "s0,i0,train,1\n", "", "split differs between responses of one subject to one item, so", 0},
	} {
		w := tables.Wishes{}
		if test.name == "one cell" {
			w.Repetition = "order"
		}
		d, p, _, err := imported(t, w, tables.Reading{}, tab{"t.csv", test.text})
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		said := func(what string) string {
			i := slices.IndexFunc(p.Found, func(f [2]string) bool { return f[0] == what })
			if i < 0 {
				return ""
			}
			return p.Found[i][1]
		}
		if got := said("held out"); got != test.found {
			t.Errorf("%s: held out %q, want %q", test.name, got, test.found)
		}
		if got := said("note"); (got == "") != (test.note == "") || !strings.HasPrefix(got, test.note) {
			t.Errorf("%s: note %q, want %q", test.name, got, test.note)
		}
		out, wrong := 0, 0
		for _, r := range d.Responses.All() {
			if r.Split == record.HeldOut {
				out++
			}
			var s, i int
			fmt.Sscanf(d.Subjects[r.Subject]+" "+d.Items.ID[r.Item], "s%d i%d", &s, &i)
			if (r.Split == record.HeldOut) != ((s+i)%4 == 0) {
				wrong++
			}
		}
		if test.out > 0 && (out != test.out || wrong > 0) {
			t.Errorf("%s: %d held out, want %d; %d of them others", test.name, out, test.out, wrong)
		}
	}
}
