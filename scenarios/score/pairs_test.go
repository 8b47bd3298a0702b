package score_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"achilles/infer/compare"
	"achilles/scenarios/score"
	"achilles/sim/longtest"
)

// composed sums up verdicts on subjects of the scenario op-pairs, which have two weaknesses, or cheat and have one. A
// verdict is right if it has the true family and names the true weaknesses and no other. It is confident and wrong if
// it gives a probability of at least score.Confident to a wrong family, to a wrong answer about object permanence, or
// to a weakness that the subject does not have.
type composed struct {
	right, undecided, confident tally
	wrong                       []string
}

func (c *composed) add(root uint64, rows []score.VerdictRow) {
	for i := range rows {
		r := &rows[i]
		truth, named := slices.Sorted(slices.Values(r.TrueWeaknesses)), slices.Sorted(slices.Values(r.WeaknessNames))
		right := r.Right && slices.Equal(truth, named)
		c.right.count(right)
		c.undecided.count(r.Family == compare.Unclassified)
		sure := r.Family != compare.Unclassified && r.Family != r.Truth.Family && r.Weight >= score.Confident
		sure = sure || r.Family != compare.Unclassified && (r.Truth.HasOP == "yes" && r.HasOP <= 1-score.Confident || r.Truth.HasOP == "no" && r.HasOP >= score.Confident)
		for _, w := range r.Weaknesses {
			sure = sure || r.Family != compare.Unclassified && w.Probability >= score.Confident && !strings.Contains(strings.Join(truth, " "), strings.ToLower(strings.Fields(w.Name)[0])) && w.Name != "endurance"
		}
		c.confident.count(sure)
		if !right {
			c.wrong = append(c.wrong, fmt.Sprintf("%v: %v %s op %.2f named %v confident %v", r.Unclassified, r.Weight, failure(root, r), r.HasOP, named, sure))
		}
	}
}

// TestComposedVerdicts grades verdicts on the subjects of op-pairs (see composed).
func TestComposedVerdicts(t *testing.T) {
	longtest.Only(t, "takes minutes")
	var c composed
	for k := range uint64(*verdictSeeds) {
		var j judgement
		r := trialRun{scenario: "op-pairs"}
		j.judge(t, r, *verdictFrom+k)
		c.add(*verdictFrom+k, j.rows)
	}
	t.Logf("right %v\nundecided %v\nconfident and wrong %v\n%s", c.right, c.undecided, c.confident, strings.Join(c.wrong, "\n"))
	if c.right.short(0.8) {
		t.Errorf("right %v, below 0.8", c.right)
	}
}
