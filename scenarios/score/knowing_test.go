package score_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"achilles/infer/compare"
	"achilles/scenarios/generate"
	scene "achilles/scenarios/scenario"
	"achilles/scenarios/score"
	"achilles/sim/longtest"
)

// guessers returns a scenario of 300 items with subjects that know the place of a hidden reward now and then, and guess, fail or go to
// where it was last seen otherwise. Their names end in the families that are right.
func guessers(suite, coding string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "name = \"guessers\"\n[battery]\nsuite = %q\ncoding = %q\nitems = 300\n[responses]\nheld_out = 0\n", suite, coding)
	add := func(name, rule, family, op string) {
		fmt.Fprintf(&b, "[[agent]]\nname = %q\nrule = [%s]\n[agent.truth]\nfamily = %q\nhas_op = %q\nreason = \"as drawn\"\n", name, rule, family, op)
	}
	op := func(k float64) string {
		if k < 0.5 {
			return "no"
		}
		return "yes"
	}
	for _, k := range []float64{0, 0.2, 0.3, 0.7, 0.8} {
		add(fmt.Sprintf("guesses-%g", 100*k), fmt.Sprintf(`{ if = "requiresOP == 1", p = "0.97*(%g + %g/(1 + numPositions))" }, { p = 0.97 }`, k, 1-k), compare.AchillesHeel, op(k))
		add(fmt.Sprintf("fails-%g", 100*k), fmt.Sprintf(`{ if = "requiresOP == 1", p = %g }, { p = 0.97 }`, 0.97*k), compare.AchillesHeel, op(k))
		add(fmt.Sprintf("cheats-%g", 100*k), fmt.Sprintf(`{ if = "lastSeenPasses == 0", p = %g }, { p = 0.97 }`, 0.97*k), compare.Fraudster, op(k))
	}
	add("knows", "{ p = 0.985 }", compare.Capable, "yes")
	return b.String()
}

// TestKnowingShares grades subjects whose knowing share is 0 to 1 in five batteries. At most 2 % may be confident and wrong, in
// their type or in object permanence; a subject that knows four fifths may be called capable.
func TestKnowingShares(t *testing.T) {
	longtest.Only(t, "takes minutes, and -seeds 10 for ten seeds")
	wrong, n := 0, 0
	for _, c := range []struct{ suite, coding, layout, set string }{
		{"opiaagets", "design", "op", "op"}, {"opiaagets", "worlds", "embodied", "bodies"}, {"permanence", "paradigms", "permanence", "permanence"},
		{"permanence", "comparative", "comparative", "comparative"}, {"permanence", "radial", "radial", "radial"},
	} {
		s, err := scene.Parse("guessers.toml", guessers(c.suite, c.coding))
		if err != nil {
			t.Fatal(err)
		}
		for k := range uint64(*verdictSeeds) {
			root := *verdictFrom + k
			session, err := generate.Run(context.Background(), s, generate.Config{Seed: root, Jobs: 2})
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range gradeBy(t, session, root, c.layout, c.set).Verdicts.Rows {
				n++
				right := []string{r.Truth.Family, compare.Unclassified}
				if strings.HasSuffix(r.Name, "-70") || strings.HasSuffix(r.Name, "-80") {
					right = append(right, compare.Capable)
				}
				sure := r.Weight >= score.Confident && !slices.Contains(right, r.Family)
				if sure || r.Truth.HasOP == "no" && r.HasOP > 0.9 || r.Truth.HasOP == "yes" && r.HasOP < 0.1 {
					wrong++
					t.Logf("%s, seed %d, %s: %s", c.coding, root, r.Name, r.Words)
				}
			}
		}
	}
	t.Logf("%d of %d are confident and wrong", wrong, n)
	if wrong*50 > n {
		t.Errorf("%d of %d are confident and wrong: more than 2 %%", wrong, n)
	}
}
