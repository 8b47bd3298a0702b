package tables_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"achilles/battery/tables"
)

// TestSummed checks that columns which are made of the others are no items: sums, means and differences, in every row and of enough rows.
func TestSummed(t *testing.T) {
	table := func(header string, n int, row func(k int) []float64) string {
		text := header + "\n"
		for k := range n {
			text += fmt.Sprintf("p%d", k)
			for _, x := range row(k) {
				text += fmt.Sprintf(",%.6g", x)
			}
			text += "\n"
		}
		return text
	}
	graded := func(k int) []float64 { return []float64{float64(k % 4), float64(k * k % 4), float64((k + 1) % 3)} }
	with := func(f func(x []float64) float64, spoil int) func(k int) []float64 {
		return func(k int) []float64 {
			x := graded(k)
			y := f(x)
			if k == spoil {
				y++
			}
			return append(x, y)
		}
	}
	sum := func(x []float64) float64 { return x[0] + x[1] + x[2] }
	mean := func(x []float64) float64 { return (x[0] + x[1] + x[2]) / 3 }
	shares := func(k int) []float64 {
		a, b := float64(k%5)/8, float64(k*k%7)/8
		return []float64{a, b, b - a}
	}
	for _, c := range []struct {
		name, text, items, out string
	}{
		{"a sum", table("pid,q1,q2,q3,q4", 12, with(sum, -1)), "3 columns: q1, q2, q3", "q4, the sum of the others"},
		{"but in one row", table("pid,q1,q2,q3,q4", 12, with(sum, 5)), "4 columns: q1, q2, q3, q4", ""},
		{"of four rows", table("pid,q1,q2,q3,q4", 4, with(sum, -1)), "4 columns: q1, q2, q3, q4", ""},
		{"a sum with a gap", strings.Replace(table("pid,q1,q2,q3,raw", 12, with(sum, -1)), "p0,0,0,1,1", "p0,0,0,1,", 1), "3 columns: q1, q2, q3", "raw, the sum of the others"},
		{"a passed item wherever one of two others is", table("pid,q1,q2,q3", 12, func(k int) []float64 {
			a, b := float64(k%3/2), float64((k+1)%3/2)
			return []float64{a, b, a + b}
		}), "3 columns: q1, q2, q3", ""},
		{"a mean of shares", table("pid,a,b,both", 12, func(k int) []float64 {
			x := shares(k)
			return []float64{x[0], x[1], (x[0] + x[1]) / 2}
		}), "2 columns: a, b", "both, the mean of the others"},
		{"a mean", table("pid,q1,q2,q3,q4", 12, with(mean, -1)), "3 columns: q1, q2, q3", "q4, the mean of the others"},
		{"a sum of passed items, with a gap", strings.Replace(table("pid,q1,q2,q3,raw", 12, func(k int) []float64 {
			a, b, c := float64(k%2), float64(k%3/2), float64(k%4/2)
			return []float64{a, b, c, a + b + c}
		}), "p0,0,0,0,0", "p0,0,0,0,", 1), "3 columns: q1, q2, q3", "raw, the sum of the others"},
		{"their mean in per cent, rounded", table("pid,q1,q2,q3,raw", 12, func(k int) []float64 {
			a, b, c := float64(k%2), float64(k%3/2), float64(k%4/2)
			return []float64{a, b, c, math.Round((a+b+c)/3*1e4) / 100}
		}), "3 columns: q1, q2, q3", "raw, the mean of the others, in per cent"},
		{"a difference", table("pid,shown,hidden,gain", 12, shares), "2 columns: shown, hidden", "gain, hidden less shown"},
		{"a difference among differences", table("pid,a,b,c", 12, func(k int) []float64 {
			a, b := float64(k%5)-2, float64(k*k%7)-3
			return []float64{a, b, a - b}
		}), "3 columns: a, b, c", ""},
		{"a difference in seven rows", table("pid,shown,hidden,gain", 7, shares), "2 columns: shown, hidden", ""},
	} {
		_, p, _, err := imported(t, tables.Wishes{}, tables.Reading{}, tab{"m.csv", c.text})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if !slices.Contains(p.Found, [2]string{"item", c.items}) || c.out != "" && !slices.Contains(p.Found, [2]string{"left out", c.out}) || c.out == "" && (strings.Contains(fmt.Sprint(p.Found), " of the others") || strings.Contains(fmt.Sprint(p.Found), " less ")) {
			t.Errorf("%s: found %v, want item %s and left out %q", c.name, p.Found, c.items, c.out)
		}
	}
}

