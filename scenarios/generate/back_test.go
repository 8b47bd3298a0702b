package generate_test

import (
	"testing"

	"achilles/battery"
	"achilles/scenarios/generate"
	"achilles/scenarios/scenario"
	"achilles/sim/record"
)

// TestErrorsInBlocks checks by the words of choices how bodies fail in blocks: who returns to its own finds goes to A in the test of A not B;
// who unlearns nothing to A after a reversal, and never before; who remembers no visit mostly to A in the maze, and who learns no places mostly to arms
// that never have a reward, which are not A. So does a session whose bodies act when it is published.
func TestErrorsInBlocks(t *testing.T) {
	s, err := scenario.Parse("blocks.toml", `name = "errors"
[battery]
suite = "learning"
coding = "blocks"
items = 900
[battery.levels]
paradigm = ["own-a-not-b", "reversal", "own-radial-maze"]
unbaited = [2, 3]
visits = [2, 3]
[[agent]]
name = "perseverates"
body = { restraint = 0 }
[[agent]]
name = "unlearns nothing"
body = { winRate = 1, lossRate = 0, rationality = 20 }
[[agent]]
name = "remembers no visit"
body = { visits = 0, winRate = 1, ruleRate = 1, rationality = 20 }
[[agent]]
name = "learns no places"
body = { winRate = 0, ruleRate = 1, rationality = 20 }
`)
	if err != nil {
		t.Fatal(err)
	}
	for _, late := range []bool{false, true} {
		out := run(t, s, generate.Config{Seed: 511, Late: late})
		if late {
			publish(t, out)
		}
		task := map[int]string{}
		for i, it := range out.Battery.Items.All() {
			task[i] = it.Task
		}
		phase := columns(t, &out.Battery, battery.PhaseFeature)[battery.PhaseFeature]
		failed, toA := map[string]int{}, map[string]int{}
		for r := range out.All() {
			if r.Value == 1 || r.Chosen.Went == record.ToNone {
				continue
			}
			what := out.Subjects[r.Subject].Name + ", " + task[r.Item]
			if phase[r.Item] == 0 && task[r.Item] == "reversal-trial" {
				what += " before"
			}
			failed[what]++
			if r.Chosen.Went == record.ToA {
				toA[what]++
			}
		}
		for _, c := range []struct {
			what        string
			least, most float64 // share of errors that go to A
		}{
			{"perseverates, own-a-not-b-test", 1, 1}, {"unlearns nothing, reversal-trial", 0.9, 1}, {"unlearns nothing, reversal-trial before", 0, 0},
			{"remembers no visit, own-radial-maze-test", 0.5, 1}, {"learns no places, own-radial-maze-test", 0, 0.4},
		} {
			n := failed[c.what]
			if share := float64(toA[c.what]) / float64(n); n < 10 || share < c.least || share > c.most {
				t.Errorf("late %v: %s: %d of %d errors go to A, want a share of %v to %v", late, c.what, toA[c.what], n, c.least, c.most)
			}
		}
		t.Log(failed, toA)
	}
}
