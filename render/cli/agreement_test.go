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
	// The same answers by subject, with a key; a column that is no item of the key is left out.
	by, rows := "name,age", []string{"m,30", "n,40", "o,50"}
	key := "item,key\n"
	for _, line := range strings.Split(strings.TrimSpace(wide), "\n")[1:] {
		cells := strings.Split(line, ",")
		by, key = by+","+cells[0], key+cells[0]+",A\n"
		for k := range rows {
			rows[k] += "," + cells[3+k]
		}
	}
	write(t, "by.csv", []byte(by+"\n"+strings.Join(rows, "\n")+"\n"))
	write(t, "key.csv", []byte(key))
	if code, out, stderr := achilles(t, "agreement", "by.csv", "--key", "key.csv", "--format", "csv"); code != 0 || out != strings.ReplaceAll(one, "votes", "by") || !strings.Contains(stderr, "1 column left out") {
		t.Errorf("by subject: exit %d, %s%s", code, out, stderr)
	}
	write(t, "short.csv", []byte("subject,item,answer\n"+strings.ReplaceAll(strings.SplitN(long, "\n", 2)[1], ",A,3\n", "\n")))
	if out := must(t, "agreement", "short.csv", "--key", "key.csv", "--format", "csv"); out != strings.ReplaceAll(one, "votes", "short") {
		t.Errorf("rows without right answers:\n%s", out)
	}
	if code, _, stderr := achilles(t, "agreement", "votes.csv", "--key", "key.csv"); code != 1 || !strings.Contains(stderr, "leave --key out") {
		t.Errorf("two keys: exit %d, %s", code, stderr)
	}
	write(t, "gap.csv", []byte(strings.Replace(wide, "A,A,B\n", "A,,B\n", 1)))
	if code, out, stderr := achilles(t, "agreement", "gap.csv"); code != 0 || !strings.Contains(stderr, "1 of 60 items left out") || !strings.Contains(out, "Anatomy of votes") {
		t.Errorf("exit %d, %s%s", code, out, stderr)
	}
	if out := must(t, "agreement", "ctest", "--format", "csv"); !strings.Contains(out, "\nall simple,plurality,9,21,") {
		t.Errorf("of a scenario:\n%s", out)
	}
	for _, c := range []struct{ text, want string }{
		{"item,m\nq,A\n", "want the columns item and right"},
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
	// First places: B 2, A 2 and C 1 of q, where A is right by Borda count (7 points to 6 and 2); A of all at p.
	write(t, "ranks.csv", []byte("item,right,options,a,b,c,d,e\nq,A,A B C,B > A > C,B > A > C,A > B > C,A > C > B,C > A > B\np,A,A B C,A,A,A,A,A\n"))
	out := must(t, "agreement", "ranks.csv", "--table", "rules", "--format", "csv")
	for _, line := range []string{"\nplurality,0.75,", "\nmajority,0.5,", "\nborda,1,", "\ncopeland,1,"} {
		if !strings.Contains(out, line) {
			t.Errorf("no %q in\n%s", line, out)
		}
	}
	if out := must(t, "agreement", "votes.csv", "--table", "rules", "--format", "csv"); !strings.Contains(out, "\nplurality,0.6666666666666666,") {
		t.Errorf("of votes:\n%s", out)
	}
	// Signs without spaces are the same rankings, unless an answer has one in it.
	write(t, "ranks-tight.csv", []byte("item,right,options,a,b,c,d,e\nq,A,A B C,B>A>C,B>A> C,A>B >C,A>C>B,C>A>B\np,A,A B C,A,A,A,A,A\n"))
	if tight := must(t, "agreement", "ranks-tight.csv", "--table", "rules", "--format", "csv"); tight != out {
		t.Errorf("without spaces:\n%s", tight)
	}
	write(t, "signs.csv", []byte("item,right,m,n,o\nq,x>3,x>3 > x<3,x>3,x<3\np,x>3,x>3,x>3,x>3\n"))
	if signs := must(t, "agreement", "signs.csv", "--table", "rules", "--format", "csv"); !strings.Contains(signs, "\nplurality,1,") {
		t.Errorf("answers with the sign:\n%s", signs)
	}
	write(t, "ties.csv", []byte("item,right,m,n\nq,A,A = B > C,B > A\np,A,A,A\n"))
	if code, _, stderr := achilles(t, "agreement", "ties.csv", "--table", "rules"); code != 1 || !strings.Contains(stderr, `item q: ranking "A = B > C": "A = B" would be a tie, which is not read`) {
		t.Errorf("a tie: exit %d, %s", code, stderr)
	}
	write(t, "bad.csv", []byte("item,right,m,n\nq,A,A > A,B\np,A,A,B\n"))
	if code, _, stderr := achilles(t, "agreement", "bad.csv", "--table", "rules"); code != 1 || !strings.Contains(stderr, `ranking "A > A": an answer is empty or appears twice`) {
		t.Errorf("exit %d, %s", code, stderr)
	}
	if code, _, stderr := achilles(t, "agreement", "ctest", "--table", "rules"); code != 2 || !strings.Contains(stderr, "not for a scenario") {
		t.Errorf("exit %d, %s", code, stderr)
	}
	if code, _, stderr := achilles(t, "agreement", "quickstart"); code != 1 || !strings.Contains(stderr, "no collective") {
		t.Errorf("without collectives: exit %d, %s", code, stderr)
	}
}
