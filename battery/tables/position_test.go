package tables_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"achilles/battery/tables"
)

// TestPositions imports tables that say in which order subjects took the items, and compares the positions by hand.
func TestPositions(t *testing.T) {
	const shuffled = "model,item,order,score\na,x,2,1\na,y,1,0\na,z,3,1\nb,x,1,0\nb,y,3,1\nb,z,2,1\n"
	for _, c := range []struct {
		name, text, position string
		want                 string // subject item position
	}{
		{"found by its name", shuffled, "", "a x 2, a y 1, a z 3, b x 1, b y 3, b z 2"},
		{"not wanted", shuffled, "none", "a x 0, a y 0, a z 0, b x 0, b y 0, b z 0"},
		{"the same for all subjects is a feature of the items", "model,item,order,score\na,x,2,1\na,y,1,0\nb,x,2,0\nb,y,1,1\n", "", "a x 0, a y 0, b x 0, b y 0"},
		{"the same for all subjects, but said to be one", "model,item,order,score\na,x,2,1\na,y,1,0\nb,x,2,0\nb,y,1,1\n", "order", "a x 2, a y 1, b x 2, b y 1"},
		{"a gap stays, and 0 is the first", "model,item,place,score\na,x,4,1\na,y,0,0\nb,x,1,0\nb,y,2,1\n", "place", "a x 5, a y 1, b x 2, b y 3"},
		{"times are ranked", "model,item,at,score\na,x,9.5,1\na,y,0.25,0\nb,x,-1,0\nb,y,1e12,1\n", "at", "a x 2, a y 1, b x 1, b y 2"},
		{"as rows stand", "model,item,score\na,y,1\nb,x,0\na,x,0\nb,y,1\n", "order", "a x 2, a y 1, b x 1, b y 2"},
		{"times", "model,item,at,score\na,x,2026-03-01T10:05:00.5Z,1\na,y,2026-03-01T10:05:00.25Z,0\nb,x,2026-03-02 09:00,1\nb,y,2026-03-02 09:01:30,0\n", "at", "a x 2, a y 1, b x 1, b y 2"},
		{"numbers of trials", "model,item,trial_number,score\na,x,2,1\na,y,1,0\nb,x,1,1\nb,y,2,0\n", "", "a x 2, a y 1, b x 1, b y 2"},
		{"numbers of trials, in the same order", "model,item,trial_number,score\na,x,2,1\na,y,1,0\nb,x,2,1\nb,y,1,0\n", "", "a x 0, a y 0, b x 0, b y 0"},
		{"numbers of trials, said", "model,item,trial_number,score\na,x,2,1\na,y,1,0\na,x,3,1\nb,x,1,1\nb,y,2,0\n", "trial_number", "a x 2, a x 3, a y 1, b x 1, b y 2"},
		{"columns of a matrix", "model,z,y,x\na,1,0,1\nb,0,,1\n", "order", "a x 3, a y 2, a z 1, b x 2, b z 1"},
		{"repetitions", "model,item,epoch,order,score\na,x,0,3,1\na,x,1,1,0\na,y,0,2,1\na,y,1,4,1\n", "", "a x 3, a x 1, a y 2, a y 4"},
	} {
		d, p, _, err := imported(t, tables.Wishes{Position: c.position}, tables.Reading{}, tab{"m.csv", c.text})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		var got []string
		for _, r := range d.Responses.All() {
			got = append(got, fmt.Sprintf("%s %s %d", d.Subjects[r.Subject], d.Items.ID[r.Item], r.Position))
		}
		if strings.Join(got, ", ") != c.want {
			t.Errorf("%s: %s, want %s\n%s", c.name, strings.Join(got, ", "), c.want, p.Text)
		}
		if said := slices.ContainsFunc(p.Found, func(f [2]string) bool { return f[0] == "position" }); said == strings.HasSuffix(c.want, " 0") {
			t.Errorf("%s: says %v", c.name, p.Found)
		}
	}
	for _, c := range []struct{ text, position, want string }{
		{"model,item,order,score\na,x,2,1\na,y,2,0\nb,x,1,1\nb,y,2,1\n", "order", "m.csv: subject a has position 2 twice in column order, for items x and y"},
		{"model,item,at,score\na,x,2,1\na,y,soon,0\nb,x,3,1\nb,y,4,1\n", "at", `m.csv:3: position "soon" is neither a finite number nor a time such as 2026-01-31 14:05:09`},
		{shuffled, "when", `m.csv has no column "when"`},
		{"model,x,y\na,1,0\nb,0,1\n", "x", "a matrix has no column with the positions"},
	} {
		if _, _, _, err := imported(t, tables.Wishes{Position: c.position}, tables.Reading{}, tab{"m.csv", c.text}); err == nil || !strings.HasPrefix(err.Error(), c.want) && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: error %v, want %q", c.position, err, c.want)
		}
	}
}
