package tables_test

import (
	"fmt"
	"strings"
	"testing"

	"achilles/battery/tables"
)

// TestForms joins matrices in files of their own: by hand, two subjects per form.
func TestForms(t *testing.T) {
	const x = "id,q1,q2,q3\nx1,1,0,1\nx2,0,1,1\n"
	for _, c := range []struct {
		name  string
		files []tab
		want  string // subject item value of each response, and the form of each subject
		err   string
	}{
		{"common items", []tab{{"X.csv", x}, {"Y.csv", "id,q3,q4\ny1,1,0\ny2,0,0\n"}},
			"x1 q1 1, x1 q2 0, x1 q3 1, x2 q1 0, x2 q2 1, x2 q3 1, y1 q3 1, y1 q4 0, y2 q3 0, y2 q4 0; x1 X, x2 X, y1 Y, y2 Y", ""},
		{"another name of the subjects' column", []tab{{"X.csv", x}, {"Y.csv", "q3,q4,student\n1,0,y1\n0,0,y2\n"}},
			"x1 q1 1, x1 q2 0, x1 q3 1, x2 q1 0, x2 q2 1, x2 q3 1, y1 q3 1, y1 q4 0, y2 q3 0, y2 q4 0; x1 X, x2 X, y1 Y, y2 Y", ""},
		{"each numbers its subjects", []tab{{"X.csv", "id,q1,q2,q3\n1,1,0,1\n2,0,1,0\n"}, {"Y.csv", "id,q2,q3,q4\n1,1,0,0\n2,0,1,1\n"}},
			"X/1 q1 1, X/1 q2 0, X/1 q3 1, X/2 q1 0, X/2 q2 1, X/2 q3 0, Y/1 q2 1, Y/1 q3 0, Y/1 q4 0, Y/2 q2 0, Y/2 q3 1, Y/2 q4 1; X/1 X, X/2 X, Y/1 Y, Y/2 Y", ""},
		{"common subjects", []tab{{"X.csv", x}, {"Y.csv", "id,r1,r2,r3\nx1,1,0,0\nx2,0,0,1\n"}},
			"x1 q1 1, x1 q2 0, x1 q3 1, x1 r1 1, x1 r2 0, x1 r3 0, x2 q1 0, x2 q2 1, x2 q3 1, x2 r1 0, x2 r2 0, x2 r3 1; ", ""},
		{"some common subjects", []tab{{"X.csv", x}, {"Y.csv", "id,r1,r2,r3\nx1,1,0,0\ny,0,0,1\n"}},
			"x1 q1 1, x1 q2 0, x1 q3 1, x1 r1 1, x1 r2 0, x1 r3 0, x2 q1 0, x2 q2 1, x2 q3 1, y r1 0, y r2 0, y r3 1; x1 X + Y, x2 X, y Y", ""},
		{"a chain of three", []tab{{"X.csv", x}, {"Z.csv", "id,q4,q5\nz1,1,0\nz2,0,1\n"}, {"Y.csv", "id,q3,q4\ny1,1,0\ny2,0,0\n"}},
			"x1 q1 1, x1 q2 0, x1 q3 1, x2 q1 0, x2 q2 1, x2 q3 1, y1 q3 1, y1 q4 0, y2 q3 0, y2 q4 0, z1 q4 1, z1 q5 0, z2 q4 0, z2 q5 1; x1 X, x2 X, y1 Y, y2 Y, z1 Z, z2 Z", ""},
		{"nothing in common", []tab{{"X.csv", x}, {"Y.csv", "id,r1,r2,r3\ny1,1,0,0\ny2,0,0,1\n"}}, "", "no item (column) and no subject (row) of Y.csv is in X.csv, too"},
		{"one of three without a link", []tab{{"X.csv", x}, {"Y.csv", "id,q3,q4,q5\ny1,1,0,0\ny2,0,0,1\n"}, {"Z.csv", "id,r1,r2,r3\nz1,1,0,0\nz2,0,0,1\n"}}, "", "of Z.csv is in X.csv or Y.csv, too"},
		{"the same names of subjects and items", []tab{{"X.csv", x}, {"Y.csv", "id,q2,q3,q4\nx1,1,1,0\ny2,0,0,0\n"}}, "", "both have responses of 1 subject to 2 common items"},
		{"a table of subjects", []tab{{"X.csv", x}, {"people.csv", "id,left_handed,treated\nx1,1,0\nx2,0,0\n"}},
			"x1 q1 1, x1 q2 0, x1 q3 1, x2 q1 0, x2 q2 1, x2 q3 1; ", ""},
		{"a table of numbered subjects", []tab{{"X.csv", "id,group,q1,q2,q3\n1,1,1,0,1\n2,0,0,1,1\n"}, {"people.csv", "id,group,treated\n1,1,0\n2,0,0\n"}},
			"1 q1 1, 1 q2 0, 1 q3 1, 2 q1 0, 2 q2 1, 2 q3 1; ", ""},
		{"a table of items", []tab{{"X.csv", x}, {"d.csv", "item,d1,d2,d3\nq1,1,0,0\nq2,0,0,1\nq3,1,1,0\n"}},
			"x1 q1 1, x1 q2 0, x1 q3 1, x2 q1 0, x2 q2 1, x2 q3 1; ", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			d, _, _, err := imported(t, tables.Wishes{}, tables.Reading{}, c.files...)
			if c.err != "" {
				if err == nil || !strings.Contains(err.Error(), c.err) {
					t.Errorf("error %v, want %q", err, c.err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			var got, forms []string
			for _, r := range d.Responses.All() {
				got = append(got, fmt.Sprint(d.Subjects[r.Subject], " ", d.Items.ID[r.Item], " ", r.Value))
			}
			for _, x := range d.Covariates {
				if x.Name == "form" {
					for s, v := range x.Text {
						forms = append(forms, d.Subjects[s]+" "+v)
					}
				}
			}
			if got := strings.Join(got, ", ") + "; " + strings.Join(forms, ", "); got != c.want {
				t.Errorf("read as\n%s, want\n%s", got, c.want)
			}
		})
	}
}
