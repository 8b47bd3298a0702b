package tables_test

import (
	"fmt"
	"strings"
	"testing"

	"achilles/battery/tables"
)

// TestTrialsOfConditions checks what is tested where each row is a trial, as those who study animals and children keep them.
func TestTrialsOfConditions(t *testing.T) {
	for _, c := range []struct {
		name, text      string
		wish            tables.Wishes
		items, subjects string
		responses       int
		covariates      string
		features        string
	}{
		{"conditions beside the numbers of trials", "participant,age_in_years,sex,session,trial,condition,choice,correct\nann,4,f,1,1,far,left,correct\nann,4,f,1,2,near,left,incorrect\nann,4,f,2,1,near,right,correct\nbo,5,m,1,1,near,left,correct\nbo,5,m,1,2,far,left,error\n",
			tables.Wishes{}, "far near", "ann bo", 5, "age_in_years sex", ""},
		{"two columns of what was tested", "subject,trial,phase,delay,success\na,1,warm,2,yes\na,2,test,2,no\na,3,test,9,no_success\nb,1,test,9,yes\nb,2,warm,2,successful\nb,3,warm,9,no\n",
			tables.Wishes{}, "2/test 2/warm 9/test 9/warm", "a b", 6, "", "phase delay"},
		{"a delay is a demand", "subject,trial,delay,success\na,1,2,yes\na,2,9,no\nb,1,9,yes\nb,2,2,no\n",
			tables.Wishes{}, "2 9", "a b", 4, "", "delay"},
		{"a condition between subjects", "participant,condition,trial,correct\na,old,1,1\na,old,2,0\nb,new,1,1\nb,new,2,1\n",
			tables.Wishes{}, "1 2", "a b", 4, "condition", ""},
		{"the same condition in each trial of a number", "participant,trial,condition,correct\na,1,near,1\na,2,far,0\nb,1,near,1\nb,2,far,1\n",
			tables.Wishes{}, "1 2", "a b", 4, "", "condition"},
		{"a score that is called otherwise", "participant,trial,condition,firstlook_correct,looked\na,1,near,1,1\na,2,far,0,1\nb,1,far,1,0\nb,2,near,1,1\n",
			tables.Wishes{}, "far near", "a b", 4, "", ""},
		{"rows without a subject, and trials without a number", "participant,trial,correct\na,1,1\n,,1\na,,0\nb,1,1\nb,2,0\n",
			tables.Wishes{}, "1 2", "a b", 3, "", ""},
		{"numbers of trials that begin anew", "participant,day,trial,apparatus,correct\na,1,1,x,1\na,1,2,x,0\na,1,1,y,1\nb,1,1,x,0\nb,1,2,y,0\n",
			tables.Wishes{}, "1 2", "a b", 5, "", ""},
		{"babies of one number in two laboratories", "lab,subid,trial_num,trial_type,age,looking_time\nx,1,1,ids,3,9.5\nx,1,2,ads,3,8\ny,1,1,ads,7,3\ny,1,2,ids,7,2.5\ny,2,1,ids,8,4\ny,2,2,NA,8,NA\n",
			tables.Wishes{}, "ads ids", "x/1 y/1 y/2", 5, "age", ""},
		{"times, of which -1 is none, and numbers of questions", "worker_id,question_num,page,rt\na,1,x,-1\na,2,x,900\nb,1,x,1200.5\nb,2,x,800\n",
			tables.Wishes{}, "1 2", "a b", 3, "", ""},
		{"performance in tasks", "subject,task,age,performance\na,gaze,3,.5\na,search,3,.25\nb,gaze,4,1\nb,search,4,.75\n",
			tables.Wishes{}, "gaze search", "a b", 4, "age", ""},
		{"rewards in arenas", "team,1-1-1,1-1-2,2-1-1\na,1.5,-20,1.5\nb,1.51,39.2,1.25\n",
			tables.Wishes{}, "1-1-1 1-1-2 2-1-1", "a b", 6, "", ""},
		{"degrees that differ little", "team,brier,calibration\na,.25,.001\nb,.1,.0015\n",
			tables.Wishes{}, "brier calibration", "a b", 4, "", ""},
		{"an age and the day are no responses", "child,age_in_years,month,day,experiment,a,b\nann,4,1,3,1,1,0\nbo,5,2,4,1,0,1\n",
			tables.Wishes{}, "a b", "ann bo", 4, "age_in_years", ""},
		{"columns that are left out by name", "child,count,ms,score2\nann,0.5,1234.5,1.5\nbo,1.5,800,0.5\ncy,0.5,1900,1\n",
			tables.Wishes{Selection: tables.Selection{LeaveOut: []string{"ms"}}}, "count score2", "ann bo cy", 6, "", ""},
		{"columns of 0 and 1 that are left out by name", "child,a,b,f,g,h\nann,2,3,1,0,1\nbo,5,1,1,1,0\ncy,4,4,0,1,1\n",
			tables.Wishes{Selection: tables.Selection{LeaveOut: []string{"f", "g", "h"}}}, "a b", "ann bo cy", 6, "", ""},
	} {
		d, _, _, err := imported(t, c.wish, tables.Reading{}, tab{"r.csv", c.text})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		var covariates, features []string
		for _, x := range d.Covariates {
			covariates = append(covariates, x.Name)
		}
		for _, x := range d.Items.Columns {
			features = append(features, x.Name)
		}
		for _, x := range [][2]string{{strings.Join(d.Items.ID, " "), c.items}, {strings.Join(d.Subjects, " "), c.subjects}, {strings.Join(covariates, " "), c.covariates}, {strings.Join(features, " "), c.features}} {
			if x[0] != x[1] {
				t.Errorf("%s: %q, want %q", c.name, x[0], x[1])
			}
		}
		if n := d.Responses.Len(); n != c.responses {
			t.Errorf("%s: %d responses, want %d", c.name, n, c.responses)
		}
	}
}

