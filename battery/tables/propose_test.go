package tables_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/parquet-go/parquet-go"

	"achilles/battery/tables"
	"achilles/battery/tables/tablestest"
	"achilles/sim/record"
)

// A tab is a file of a test.
type tab struct{ name, text string }

// imported proposes a mapping for files and builds the dataset that it makes. It checks that the mapping, read again, makes the same.
func imported(t *testing.T, w tables.Wishes, r tables.Reading, files ...tab) (*record.Dataset, *tables.Proposal, []string, error) {
	t.Helper()
	open := func(r tables.Reading) (tables.Input, []string, error) {
		var list []*tables.File
		for _, f := range files {
			list = append(list, tablestest.File(f.name, []byte(f.text)))
		}
		return tables.Open([]tables.Format{tables.Rectangle()}, list, nil, nil, r)
	}
	in, notes, err := open(r)
	if err != nil {
		return nil, nil, nil, err
	}
	p, err := tables.Propose(in, w)
	if err != nil {
		return nil, nil, nil, err
	}
	d, more, err := tables.Build(in, p.Mapping)
	if err != nil {
		return nil, p, nil, err
	}
	m, err := tables.ParseMapping("mapping.toml", p.Text)
	if err != nil {
		t.Fatal(err)
	}
	if in, _, err = open(m.Read); err != nil {
		t.Fatal(err)
	}
	again, _, err := tables.Build(in, m)
	if err != nil {
		t.Fatalf("by the mapping that was written: %v\n%s", err, p.Text)
	}
	one, err := record.Encode(d)
	if err != nil {
		t.Fatal(err)
	}
	two, err := record.Encode(again)
	if err != nil {
		t.Fatal(err)
	}
	for name := range one {
		if !bytes.Equal(one[name], two[name]) {
			t.Fatalf("%s differs by the mapping that was written:\n%s", name, p.Text)
		}
	}
	return d, p, append(notes, more...), nil
}

// cells returns the responses of a dataset, each as subject item value, with /repetition and of trials where they are.
func cells(d *record.Dataset) string {
	var out []string
	for _, r := range d.Responses.All() {
		s := d.Subjects[r.Subject] + " " + d.Items.ID[r.Item] + " " + strconv.FormatFloat(r.Value, 'g', -1, 64)
		if r.Repetition != 0 {
			s += fmt.Sprint("/", r.Repetition)
		}
		if r.Trials != 0 {
			s += fmt.Sprint(" of ", r.Trials)
		}
		out = append(out, s)
	}
	return strings.Join(out, ", ")
}

// columns returns columns as name role values.
func columns(list []record.Column) string {
	var out []string
	for _, c := range list {
		s := c.Name + " " + string(c.Role)
		for i := range max(len(c.Number), len(c.Text)) {
			switch {
			case c.Missing != nil && c.Missing[i]:
				s += " -"
			case c.Kind == record.Number:
				s += " " + strconv.FormatFloat(c.Number[i], 'g', -1, 64)
			default:
				s += " " + c.Text[i]
			}
		}
		out = append(out, s)
	}
	return strings.Join(out, ", ")
}

func zipped(s string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = z.Write([]byte(s))
	z.Close()
	return b.String()
}

// wideChars returns UTF-16 with a byte order mark.
func wideChars(s string, big bool) string {
	var b []byte
	for _, u := range utf16.Encode([]rune("\ufeff" + s)) {
		if big {
			b = append(b, byte(u>>8), byte(u))
		} else {
			b = append(b, byte(u), byte(u>>8))
		}
	}
	return string(b)
}

