package score_test

import (
	"context"
	"maps"
	"math"
	"slices"
	"testing"

	"achilles/infer/compare"
	"achilles/scenarios/generate"
	"achilles/sim/longtest"
)

// TestLearnersAreTold grades the verdicts of the bank learning on fresh draws of the scenario learners. Of bodies whose memory
// changes by 1.5 or more in 600 trials, and of cheats that go to a side or to the nearest place, no share of right verdicts may be
// significantly below 0.9.
func TestLearnersAreTold(t *testing.T) {
	longtest.Only(t, "takes minutes, and -seeds 5 -from 501 for the numbers of docs/theory/embodied.md")
	count := map[string]*[3]int{} // kind of subject → right, undecided and wrong verdicts
	for k := range uint64(*verdictSeeds) {
		root := *verdictFrom + k
		session, err := generate.Run(context.Background(), trialRun{scenario: "learners"}.open(t), generate.Config{Seed: root, Jobs: 2})
		if err != nil {
			t.Fatal(err)
		}
		kind := map[string]string{}
		for _, s := range session.Subjects {
			kind[s.Name] = kindOfLearner(s.Parameter["gained"], s.Word["shortcut"])
		}
		for _, row := range gradeBy(t, session, root, "learning", "learning").Verdicts.Rows {
			c := count[kind[row.Name]]
			if c == nil {
				c = &[3]int{}
				count[kind[row.Name]] = c
			}
			switch {
			case row.Right:
				c[0]++
			case row.Family == compare.Unclassified:
				c[1]++
			default:
				c[2]++
				t.Log(failure(root, &row))
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(count)) {
		c := count[name]
		t.Logf("%-32s right %3d, undecided %3d, wrong %3d", name, c[0], c[1], c[2])
		clear := name != "gains or loses less than 0.5" && name != "gains or loses 0.5 to 1.5" && name != "nearest-visible"
		if all := (tally{c[0], c[0] + c[1] + c[2]}); clear && all.short(0.9) {
			t.Errorf("%s: %v", name, all)
		}
	}
}

// kindOfLearner returns the row of the table of docs/theory/embodied.md for a subject.
func kindOfLearner(gained float64, shortcut string) string {
	switch {
	case shortcut != "":
		return shortcut
	case math.Abs(gained) < 0.5:
		return "gains or loses less than 0.5"
	case math.Abs(gained) < 1.5:
		return "gains or loses 0.5 to 1.5"
	case gained > 0:
		return "gains 1.5 or more"
	}
	return "loses 1.5 or more"
}
