package layout_test

import (
	"math"
	"strings"
	"testing"

	"achilles/infer/layout"
	"achilles/sim/record"
)

// binary is a layout of two skills. Each case of TestBinaryErrors replaces one part of it.
const binary = `name = "binary"
[metafeature]
q = { columns = ["read", "add"], range = [0, 1] }
[capability]
mastery = { prior = "bernoulli(rate)", size = "q" }
[item]
guess = { prior = "beta(1, 2)" }
slip = { prior = "uniform(0, 1 - guess)" }
[shared]
rate = { prior = "beta(1, 1)", size = "q" }
[response.success]
p = "mix(prod(present(mastery, q)), guess, 1 - slip)"
`

// needing returns responses of one subject to four items, which need nothing, to read, to add, and both.
func needing(t *testing.T, l *layout.Layout) *layout.Cells {
	t.Helper()
	needs := map[string][]float64{"read": {0, 1, 0, 1}, "add": {0, 0, 1, 1}}
	items := &record.Items{ID: []string{"none", "read", "add", "both"}, Suite: make([]string, 4), Paradigm: make([]string, 4), Task: make([]string, 4)}
	for _, name := range []string{"read", "add"} {
		items.Columns = append(items.Columns, record.Column{Feature: record.Feature{Name: name}, Number: needs[name]})
	}
	j, err := l.BindJoint(items, []string{"s"}, nil, []record.Measure{{Name: "success", Family: record.Binary}})
	if err != nil {
		t.Fatal(err)
	}
	cells, err := j.NewCells([]record.Response{{Item: 0}, {Item: 1}, {Item: 2}, {Item: 3}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return cells
}

// TestBinary checks who succeeds: with all skills that an item needs, success is certain but for a slip.
func TestBinary(t *testing.T) {
	l := parse(t, binary)
	if !l.Joint() || l.CheckMovable() == nil || !l.Parameters[0].Binary() || l.Parameters[2].Binary() {
		t.Error("the skills are not binary")
	}
	cells := needing(t, l)
	for pattern, want := range map[[2]float64][4]float64{
		{0, 0}: {0.95, 0.2, 0.3, 0.4}, {1, 0}: {0.95, 0.85, 0.3, 0.4}, {0, 1}: {0.95, 0.2, 0.75, 0.4}, {1, 1}: {0.95, 0.85, 0.75, 0.55},
	} {
		theta := append(pattern[:], 0.1, 0.2, 0.3, 0.4, 0.05, 0.15, 0.25, 0.45, 0.5, 0.5)
		var p [4]float64
		cells.NewTarget(make([]bool, len(l.Parameters)), 1).Expected(theta, p[:])
		for i := range p {
			if math.Abs(p[i]-want[i]) > 1e-15 {
				t.Errorf("skills %v: success %v, want %v", pattern, p, want)
			}
		}
	}
}

func TestBinaryErrors(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{`bernoulli(rate)`, `bernoulli(2*rate)`, `f.toml:5: key capability.mastery.prior: column 12: p of bernoulli must lie in [0, 1], but may lie anywhere from 0 to 2`},
		{`bernoulli(rate)`, `bernoulli(rate, 1)`, `f.toml:5: key capability.mastery.prior: column 1: bernoulli takes 1 arguments, not 2: bernoulli(p)`},
		{`bernoulli(rate)", `, `bernoulli(rate)", centred = false, `, `f.toml:5: key capability.mastery.centred: only a normal or lognormal prior has scores to move instead`},
		{`beta(1, 2)`, `bernoulli(0.5)`, `f.toml:7: key item.guess.prior: guess is binary and belongs to each item: only what each subject has can be binary, under [capability], [bias] or [robustness] without per`},
		{`beta(1, 1)`, `bernoulli(0.5)`, `f.toml:10: key shared.rate.prior: rate[read] is binary and belongs to everybody: only what each subject has can be binary, under [capability], [bias] or [robustness] without per`},
		{`bernoulli(rate)", size = "q" }`, `bernoulli(rate)", size = "q", per = "family" }`, `f.toml:5: key capability.mastery.prior: mastery[read] is binary and belongs to each family: only what each subject has can be binary, under [capability], [bias] or [robustness] without per`},
		{"[item]", "speed = { prior = \"beta(1, 1)\" }\n[item]", `f.toml:6: key capability.speed.prior: speed is not binary, and mastery[read] is: the parameters of each subject must be all binary or none`},
		{"[item]", "team = { prior = \"beta(1, 1)\", per = \"team\" }\n[item]", `f.toml:6: key capability.team.prior: team belongs to groups of subjects, so that subjects are not independent given the items, and no parameter of theirs can be summed out`},
		{"[item]", "more = { prior = \"bernoulli(0.5)\", size = 7 }\n[item]", `f.toml:5: key capability.mastery.prior: 9 binary parameters of each subject have 512 patterns, and 256, of 8 parameters, can be summed over: name fewer columns, or a smaller size`},
		{"[item]", "[covariate]\nage = { column = \"age\", range = [0, 1] }\n[item]", `f.toml:7: key covariate.age: the covariate age is another number for each subject, so that mastery[read] cannot be summed out`},
		{"guess, 1 - slip", "guess*mean(success), 1 - slip", `f.toml:12: key response.success.p: mean(success) is another number for each subject, so that mastery[read] cannot be summed out`},
		{"[item]\nguess = { prior = \"beta(1, 2)\" }\nslip = { prior = \"uniform(0, 1 - guess)\" }\n[shared]\nrate = { prior = \"beta(1, 1)\", size = \"q\" }", "[constant]\nguess = 0.2\nslip = 0.1\nrate = 0.5", `f.toml:5: key capability.mastery.prior: all parameters are binary, and none is left to draw: infer something about items or shared by all too, such as p in bernoulli(p)`},
	} {
		text := strings.Replace(binary, c.old, c.new, 1)
		for _, more := range []string{"speed", "team", "age"} { // so that a response depends on it
			if strings.Contains(text, "\n"+more+" = ") {
				text = strings.Replace(text, "guess, 1 - slip", "guess*"+more+", 1 - slip", 1)
			}
		}
		if strings.Contains(text, "more = ") {
			text = strings.Replace(text, "guess, 1 - slip", "guess*prod(more), 1 - slip", 1)
		}
		_, err := layout.Parse("f.toml", text)
		if err == nil {
			t.Errorf("%s: no error", c.new)
		} else if err.Error() != c.want {
			t.Errorf("%s:\n got %v\nwant %s", c.new, err, c.want)
		}
	}
}
