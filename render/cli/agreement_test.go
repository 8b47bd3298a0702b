package cli_test

import (
	"strings"
	"testing"
)

// TestAgreement checks both forms of a table of answers, a scenario, and what is refused.
func TestAgreement(t *testing.T) {
	t.Chdir(t.TempDir())
	wide, long := "item,right,options,m,n,o\n", "subject,item,answer,right,options\n"
	for i := range 60 {
		id := "q" + string(rune('a'+i/26)) + string(rune('a'+i%26))
		answers := [][]string{{"A", "A", "B"}, {"B", "B", "A"}, {"A", "C", "A"}}[i%3]
		wide += id + ",A,A B C," + strings.Join(answers, ",") + "\n"
		for k, x := range answers {
			long += string("mno"[k]) + "," + id + "," + x + ",A,3\n"
		}
	}
	write(t, "votes.csv", []byte(wide))
	write(t, "votes-long.csv", []byte(long))
	one, other := must(t, "agreement", "votes.csv", "--format", "csv"), must(t, "agreement", "votes-long.csv", "--format", "csv")
	// In two items of three two members are right; in the third, two wrong answers agree.
	if want := strings.ReplaceAll(other, "votes-long", "votes"); one != want || !strings.Contains(one, "\nvotes,plurality,3,60,0.5555") || !strings.Contains(one, ",0.6666666666666666,") || !strings.HasSuffix(one, ",1,1,1,0.5\n") {
		t.Errorf("a row per item:\n%sa row per answer:\n%s", one, other)
	}
	write(t, "gap.csv", []byte(strings.Replace(wide, "A,A,B\n", "A,,B\n", 1)))
	if code, out, stderr := achilles(t, "agreement", "gap.csv"); code != 0 || !strings.Contains(stderr, "1 of 60 items left out") || !strings.Contains(out, "Anatomy of votes") {
		t.Errorf("exit %d, %s%s", code, out, stderr)
	}
	if out := must(t, "agreement", "ctest", "--format", "csv"); !strings.Contains(out, "\nall simple,plurality,9,21,") {
		t.Errorf("of a scenario:\n%s", out)
	}
	for _, c := range []struct{ text, want string }{
		{"item,m\nq,A\n", "columns item and right are needed"},
		{"item,right,answer\nq,A,B\n", "both columns subject and answer"},
		{"item,right,m,n\nq,A,A,B\nq,A,B,B\n", `item q appears twice`},
		{"item,right,m,n\nq,,A,B\n", "has no right answer"},
		{"item,right,options,m,n\nq,A,B C,B,B\n", `the right answer "A" is not among the options "B C"`},
		{"item,right,options,m,n\nq,A,2,B,C\n", `with answer "C" there are more different answers than the 2 options`},
		{"item,right,options,m,n\nq,A,1,B,C\n", `options "1": want their number, from 2`},
		{"subject,item,answer,right\nm,q,A,A\nm,q,B,A\n", "m answers item q twice"},
		{"subject,item,answer,right\nm,q,A,A\nn,q,B,B\n", "item q has another right answer"},
		{"item,right,m,n\nq,A,A,B\n", "at least two items"},
	} {
		write(t, "bad.csv", []byte(c.text))
		if code, _, stderr := achilles(t, "agreement", "bad.csv"); code != 1 || !strings.Contains(stderr, c.want) {
			t.Errorf("%q: exit %d, %s", c.text, code, stderr)
		}
	}
	if code, _, stderr := achilles(t, "agreement", "quickstart"); code != 1 || !strings.Contains(stderr, "no collective") {
		t.Errorf("without collectives: exit %d, %s", code, stderr)
	}
}
