package score_test

import (
	"math"
	"strings"
	"testing"

	"achilles/infer/compare"
	"achilles/scenarios/score"
)

// averaged returns the input hand with profiles averaged over all rivals: the means of op are 7.6 for agent 1
// (deviation −.05), 4.4 for agent 2 (+.05) and 2.8 for agent 10 (+.1). There are none of lava.
func averaged() score.Input {
	in := hand()
	of := func(subject string, mean, q5, q95 float64) compare.Verdict {
		return compare.Verdict{Subject: subject, Family: "capable", Weight: 1, Profile: []compare.ParameterEstimate{
			{Name: "op", SD: 0.3, CredibleInterval: compare.CredibleInterval{Mean: mean, Q5: q5, Q95: q95}},
		}}
	}
	in.Result.Verdicts = &compare.Verdicts{Subjects: []compare.Verdict{of("s1", 4.4, 3.9, 5), of("s2", 2.8, 2.2, 3.5), of("s3", 7.6, 7, 7.9)}}
	return in
}

// TestStackedRecovery checks that RMSE is of the profile averaged over all rivals, and Single is of the reported layout
// alone.
func TestStackedRecovery(t *testing.T) {
	s := run(t, averaged())
	op := s.Recovery["overall"]["op"]
	if want := math.Sqrt((0.05*0.05 + 0.05*0.05 + 0.1*0.1) / 3); op.N != 3 || !same(op.RMSE, want) || op.Single == nil || !same(*op.Single, math.Sqrt(0.0825/3)) || op.MCSE != nil {
		t.Errorf("op: %+v, want %v beside %v", op, want, math.Sqrt(0.0825/3))
	}
	if lava := s.Recovery["overall"]["lava"]; lava.Single != nil || !same(lava.RMSE, math.Sqrt(0.05)) || lava.MCSE == nil {
		t.Errorf("lava, of which the verdicts say nothing: %+v", lava)
	}
	// The truths are 8, 4 and 2, the intervals [7, 7.9], [3.9, 5] and [2.2, 3.5]: only the second is covered. 8 is at
	// the bound.
	c := s.Coverage.Stacked["op"]
	if c.All.Covered != 1 || c.All.N != 3 || c.AtBound != 1 || c.Interior.Covered != 1 || c.Interior.N != 2 || c.Shortest != nil {
		t.Errorf("coverage %+v", c)
	}
	if d := s.Coverage.Detail["90"]["op"]; d.All.Covered != 1 || d.Shortest == nil {
		t.Errorf("the one layout's coverage has changed: %+v", d)
	}
	if x := tableOf(t, s, "recovery"); !x.Has("single") || !strings.Contains(strings.Join(x.Foot, " "), "that of op alone") {
		t.Errorf("recovery: single %v, foot %q", x.Has("single"), x.Foot)
	}
	text := string(tables(s))
	for _, part := range []string{"model-averaged over the candidate set", "7.6,0.3", "model-averaged all"} {
		if !strings.Contains(text, part) {
			t.Errorf("the tables lack %q:\n%s", part, text)
		}
	}
	in := averaged()
	in.Result.Verdicts.Subjects[0].Profile[0].SD = math.NaN()
	if _, err := score.Run(in); err == nil {
		t.Error("a profile that is no number is graded")
	}
}
