package tables_test

import (
	"fmt"
	"strings"
	"testing"

	"achilles/battery/tables"
)

// rows returns twelve rows.
func rows(row func(k int) string) string {
	text := ""
	for k := range 12 {
		text += row(k) + "\n"
	}
	return text
}

// TestOneThing checks tables of numbers that are no responses, which are refused with a remedy, beside those that are: called alike, or with a column that
// says who took them.
func TestOneThing(t *testing.T) {
	fields, blood, taste, scores, alone, dummies, ids := "rownames,row,col,yield,straw\n", "rownames,BMI,TC,HDL\n", "rownames,age,trust,taste\n", "model,arc,mmlu,gpqa\n", "rownames,age,rents,insured,union\n", "rownames,a,b,c,d,e\n", "rownames,ID,HR_baseline,HR_anger\n"
	moods, days := "rownames,calm,tense,happy,tired,drug,gender\n", "rownames,Reaction,Days,Subject\n"
	arms := "pid,treatment,consent,q1,q2,q3\n"
	runs, points, ranked := "x,q1_rt,q2_rt,q3_rt\n", "id,a,b,c\n", "participant,place,correct1,correct2,correct3\n"
	for k := range 12 {
		x := float64(k)
		fields += fmt.Sprintf("%d,%d,%d,%g,%g\n", k+1, k/4, k%4, 12.5+x, 3.5+7*float64(k%3))
		blood += fmt.Sprintf("%d,%g,%d,%g\n", k+1, 21.5+x, 180+k*k, 40.5+3*float64(k%5))
		taste += fmt.Sprintf("%d,%d,%d,%d\n", k+1, 20+k, 1+k%5, 1+k%7)
		scores += fmt.Sprintf("m%d,%g,%g,%g\n", k, 60.5+x, 50.25+2*x, 20.5+float64(k*k%9))
		alone += fmt.Sprintf("%d,%d,%s,%s,%s\n", k+1, 20+k, []string{"yes", "no"}[k%2], []string{"yes", "no"}[k%3/2], []string{"no", "yes"}[k%4/2])
		dummies += fmt.Sprintf("%d,%d,%d,%d,%d,%d\n", k+1, k%2, k%3/2, k%4/2, k%5/3, k%6/3)
		ids += fmt.Sprintf("%d,%d,%d,%d\n", k+1, 100+7*k, 60+k%7, 70+k%11)
		runs += fmt.Sprintf("%d,%g,%g,%g\n", k*7%12, 400.5+9*x, 410.5+x, 505.5+x*x)
		points += fmt.Sprintf("%d,%g,%g,%g\n", k+1, 2.5*float64(k%5), float64(k%7)+.5, float64(k%9))
		moods += fmt.Sprintf("%d,%d,%d,%d,%d,%d,%d\n", k+1, k%4, (k+1)%4, k*k%4+k%3/2*2, (k+2)%4, 1+k%2, 1+k%2)
		days += fmt.Sprintf("%d,%g,%d,%d\n", k+1, 250.5+3*float64(k*k%7), k%4, 308+k/4)
		arms += fmt.Sprintf("p%d,%d,1,%d,%d,%d\n", k, k%2, k%3/2, k%4/2, k%5/3)
		ranked += fmt.Sprintf("p%d,%d,%d,%d,%d\n", k, k+1, k%2, k%3/2, k%4/2)
	}
	const refused = "nothing says that the columns are items of one test"
	for _, c := range []struct {
		name, text string
		wish       tables.Wishes
		subject    string
		items      string
		err        string
	}{
		{"a field", fields, tables.Wishes{}, "", "", refused + ": yield is from 12.5 to 23.5, straw is from 3.5 to 17.5; if they are, use --family real; leave out those that are not with --leave-out, such as --leave-out \"yield\""},
		{"a field, said", fields, tables.Wishes{Family: "real"}, "rownames", "2 columns: yield, straw", ""},
		{"of patients", blood, tables.Wishes{}, "", "", refused},
		{"two scales of degrees", taste, tables.Wishes{}, "", "", refused},
		{"models", scores, tables.Wishes{}, "model", "3 columns: arc, mmlu, gpqa", ""},
		{"few of their own names", alone, tables.Wishes{}, "", "", refused + ": rents has yes, no"},
		{"few, and nothing else", "a,b,c\n1,0,1\n0,0,1\n1,1,0\n0,1,0\n", tables.Wishes{}, "", "3 columns: a, b, c", ""},
		{"few, said", alone, tables.Wishes{Family: "binary"}, "rownames", "3 columns: rents, insured, union", ""},
		{"several of their own names", dummies, tables.Wishes{}, "rownames", "5 columns: a, b, c, d, e", ""},
		{"numbered rows with names", ids, tables.Wishes{}, "ID", "2 columns: HR_baseline, HR_anger", ""},
		{"called alike", runs, tables.Wishes{}, "", "3 columns: q1_rt, q2_rt, q3_rt", ""},
		{"points of people", points, tables.Wishes{}, "id", "3 columns: a, b, c", ""},
		{"a treatment beside items", arms, tables.Wishes{}, "pid", "3 columns: q1, q2, q3", ""},
		{"of one scale, and something else", moods, tables.Wishes{}, "rownames", "5 columns: calm, tense, happy, tired, drug", ""},
		{"covariances", "rownames,V1,V2,V3\nV1,2.5,.75,1.5\nV2,.75,3,.25\nV3,1.5,.25,1\n", tables.Wishes{}, "", "", "a symmetric matrix, such as of covariances or distances, of 3 variables"},
		{"days of people", days, tables.Wishes{}, "", "", "rows seem to be single responses of what is in Subject: use --subject Subject, and name what was tested with --item"},
		{"most called alike", "x,a1,a2,a3,extra\n" + rows(func(k int) string {
			return fmt.Sprintf("%d,%g,%g,%g,%g", k*7%12, 400.5+float64(9*k), 410.5+float64(k), 505.5+float64(k*k), 450.5-float64(k))
		}), tables.Wishes{}, "", "4 columns: a1, a2, a3, extra", ""},
		{"points in steps", "pid,a,b,c\n" + rows(func(k int) string { return fmt.Sprintf("p%d,%d,%d,%d", k, 5*k, 3*k%50, 7*k%60) }), tables.Wishes{}, "pid", "3 columns: a, b, c", ""},
		{"places of models", "model,place,arc,mmlu\n" + rows(func(k int) string { return fmt.Sprintf("m%d,%d,%g,%g", k, k+1, 60.5-float64(k), 50.25-float64(2*k)) }), tables.Wishes{}, "model", "2 columns: arc, mmlu", ""},
		{"two of few degrees, and nothing else", "a,b\n2,1\n3,4\n2,3\n3,1\n", tables.Wishes{}, "", "2 columns: a, b", ""},
		{"two of degrees far apart", "a,b\n0,1\n17,2\n2,2\n20,1\n", tables.Wishes{}, "", "", refused},
		{"proportions, and nothing else", "a,b\n.25,.5\n.75,.5\n.5,1\n", tables.Wishes{}, "", "2 columns: a, b", ""},
		{"who and how well, not what", "rownames,Worker,Machine,score\n1,a,x,52\n2,a,y,53.5\n3,b,x,49\n4,b,y,60\n", tables.Wishes{}, "", "", "rows seem to be single responses of what is in Worker, with the score in score: name what was tested with --item"},
		{"words between no and yes", "item,id,resp\ni,a,no\nj,a,perhaps\ni,b,yes\nj,b,no\n", tables.Wishes{}, "", "", `use --levels "no=1,perhaps=2,yes=3"`},
		{"places", ranked, tables.Wishes{}, "participant", "3 columns: correct1, correct2, correct3", ""},
	} {
		_, p, _, err := imported(t, c.wish, tables.Reading{}, tab{"m.csv", c.text})
		if !accepted(t, c.name, err, c.err) {
			continue
		}
		got := map[string]string{}
		for _, f := range p.Found {
			got[f[0]] = f[1]
		}
		if got["item"] != c.items || c.subject != "" && got["subject"] != c.subject {
			t.Errorf("%s: subject %q, items %q, want %q, %q", c.name, got["subject"], got["item"], c.subject, c.items)
		}
	}
}