func parquetOf[T any](t *testing.T, rows []T) string {
	t.Helper()
	var b bytes.Buffer
	if err := parquet.Write(&b, rows); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestShapes checks what is made of tables as people have them. What is right was written down by hand.
func TestShapes(t *testing.T) {
	const matrix = "model,q1,q2,q10\nb,1,NA,0\na,0,1,\n"
	const same = "a q1 0, a q2 1, b q1 1, b q10 0"
	type inner struct {
		Acc  float64 `parquet:"acc"`
		Norm float64 `parquet:"acc_norm"`
	}
	type nested struct {
		Model  string   `parquet:"model"`
		Doc    int64    `parquet:"doc_id"`
		Metric inner    `parquet:"metric"`
		Tags   []string `parquet:"tags,list"`
	}
	for _, c := range []struct {
		name    string
		files   []tab
		wish    tables.Wishes
		read    tables.Reading
		family  record.Family
		want    string
		beside  string // features; covariates
		found   string // is in a line of what was found
		notes   string
		mapping string // is in the mapping
	}{
		{name: "a matrix alone", files: []tab{{"m.csv", matrix}}, family: record.Binary, want: same, notes: "2 responses without a value"},
		{name: "gzip", files: []tab{{"m.csv.gz", zipped(matrix)}}, family: record.Binary, want: same},
		{name: "Excel's mark", files: []tab{{"m.csv", "\xef\xbb\xbf" + matrix}}, family: record.Binary, want: same},
		{name: "UTF-16", files: []tab{{"m.csv", wideChars(matrix, false)}}, family: record.Binary, want: same, found: "utf-16"},
		{name: "UTF-16, big end first", files: []tab{{"m.txt", wideChars(matrix, true)}}, family: record.Binary, want: same},
		{name: "UTF-16 in gzip", files: []tab{{"m.csv.gz", zipped(wideChars(matrix, true))}}, family: record.Binary, want: same},
		{name: "tabs", files: []tab{{"m.tsv", strings.ReplaceAll(matrix, ",", "\t")}}, family: record.Binary, want: same, found: `separator "\t"`},
		{name: "Excel's semicolons", files: []tab{{"m.csv", "sep=;\r\nmodel;q1;q2;\r\na;1;0;\r\nb;;1;\r\n;;;\r\n"}}, family: record.Binary, want: "a q1 1, a q2 0, b q2 1", found: "1 column: column 4"},
		{name: "French", files: []tab{{"e.csv", "élève;âge;tâche;réussite\na;3,5;q1;1\na;3,5;q2;0\nb;4;q1;1\nb;4;q2;1\n"}}, family: record.Binary, want: "a q1 1, a q2 0, b q1 1, b q2 1", found: "1: âge"},
		{name: "spaces after commas", files: []tab{{"m.csv", "model, q1, q2\na, 1, 0\nb, 0, 1\n"}}, family: record.Binary, want: "a q1 1, a q2 0, b q1 0, b q2 1"},
		{name: "Latin-1, named", files: []tab{{"m.csv", "mod\xe8le;q1;q2\n\xe9t\xe9;1;0\n"}}, read: tables.Reading{Encoding: "latin-1"}, family: record.Binary, want: "été q1 1, été q2 0"},
		{name: "Windows-1252, named", files: []tab{{"m.csv", "model;q1;q2\n5\x80;1;0\n"}}, read: tables.Reading{Encoding: "windows-1252"}, family: record.Binary, want: "5€ q1 1, 5€ q2 0"},
		{name: "decimal commas", files: []tab{{"m.csv", "model;a;b;c\nx;0,5;0,25;1\ny;0,125;1;0\n"}}, family: record.Unit, want: "x a 0.5, x b 0.25, x c 1, y a 0.125, y b 1, y c 0", mapping: `decimal = ","`},
		{name: "pandas with row numbers", files: []tab{{"m.csv", ",model,q1,q2,q3\n0,a,1,0,1\n1,b,0,0,1\n"}}, family: record.Binary, want: "a q1 1, a q2 0, a q3 1, b q1 0, b q2 0, b q3 1", found: "1 column: column 1"},
		{name: "pandas with names as index", files: []tab{{"m.csv", ",q1,q2\na,1,0\nb,0,0\n"}}, family: record.Binary, want: "a q1 1, a q2 0, b q1 0, b q2 0"},
		{name: "successes of trials", files: []tab{{"m.csv", "model,q1,q2\na,7/10,0/5\nb, 3 / 10 ,NA\n"}}, family: record.Count, want: "a q1 7 of 10, a q2 0 of 5, b q1 3 of 10", found: "read as successes of trials"},
		{name: "successes of trials in rows", files: []tab{{"m.csv", "model,item,score\na,q1,7/10\na,q2,0/5\nb,q1,3/10\n"}}, family: record.Count, want: "a q1 7 of 10, a q2 0 of 5, b q1 3 of 10", found: "read as successes of trials"},
		{name: "no names of subjects", files: []tab{{"m.csv", "q1,q2,q3\n1,0,1\n0,0,1\n"}}, family: record.Binary, want: "row 1 q1 1, row 1 q2 0, row 1 q3 1, row 2 q1 0, row 2 q2 0, row 2 q3 1"},
		{name: "no names at all", files: []tab{{"m.csv", "1,0,1\n0,0,1\n"}}, family: record.Binary, want: "row 1 column 1 1, row 1 column 2 0, row 1 column 3 1, row 2 column 1 0, row 2 column 2 0, row 2 column 3 1"},
		{name: "numbers of blocks are no demand", files: []tab{{"m.csv", "model,item,score,block,delay\na,x,1,1,2\na,y,0,2,4\nb,x,1,1,2\nb,y,0,2,4\n"}}, family: record.Binary, want: "a x 1, a y 0, b x 1, b y 0", beside: "block condition 1 2, delay demand 2 4;"},
		{name: "a part of an item's name", files: []tab{{"m.csv", "child,delay,no,score\na,2,1,1\na,2,2,0\na,2,3,0\na,4,1,1\na,4,2,1\na,4,3,0\n"}}, wish: tables.Wishes{Item: []string{"delay", "no"}}, family: record.Binary, want: "a 2/1 1, a 2/2 0, a 2/3 0, a 4/1 1, a 4/2 1, a 4/3 0", beside: "delay demand 2 2 2 4 4 4;"},
		{name: "a part of a subject's name", files: []tab{{"m.csv", "child,time,q1,q2\na,pre,1,0\na,post,1,1\nb,pre,0,0\nb,post,1,1\nc,pre,0,1\nc,post,1,1\n"}}, wish: tables.Wishes{Subject: []string{"child", "time"}}, family: record.Binary, want: "a/post q1 1, a/post q2 1, a/pre q1 1, a/pre q2 0, b/post q1 1, b/post q2 1, b/pre q1 0, b/pre q2 0, c/post q1 1, c/post q2 1, c/pre q1 0, c/pre q2 1", beside: "; time covariate post pre post pre post pre"},
		{name: "a leaderboard", files: []tab{{"m.csv", "Model,Params (B),Average,MMLU,GSM8K\na,7,50,60.5,39.5\nb,13,40,55.1,24.9\nc,180,45,50.5,39.5\n"}}, family: record.Real, want: "a GSM8K 39.5, a MMLU 60.5, b GSM8K 24.9, b MMLU 55.1, c GSM8K 39.5, c MMLU 50.5", beside: "; Params__B_ covariate 7 13 180"},
		{name: "a row of right answers", files: []tab{{"m.csv", "ID,q1,q2\nKEY,A,C\na,A,B\nb,B,C\nc,,C\n"}}, family: record.Binary, want: "a q1 1, a q2 0, b q1 0, b q2 1, c q2 1", found: "row KEY, which has the right answers"},
		{name: "looking times", files: []tab{{"m.csv", "infant,stimulus,looking_time\nx,s,1.5\nx,t,2.5\ny,s,3\ny,t,2\n"}}, family: record.Real, want: "x s 1.5, x t 2.5, y s 3, y t 2"},
		{name: "times below a second", files: []tab{{"m.csv", "infant,stimulus,rt\nx,s,0.5\nx,t,0.25\ny,s,0.3\ny,t,0.2\n"}}, family: record.Real, want: "x s 0.5, x t 0.25, y s 0.3, y t 0.2"},
		{name: "infants by days", files: []tab{{"m.csv", "lab,subid,age_days,stimulus,score\nA,x,9,s,1\nA,x,9,t,0\nB,y,9,s,0\nB,y,9,t,0\n"}}, family: record.Binary, want: "x s 1, x t 0, y s 0, y t 0"},
		{name: "items × subjects with demands", files: []tab{{"m.csv", "item,memory,gpt,claude\ni1,3,1,0\ni2,5,0,0\ni3,4,1,1\n"}}, family: record.Binary, want: "claude i1 0, claude i2 0, claude i3 1, gpt i1 1, gpt i2 0, gpt i3 1", beside: "memory demand 3 5 4;"},
		{name: "items × subjects, said", files: []tab{{"m.csv", "name,gpt,claude\ni1,1,0\ni2,0,0\n"}}, wish: tables.Wishes{Rows: "items"}, family: record.Binary, want: "claude i1 0, claude i2 0, gpt i1 1, gpt i2 0"},
		{name: "children with ages and words", files: []tab{{"k.csv", "Kind;Alter;Geschlecht;A1;A2\nk1;4,5;m;1;k.A.\nk2;6;w;0;1\nk3;5;m;krank;0\n"}}, wish: tables.Wishes{Missing: []string{"k.A.", "krank"}}, family: record.Binary, want: "k1 A1 1, k2 A1 0, k2 A2 1, k3 A2 0",
			beside: "; Alter covariate 4.5 6 5, Geschlecht covariate m w m", notes: "2 responses without a value"},
		{name: "99, declared", files: []tab{{"m.csv", "child,t1,t2\na,1,99\nb,0,1\n"}}, wish: tables.Wishes{Missing: []string{"99"}}, family: record.Binary, want: "a t1 1, b t1 0, b t2 1"},
		{name: "99, declared, as pandas writes it", files: []tab{{"m.csv", "child,t1,t2\na,1.0,99.0\nb,0.0,1.0\n"}}, wish: tables.Wishes{Missing: []string{"99"}}, family: record.Binary, want: "a t1 1, b t1 0, b t2 1"},
		{name: "chosen answers", files: []tab{{"m.csv", "student,q1,q2,age\na,A,c,7\nb,B,,8\nc,a,D,9\n"}}, wish: tables.Wishes{Key: map[string]string{"q1": "A", "q2": "C"}}, family: record.Binary, want: "a q1 1, a q2 1, b q1 0, c q1 1, c q2 0", beside: "; age covariate 7 8 9", mapping: "[responses.key]\n\"q1\" = \"A\"\n\"q2\" = \"C\"", found: "right answers of 2 columns"},
		{name: "chosen numbers", files: []tab{{"m.csv", "q1,q2\n1,3\n2,9\n4,4\n"}}, wish: tables.Wishes{Key: map[string]string{"q1": "1.0", "q2": "4"}, Missing: []string{"9"}}, family: record.Binary, want: "row 1 q1 1, row 1 q2 0, row 2 q1 0, row 3 q1 0, row 3 q2 1"},
		{name: "patterns and their counts", files: []tab{{"m.csv", "q1,q2,Freq\n0,0,2\n1,0,0\n0,1,1\n1,1,2\n"}}, wish: tables.Wishes{Count: "Freq"}, family: record.Binary,
			want: "row 1 q1 0, row 1 q2 0, row 2 q1 0, row 2 q2 0, row 3 q1 0, row 3 q2 1, row 4 q1 1, row 4 q2 1, row 5 q1 1, row 5 q2 1", found: "as many subjects as Freq says", mapping: `count = "Freq"`},
		{name: "patterns with names", files: []tab{{"m.csv", "subject,q1,q2,n\na,0,0,2\nb,1,0,1\n"}}, wish: tables.Wishes{Count: "n"}, family: record.Binary, want: "a/1 q1 0, a/1 q2 0, a/2 q1 0, a/2 q2 0, b/1 q1 1, b/1 q2 0"},
		{name: "a number of each subject", files: []tab{{"m.csv", "q1,q2,n\n0,0,2\n1,0,0\n0,1,1\n"}}, wish: tables.Wishes{Count: "none"}, family: record.Binary, want: "row 1 q1 0, row 1 q2 0, row 2 q1 1, row 2 q2 0, row 3 q1 0, row 3 q2 1", beside: "; n covariate 2 0 1"},
		{name: "a number of each subject, where responses repeat", files: []tab{{"m.csv", "q1,q2,n\n0,0,2\n0,0,3\n0,1,1\n"}}, family: record.Binary, want: "row 1 q1 0, row 1 q2 0, row 2 q1 0, row 2 q2 0, row 3 q1 0, row 3 q2 1", beside: "; n covariate 2 3 1"},
		{name: "99 that is a score", files: []tab{{"m.csv", "child,t1,t2\na,1,99\nb,0,1\n"}}, wish: tables.Wishes{Family: "count"}, family: record.Count, want: "a t1 1, a t2 99, b t1 0, b t2 1"},
		{name: "ordered categories", files: []tab{{"m.tsv", "person\tl1\tl2\nA\t1\t5\nB\t2\t4\n"}}, family: record.Choice, want: "A l1 0, A l2 3, B l1 1, B l2 2", found: "categories numbered from 0", mapping: "[responses.levels]\n\"1\" = 0\n\"2\" = 1\n\"4\" = 2\n\"5\" = 3"},
		{name: "ordered categories from 0", files: []tab{{"m.tsv", "person\tl1\tl2\nA\t2\t0\nB\t0\t1\nC\t1\t2\n"}}, family: record.Choice, want: "A l1 2, A l2 0, B l1 0, B l2 1, C l1 1, C l2 2"},
		{name: "ordered categories, declared", files: []tab{{"m.tsv", "person\tl1\tl2\nA\t1\t5\nB\t2\t4\n"}}, wish: tables.Wishes{Levels: map[string]string{"1": "1", "2": "2", "3": "3", "4": "4", "5": "5"}}, family: record.Choice, want: "A l1 0, A l2 4, B l1 1, B l2 3"},
		{name: "words of an order", files: []tab{{"m.tsv", "person\tl1\tl2\nA\tnever\toften\nB\trarely\tnever\n"}}, wish: tables.Wishes{Levels: map[string]string{"never": "1", "rarely": "2", "often": "3"}}, family: record.Choice, want: "A l1 0, A l2 2, B l1 1, B l2 0"},
		{name: "pass and fail", files: []tab{{"m.csv", "student,q1,q2\nA,P,F\nB,F,P\n"}}, family: record.Binary, want: "A q1 1, A q2 0, B q1 0, B q2 1"},
		{name: "an item nobody answered", files: []tab{{"m.csv", "model,q1,q2\na,1,\nb,0,\n"}}, family: record.Binary, want: "a q1 1, b q1 0", notes: "2 responses without a value; 1 item without a response: q2"},
		{name: "a subject who answered nothing", files: []tab{{"m.csv", "model,q1,q2\na,1,0\nb,,n/a\n"}}, family: record.Binary, want: "a q1 1, a q2 0", notes: "2 responses without a value; 1 subject without a response: b"},
		{name: "letters", files: []tab{{"c.csv", "model,task,sample,epoch,score\nm,t,1,1,C\nm,t,2,1,I\nm,u,1,1,N\n"}}, family: record.Binary, want: "m t/1 1, m t/2 0, m u/1 0", notes: "1 value N (no answer) read as 0"},
		{name: "letters with partial credit", files: []tab{{"c.csv", "model,item,score\nm,1,C\nm,2,P\n"}}, family: record.Unit, want: "m 1 1, m 2 0.5"},
		{name: "models in scaffolds", files: []tab{{"c.csv", "pair_id,condition,config,model,harness,success\np1,coop,c,X,h,False\np1,solo,c,X,h,True\np2,coop,g,Y,h,\n"}}, family: record.Binary, want: "X/c/coop p1 0, X/c/solo p1 1", notes: "1 response without a value; 1 item without a response: p2; 1 subject without a response: Y/g/coop"},
		{name: "one of two filters", files: []tab{{"c.csv", "model,doc_id,filter,exact_match\nm,0,strict,1\nm,0,flex,0\n"}}, wish: tables.Wishes{Filter: "strict"}, family: record.Binary, want: "m 0 1", notes: "1 row left out by where and only", mapping: `"filter" = "strict"`},
		{name: "one of two metrics", files: []tab{{"c.csv", "model,doc_id,acc,acc_norm\nm,0,0,1\nm,1,1,0\n"}}, wish: tables.Wishes{Metric: "acc_norm"}, family: record.Binary, want: "m 0 1, m 1 0"},
		{name: "repetitions by a column", files: []tab{{"c.csv", "model,item,run,score\na,x,1,1\na,x,2,0\n"}}, family: record.Binary, want: "a x 1/1, a x 0/2"},
		{name: "repetitions with names", files: []tab{{"c.csv", "model,item,run,score\na,x,run 10,1\na,x,run 9,0\n"}}, family: record.Binary, want: "a x 0, a x 1/1"},
		{name: "repetitions as they stand", files: []tab{{"c.csv", "model,item,score\na,x,1\na,x,0\nb,x,1\na,x,1\n"}}, wish: tables.Wishes{Repetition: "order"}, family: record.Binary, want: "a x 1, a x 0/1, a x 1/2, b x 1"},
		{name: "repetitions in two columns", files: []tab{{"c.csv", "id,item,resp,wave,trial\na,x,1,1,1\na,x,0,1,2\na,x,1,2,1\n"}}, family: record.Binary, want: "a x 1, a x 0/1, a x 1/2"},
		{name: "counts and trials", files: []tab{{"c.csv", "subject,item,correct,n_trials\na,x,3,4\na,y,0,1\n"}}, family: record.Count, want: "a x 3 of 4, a y 0 of 1"},
		{name: "ADeLe", files: []tab{
			{"results.csv", "benchmark,instance_id,model,scaffold,success,n_trials,source\nalpha,1,small,none,0.7143,70,x\nalpha,2,small,none,.25,4,x\nalpha,1,large,none,0,4,x\nalpha,1,large,agent,1,4,x\nbeta,1,small,none,0.3333,3,x\n"},
			{"annotations.csv", "benchmark,instance_id,v2/PLp,v2/PLe,n_trials,solve_rate\nalpha,1,0.0,4,8,.5\nalpha,2,,0,8,.5\nbeta,1,3.0,0,8,.5\nbeta,2,3.0,1,8,.5\n"}},
			family: record.Count, want: "large/agent alpha/1 4 of 4, large/none alpha/1 0 of 4, small/none alpha/1 50 of 70, small/none alpha/2 1 of 4, small/none beta/1 1 of 3",
			beside: "v2_PLp demand 0 - 3 3, v2_PLe demand 4 0 0 1;", found: "2 columns of annotations.csv: n_trials, solve_rate", notes: "1 item without a response: beta/2"},
		{name: "Task-Suitability-Profiles", files: []tab{
			{"runs/gpt.csv", "task_name,sample_id,score,metadata\nALPHA,1,1.0,\"{'a': 'x, y'}\"\nBETA,1,0.0,\"{'a': 'x, y'}\"\n"},
			{"runs/claude.csv", "task_name,sample_id,score,metadata\nALPHA,1,0.0,\"{}\"\nBETA,2,1.0,\"{}\"\n"},
			{"ann.csv", "dataset name,sample id,Causal Reasoning\nALPHA,1,4\nBETA,1,5\n"}},
			family: record.Binary, want: "claude ALPHA/1 0, gpt ALPHA/1 1, gpt BETA/1 0", beside: "Causal_Reasoning demand 4 5;", notes: "1 response to 1 item that the table of items does not have: BETA/2"},
		{name: "files of one name in folders", files: []tab{{"runs/a/r.csv", "item,score\nx,1\n"}, {"runs/b/r.csv", "item,score\nx,0\n"}}, family: record.Binary, want: "a/r x 1, b/r x 0"},
		{name: "Item Response Warehouse", files: []tab{{"w.csv", "id,item,resp,trial,rt,cov_age,itemcov_length\ns0,m0,0,1,2.33,3,2\ns0,m0,1,2,2.85,3,2\ns1,m1,1,1,0.5,4,5\n"}}, family: record.Binary, want: "s0 m0 0/1, s0 m0 1/2, s1 m1 1/1", beside: "length demand 2 5; age covariate 3 4", found: "1 column: rt"},
		{name: "a table of subjects", files: []tab{{"m.csv", "child,q1,q2\na,1,0\nb,0,1\n"}, {"s.csv", "child,age\na,4\nb,7\n"}}, family: record.Binary, want: "a q1 1, a q2 0, b q1 0, b q2 1", beside: "; age covariate 4 7"},
		{name: "a head and rows", files: []tab{{"r.jsonl", `{"model": "a", "q1": 1, "q2": 0, "tags": [{"x": 1}]}` + "\n" + `{"model": "b", "q1": 0, "q2": 1, "tags": []}`}}, family: record.Binary, want: "a q1 1, a q2 0, b q1 0, b q2 1"},
		{name: "rows of one scoring or of all", files: []tab{{"r.csv", "model,item,score,source\nm,0,1,u\nm,0,0,v\nn,0,0.5,\n"}}, wish: tables.Wishes{Only: map[string]string{"source": "v"}}, family: record.Unit, want: "m 0 0, n 0 0.5"},
		{name: "a word among numbers beside", files: []tab{{"m.csv", "id,i1,i2,i3\na,1,0,1\nb,0,1,1\n"}, {"i.csv", "item,level,kind\ni1,1,x\ni2,two,x\ni3,3,y\n"}}, family: record.Binary, want: "a i1 1, a i2 0, a i3 1, b i1 0, b i2 1, b i3 1", beside: "kind condition x x y;", found: `column level of i.csv has words among its numbers (two), and is left out; if they mean that there is no value, use --missing "two"`},
		{name: "items without names", files: []tab{{"m.csv", "id,i2,i1,i3\na,1,0,1\nb,0,1,1\n"}, {"q.csv", "A1,A2\n1,0\n0,1\n1,1\n"}}, family: record.Binary, want: "a i1 0, a i2 1, a i3 1, b i1 1, b i2 0, b i3 1", beside: "A1 demand 0 1 1, A2 demand 1 0 1;", found: "rows of q.csv have no names: read as the items in the order of the columns", mapping: `id = "(order)"`},
		{name: "keys and groups of school studies", files: []tab{{"m.csv", "idstud,idclass,female,i1,i2,i3\n1001,11,1,2,0,1\n1002,11,0,3,2,0\n1003,12,0,1,1,3\n"}}, family: record.Choice, want: "1001 i1 2, 1001 i2 0, 1001 i3 1, 1002 i1 3, 1002 i2 2, 1002 i3 0, 1003 i1 1, 1003 i2 1, 1003 i3 3", beside: "; idclass covariate 11 11 12, female covariate 1 0 0"},
		{name: "rows of one scoring", files: []tab{{"r.csv", "model,item,score,source\nm,0,1,u\nm,0,0,v\nn,0,1,v\n"}}, wish: tables.Wishes{Only: map[string]string{"source": "v"}}, family: record.Binary, want: "m 0 0, n 0 1"},
		{name: "JSON lines", files: []tab{{"r.jsonl", `{"model_id": "a", "item_id": "q1", "correct": 0}` + "\n\n" + `{"model_id": "b", "item_id": "q1", "correct": 1, "tags": [1, {"x": [2]}]}`}}, family: record.Binary, want: "a q1 0, b q1 1", found: "1 key left out, which have lists: tags"},
		{name: "a JSON list", files: []tab{{"r.json", `[{"model":"a","item":{"id":"q1"},"correct":true},{"model":"a","item":{"id":"q2"},"correct":null}]`}}, wish: tables.Wishes{Item: []string{"item.id"}}, family: record.Binary, want: "a q1 1"},
		{name: "Parquet with a struct", files: []tab{{"d.parquet", parquetOf(t, []nested{{"m", 0, inner{1, 0}, nil}, {"m", 1, inner{0, 0.5}, nil}})}}, wish: tables.Wishes{Metric: "acc"}, family: record.Binary, want: "m 0 1, m 1 0", found: "tags.list.element"},
		{name: "rates of success are no demands", files: []tab{
			{"r.csv", "model,instance_id,passed\na,x,True\na,y,False\nb,x,True\n"},
			{"a.csv", "instance_id,repository,language,n_configs,solved_trials,solve_rate,solve_rate_pre_timeout,excluded_by,keep,v2/PLp\nx,r/x,go,70,211,.7536,.7379,,True,2.0\ny,r/y,go,70,205,.7321,.7056,,True,\nz,r/z,rust,70,1,.1,.1,epoch_defect,False,3.0\n"}},
			family: record.Binary, want: "a x 1, a y 0, b x 1", beside: "language condition go go rust, v2_PLp demand 2 - 3;", found: "7 columns of a.csv: repository, n_configs, solved_trials, solve_rate, solve_rate_pre_timeout, excluded_by, keep", notes: "1 item without a response: z"},
		{name: "sums and names of students", files: []tab{{"m.csv", "student_code,name,q1,q2,total_score\n101,Ann,1,0,1\n102,Bo,1,1,2\n"}}, family: record.Binary, want: "101 q1 1, 101 q2 0, 102 q1 1, 102 q2 1", beside: ";", found: "2 columns: name, total_score"},
		{name: "spaces around cells", files: []tab{{"m.csv", "\n model , q1 ,q2\n a , 1 , n/a \n   \nb,, 0 \n"}}, family: record.Binary, want: "a q1 1, b q2 0", notes: "2 responses without a value"},
		{name: "comments before the names", files: []tab{{"m.csv", "# by x, y\n# 2024\nmodel,q1,q2\na,1,0\nb,0,1\n"}}, family: record.Binary, want: "a q1 1, a q2 0, b q1 0, b q2 1"},
		{name: "names of columns as a comment", files: []tab{{"m.csv", "#model,q1,q2\na,1,0\nb,0,1\n"}}, wish: tables.Wishes{Subject: []string{"#model"}}, family: record.Binary, want: "a q1 1, a q2 0, b q1 0, b q2 1"},
		{name: "write.table of R", files: []tab{{"m.txt", "\"q1\" \"q2\"\n\"a\" 1 0\n\"b\" 0 1\n"}}, family: record.Binary, want: "a q1 1, a q2 0, b q1 0, b q2 1"},
		{name: "shares of three trials", files: []tab{{"m.csv", "model,q1,q2\na,0.33,1\nb,0,.67\n"}}, wish: tables.Wishes{Trials: "3"}, family: record.Count, want: "a q1 1 of 3, a q2 3 of 3, b q1 0 of 3, b q2 2 of 3", found: "coding proportions of 3 trials", mapping: "trials = 3\n"},
		{name: "the same in per cent", files: []tab{{"m.csv", "model,q1,q2\na,33,100\nb,0,67\n"}}, wish: tables.Wishes{Trials: "3"}, family: record.Count, want: "a q1 1 of 3, a q2 3 of 3, b q1 0 of 3, b q2 2 of 3"},
		{name: "with the sign", files: []tab{{"m.csv", "model,q1,q2\na,33%,100%\nb,0%,67%\n"}}, wish: tables.Wishes{Trials: "3"}, family: record.Count, want: "a q1 1 of 3, a q2 3 of 3, b q1 0 of 3, b q2 2 of 3"},
		{name: "successes of three trials", files: []tab{{"m.csv", "item,a,b\nq1,1,0\nq2,3,2\n"}}, wish: tables.Wishes{Trials: "3"}, family: record.Count, want: "a q1 1 of 3, a q2 3 of 3, b q1 0 of 3, b q2 2 of 3", found: "coding numbers of successes among 3 trials"},
		{name: "none above one of three trials", files: []tab{{"m.csv", "model,q1,q2\na,1,0\nb,0,1\n"}}, wish: tables.Wishes{Trials: "3"}, family: record.Count, want: "a q1 1 of 3, a q2 0 of 3, b q1 0 of 3, b q2 1 of 3", found: "coding numbers of successes among 3 trials"},
		{name: "trials in a column of another name", files: []tab{{"r.csv", "model,item,score,asked\na,q1,.5,2\na,q2,.25,4\n"}}, wish: tables.Wishes{Trials: "asked"}, family: record.Count, want: "a q1 1 of 2, a q2 1 of 4"},
		{name: "degrees beside yes and no", files: []tab{{"m.csv", "id,a,b,c,happy,calm,sad\n1,0,1,1,1,2,3\n2,1,0,0,2,3,1\n3,1,1,0,3,1,2\n4,0,0,1,4,5,4\n"}}, family: record.Binary, want: "1 a 0, 1 b 1, 1 c 1, 2 a 1, 2 b 0, 2 c 0, 3 a 1, 3 b 1, 3 c 0, 4 a 0, 4 b 0, 4 c 1", found: `import them by themselves: --family choice --leave-out "a,b,c"`},
		{name: "the degrees by themselves", files: []tab{{"m.csv", "id,a,b,happy,calm,sad\n1,0,1,1,2,3\n2,1,0,2,3,1\n3,1,1,3,1,2\n"}}, wish: tables.Wishes{Family: "choice", Selection: tables.Selection{LeaveOut: []string{"a", "b"}}}, family: record.Choice, want: "1 calm 1, 1 happy 0, 1 sad 2, 2 calm 2, 2 happy 1, 2 sad 0, 3 calm 0, 3 happy 2, 3 sad 1"},
		{name: "choices between gambles", files: []tab{{"m.csv", "valueA,probA,valueB,probB,choseA\n40,.5,20,1,0\n90,.1,8,.9,1\n"}}, wish: tables.Wishes{Metric: "choseA", Item: []string{"valueA", "probA", "valueB", "probB"}}, family: record.Binary, want: "m 40/.5/20/1 0, m 90/.1/8/.9 1"},
		{name: "items called A and B", files: []tab{{"m.csv", "id,q1A,q1B,q2A,q2B\nx,1,0,1,1\ny,0,1,1,0\n"}}, family: record.Binary, want: "x q1A 1, x q1B 0, x q2A 1, x q2B 1, y q1A 0, y q1B 1, y q2A 1, y q2B 0"},
		{name: "−1 and 1", files: []tab{{"m.csv", "model,q1,q2\na,1,-1\nb,-1.0,1.0\n"}}, family: record.Binary, want: "a q1 1, a q2 0, b q1 0, b q2 1", found: "coding -1 is read as 0, 1 as 1"},
		{name: "0 and 100", files: []tab{{"m.csv", "model,item,score\na,q1,100\na,q2,0\n"}}, family: record.Binary, want: "a q1 1, a q2 0", found: "coding 0 is read as 0, 100 as 1"},
		{name: "solved and unsolved", files: []tab{{"m.csv", "model,q1,q2\na,solved,✗\nb,unsolved,✓\n"}}, family: record.Binary, want: "a q1 1, a q2 0, b q1 0, b q2 1"},
		{name: "successes of attempts", files: []tab{{"c.csv", "item,model,n_correct,n_total\nx,a,3,4\ny,a,0,9\n"}}, family: record.Count, want: "a x 3 of 4, a y 0 of 9"},
		{name: "percentages of trials", files: []tab{{"c.csv", "item,model,pass_rate,n_samples\nx,a,33.33,3\ny,a,0.00,9\nx,b,100,4\ny,b,14.29,7\n"}}, family: record.Count, want: "a x 1 of 3, a y 0 of 9, b x 4 of 4, b y 1 of 7"},
		{name: "a row per subject and run", files: []tab{{"m.csv", "model,run,q1,q2\na,0,1,0\na,1,1,1\nb,0,0,0\nb,1,0,1\n"}}, family: record.Binary, want: "a q1 1, a q1 1/1, a q2 0, a q2 1/1, b q1 0, b q1 0/1, b q2 0, b q2 1/1"},
		{name: "objects by their names", files: []tab{{"m.json", `{"a": {"q1": 1, "q2": 0}, "b": {"q1": 0, "q2": null}}`}}, family: record.Binary, want: "a q1 1, a q2 0, b q1 0", notes: "1 response without a value"},
		{name: "a row of sums", files: []tab{{"t.csv", "model,q1,q2,q3\na,1,0,1\nb,1,0,0\nc,0,1,1\nTotal,2,1,2\n"}}, family: record.Binary, want: "a q1 1, a q2 0, a q3 1, b q1 1, b q2 0, b q3 0, c q1 0, c q2 1, c q3 1", found: "left out row Total, the sum of the others", mapping: `leave_out = ["Total"]`, notes: "1 row left out by leave_out"},
		{name: "a row of means, in per cent", files: []tab{{"m.csv", "model,q1,q2,q3\na,1,0,1\nb,1,0,0\nc,0,1,1\nAverage,67%,33%,67%\n"}}, family: record.Binary, want: "a q1 1, a q2 0, a q3 1, b q1 1, b q2 0, b q3 0, c q1 0, c q2 1, c q3 1", found: "row Average, the mean, in per cent, of the others"},
		{name: "a subject called mean", files: []tab{{"m.csv", "model,q1,q2\na,1,0\nb,1,0\nc,0,1\nmean,1,0\n"}}, family: record.Binary, want: "a q1 1, a q2 0, b q1 1, b q2 0, c q1 0, c q2 1, mean q1 1, mean q2 0"},
		{name: "per cent", files: []tab{{"m.csv", "model,q1,q2\na,1.8%,0%\nb,100 %,80.3%\n"}}, family: record.Unit, want: "a q1 0.018, a q2 0, b q1 1, b q2 0.803"},
		{name: "per cent with decimal commas", files: []tab{{"m.csv", "model;q1;q2\na;1,8 %;0 %\nb;100 %;80,3 %\n"}}, family: record.Unit, want: "a q1 0.018, a q2 0, b q1 1, b q2 0.803"},
		{name: "a title above", files: []tab{{"m.csv", "Results of spring,,\n\nmodel,q1,q2\na,1,0\nb,0,1\n"}}, family: record.Binary, want: "a q1 1, a q2 0, b q1 0, b q2 1"},
		{name: "Markdown", files: []tab{{"r.md", "# Results\n\n| model | q1 | `q2` |\n|:---|:-:|---|\n| **a** | 1 | 0 |\n| b | 0 | 1 |\n\nThanks.\n"}}, family: record.Binary, want: "a q1 1, a q2 0, b q1 0, b q2 1"},
		{name: "a drawn table", files: []tab{{"r.txt", "+-------+----+----+\n| model | q1 | q2 |\n+=======+====+====+\n| a | 1 | 0 |\n+-------+----+----+\n| b | 0 | 1 |\n+-------+----+----+\n"}}, family: record.Binary, want: "a q1 1, a q2 0, b q1 0, b q2 1"},
		{name: "a table drawn of boxes", files: []tab{{"r.log.txt", "┏━━━━━━━┳━━━━┳━━━━┓\n┃ model ┃ q1 ┃ q2 ┃\n┡━━━━━━━╇━━━━╇━━━━┩\n│ a     │  1 │  0 │\n│ b     │  0 │  1 │\n└───────┴────┴────┘\n"}}, family: record.Binary, want: "a q1 1, a q2 0, b q1 0, b q2 1"},
		{name: "a table of psql", files: []tab{{"r.txt", " model | q1 | q2 \n-------+----+----\n a     |  1 |  0\n b     |  0 |  1\n(2 rows)\n"}}, family: record.Binary, want: "a q1 1, a q2 0, b q1 0, b q2 1"},
		{name: "HTML", files: []tab{{"r.html", "<html><body><table><tr><td>menu</td></tr></table><TABLE><thead><tr><th rowspan=2>model<th colspan=2>easy<th>hard</tr><tr><th>q1<th>q2<th>q1</tr></thead><tbody><tr><td>a &amp;<br>co</td><td>1<td>0<td>1</tr><tr><td><b>b</b><td>0<td colspan=2>1</tr></table>"}}, family: record.Binary, want: "a & co easy q1 1, a & co easy q2 0, a & co hard q1 1, b easy q1 0, b easy q2 1, b hard q1 1", found: "HTML; 2 rows × 4 columns"},
		{name: "HTML as .xls, without names", files: []tab{{"r.xls", "<table><tr><td>1</td><td>0</td><td>1</td></tr><tr><td>0</td><td>0</td></tr></table>"}}, family: record.Binary, want: "row 1 column 1 1, row 1 column 2 0, row 1 column 3 1, row 2 column 1 0, row 2 column 2 0"},
		{name: "LaTeX", files: []tab{{"r.tex", "\\begin{table} % of ours\n\\begin{tabular}{l c@{}c}\n\\toprule\n\\textbf{model} & $q_1$ & q\\_2 \\\\ \\cmidrule(lr){2-3}\na \\& co & 1 & \\xmark \\\\[2pt] % & 5\n\\hline b 5\\% & 0 & \\checkmark \\\\\n\\bottomrule\n\\end{tabular}\n\\end{table}\n"}}, family: record.Binary, want: "a & co q_1 1, a & co q_2 0, b 5% q_1 0, b 5% q_2 1"},
		{name: "LaTeX in a cell", files: []tab{{"r.csv", "model,item,prompt,score\na,x,\"\\begin{tabular}{l}x \\end{tabular}\",1\nb,x,\"\\begin{tabular}{l}x \\end{tabular}\",0\na,y,no,0\n"}}, family: record.Binary, want: "a x 1, a y 0, b x 0"},
		{name: "aligned by blanks", files: []tab{{"r.txt", "model    q1  q2\n-----    --  --\nclaude    1   0\nb         0   1\n"}}, family: record.Binary, want: "b q1 0, b q2 1, claude q1 1, claude q2 0", found: "format aligned text; 2 rows × 3 columns"},
		{name: "aligned, with blanks in names", files: []tab{{"r.txt", "model      q1  q2\nclaude 4    1   0\nb           0   1\n"}}, family: record.Binary, want: "b q1 0, b q2 1, claude 4 q1 1, claude 4 q2 0"},
		{name: "aligned, with blanks in names and cells without a value", files: []tab{{"r.prn", "model      q1 q2\nclaude 4    1  0\nb              1\n"}}, family: record.Binary, want: "b q2 1, claude 4 q1 1, claude 4 q2 0"},
		{name: "as pandas prints it", files: []tab{{"r.txt", "    model  q1  q2\n0  claude   1   0\n1       b   0   1\n"}}, family: record.Binary, want: "b q1 0, b q2 1, claude q1 1, claude q2 0"},
		{name: "carriage returns", files: []tab{{"m.csv", "model,q1,q2\ra,1,0\rb,0,1\r"}}, family: record.Binary, want: "a q1 1, a q2 0, b q1 0, b q2 1"},
		{name: "sums without a name", files: []tab{{"t.csv", "model,q1,q2,q3\na,1,0,1\nb,1,0,0\nc,0,1,1\n,2,1,2\n"}}, family: record.Binary, want: "a q1 1, a q2 0, a q3 1, b q1 1, b q2 0, b q3 0, c q1 0, c q2 1, c q3 1", found: "left out row without a name, the sum of the others", mapping: `leave_out = [""]`, notes: "1 row left out by leave_out"},
		{name: "sums without a name above", files: []tab{{"t.csv", "model,q1,q2,q3\n,67%,33%,67%\na,1,0,1\nb,1,0,0\nc,0,1,1\n"}}, family: record.Binary, want: "a q1 1, a q2 0, a q3 1, b q1 1, b q2 0, b q3 0, c q1 0, c q2 1, c q3 1", found: "row without a name, the mean, in per cent, of the others"},
		{name: "Markdown in a cell", files: []tab{{"r.csv", "model,item,prompt,score\na,x,\"Look:\n| a | b |\n|---|---|\n| 1 | 2 |\",1\nb,x,\"Look:\n| a | b |\n|---|---|\n| 1 | 2 |\",0\na,y,no,0\n"}}, family: record.Binary, want: "a x 1, a y 0, b x 0"},
		{name: "a form with times", files: []tab{{"m.csv", "Timestamp,Name,q1,q2\n2024-01-01 10:00,Ann,1,0\n2024-01-02 10:00,Bo,0,1\n"}}, family: record.Binary, want: "Ann q1 1, Ann q2 0, Bo q1 0, Bo q2 1"},
		{name: "prompts of items", files: []tab{{"r.csv", "model,item,prompt,score\na,x,\"one\ntwo\",1\nb,x,\"one\ntwo\",0\na,y,three,0\nb,y,three,1\n"}}, family: record.Binary, want: "a x 1, a y 0, b x 0, b y 1"},
		{name: "items of several scales, said", files: []tab{{"m.csv", "model,q1,q2,q3\na,1,0,2\nb,0,1,0\nc,1,1,1\n"}}, wish: tables.Wishes{Family: "choice"}, family: record.Choice, want: "a q1 1, a q2 0, a q3 2, b q1 0, b q2 1, b q3 0, c q1 1, c q2 1, c q3 1"},
		{name: "yes and no in German", files: []tab{{"m.csv", "Kind,a1,a2\nA,ja,nein\nB,nein,ja\n"}}, family: record.Binary, want: "A a1 1, A a2 0, B a1 0, B a2 1"},
		{name: "constants say nothing", files: []tab{{"c.csv", "model,item,version,length,score\na,x,2,1,1\na,y,2,3,0\n"}}, family: record.Binary, want: "a x 1, a y 0", beside: "length demand 1 3;", found: "1 column: version"},
	} {
		d, p, notes, err := imported(t, c.wish, c.read, c.files...)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		var found []string
		for _, f := range p.Found {
			found = append(found, f[0]+" "+f[1])
		}
		all := strings.Join(found, "\n")
		if got := cells(d); got != c.want {
			t.Errorf("%s: responses\n%s\nwant\n%s", c.name, got, c.want)
		}
		if got := columns(d.Items.Columns) + "; " + columns(d.Covariates); c.beside != "" && strings.TrimSpace(got) != strings.TrimSpace(c.beside) {
			t.Errorf("%s: columns %q, want %q", c.name, got, c.beside)
		}
		if got := d.Manifest.Measures[0].Family; got != c.family {
			t.Errorf("%s: family %s, want %s", c.name, got, c.family)
		}
		if got := strings.Join(notes, "; "); c.notes != "" && got != c.notes {
			t.Errorf("%s: notes %q, want %q", c.name, got, c.notes)
		}
		if !strings.Contains(all, c.found) {
			t.Errorf("%s: %q is not in\n%s", c.name, c.found, all)
		}
		if !strings.Contains(p.Text, c.mapping) {
			t.Errorf("%s: %q is not in\n%s", c.name, c.mapping, p.Text)
		}
	}
}

// TestRefusals checks what only a person can know, and that no hint leads to a lost value.
func TestRefusals(t *testing.T) {
	for _, c := range []struct {
		name  string
		files []tab
		wish  tables.Wishes
		read  tables.Reading
		want  string
	}{
		{"two filters", []tab{{"r.csv", "model,doc_id,filter,exact_match\nm,0,strict-match,1\nm,0,flexible-extract,0\n"}}, tables.Wishes{}, tables.Reading{}, `choose one with --filter: strict-match, flexible-extract`},
		{"a filter that is not there", []tab{{"r.csv", "model,doc_id,filter,exact_match\nm,0,strict,1\nm,0,flex,0\n"}}, tables.Wishes{Filter: "none"}, tables.Reading{}, `no row has "none" in "filter": there are strict, flex`},
		{"two metrics", []tab{{"r.csv", "model,doc_id,acc,acc_norm\nm,0,0,1\n"}}, tables.Wishes{}, tables.Reading{}, "choose one with --metric: acc, acc_norm"},
		{"no such metric", []tab{{"r.csv", "model,doc_id,acc,acc_norm\nm,0,0,1\n"}}, tables.Wishes{Metric: "f1"}, tables.Reading{}, `has no metric "f1": there are acc, acc_norm`},
		{"rows of a metric", []tab{{"r.csv", "model,item,metric,value\nm,0,acc,1\nm,0,f1,.5\n"}}, tables.Wishes{}, tables.Reading{}, "choose one with --metric: acc, f1"},
		{"repetitions without a key", []tab{{"r.csv", "model,item,score,source\nm,0,1,u\nm,0,0,v\n"}}, tables.Wishes{}, tables.Reading{}, `r.csv:3: two responses of subject m to item 0, the other in line 2; their rows differ in source ("u" and "v"); if each was scored several times, choose one scoring, such as --only "source=v"; if they are repetitions, name the column`},
		{"items with other names", []tab{{"m.csv", "id,i1,i2,i3\na,1,0,1\nb,0,1,1\n"}, {"q.csv", "code,A1\nx,1\ny,0\nz,1\n"}}, tables.Wishes{}, tables.Reading{}, "no response belongs to an item of q.csv"},
		{"fewer items without names", []tab{{"m.csv", "id,i1,i2,i3\na,1,0,1\nb,0,1,1\n"}, {"q.csv", "A1,A2\n1,0\n0,1\n"}}, tables.Wishes{}, tables.Reading{}, "q.csv"},
		{"rows that no table has", []tab{{"r.csv", "model,item,score,source\nm,0,1,u\nm,0,0,v\n"}}, tables.Wishes{Only: map[string]string{"source": "w"}}, tables.Reading{}, `r.csv: no row has "w" in "source"`},
		{"rows by no column", []tab{{"r.csv", "model,item,score,source\nm,0,1,u\nm,0,0,v\n"}}, tables.Wishes{Only: map[string]string{"sauce": "w"}}, tables.Reading{}, `r.csv has no column "sauce"`},
		{"half of an item's name", []tab{{"r.csv", "child,trial,delay,score\na,1,short,1\na,2,short,0\na,1,long,0\na,2,long,1\nb,1,short,1\nb,2,short,1\nb,1,long,0\nb,2,long,0\nc,1,short,1\n"}}, tables.Wishes{Item: []string{"trial"}}, tables.Reading{}, `; if delay is a part of the item, use --item trial,delay, of the subject, --subject child,delay; if each was`},
		{"before and after", []tab{{"m.csv", "child,time,q1,q2\na,pre,1,0\na,post,1,1\nb,pre,0,0\nb,post,1,1\nc,pre,0,1\nc,post,1,1\nd,pre,0,1\nd,post,1,1\ne,pre,0,1\n"}}, tables.Wishes{}, tables.Reading{}, `; their rows differ in time ("pre" and "post"); if time is a part of the subject, use --subject child,time; if each was`},
		{"no such repetition", []tab{{"r.csv", "model,item,score\nm,0,1\n"}}, tables.Wishes{Repetition: "epoch"}, tables.Reading{}, `has no column "epoch"`},
		{"degrees beside marks", []tab{{"m.csv", "id,lik1,lik2,lik3,pain,mood\n1,2,4,3,37,53\n2,3,2,5,74,5\n3,4,5,2,10,58\n4,5,3,4,47,10\n5,1,1,1,84,63\n6,2,4,3,20,15\n7,3,2,5,57,68\n8,4,5,2,94,20\n9,5,3,4,30,73\n10,1,1,1,67,25\n11,2,4,3,3,78\n12,3,2,5,40,30\n13,4,5,2,77,83\n14,5,3,4,13,35\n15,1,1,1,50,88\n16,2,4,3,87,40\n17,3,2,5,23,93\n18,4,5,2,60,45\n19,5,3,4,97,98\n20,1,1,1,33,50\n21,2,4,3,70,2\n22,3,2,5,6,55\n23,4,5,2,43,7\n24,5,3,4,80,60\n25,1,1,1,16,12\n26,2,4,3,53,65\n27,3,2,5,90,17\n28,4,5,2,26,70\n29,5,3,4,63,22\n30,1,1,1,100,75\n"}}, tables.Wishes{}, tables.Reading{}, `import one scale at a time: --leave-out "pain,mood", or --leave-out "lik1,lik2,lik3"`},
		{"choices between gambles", []tab{{"m.csv", "problem,Ha,pHa,Hb,pHb,bRate\n1,40,.5,20,1,.5\n2,90,.1,8,.9,.25\n"}}, tables.Wishes{}, tables.Reading{}, `name what was chosen with --metric, such as --metric bRate, and what was offered with --item "problem"`},
		{"sooner and later", []tab{{"m.csv", "amount_ss,amount_ll,delay_ss,delay_ll,later_chosen\n10,20,0,365,1\n5,6,0,30,0\n"}}, tables.Wishes{}, tables.Reading{}, `such as --metric later_chosen`},
		{"trials that are no number", []tab{{"m.csv", "model,q1,q2\na,0.33,1\nb,0,.67\n"}}, tables.Wishes{Trials: "three"}, tables.Reading{}, `--trials three: m.csv has no such column`},
		{"another number of trials", []tab{{"m.csv", "model,q1,q2\na,0.33,1\nb,0,.67\n"}}, tables.Wishes{Trials: "4"}, tables.Reading{}, `value "0.33" of 4 trials is not a whole number of successes`},
		{"a percentage of another number", []tab{{"m.csv", "model,q1,q2\na,33%,100%\nb,0%,67%\n"}}, tables.Wishes{Trials: "4"}, tables.Reading{}, `value "33%" of 4 trials is not a whole number of successes`},
		{"more successes than trials", []tab{{"m.csv", "model,q1,q2\na,3,1\nb,0,120\n"}}, tables.Wishes{Trials: "4"}, tables.Reading{}, `not a proportion`},
		{"99, not declared", []tab{{"m.csv", "child,t1,t2\na,1,99\nb,0,1\n"}}, tables.Wishes{}, tables.Reading{}, "0, 1 and 99 in responses: if 99 means that there is no value, use --missing 99"},
		{"words, not declared", []tab{{"m.csv", "child,t1,t2\na,1,krank\nb,0,1\n"}}, tables.Wishes{}, tables.Reading{}, `use --missing "krank"`},
		{"Latin-1, not named", []tab{{"m.csv", "model,q1\nMod\xe8le,1\n"}}, tables.Wishes{}, tables.Reading{}, `m.csv:2: "Mod\xe8le" is not UTF-8; if it means "Modèle", use --encoding windows-1252`},
		{"thousands", []tab{{"m.csv", "model,item,score\na,x,\"1,234\"\nb,x,\"2,500\"\n"}}, tables.Wishes{}, tables.Reading{}, `has numbers such as "1,234": use --decimal ,`},
		{"two decimal signs", []tab{{"m.csv", "model;item;score;length\na;x;0,5;1.5\nb;y;0,25;2.5\n"}}, tables.Wishes{}, tables.Reading{}, "choose with --decimal"},
		{"Feather", []tab{{"d.feather", "ARROW1\x00\x00"}}, tables.Wishes{}, tables.Reading{}, "save it as Parquet"},
		{"other columns", []tab{{"a.csv", "model,item,score\na,x,1\n"}, {"b.csv", "model,item,score,run\na,x,1,1\n"}}, tables.Wishes{}, tables.Reading{}, "it is not clear which file has the responses"},
		{"no key", []tab{{"m.csv", "model,item,score\na,x,1\n"}, {"i.csv", "item_code,demand,word\nx,1,y\n"}}, tables.Wishes{}, tables.Reading{}, "i.csv"},
		{"rows that are items", []tab{{"m.csv", "name,a,b\nx,1,0\ny,0,1\n"}, {"i.csv", "item,demand\nx,1\ny,2\n"}}, tables.Wishes{}, tables.Reading{}, "no response belongs to an item of i.csv; if a row of the matrix is an item, use --rows items"},
		{"nothing matches", []tab{{"m.csv", "model,item,score\na,x,1\n"}, {"i.csv", "item,demand\ny,1\nz,2\n"}}, tables.Wishes{}, tables.Reading{}, "no response belongs to an item of i.csv"},
		{"a feature with two values", []tab{{"m.csv", "model,item,score,itemcov_a\na,x,1,1\na,x,0,2\n"}}, tables.Wishes{Repetition: "order"}, tables.Reading{}, ""},
		{"a rate that is no count", []tab{{"m.csv", "model,item,success,n_trials\na,x,0.71,4\n"}}, tables.Wishes{}, tables.Reading{}, `value "0.71" of 4 trials is not a whole number of successes: 3/4 is 0.75`},
		{"two keys of one name", []tab{{"m.csv", "model,task,sample,score\na,u/v,w,1\na,u,v/w,0\n"}}, tables.Wishes{}, tables.Reading{}, `two keys make the name "u/v/w" of the item`},
		{"a spreadsheet", []tab{{"Results.ODS", "PK\x03\x04"}}, tables.Wishes{}, tables.Reading{}, "save the sheet as .xlsx or CSV"},
		{"spaces outside quotes", []tab{{"m.csv", "\"model\" , \"q1\"\n\"a\" , 1\n"}}, tables.Wishes{}, tables.Reading{}, "m.csv:1"},
		{"German, a word not declared", []tab{{"k.csv", "Kind;Aufgabe;Ergebnis\nk1;a;1\nk2;a;k.A.\n"}}, tables.Wishes{}, tables.Reading{}, `use --missing "k.A."`},
		{"nothing known", []tab{{"picture.png", "\x89PNG"}}, tables.Wishes{}, tables.Reading{}, "no format is known for picture.png"},
		{"no responses", []tab{{"m.csv", "model,note\na,hello\nb,there\n"}}, tables.Wishes{}, tables.Reading{}, "no column has responses"},
		{"9 as pandas writes it", []tab{{"m.csv", "child,t1,t2,t3\na,1.0,9.0,1.0\nb,0.0,,0.0\nc,0.0,1.0,0.0\n"}}, tables.Wishes{}, tables.Reading{}, "if 9.0 means that there is no value"},
		{"chosen answers", []tab{{"m.csv", "student,q1,q2\na,A,B\nb,C,D\nc,E,A\n"}}, tables.Wishes{}, tables.Reading{}, "--key FILE"},
		{"a key of another item", []tab{{"m.csv", "student,q1,q2\na,A,B\nb,C,D\n"}}, tables.Wishes{Key: map[string]string{"q3": "A"}}, tables.Reading{}, `no column "q3"`},
		{"patterns and their counts", []tab{{"m.csv", "q1,q2,Freq\n0,0,2\n1,0,0\n0,1,1\n"}}, tables.Wishes{}, tables.Reading{}, "use --count Freq; if it does not, use --count none"},
		{"patterns and their counts, by another name", []tab{{"m.csv", "q1,q2,observed\n0,0,2\n1,0,0\n0,1,1\n"}}, tables.Wishes{}, tables.Reading{}, "use --count observed; if it does not, use --count none"},
		{"patterns in one cell", []tab{{"m.csv", "pattern,count\n000,2\n010,0\n110,1\n"}}, tables.Wishes{}, tables.Reading{}, "pattern has strings of 3 responses, such as 000: write one column per item"},
		{"repetitions side by side", []tab{{"m.csv", "model,q1_run1,q1_run2,q2_run1,q2_run2\na,1,1,0,0\nb,0,0,1,1\n"}}, tables.Wishes{}, tables.Reading{}, "columns such as q1_run1 and q1_run2 look like repetitions of one item: write one row per subject and repetition"},
		{"items called as repetitions", []tab{{"m.csv", "model,q1_run1,q1_run2,q2_run1,q2_run2\na,1,1,0,0\nb,0,0,1,1\n"}}, tables.Wishes{Rows: "subjects"}, tables.Reading{}, ""},
		{"words of agreement, beside others", []tab{{"m.csv", "person,consent,l1,l2,sex\nA,Yes,Agree,Neutral,m\nB,Yes,Strongly agree,Agree,w\nC,Yes,Neutral,Disagree,w\n"}}, tables.Wishes{}, tables.Reading{}, `if they are scores, use --levels "Disagree=1,Neutral=2,Agree=3,Strongly agree=4"`},
		{"words of an order, not declared", []tab{{"m.csv", "person,l1,l2\nA,never,often\nB,rarely,never\n"}}, tables.Wishes{}, tables.Reading{}, "words in several columns that are neither numbers nor usual for a success or failure: never, rarely, often"},
		{"a ragged table", []tab{{"m.csv", "model,q1,q2\na,1,0,\nb,0,1,\n"}}, tables.Wishes{}, tables.Reading{}, "m.csv:2: 4 cells; the header has 3"},
		{"a percentage that is no count", []tab{{"m.csv", "model,item,pass_rate,n_samples\na,x,71.5,4\na,y,50,4\n"}}, tables.Wishes{}, tables.Reading{}, `value "71.5" of 4 trials is not a whole number of successes`},
		{"a count of no column", []tab{{"m.csv", "q1,q2\n0,0\n1,0\n"}}, tables.Wishes{Count: "k"}, tables.Reading{}, `no column "k"`},
		{"a count of words", []tab{{"m.csv", "q1,q2,k\n0,0,a\n1,0,b\n"}}, tables.Wishes{Count: "k"}, tables.Reading{}, `m.csv:2: k is "a"`},
		{"a count of responses", []tab{{"m.csv", "subject,item,score,k\na,x,0,2\na,y,1,2\n"}}, tables.Wishes{Count: "k"}, tables.Reading{}, "only where rows are subjects"},
		{"correlations", []tab{{"m.csv", ",a,b,c\na,1,.5,.2\nb,.5,1,.3\nc,.2,.3,1\n"}}, tables.Wishes{}, tables.Reading{}, "a matrix of correlations of 3 variables"},
		{"items called by letters", []tab{{"m.csv", "idstud,grade,A,B,E\na,7,1,0,2\nb,8,0,1,0\nc,9,1,1,1\n"}}, tables.Wishes{}, tables.Reading{}, "a column is named like the responses, but with other numbers than these, such as 2: E;"},
		{"items of occasions", []tab{{"m.csv", "id,I1.t1,I2.t1,I1.t2\na,1,0,2\nb,0,1,0\nc,1,1,1\n"}}, tables.Wishes{}, tables.Reading{}, "such as 2: I1.t2;"},
		{"items of several scales", []tab{{"m.csv", "model,q1,q2,q3\na,1,0,2\nb,0,1,0\nc,1,1,1\n"}}, tables.Wishes{}, tables.Reading{}, "a column is named like the responses, but with other numbers than these, such as 2: q3; if they are items with more categories, use --family choice"},
		{"two lines of names", []tab{{"m.csv", "level,1,2\nmodel,q1,q2\na,1,0\nb,0,1\n"}}, tables.Wishes{}, tables.Reading{}, "m.csv:2: words (q1, q2) where all other rows have numbers: if that line has the names of the columns, remove what is above it"},
		{"two lines of names, one with the same twice", []tab{{"m.csv", "model,easy,easy\n,q1,q2\na,1,0\nb,0,1\n"}}, tables.Wishes{}, tables.Reading{}, "remove it (what it says about items goes into a table of items, --items)"},
		{"a remark below", []tab{{"m.csv", "model,q1,q2\na,1,0\nb,0,1\nSource: us\n"}}, tables.Wishes{}, tables.Reading{}, "m.csv:4: 1 cells; the header has 3; remove what is not a row of the table"},
		{"JSON of lists", []tab{{"r.json", `[["a", 1, 0], ["b", 0, 1]]`}}, tables.Wishes{}, tables.Reading{}, "write an object per subject"},
		{"JSON of columns", []tab{{"r.json", `{"model": ["a", "b"], "q1": [1, 0]}`}}, tables.Wishes{}, tables.Reading{}, "r.json: its values are lists (model, q1): write an object per subject"},
		{"JSON of results", []tab{{"r.json", `{"version": 1, "count": 0, "results": {"rows": [{"model": "a", "q1": 1}, {"model": "b", "q1": 0}]}}`}}, tables.Wishes{}, tables.Reading{}, "r.json: one object, whose rows may be in a list (results.rows): write the list as a file of its own, such as by jq .results.rows r.json > rows.json"},
		{"broken Markdown", []tab{{"r.md", "| model | q1 |\n|---|---|\n| a | 1 | 0 |\n"}}, tables.Wishes{}, tables.Reading{}, "r.md:3: 3 cells; the header has 2"},
		{"LaTeX over columns", []tab{{"r.tex", "\\begin{tabular}{lcc}\nmodel & \\multicolumn{2}{c}{x} \\\\\na & 1 & 0 \\\\\n\\end{tabular}\n"}}, tables.Wishes{}, tables.Reading{}, `r.tex:2: \multicolumn over 2 columns: remove the row`},
		{"LaTeX without an end", []tab{{"r.tex", "\\begin{tabular}{lcc}\nmodel & q1"}}, tables.Wishes{}, tables.Reading{}, `without its \end`},
		{"LaTeX of other rows", []tab{{"r.tex", "\\begin{tabular}{lcc}\nmodel & q1 & q2 \\\\\na & 1 \\\\\n\\end{tabular}\n"}}, tables.Wishes{}, tables.Reading{}, "r.tex:3: 2 cells; the header has 3"},
		{"HTML without a table of two columns", []tab{{"r.html", "<table><tr><td>1</table>"}}, tables.Wishes{}, tables.Reading{}, "no HTML table with at least two columns"},
		{"a row without a name that is no sum", []tab{{"t.csv", "model,q1,q2,q3\na,1,0,1\nb,1,0,0\nc,0,1,1\n,1,1,0\n"}}, tables.Wishes{}, tables.Reading{}, `t.csv:5: subject "": empty`},
		{"proportions in one of the columns", []tab{{"t.csv", "model;q1;q2;q3\na;1,0;0,5;1,0\nb;0,0;0;1\nc;1;1;1\n"}}, tables.Wishes{}, tables.Reading{}, "such as 0,5: q2; if they are items with more categories, use --family unit, if they are proportions"},
		{"HTML of Latin-1", []tab{{"r.html", "<table><tr><th>Mod\xe8le<th>q1<tr><td>a<td>1</table>"}}, tables.Wishes{}, tables.Reading{}, "r.html: not UTF-8: save it as UTF-8"},
		{"YAML", []tab{{"r.yaml", "a: {q1: 1}\n"}}, tables.Wishes{}, tables.Reading{}, "(write the table as CSV)"},
		{"broken JSON", []tab{{"r.jsonl", `{"model": "a", "item": "x", "score": 1}` + "\n" + `{"model": "a", "item": `}}, tables.Wishes{}, tables.Reading{}, "r.jsonl:2: the text ends within an object"},
		{"a key twice", []tab{{"r.jsonl", `{"model": "a", "item": "x", "score": 1, "score": 0}` + "\n"}}, tables.Wishes{}, tables.Reading{}, `r.jsonl:1: key "score" appears twice in one object`},
		{"text after JSON", []tab{{"r.jsonl", `{"model": "a", "item": "x", "score": 1}` + "\n7\n"}}, tables.Wishes{}, tables.Reading{}, "r.jsonl:2: 7 where an object is wanted"},
	} {
		_, _, _, err := imported(t, c.wish, c.read, c.files...)
		if c.want == "" {
			if err != nil {
				t.Errorf("%s: %v", c.name, err)
			}
			continue
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one with %q", c.name, err, c.want)
		}
	}
}
