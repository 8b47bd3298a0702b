package accuracy_test

import (
	"slices"
	"testing"

	"achilles/agents/accuracy"
	"achilles/sim/rng"
)

// TestElectRankings has two elections by hand. In the first, of seven members, three rank a b c, two b c a, and two c b a. First places: a 3, b 2, c 2. Borda:
// a 6, b 2·2 + 3 + 2 = 9, c 2·2 + 2 = 6. Harmonic: a 3 + 4/3 = 4.33, b 2 + 5/2 = 4.5, c 2 + 1 + 1 = 4. b is before a with 4 of 7 members, and
// before c with 5: it wins both of its duels, and is before any other with at least 4. In the second, two members name a alone, and one ranks b
// c: Borda a 4, b 2 + 2·½ = 3, c 1 + 1 = 2.
func TestElectRankings(t *testing.T) {
	seven := [][]int{{0, 1, 2}, {0, 1, 2}, {0, 1, 2}, {1, 2, 0}, {1, 2, 0}, {2, 1, 0}, {2, 1, 0}}
	three := [][]int{{0}, {0}, {1, 2}, nil}
	for _, c := range []struct {
		rule     accuracy.Rule
		rankings [][]int
		want     []int
	}{
		{accuracy.PluralityVote, seven, []int{0}}, {accuracy.StrictMajority, seven, nil}, {accuracy.BordaCount, seven, []int{1}}, {accuracy.HarmonicCount, seven, []int{1}},
		{accuracy.Maximin, seven, []int{1}}, {accuracy.Copeland, seven, []int{1}},
		{accuracy.PluralityVote, three, []int{0}}, {accuracy.StrictMajority, three, []int{0}}, {accuracy.BordaCount, three, []int{0}}, {accuracy.Maximin, three, []int{0}},
		{accuracy.Copeland, [][]int{{0, 1, 2}, {1, 2, 0}, {2, 0, 1}}, []int{0, 1, 2}}, // Condorcet's circle
		{accuracy.BordaCount, [][]int{nil}, nil},
	} {
		if got := c.rule.ElectRankings(c.rankings, 3); !slices.Equal(got, c.want) {
			t.Errorf("%s elects %v from %v, want %v", c.rule, got, c.rankings, c.want)
		}
	}
}

// TestRankingsAreNeutral: other names of the answers elect the answers with the other names, another order of the members the same ones; a
// ranking to the end elects as one that leaves out the last answer does.
func TestRankingsAreNeutral(t *testing.T) {
	r := rng.Stream(7, "neutral")
	for range 200 {
		m := 3 + r.IntN(3)
		name := r.Perm(m)
		rankings, renamed, cut := make([][]int, 5), make([][]int, 5), make([][]int, 5)
		for i := range rankings {
			rankings[i] = r.Perm(m)
			cut[i] = rankings[i][:m-1]
			for _, a := range rankings[i] {
				renamed[4-i] = append(renamed[4-i], name[a])
			}
		}
		for _, rule := range accuracy.Rules() {
			if rule == accuracy.WeightedVote || rule == accuracy.BestMember {
				continue
			}
			got := rule.ElectRankings(rankings, m)
			var want []int
			for _, a := range got {
				want = append(want, name[a])
			}
			slices.Sort(want)
			if other := rule.ElectRankings(renamed, m); !slices.Equal(other, want) {
				t.Errorf("%s: %v with other names, want %v", rule, other, want)
			}
			if short := rule.ElectRankings(cut, m); !slices.Equal(short, got) {
				t.Errorf("%s: %v without last places, want %v", rule, short, got)
			}
		}
	}
}

// TestByRule: of two items, the rankings above elect b; b is right at one of them, and a at the other.
func TestByRule(t *testing.T) {
	seven := [][]int{{0, 1, 2}, {0, 1, 2}, {0, 1, 2}, {1, 2, 0}, {1, 2, 0}, {2, 1, 0}, {2, 1, 0}}
	list, err := accuracy.ByRule([]accuracy.Ballot{{Options: 3, Right: 1, Rankings: seven}, {Options: 3, Right: 1, Rankings: seven}, {Options: 3, Right: 0, Rankings: seven}, {Options: 3, Right: 0, Votes: []int{0, 0, 1}}}, 0.95, 1)
	if err != nil || len(list) != 6 {
		t.Fatal(list, err)
	}
	for _, r := range list {
		want := map[accuracy.Rule]float64{accuracy.PluralityVote: 0.5, accuracy.StrictMajority: 0.25}[r.Rule]
		if r.Rule.Ranks() {
			want = 0.75
		}
		near(t, string(r.Rule), r.Value, want, 1e-12)
		if r.Low > r.Value || r.High < r.Value {
			t.Errorf("%s: %+v", r.Rule, r)
		}
	}
	if err := accuracy.RulesTable(list, 0.95).Check(); err != nil {
		t.Error(err)
	}
	if _, err := accuracy.ByRule(nil, 0.95, 1); err == nil {
		t.Error("nothing to elect from")
	}
}
