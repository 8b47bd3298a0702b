package tables_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"achilles/battery/tables"
)

// accepted reports whether a table was read, and an error of the test unless it was, or was refused with the words that are wanted.
func accepted(t *testing.T, name string, err error, want string) bool {
	t.Helper()
	switch {
	case want == "" && err != nil:
		t.Errorf("%s: %v", name, err)
	case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
		t.Errorf("%s: error %v, want %q", name, err, want)
	}
	return err == nil
}

// TestKinds checks what is taken of a wide table that has more than responses: times beside them, weights, sums, codes of no value, and tables whose rows
// are no responses of a subject.
func TestKinds(t *testing.T) {
	wide := "pid,age,"
	for q := range 4 {
		wide += fmt.Sprintf("q%d_resp,q%d_correct,q%d_rt,", q+1, q+1, q+1)
	}
	wide += "total_correct\n"
	redcap := "record_id,redcap_event_name,redcap_repeat_instance,age,phq9_1,phq9_2,phq9_3,phq9_4,phq9_total,phq9_complete\n"
	pisa := "CNT,SCHOOLID,STIDSTD,BOOKID,W_FSTUWT,PM1Q01,PM2Q01,PM3Q02,PM4Q03,PV1MATH,PV2MATH,PV3MATH\n"
	battles := "question_id,model_a,model_b,winner,turn\n"
	trials := "file,rowNo,stim,RT,correct\n"
	codes := "id,a,b,c\n"
	for k := range 12 {
		wide += fmt.Sprintf("P%d,%d,", k, 20+k)
		for q := range 4 {
			wide += fmt.Sprintf("a,%d,%d,", (k+q)%2, 400+31*k+q)
		}
		wide += "2\n"
		redcap += fmt.Sprintf("%d,base,,%d,%d,%d,%d,%d,%d,2\n%d,later,,,%d,%d,%d,%d,%d,2\n", k, 20+k, k%4, (k+1)%4, 0, 3, 20+k, k, (k+2)%4, 1, 2, 3, 17+k)
		pisa += fmt.Sprintf("FRA,%d,%d,%d,%g,%d,%d,%d,%d,%g,%g,%g\n", 1000+k/6, k+1, 1+k%4, 3.5+float64(k), k%2, (k+1)%2, k%3, (k/2)%2, 480+7.5*float64(k), 490+float64(k), 470.5+float64(k))
		battles += fmt.Sprintf("%d,m%d,n%d,%s,1\n", k, k%3, k%4, []string{"model_a", "tie", "model_b"}[k%3])
		trials += fmt.Sprintf("s%d,%d,i%d.png,%d,%d\n", k/4, k, k%4, 500+k, k%2)
		codes += fmt.Sprintf("s%d,%d,%d,%d\n", k, []int{0, 1, 2, 8, 9}[k%5], k%3, []int{0, 1, 2, 9}[k%4])
	}
	for _, c := range []struct {
		name, text string
		wish       tables.Wishes
		items      string // what was found
		err        string
	}{
		{"responses and times", wide, tables.Wishes{}, "4 columns: q1_correct, q2_correct, q3_correct, q4_correct", ""},
		{"points and times", strings.ReplaceAll(wide, "a,1,", "a,3,"), tables.Wishes{}, "", "columns of several kinds: q#_correct (4 columns from 0 to 3), q#_rt (4 columns from 400 to 744); name the responses by a word that their columns share, such as --metric correct"},
		{"correct", wide, tables.Wishes{Metric: "correct"}, "4 columns: q1_correct, q2_correct, q3_correct, q4_correct", ""},
		{"times", wide, tables.Wishes{Metric: "rt"}, "4 columns: q1_rt, q2_rt, q3_rt, q4_rt", ""},
		{"no such word", wide, tables.Wishes{Metric: "score"}, "", "no column is called score, and none has this word in its name"},
		{"an instrument, twice", redcap, tables.Wishes{}, "4 columns: phq9_1, phq9_2, phq9_3, phq9_4", ""},
		{"items, weights and plausible values", pisa, tables.Wishes{}, "4 columns: PM1Q01, PM2Q01, PM3Q02, PM4Q03", ""},
		{"pairs", battles, tables.Wishes{}, "", "each row compares two subjects (model_a and model_b; winner says which is better)"},
		{"trials without a name", trials, tables.Wishes{}, "", "rows seem to be single responses, for they have one score (correct) and one time (RT): name what was tested with --item"},
		{"codes", codes, tables.Wishes{}, "", "8, 9 beside 0, 1, 2 in responses: if they mean that there is no value, use --missing 8,9"},
		{"points, and a passed item of its own", "id,a1,a2,a3,last\nx,0,3,2,1\ny,1,2,5,0\nz,4,4,3,1\nw,2,0,1,0\n", tables.Wishes{}, "4 columns: a1, a2, a3, last", ""},
		{"as many alone as alike", "id,a1,a2,a3,p,q,r\nx,0,3,2,30,12,25\ny,1,2,5,22,30,27\nz,4,4,3,25,28,11\nw,2,0,1,27,21,29\n", tables.Wishes{}, "6 columns: a1, a2, a3, p, q, r", ""},
		{"codes, declared", codes, tables.Wishes{Missing: []string{"8", "9"}}, "3 columns: a, b, c", ""},
		{"one unit, of times", "id,ms,points\na,1234,3\nb,800,0\nc,1900,5\n", tables.Wishes{}, "", "columns of different units"},
	} {
		_, p, _, err := imported(t, c.wish, tables.Reading{}, tab{"m.csv", c.text})
		if !accepted(t, c.name, err, c.err) {
			continue
		}
		if !slices.Contains(p.Found, [2]string{"item", c.items}) {
			t.Errorf("%s: found %v, want item %s", c.name, p.Found, c.items)
		}
	}
}