// TestOtherwise checks the notes on columns that are read as items and may be none.
func TestOtherwise(t *testing.T) {
	text := "pid,q1,q2,q3,q4,q5,passed_screen,left\n"
	for k := range 9 {
		text += fmt.Sprintf("p%d,%d,%d,%d,%d,%d,%d,%s\n", k, k%2, k%3/2, k%4/2, k%5/3, k%2, (k+1)%2, []string{"yes", "no"}[k%2])
	}
	_, p, _, err := imported(t, tables.Wishes{}, tables.Reading{}, tab{"m.csv", text})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`passed_screen: named unlike the other items; if not items, use --leave-out "passed_screen"`,
		`left: not items, because they have words where most columns have 0 and 1; if they are, use --family binary`,
	} {
		if !strings.Contains(fmt.Sprint(p.Found), want) {
			t.Errorf("found %v, want %q", p.Found, want)
		}
	}
	if _, p, _, err = imported(t, tables.Wishes{Selection: tables.Selection{LeaveOut: []string{"passed_screen", "left"}}}, tables.Reading{}, tab{"m.csv", text}); err != nil || strings.Contains(fmt.Sprint(p.Found), "otherwise") {
		t.Errorf("left out: error %v, found %v", err, p.Found)
	}
}

// TestWho checks which column has the names of subjects, where it is called as laboratories call it.
func TestWho(t *testing.T) {
	for _, c := range [][3]string{
		{"subject_site", "species", "subject_site"},
		{"species", "ID.animal", "ID.animal"},
		{"child_sex", "ChildCode", "ChildCode"},
		{"id", "monkey_name", "monkey_name"},
		{"name", "condition", "name"},
		{"student_age", "grade", "(file)"},
	} {
		text := fmt.Sprintf("%s,%s,trial,correct\n", c[0], c[1])
		for k := range 6 {
			text += fmt.Sprintf("x%d,y%d,%d,%d\n", k%2, k%2, k/2, k%2)
		}
		_, p, _, err := imported(t, tables.Wishes{Repetition: "order"}, tables.Reading{}, tab{"trials.csv", text})
		if err != nil {
			t.Errorf("%s beside %s: %v", c[0], c[1], err)
			continue
		}
		for _, f := range p.Found {
			if f[0] == "subject" && f[1] != c[2] {
				t.Errorf("%s beside %s: subject %s, want %s", c[0], c[1], f[1], c[2])
			}
		}
	}
}

