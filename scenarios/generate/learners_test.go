package generate_test

import (
	"fmt"
	"math"
	"testing"

	"achilles/agents"
	"achilles/scenarios/generate"
	"achilles/scenarios/scenario"
	"achilles/sim/num"
)

// TestBodiesLearnAsTheLayoutSays is TestBodiesPassAsTheLayoutSays for the layout learning: what a body remembers depends on how
// many trials came before.
func TestBodiesLearnAsTheLayoutSays(t *testing.T) {
	count, items := 40, 300
	if *stat {
		count, items = 400, 1800
	}
	s := open(t, "learners", fmt.Sprint("population[0].count=", count), fmt.Sprint("battery.items=", items))
	out := run(t, s, generate.Config{Seed: 502, Jobs: 2})
	f := columns(t, &out.Battery, "timeUnderOcclusion", "occluder", "goalSize")
	agreeInOrder(t, out, f, func(body *agents.Body, r *generate.Response) float64 {
		q := num.Logistic(body.Trait["visual"] - (5 - f["goalSize"][r.Item]))
		if f["occluder"][r.Item] == 1 {
			start, end := body.Trait["memory"], body.Learning.Asymptote
			now := end + (start-end)*math.Exp(-body.Learning.Rate*float64(r.Position-1))
			q *= num.Logistic(now - f["timeUnderOcclusion"][r.Item])
		}
		return (1-body.Trait["noise"])*q + body.Trait["noise"]*body.Trait["chance"]
	})
}

// TestLearnersTakeItemsInTheirOwnOrder lets two bodies forget everything half-way, at once. What they pass must change at the
// published positions, for each at other items, with repetitions too.
func TestLearnersTakeItemsInTheirOwnOrder(t *testing.T) {
	text := `
name = "f"
[battery]
coding = "worlds"
items = 30
[battery.levels]
occluder = [1]
timeUnderOcclusion = [2]
lava = [0]
ramp = [0]
platform = [0]
[responses]
repetitions = 2
[[agent]]
name = "one"
[agent.body]
memory = 1e9
learns = "memory"
asymptote = -1e12
rate = 3.3e-5   # below 0 after 1/rate·log(1.001) = 30 trials
[[agent]]
name = "two"
body = [{ memory = 1e9, learns = "memory", asymptote = -1e12, rate = 3.3e-5 }]
`
	s, err := scenario.Parse("f.toml", text)
	if err != nil {
		t.Fatal(err)
	}
	out := run(t, s, generate.Config{Seed: 1, Jobs: 2})
	differ := 0
	early := map[[2]int]bool{}
	for r := range out.All() {
		if want := r.Position <= 31; (r.Value == 1) != want {
			t.Errorf("%s at position %d: passes %v", out.Subjects[r.Subject].Name, r.Position, r.Value == 1)
		}
		at := [2]int{r.Item, r.Repetition}
		if first, seen := early[at]; seen && first != (r.Position <= 31) {
			differ++
		}
		early[at] = r.Position <= 31
	}
	if differ < 10 {
		t.Errorf("only %d of 60 trials are early for one and late for the other", differ)
	}
}