// TestCompared checks tables that have no score, but what was answered and what is right; and other tables whose scores are said in another way.
func TestCompared(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       string
		found      [2]string
		err        string
	}{
		{"predictions", "model,question_id,prediction,gold,difficulty\nm,q1,A,a,1\nm,q2,B,A,2\nn,q1, A,a,1\nn,q2,,A,2\n", "m q1 1, m q2 0, n q1 1", [2]string{"score", "1 where prediction is what gold says, 0 where it is not"}, ""},
		{"numbers", "model,problem,answer,pred\nm,p1,12,12.0\nm,p2,7,8\nn,p1,12,11\nn,p2,7,7\n", "m p1 1, m p2 0, n p1 0, n p2 1", [2]string{"score", "1 where pred is what answer says, 0 where it is not"}, ""},
		{"sides, with times", "subject,stimulus,choice,correct_side,rt\ns,a,left,left,400\ns,b,left,right,500\nu,a,right,left,300\nu,b,right,right,350\n", "s a 1, s b 0, u a 0, u b 1", [2]string{"score", "1 where choice is what correct_side says, 0 where it is not"}, ""},
		{"a matrix of answers", "question,answer,gpt,llama,note\nWhy?,A,A,B,x\nHow?,B,B,B,y\nWho?,C,A,,z\n", "gpt How? 1, gpt Who? 0, gpt Why? 1, llama How? 1, llama Why? 0", [2]string{"score", "1 where a response is what answer says, 0 where it is not"}, ""},
		{"predictions of another kind", "model,item,prediction,target\nm,a,1.5,2\nm,b,2.25,2\nn,a,1.75,2\nn,b,3.5,2\n", "", [2]string{}, "m.csv"},
		{"numbers that may be near", "model,item,prediction,target\nm,a,1.5,2\nm,b,2,2\nn,a,1.75,2\nn,b,3.5,2\n", "", [2]string{}, "use --family binary if a response is right or wrong, or --family unit if it is better the nearer it is"},
		{"the same in every row", "model,item,prediction,gold\nm,a,A,A\nm,b,B,B\nn,a,A,A\nn,b,B,B\n", "", [2]string{}, "m.csv"},
		{"plus and minus", "child,a,b\nx,+,-\ny,-,+\nz,+,\n", "x a 1, x b 0, y a 0, y b 1, z a 1", [2]string{"score", "responses: -, + (binary)"}, ""},
		{"samples and successes", "task_id,model,n,c\nt1,m,20,3\nt2,m,20,20\nt1,k,20,0\nt2,k,10,5\n", "k t1 0 of 20, k t2 5 of 10, m t1 3 of 20, m t2 20 of 20", [2]string{"score", "c: 0, 3, 5, 20; of the trials in n (count)"}, ""},
		{"items called id", "model,id,correct,latency\nm,1,true,.5\nm,2,false,.6\nk,1,true,.1\nk,2,true,.2\n", "k 1 1, k 2 1, m 1 1, m 2 0", [2]string{"item", "id"}, ""},
		{"what else was measured of a model", "task,A (correct),A (time),B (correct),B (time),steps\nt1,1,9.5,0,8,2\nt2,0,7.25,1,3,4\nt3,1,4,1,1,6\n", "A (correct) t1 1, A (correct) t2 0, A (correct) t3 1, B (correct) t1 0, B (correct) t2 1, B (correct) t3 1", [2]string{"features", "1: steps"}, ""},
		{"yes, no and more", "id,a,b\n1,Yes,No\n2,No,Maybe\n3,Maybe,Yes\n", "", [2]string{}, `for a success or failure: Maybe;`},
		{"percentages and points", "model,mmlu,arc,gsm,elo\na,80.5,70.25,60,1200\nb,60.5,50.25,40,1100\nc,20.5,40.25,30,1000\n", "", [2]string{}, "elo is from 1000 to 1200, the others at most 80.5"},
	} {
		d, p, _, err := imported(t, tables.Wishes{}, tables.Reading{}, tab{"m.csv", c.text})
		if !accepted(t, c.name, err, c.err) {
			continue
		}
		if got := cells(d); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
		if !slices.Contains(p.Found, c.found) {
			t.Errorf("%s: found %v, want %v", c.name, p.Found, c.found)
		}
	}
}
