package generate_test

import (
	"slices"
	"testing"

	"achilles/scenarios/generate"
	"achilles/scenarios/scenario"
)

// TestCopies checks that who copies another gives its responses, trial by trial and in its order, to chance and to what it did before; and has
// its truth. Another subject with the same body does not.
func TestCopies(t *testing.T) {
	const text = `
name = "copies"
[battery]
suite = "learning"
coding = "blocks"
items = 120
[scale]
visits = 4.8
[[agent]]
name = "one"
body = [{ if = "passed == 0", goal = "nearest-place" }, { if = "coin < 0.5", rationality = 1, winRate = 0.3, lossRate = 0.3 }, { memory = 1, learns = { memory = { asymptote = 3, rate = 0.1 }, rationality = { asymptote = 0, rate = 0.1 } }, rationality = 2 }]
[agent.truth]
capability = { visits = 1 }
[[agent]]
name = "copy"
copies = "one"
[[agent]]
name = "twin"
body = [{ if = "passed == 0", goal = "nearest-place" }, { if = "coin < 0.5", rationality = 1, winRate = 0.3, lossRate = 0.3 }, { memory = 1, learns = { memory = { asymptote = 3, rate = 0.1 }, rationality = { asymptote = 0, rate = 0.1 } }, rationality = 2 }]
`
	s, err := scenario.Parse("copies.toml", text)
	if err != nil {
		t.Fatal(err)
	}
	out := run(t, s, generate.Config{Seed: 503, Jobs: 2})
	of := make([][]generate.Response, 3)
	for r := range out.All() {
		k := r.Subject
		r.Subject = 0
		of[k] = append(of[k], r)
	}
	if !slices.Equal(of[0], of[1]) {
		t.Error("the copy gives other responses")
	}
	if slices.Equal(of[0], of[2]) {
		t.Error("a twin gives the same responses")
	}
	if out.Subjects[1].Truth.Capability["visits"] != 1 {
		t.Errorf("the truth of the copy is %v", out.Subjects[1].Truth)
	}
}
