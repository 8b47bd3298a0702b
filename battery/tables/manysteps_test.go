package tables_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"achilles/battery/tables"
	"achilles/sim/record"
)

// TestManySteps reads whole numbers up to 20 as ordered categories, and says what else they may be where a questionnaire's scale would seldom have so many; of
// numbers of trials beside them they are successes.
func TestManySteps(t *testing.T) {
	table := func(most int) (text string) {
		text = "who,q1,q2,q3\n"
		for k := range 3 * (most + 1) {
			text += fmt.Sprintf("s%d,%d,%d,%d\n", k, k%(most+1), most-k%(most+1), (k+3)%(most+1))
		}
		return text
	}
	for _, c := range []struct {
		text   string
		family record.Family
		said   bool
	}{
		{table(5), record.Choice, false},
		{table(9), record.Choice, true},
		{"who,task,solved,of\na,x,2,9\na,y,9,9\nb,x,0,9\nb,y,5,9\n", record.Count, false},
	} {
		d, p, _, err := imported(t, tables.Wishes{}, tables.Reading{}, tab{"t.csv", c.text})
		if err != nil {
			t.Fatal(err)
		}
		said := slices.ContainsFunc(p.Found, func(x [2]string) bool { return x[0] == "read as" && strings.Contains(x[1], "0 to 9") })
		if f := d.Manifest.Measures[0].Family; f != c.family || said != c.said {
			t.Errorf("%s of\n%s; said %v, want %s, %v", f, c.text, said, c.family, c.said)
		}
	}
}
