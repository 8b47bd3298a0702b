package score_test

import (
	"context"
	"testing"

	"achilles/scenarios/generate"
	"achilles/sim/longtest"
)

// TestLackIsNoShortcut checks that bodies which lack one ability, and are therefore sure of a wrong place that is also that of a
// shortcut, are not taken for cheats, and that cheats are. With -long it tries every body of deficits and of blocks-deficits on -seeds seeds; if the true
// proportion of correct types is .95, it fails with probability .001 at most for each.
func TestLackIsNoShortcut(t *testing.T) {
	for _, c := range []struct {
		run trialRun
		set string // the candidate set, and the layout
	}{
		{trialRun{scenario: "deficits", keep: []string{"ignores-sizes", "ignores-widths", "cheats-search", "cheats-last-seen"}}, "comparative"},
		{trialRun{scenario: "blocks-deficits", keep: []string{"able", "learns-no-rule", "goes-back", "cheats-left"}}, "blocks"},
	} {
		seeds, from := uint64(1), uint64(20261)
		if longtest.On() {
			c.run.keep, seeds, from = nil, uint64(*verdictSeeds), *verdictFrom
		}
		var right tally
		for root := from; root < from+seeds; root++ {
			session, err := generate.Run(context.Background(), c.run.open(t), generate.Config{Seed: root, Jobs: 2})
			if err != nil {
				t.Fatal(err)
			}
			c.run.reduce(session)
			graded := gradeBy(t, session, root, c.set, c.set).Verdicts
			right.add(graded.FamiliesRight, graded.Subjects)
			for i := range graded.Rows {
				if row := &graded.Rows[i]; !row.Right {
					t.Log(failure(root, row))
				}
			}
		}
		t.Logf("%s: correct types: %v", c.run.scenario, right)
		if right.short(0.95) || !longtest.On() && right.k < right.n {
			t.Errorf("%s: correct types: %v", c.run.scenario, right)
		}
	}
}
