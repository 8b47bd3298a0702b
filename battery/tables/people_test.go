package tables_test

import (
	"fmt"
	"strings"
	"testing"

	"achilles/battery/tables"
)

// found returns what a proposal says of a word.
func found(p *tables.Proposal, what string) string {
	for _, f := range p.Found {
		if f[0] == what {
			return f[1]
		}
	}
	return ""
}

// TestWhoOfSeveral checks which of several columns that are called as those with the names of subjects are has them.
func TestWhoOfSeveral(t *testing.T) {
	sentences := "WorkerId,subject,question_number,response\n"
	for k := range 12 {
		sentences += fmt.Sprintf("w%d,%s,%d,%d\n", k/4, []string{"owl", "pig"}[(k/4+k)%2], k%4, k%2)
	}
	patients := "patient,subj,rt_1,rt_2,rt_3\n"
	for k := range 6 {
		patients += fmt.Sprintf("%d,%d,%d,%d,%d\n", k/3, k+1, 300+k, 310+2*k, 320-k)
	}
	choices := "trial,offer,subjID,word,accuracy\n"
	for k := range 12 {
		choices += fmt.Sprintf("%d,%d,%d,w%d,%d\n", k%4, k%3, k/4, k%4, k%2)
	}
	again := strings.Replace(sentences, "w0,pig,3", "w0,pig,2", 1) // one worker had a question twice
	for _, c := range []struct{ name, text, subject, item, repetition string }{
		{"a sentence's subject", sentences, "WorkerId", "question_number", ""},
		{"a sentence's subject, a question twice", again, "WorkerId", "question_number", "order"},
		{"a group called as subjects are", patients, "subj", "3 columns: rt_1, rt_2, rt_3", ""},
		{"a subject in the last column", choices, "subjID", "word", ""},
	} {
		_, p, _, err := imported(t, tables.Wishes{Repetition: c.repetition}, tables.Reading{}, tab{"r.csv", c.text})
		if err != nil || found(p, "subject") != c.subject || found(p, "item") != c.item {
			t.Errorf("%s: error %v, found %v, want subject %s and item %s", c.name, err, p, c.subject, c.item)
		}
	}
}

// TestShown checks that what each subject was shown once is the item, that what it was shown again is offered as one, and nothing of a table with a row for each
// subject.
func TestShown(t *testing.T) {
	twice := "workerid,movieID,reactionTime,n\n"
	for k := range 8 {
		twice += fmt.Sprintf("w%d,m%d,%d,%d\n", k/4, k%3, 500+k*k, k)
	}
	_, _, _, err := imported(t, tables.Wishes{}, tables.Reading{}, tab{"r.csv", twice})
	accepted(t, "shown twice", err, "if a row is one response of what is in workerid, name it with --metric, and what was tested with --item, such as --item movieID; if")
	_, p, _, err := imported(t, tables.Wishes{Item: []string{"movieID"}, Repetition: "order"}, tables.Reading{}, tab{"r.csv", twice})
	if err != nil || found(p, "subject") != "workerid" {
		t.Errorf("the remedy: error %v, found %v", err, p)
	}
	_, p, _, err = imported(t, tables.Wishes{}, tables.Reading{}, tab{"r.csv", "probID,subjID,correct_pred,human\n1,1,1,0\n2,1,0,0\n1,2,1,1\n2,2,1,1\n"})
	if err != nil || found(p, "item") != "probID" || found(p, "subject") != "subjID" || !strings.HasPrefix(found(p, "score"), "correct_pred") {
		t.Errorf("problems: error %v, found %v", err, p)
	}
	_, p, _, err = imported(t, tables.Wishes{}, tables.Reading{}, tab{"r.csv", "child,word,q1,q2,q3\na,x,1,0,1\nb,y,0,0,1\nc,x,1,1,0\n"})
	if err != nil || found(p, "item") != "3 columns: q1, q2, q3" {
		t.Errorf("a row for each subject: error %v, found %v", err, p)
	}
}