// TestNobody checks what is said where a file of several subjects names none, and that a remark is neither demand nor covariate.
func TestNobody(t *testing.T) {
	text := "who_was_it,trial,correct,comment\nx,1,0,a\nx,2,1,b\ny,1,1,a\ny,2,0,b\n"
	_, _, _, err := imported(t, tables.Wishes{}, tables.Reading{}, tab{"trials.csv", text})
	accepted(t, "nobody", err, "no column is called as those with the names of subjects are: if one of these has them, name it with --subject")
	_, p, _, err := imported(t, tables.Wishes{Subject: []string{"who_was_it"}}, tables.Reading{}, tab{"trials.csv", text})
	if err != nil || strings.Contains(p.Text, "comment") {
		t.Errorf("error %v; a remark is published: %s", err, p.Text)
	}
}

// TestSheets checks workbooks with more sheets than one has responses: remarks, sums, another table of responses.
func TestSheets(t *testing.T) {
	sheet := func(name string, rows ...string) *tables.File {
		g := &tables.Grid{Kind: "workbook"}
		for _, r := range rows {
			g.Rows = append(g.Rows, strings.Split(r, "|"))
		}
		return &tables.File{Name: "book.xlsx/" + name, Grid: g}
	}
	data := sheet("Data", "monkey_name|condition|trial|correct", "a|short|1|1", "a|long|2|0", "b|short|1|1", "b|long|2|1", "c|short|1|0", "c|long|2|0")
	codebook := sheet("Codebook", "column|meaning|coded by", "condition|how long|x", "correct|first reach|y")
	pivot := sheet("Pivot", "mean of correct|short|long", "a|1|0", "b|1|1")
	species := sheet("Animals", "monkey_name|species", "a|macaque", "b|macaque", "c|capuchin")
	items := sheet("Conditions", "condition|trial|seconds", "short|1|0", "long|2|15")
	other := sheet("Second coder", "monkey_name|condition|trial|correct|coder", "a|short|1|1|z", "a|long|2|1|z")
	for _, c := range []struct {
		name   string
		sheets []*tables.File
		err    string
		says   string
		table  [2]bool // whether there is a table of items, and one of subjects
	}{
		{"remarks", []*tables.File{pivot, data, codebook}, "", "sheet book.xlsx/Codebook left out", [2]bool{}},
		{"one sheet beside", []*tables.File{pivot, data}, "", "sheet book.xlsx/Pivot, which has no column for trial", [2]bool{true}},
		{"a sheet without rows", []*tables.File{sheet("Notes", "remarks"), data}, "", "Notes", [2]bool{}},
		{"of subjects", []*tables.File{data, species}, "", "species", [2]bool{false, true}},
		{"of items, and remarks", []*tables.File{data, items, codebook}, "", "sheet book.xlsx/Codebook left out", [2]bool{true}},
		{"two of responses", []*tables.File{pivot, data, other}, `import one sheet alone, by its name: achilles import book.xlsx/Data`, "", [2]bool{}},
	} {
		in, notes, err := tables.Open([]tables.Format{tables.Rectangle()}, c.sheets, nil, nil, tables.Reading{})
		if !accepted(t, c.name, err, c.err) {
			continue
		}
		if (in.Items != nil) != c.table[0] || (in.Subjects != nil) != c.table[1] {
			t.Errorf("%s: a table of items %v, of subjects %v, want %v", c.name, in.Items != nil, in.Subjects != nil, c.table)
		}
		p, err := tables.Propose(in, tables.Wishes{})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		d, _, err := tables.Build(in, p.Mapping)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if alone, _, err := tables.Open([]tables.Format{tables.Rectangle()}, []*tables.File{data}, nil, nil, tables.Reading{}); err != nil {
			t.Error(err)
		} else if p, err := tables.Propose(alone, tables.Wishes{}); err != nil {
			t.Error(err)
		} else if _, _, err := tables.Build(in, p.Mapping); err != nil {
			t.Errorf("%s: by the mapping of the responses alone: %v", c.name, err)
		}
		if len(d.Subjects) != 3 || !strings.Contains(fmt.Sprint(notes, p.Found), c.says) {
			t.Errorf("%s: %d subjects; %v %v, want 3 and %q", c.name, len(d.Subjects), notes, p.Found, c.says)
		}
	}
}
