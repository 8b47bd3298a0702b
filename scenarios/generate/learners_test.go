package generate_test

import (
	"context"
	"fmt"
	"math"
	"os"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"achilles/agents"
	"achilles/scenarios/generate"
	"achilles/scenarios/scenario"
	"achilles/sim/longtest"
	"achilles/sim/num"
	"achilles/sim/record"
)

// TestBodiesLearnAsTheLayoutSays is TestBodiesPassAsTheLayoutSays for the layout learning: what a body remembers depends on how
// many trials came before.
func TestBodiesLearnAsTheLayoutSays(t *testing.T) {
	count, items := 40, 300
	if longtest.On() {
		count, items = 400, 1800
	}
	s := open(t, "learners", fmt.Sprint("population[0].count=", count), "population[1].count=0", fmt.Sprint("battery.items=", items))
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

// TestLearnersTakeChosenItems lets a body forget everything after its 31st trial, and chooses its items one by one: after a pass the
// first that is left, after a failure the last. The body must respond by its place in this order, be asked in it and published in it;
// nothing of it may depend on the number of jobs.
func TestLearnersTakeChosenItems(t *testing.T) {
	text := `
name = "f"
[battery]
coding = "worlds"
items = 60
[battery.levels]
occluder = [1]
timeUnderOcclusion = [2]
lava = [0]
ramp = [0]
platform = [0]
[responses]
held_out = 0
[adaptive]
items = 50
[inference]
layout = "learning"
[[agent]]
name = "one"
[agent.body]
memory = 1e9
learns = "memory"
asymptote = -1e12
rate = 3.3e-5   # below 0 after 1/rate·log(1.001) = 30 trials
[[agent]]
name = "two"
body = { noise = 0.5, chance = 0 }
`
	s, err := scenario.Parse("f.toml", text)
	if err != nil {
		t.Fatal(err)
	}
	var sessions [2]*generate.Session
	for jobs := range sessions {
		var mu sync.Mutex
		asked := map[string][]string{} // subject → items, as often as they were chosen for it
		choose := func(d *record.Dataset) (generate.Choosing, error) {
			return func(ctx context.Context, subject int, take generate.Take) error {
				first, last := 0, len(d.Items.ID)-1
				for n, at := 0, 0; n < 50; n++ {
					responses, err := take(ctx, at)
					if err != nil {
						return err
					}
					mu.Lock()
					asked[d.Subjects[subject]] = append(asked[d.Subjects[subject]], d.Items.ID[at])
					mu.Unlock()
					if at == first {
						first++
					} else {
						last--
					}
					if at = first; responses[0].Value == 0 {
						at = last
					}
				}
				return nil
			}, nil
		}
		out := run(t, s, generate.Config{Seed: 1, Jobs: jobs + 1, Choose: choose})
		sessions[jobs] = out
		for _, r := range out.Responses {
			if out.Subjects[r.Subject].Name == "one" && (r.Value == 1) != (r.Position <= 31) {
				t.Errorf("position %d: passes %v", r.Position, r.Value == 1)
			}
		}
		for _, items := range asked {
			if len(items) != 50 && len(items) != 100 {
				t.Errorf("%d items were asked of a body, want 50, or twice 50 if it learns", len(items))
			} else if !slices.Equal(items[:50], items[len(items)-50:]) {
				t.Error("the body acts otherwise in the order that was chosen for it than when the order was chosen")
			}
		}
	}
	if !reflect.DeepEqual(sessions[0].Responses, sessions[1].Responses) {
		t.Error("two jobs give other responses than one")
	}
}

// TestDocumentedPractice runs the scenario of the manual with two bodies that learn, and compares what they pass with the strip in
// the manual.
func TestDocumentedPractice(t *testing.T) {
	manual, err := os.ReadFile("../../docs/theory/embodied.md")
	if err != nil {
		t.Fatal(err)
	}
	block := func(start string) string {
		_, rest, _ := strings.Cut(string(manual), start)
		text, _, found := strings.Cut(rest, "```")
		if !found {
			t.Fatalf("the manual has no block %q", start)
		}
		return text
	}
	s, err := scenario.Parse("practice.toml", "name = \"practice\"\n"+block("```toml\nname = \"practice\"\n"))
	if err != nil {
		t.Fatal(err)
	}
	out := run(t, s, generate.Config{Seed: 1, Jobs: 2})
	if got, want := practice(out, columns(t, &out.Battery, "timeUnderOcclusion")["timeUnderOcclusion"]), block("```strip\n"); got != want {
		t.Errorf("the strip is\n%s\nnot\n%s", got, want)
	}
}

// practice returns three lines for each subject: its memory by fifths of the sequence, the share of items with these times under
// occlusion that it passes in expectation, and the share that it passed.
func practice(out *generate.Session, time []float64) string {
	var b strings.Builder
	for i, subject := range out.Subjects {
		var n, memory, expected, passed [5]float64
		for r := range out.All() {
			if r.Subject != i {
				continue
			}
			k := len(n) * (r.Position - 1) / len(time)
			body := subject.Body[0]
			level := body.Learning.Level(body.Trait["memory"], r.Position)
			n[k], memory[k], passed[k] = n[k]+1, memory[k]+level, passed[k]+r.Value
			expected[k] += num.Logistic(level - time[r.Item])
		}
		for _, line := range []struct {
			name string
			sum  [5]float64
		}{{subject.Name + " memory", memory}, {subject.Name + " expected", expected}, {subject.Name + " passed", passed}} {
			fmt.Fprintf(&b, "%-16s", line.name)
			for k, x := range line.sum {
				fmt.Fprintf(&b, " %4.2f", x/n[k])
			}
			b.WriteByte('\n')
		}
	}
	return b.String()
}