// TestParticipants checks tables of participants as studies of many laboratories have them: a few numbers that are called alike among many other columns,
// words and ages are no test; passed trials are one, however many words stand beside them.
func TestParticipants(t *testing.T) {
	people, trials := "subid,age_days,sib1_age,sib2_age,Notes,lang1_exposure,lang2_exposure,lang3_exposure,days_preterm", "subject_id,purebred,desexed,sib1_age,num_dogs"
	for k := range 14 {
		people += fmt.Sprintf(",about%d", k)
	}
	for k := range 12 {
		trials += fmt.Sprintf(",habit_%c", 'a'+k)
	}
	people, trials = people+"\n", trials+",one_1,one_2,two_1,two_2,two_3,Remarks,unused\n"
	for k := range 12 {
		people += fmt.Sprintf("s%d,%d,%d,%d,,%d,%d,%d,%d", k, 200+9*k, k%5, k%7, 50+4*k, 40-3*k, k%4, 7*k)
		for j := range 14 {
			people += fmt.Sprintf(",%s", []string{"first", "second", "third"}[(k+j)%3])
		}
		people += "\n"
		trials += fmt.Sprintf("s%d,%s,%s,%d,%s", k, []string{"Yes", "No"}[k%2], []string{"No", "Yes"}[k%3/2], k%5, []string{"1", "2", "6+"}[k%3])
		for j := range 12 {
			trials += fmt.Sprintf(",%s", []string{"Never", "Always"}[(k+j)%2])
		}
		trials += fmt.Sprintf(",%d,%d,%d,%d,%d,,\n", k%2, k%3/2, k%4/2, k%5/3, (k+1)%2)
	}
	tree, factors, near := "V1,V2\n", "effect,bf\n", "breed,ab,cd,ef,gh\nab,.7,.61,.52,.4\ncd,.61,.7,,.3\nef,.52,.55,.7,.2\ngh,.4,.3,.2,.7\n"
	for k := range 12 {
		tree += fmt.Sprintf("%d,%d\n", 30*k+1, 25*(k*7%12)+2)
		factors += fmt.Sprintf("b%d,%g\n", k, .01*float64(k*k%13)+.003)
	}
	for _, c := range [][3]string{ // name, text, and what is found or wrong
		{"participants", people, "nothing says that the columns are items of one test"},
		{"trials beside a questionnaire", trials, "[item 5 columns: one_1, one_2, two_1, two_2, two_3]"},
		{"words are no items", trials, "[note purebred, desexed: not items, because they have words where most columns have 0 and 1; if they are, use --family binary]"},
		{"names of a program", tree, "nothing says that the columns are items of one test"},
		{"one column", factors, "nothing says that the columns are items of one test"},
		{"few cells", "model,a,b,c,d\nm,.7,.6,,\nn,.6,.2,,\no,,,.9,\np,.1,,,.3\n", "[item 4 columns: a, b, c, d]"},
		{"symmetric but for a gap", near, "a symmetric matrix"},
	} {
		_, p, _, err := imported(t, tables.Wishes{}, tables.Reading{}, tab{"m.csv", c[1]})
		said := fmt.Sprint(err)
		if err == nil {
			said = fmt.Sprint(p.Found)
		}
		if !strings.Contains(said, c[2]) {
			t.Errorf("%s: %s, want %q", c[0], said, c[2])
		}
	}
}
