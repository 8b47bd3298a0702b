package score_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"achilles/scenarios/generate"
	scene "achilles/scenarios/scenario"
	"achilles/sim/longtest"
)

// TestWeaknessErasesNothing checks that a weakness says nothing of abilities that it leaves: eight subjects whose memory ends at
// 1.5 to 4.5 units of time, and who can do everything else, have a model-averaged profile that is no further from the truth
// than the posterior of the layout alone, and an RMSE of .05 at most. On seeds 501 and 502 these are .017 and .133.
func TestWeaknessErasesNothing(t *testing.T) {
	longtest.Only(t, "takes a minute")
	text := `name = "mild"
battery = { suite = "opiaagets", coding = "design", items = 600 }
responses = { held_out = 0 }
scale = { op = 52.8, flatNav = 56, visual = 6, lava = 1, platform = 1, ramp = 1, memory = 4.8 }
`
	for _, m := range []float64{1.5, 2, 2.5, 3, 3.5, 4, 4.25, 4.5} {
		text += fmt.Sprintf(`[[agent]]
name = "memory-%[1]g"
rule = [ { p = "0.97*logistic(%[1]g - timeUnderOcclusion)" } ]
truth = { family = "achilles-heel", has_op = "yes", weakness = "memory", capability = { op = 1, memory = %[2]g, visual = 1, flatNav = 1, lava = 1, platform = 1, ramp = 1 } }
`, m, m/4.8)
	}
	s, err := scene.Parse("mild.toml", text)
	if err != nil {
		t.Fatal(err)
	}
	averaged, single, n := 0.0, 0.0, 0.0
	for root := *verdictFrom; root < *verdictFrom+uint64(*verdictSeeds); root++ {
		session, err := generate.Run(context.Background(), s, generate.Config{Seed: root, Jobs: 2})
		if err != nil {
			t.Fatal(err)
		}
		graded := gradeSession(t, session, root)
		for name, r := range graded.Recovery["overall"] {
			t.Logf("seed %d, %s: RMSE %.3f model-averaged, %.3f of the layout alone", root, name, r.RMSE, *r.Single)
			averaged, single, n = averaged+r.RMSE*r.RMSE, single+*r.Single**r.Single, n+1
		}
		for i := range graded.Verdicts.Rows {
			if row := &graded.Verdicts.Rows[i]; !row.Right {
				t.Log(failure(root, row))
			}
		}
	}
	averaged, single = math.Sqrt(averaged/n), math.Sqrt(single/n)
	t.Logf("RMSE over all capabilities: %.3f model-averaged, %.3f of the layout alone", averaged, single)
	if averaged > single || averaged > 0.05 {
		t.Errorf("RMSE %.3f model-averaged, %.3f of the layout alone", averaged, single)
	}
}