// TestTrialsThatSayNoScore checks what is said where nothing tells which column has the score, and where columns have different units.
func TestTrialsThatSayNoScore(t *testing.T) {
	rows := ""
	for k := range 12 {
		rows += fmt.Sprintf("s%d,%d,%d,0,%d\n", k/6, k%6+1, 6*k+1, k%2)
	}
	for _, c := range []struct{ name, text, want string }{
		{"no score", "participant,age_in_years,trial,condition,choice,eaten\na,4,1,near,left,0\na,4,2,far,right,1\nb,5,1,far,left,0\nb,5,2,near,left,1\n",
			"r.csv: rows are trials, and no column is called as scores are: name the score with --metric (these have two values: choice, eaten), and what was tested with --item, such as --item condition"},
		{"words, and what was tested", "subject,item,answer\na,q1,Never\na,q2,Often\nb,q1,Always\nb,q2,Never\n",
			"r.csv: rows are trials, and no column is called as scores are: name the score with --metric, such as --metric answer"},
		{"units", "child,count,ms,share\nann,0,1234.5,.5\nbo,1,800,.25\ncy,2,1900,2.5\n",
			`columns of different units: count is from 0 to 2, ms from 800 to 1900; import those of one unit at a time, and leave the others out: --leave-out "ms"; if they have one unit, use --family real`},
		{"numbered trials of choices", "subjID,trial,delay_later,delay_sooner,choice\n" + rows,
			"r.csv: rows are trials, and no column is called as scores are: name the score with --metric (these have two values: choice), and what was tested with --item, such as --item trial"},
		{"numbered trials, the subject last", "trial,offer,accept,subjID\n1,3,0,a\n2,4,1,a\n3,5,1,a\n4,3,0,a\n1,3,0,b\n2,5,1,b\n3,4,1,b\n4,3,0,b\n",
			"r.csv: rows are trials, and no column is called as scores are: name the score with --metric (these have two values: accept), and what was tested with --item, such as --item trial"},
		{"a row for each choice", "subjID,type,choice,RT\n1,12,0,1.5\n1,56,1,2.5\n2,12,1,1.1\n2,34,1,2.1\n", "if a row is one response of what is in subjID, name it with --metric, and what was tested with --item; if"},
	} {
		if _, _, _, err := imported(t, tables.Wishes{}, tables.Reading{}, tab{"r.csv", c.text}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v\nwant %s", c.name, err, c.want)
		}
	}
	if _, _, _, err := imported(t, tables.Wishes{Family: "real"}, tables.Reading{}, tab{"r.csv", "child,count,ms\nann,0.5,1234.5\nbo,1,800\ncy,2,1900\n"}); err != nil {
		t.Errorf("the remedy: %v", err)
	}
	// A test that each subject took three times, of more items: the trial is a repetition.
	if _, p, _, err := imported(t, tables.Wishes{}, tables.Reading{}, tab{"r.csv", "subjID,trial,q1,q2,q3,q4\na,1,0,1,1,0\na,2,0,1,1,1\na,3,0,0,1,0\nb,1,1,1,1,0\nb,2,0,1,0,0\nb,3,0,1,1,0\n"}); err != nil || found(p, "repetitions") != "trial" {
		t.Errorf("a test taken three times: %v, found %v", err, p)
	}
}
