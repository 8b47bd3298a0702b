package embodied_test

import (
	"math"
	"testing"

	"achilles/agents/embodied"
)

// TestLevel compares practice by hand: from 1 towards 3 at a rate of log 2, half of what is left is gained each trial.
func TestLevel(t *testing.T) {
	l := embodied.Learning{Trait: "memory", Asymptote: 3, Rate: math.Ln2}
	for trial, want := range map[int]float64{1: 1, 2: 2, 3: 2.5, 4: 2.75, 1000: 3} {
		if got := l.Level(1, trial); math.Abs(got-want) > 1e-12 {
			t.Errorf("trial %d: %v, want %v", trial, got, want)
		}
	}
}

// TestLearningErrors checks what a body says of a learning that means nothing.
func TestLearningErrors(t *testing.T) {
	start := map[string]float64{"memory": 1, "lava": 0.5}
	for _, c := range []struct {
		why      string
		learning embodied.Learning
		want     string
	}{
		{"a trait misspelt", embodied.Learning{Trait: "memry", Rate: 1}, "learns: unknown trait: did you mean memory?"},
		{"no start", embodied.Learning{Trait: "visual", Rate: 1}, "learns: the body has no visual to begin with: give its level on the first trial"},
		{"an asymptote outside of the trait's range", embodied.Learning{Trait: "lava", Asymptote: 2, Rate: 1}, "asymptote: want a number from 0 to 1, as lava is, not 2"},
		{"an asymptote that is never near", embodied.Learning{Trait: "memory", Asymptote: math.Inf(1), Rate: 1}, "asymptote: want a number, as memory is, not +Inf"},
		{"it moves away", embodied.Learning{Trait: "memory", Asymptote: 1, Rate: -0.1}, "rate: want a number from 0, not -0.1"},
		{"no rate", embodied.Learning{Trait: "memory", Asymptote: 1, Rate: math.NaN()}, "rate: want a number from 0, not NaN"},
		{"right", embodied.Learning{Trait: "lava", Asymptote: 1, Rate: 0}, ""},
	} {
		b := embodied.Body{Trait: start, Learning: &c.learning}
		got := ""
		if err := b.Check(); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.why, got, c.want)
		}
	}
}

// TestAt checks that a body that does not learn stays as it is, and that learning leaves the first trial alone.
func TestAt(t *testing.T) {
	still := disposition(t, embodied.Body{})
	if still.At(7) != still || still.Learns() {
		t.Error("a body that does not learn has another disposition later")
	}
	d := disposition(t, embodied.Body{Trait: map[string]float64{"memory": 1}, Learning: &embodied.Learning{Trait: "memory", Asymptote: 2, Rate: 1}})
	if first := d.At(1); *first != *d || *d.At(2) == *d || *d.At(2) != *d.At(2) {
		t.Error("learning does not begin with the second trial")
	}
}

// TestSeveralLearn checks that two traits change, each in its own way, and that a fault names the trait.
func TestSeveralLearn(t *testing.T) {
	start := map[string]float64{"memory": 1, "op": 8}
	d := disposition(t, embodied.Body{Trait: start, Learning: &embodied.Learning{Trait: "memory", Asymptote: 3, Rate: math.Ln2, And: &embodied.Learning{Trait: "op", Asymptote: 4, Rate: math.Ln2}}})
	for trait, want := range map[string]float64{"memory": 2.5, "op": 5} { // by hand, as in TestLevel
		if got := d.At(3).Level(trait); math.Abs(got-want) > 1e-12 {
			t.Errorf("%s is %v on trial 3, want %v", trait, got, want)
		}
	}
	for _, c := range []struct {
		second embodied.Learning
		want   string
	}{
		{embodied.Learning{Trait: "op", Rate: -1}, "learns.op.rate: want a number from 0, not -1"},
		{embodied.Learning{Trait: "memory", Rate: 1}, "learns.memory: memory appears twice: a trait changes in one way"},
		{embodied.Learning{Trait: "opp", Rate: 1}, "learns.opp: unknown trait: did you mean op?"},
	} {
		b := embodied.Body{Trait: start, Learning: &embodied.Learning{Trait: "memory", Asymptote: 3, Rate: 1, And: &c.second}}
		if err := b.Check(); err == nil || err.Error() != c.want {
			t.Errorf("error %v, want %s", err, c.want)
		}
	}
}
