package score_test

import (
	"strings"
	"testing"

	"achilles/infer"
	"achilles/scenarios/score"
)

// skillsByHand returns drawnByHand with two skills of three subjects:
//
//	skill           values   probabilities  squared errors
//	mastery[read]   1, 0, 1  .9, .2, .4     .01, .04, .36   told right: 2 of 3
//	mastery[add]    0, 0, 1  .1, .5, 1      .01, .25, 0     told right: 2 of 3, for even odds count as 1
//
// Every value of the first subject alone is told right.
func skillsByHand() score.Input {
	in := drawnByHand()
	for name, of := range map[string][2][3]float64{"mastery[read]": {{1, 0, 1}, {.9, .2, .4}}, "mastery[add]": {{0, 0, 1}, {.1, .5, 1}}} {
		in.Sealed.Parameters[name] = map[string]float64{}
		for i, id := range in.Public.Subjects {
			in.Sealed.Parameters[name][id] = of[0][i]
			in.Result.Profiles = append(in.Result.Profiles, infer.Profile{Subject: id, Parameter: name, Group: "capability", Mean: of[1][i], SD: 0.3, Q95: 1})
		}
	}
	return in
}

// TestBinaryByHand grades the posteriors of skillsByHand.
func TestBinaryByHand(t *testing.T) {
	s := run(t, skillsByHand())
	of := map[string]*score.Classification{}
	for _, p := range s.Drawn {
		of[p.Parameter] = p.Binary
	}
	read, add := of["mastery[read]"], of["mastery[add]"]
	if read == nil || add == nil || of["ability"] != nil || of["difficulty"] != nil || of["mu"] != nil {
		t.Fatalf("binary are %v", of)
	}
	// Three forecasts in three bins: all of the Brier score is calibration.
	if !same(read.Has, 2./3) || !same(read.Brier, .41/3) || !same(read.Calibration, .41/3) || !same(read.Uncertainty, 2./9) || read.Right.Covered != 2 || read.Right.N != 3 {
		t.Errorf("read: %+v", read)
	}
	if !same(add.Has, 1./3) || !same(add.Brier, .26/3) || add.Right.Covered != 2 {
		t.Errorf("add: %+v", add)
	}
	if s.Patterns == nil || s.Patterns.Covered != 1 || s.Patterns.N != 3 {
		t.Errorf("patterns %+v", s.Patterns)
	}
	if h := s.Headline(); !strings.HasPrefix(h, "Binary values correct: 4 of 6; whole patterns correct: 1 of 3; correlation with truth, ability 0.98; correlation with truth, difficulty -1.00;") {
		t.Errorf("headline %q", h)
	}
	if x := tableOf(t, s, "binary"); x.Rows[len(x.Rows)-1][0].Exists() || len(x.Rows) != 3 {
		t.Errorf("binary parameters: %v", x.Rows)
	}
	if x := tableOf(t, s, "simulated"); len(x.Notes) != 2 || !strings.Contains(x.Notes[0].Text, "see table binary") {
		t.Errorf("nothing warns that errors of skills say nothing: %+v", x.Notes)
	}
	files, err := s.Files(asCSV)
	if err != nil {
		t.Fatal(err)
	}
	if got := string(files["binary.csv"]); !strings.Contains(got, "\nmastery[add],3,0.3333333333333333,0.6666666666666666,") || !strings.Contains(got, "\n,3,,0.3333333333333333,") {
		t.Errorf("binary.csv is\n%s", got)
	}
}

// TestNotProbabilities checks that the posterior of a number is not graded as probabilities, though all values are 0 or 1.
func TestNotProbabilities(t *testing.T) {
	in := skillsByHand()
	last := len(in.Result.Profiles) - 1
	name := in.Result.Profiles[last].Parameter
	in.Result.Profiles[last].Mean = 1.2
	s := run(t, in)
	for _, p := range s.Drawn {
		if p.Parameter == name && p.Binary != nil {
			t.Errorf("%s is graded as %+v", name, p.Binary)
		}
	}
	if s.Patterns != nil {
		t.Errorf("patterns of one skill are graded: %+v", s.Patterns)
	}
}
