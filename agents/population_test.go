package agents_test

import (
	"errors"
	"math"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"achilles/agents"
	"achilles/agents/agenttest"
)

func learners(count int) agents.Population {
	return agents.Population{
		Name: "learner", Count: count,
		Parameter: map[string]string{
			"op": "uniform(0, 11*memory)", "memory": "uniform(0, 4.8)", "slip": "beta(1, 9)", "reach": "memory/4.8",
		},
		Rule: []agents.Rule{{P: "(1 - slip)*logistic(memory - size)"}},
		Truth: []agents.TruthForm{{
			At: "truth", Truth: agents.Truth{Family: "capable", HasOP: "yes"},
			Capability: map[string]string{"memory": "reach", "op": "op/52.8"},
		}},
	}
}

func TestPopulation(t *testing.T) {
	p := learners(50)
	specs, err := p.Specs(1)
	if err != nil {
		t.Fatal(err)
	}
	if specs[0].Name != "learner-001" || specs[49].Name != "learner-050" {
		t.Errorf("names run from %s to %s", specs[0].Name, specs[49].Name)
	}
	for _, s := range specs {
		m, o := s.Parameter["memory"], s.Parameter["op"]
		if !(m > 0 && m < 4.8 && o > 0 && o < 11*m) {
			t.Errorf("%s: memory %v, op %v are outside their bounds", s.Name, m, o)
		}
		if s.Truth.Capability["memory"] != m/4.8 || s.Truth.Capability["op"] != o/52.8 || s.Truth.Family != "capable" {
			t.Errorf("%s: the truth is not what its parameters say: %+v", s.Name, s.Truth)
		}
		agenttest.Conform(t, s, table(40), scale())
	}
}

// TestPopulationGrows checks that the first subjects of a population do not change if it gets more subjects or a further
// parameter.
func TestPopulationGrows(t *testing.T) {
	few, many := learners(5), learners(1200)
	a, err := few.Specs(9)
	b, err2 := many.Specs(9)
	if err != nil || err2 != nil {
		t.Fatal(err, err2)
	}
	if !reflect.DeepEqual(a, b[:5]) {
		t.Error("the first five of 1200 subjects are not the five of a small population")
	}
	if b[1199].Name != "learner-1200" {
		t.Errorf("last is %s", b[1199].Name)
	}
	few.Parameter["another"] = "normal(0, 1)"
	c, err := few.Specs(9)
	if err != nil {
		t.Fatal(err)
	}
	for i := range c {
		if c[i].Parameter["op"] != a[i].Parameter["op"] || c[i].Parameter["slip"] != a[i].Parameter["slip"] {
			t.Errorf("%s changed when a parameter was added", c[i].Name)
		}
	}
}

func TestPopulationRefuses(t *testing.T) {
	for _, c := range []struct {
		why    string
		change func(p *agents.Population)
		says   string
	}{
		{"cycle", func(p *agents.Population) { p.Parameter["memory"] = "op/11" }, "mentions itself"},
		{"unknown parameter", func(p *agents.Population) { p.Parameter["reach"] = "memry" }, "parameters.reach: column 1: unknown parameter memry: did you mean memory?"},
		{"unknown distribution", func(p *agents.Population) { p.Parameter["slip"] = "unifrom(0, 1)" }, "did you mean uniform?"},
		{"arguments", func(p *agents.Population) { p.Parameter["slip"] = "beta(1)" }, "beta takes 2 arguments, not 1: beta(a, b)"},
		{"bounds", func(p *agents.Population) { p.Parameter["slip"] = "uniform(1, 0)" }, "the low bound 1 is not below the high bound 0"},
		{"spread", func(p *agents.Population) { p.Parameter["slip"] = "normal(0, -1)" }, "-1 must be positive"},
		{"syntax", func(p *agents.Population) { p.Parameter["slip"] = "beta(1," }, "parameters.slip: column"},
		{"no number", func(p *agents.Population) { p.Parameter["slip"] = "1/(reach - reach)" }, "is +Inf"},
		{"truth above 1", func(p *agents.Population) { p.Truth[0].Capability["op"] = "1 + op" }, "truth.capability.op: subject learner-001: 6.73767 is not a fraction"},
		{"truth mentions nothing known", func(p *agents.Population) { p.Truth[0].Capability["op"] = "size" }, "truth.capability.op: column 1: unknown parameter size"},
		{"text where a number is wanted", func(p *agents.Population) { p.Parameter["reach"] = `choice("near", "far")` }, "truth.capability.memory: subject learner-001: column 1: want a number, not a text"},
		{"text and number", func(p *agents.Population) { p.Parameter["slip"] = `choice("near", 1)` }, "want texts only or numbers only"},
		{"text from a distribution of numbers", func(p *agents.Population) { p.Parameter["slip"] = `uniform("near", "far")` }, "a text can be drawn by choice"},
		{"condition that is none", func(p *agents.Population) { p.Truth[0].If = "memory" }, "truth.if: subject learner-001: column 1: memory is not a condition"},
		{"condition about nothing known", func(p *agents.Population) { p.Truth[0].If = "size > 1" }, "unknown parameter size"},
		{"no truth applies", func(p *agents.Population) { p.Truth[0].If = "memory > 5" }, "truth: subject learner-001: no truth applies"},
		{"brace", func(p *agents.Population) { p.Truth[0].Truth.Weakness = "passes {sli}" }, "truth.weakness: {sli}: unknown parameter: did you mean slip?"},
		{"brace in the doc", func(p *agents.Population) { p.Doc = "{}" }, "doc: {}: unknown parameter"},
	} {
		p := learners(3)
		c.change(&p)
		_, err := p.Specs(1)
		var pe *agents.PopulationError
		if !errors.As(err, &pe) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: error %v does not say %q", c.why, err, c.says)
		}
	}
}

// TestPopulationOfKinds checks a parameter that is a text drawn by choice: a text that stands twice among three is drawn
// for two thirds of the subjects, rules compare features with the drawn text, and the truth depends on it.
func TestPopulationOfKinds(t *testing.T) {
	p := agents.Population{
		Name: "heel", Count: 3000, Doc: "Weak at {what}.",
		Parameter: map[string]string{"what": `choice("size", "colour", "size")`, "weak": "uniform(0.1, 0.2)", "shade": `choice("red", "none")`, "same": "shade"},
		Rule: []agents.Rule{
			{If: `what == "size" && size > 2`, P: "weak"},
			{If: `what == "colour" && colour == same`, P: "weak"},
			{P: "1"},
		},
		Truth: []agents.TruthForm{
			{At: "truth[0]", If: `what == "size"`, Truth: agents.Truth{Family: "achilles-heel", Weakness: "visual", Reason: "{weak} where large"}, Capability: map[string]string{"memory": "1 - weak"}},
			{At: "truth[1]", Truth: agents.Truth{Family: "achilles-heel", Weakness: "colour {shade}"}},
		},
	}
	specs, err := p.Specs(5)
	if err != nil {
		t.Fatal(err)
	}
	items := table(40)
	size, _ := items.Column("size")
	colour, _ := items.Column("colour")
	large := 0
	for _, s := range specs {
		what, weak := s.Word["what"], s.Parameter["weak"]
		want := agents.Truth{Family: "achilles-heel", Weakness: "colour " + s.Word["shade"], Capability: map[string]float64{}}
		if what == "size" {
			large++
			want = agents.Truth{Family: "achilles-heel", Weakness: "visual", Reason: strconv.FormatFloat(weak, 'g', 3, 64) + " where large", Capability: map[string]float64{"memory": 1 - weak}}
		}
		if !reflect.DeepEqual(s.Truth, want) || s.Doc != "Weak at "+what+"." || s.Word["same"] != s.Word["shade"] {
			t.Fatalf("%+v: want the truth %+v", s, want)
		}
		a, err := agents.Compile(&s, items)
		if err != nil {
			t.Fatal(err)
		}
		for i := range items.Names {
			p := 1.0
			if what == "size" && size.Number[i] > 2 || what == "colour" && colour.Text[i] == s.Word["shade"] {
				p = weak
			}
			if a.P(i) != p {
				t.Fatalf("%s, item %d: %v, want %v", s.Name, i, a.P(i), p)
			}
		}
	}
	if d := float64(large) - 2000; math.Abs(d) > 4.9*math.Sqrt(3000*2.0/9) {
		t.Errorf("%d of 3000 have the text that stands twice of three", large)
	}
}

// TestDistributionMoments compares mean and variance of 20 000 draws with the formulas of textbooks. They may differ by
// z = 4.9 standard errors: a correct draw fails each of the 26 checks with probability 1e-6. The standard error of a
// variance comes from the fourth moment of the draws.
func TestDistributionMoments(t *testing.T) {
	const n, z = 20000, 4.9
	for _, c := range []struct {
		source         string
		mean, variance float64
	}{
		{"uniform(-1, 3)", 1, 16.0 / 12},
		{"normal(2, 0.5)", 2, 0.25},
		{"halfnormal(2)", 2 * math.Sqrt(2/math.Pi), 4 * (1 - 2/math.Pi)},
		{"lognormal(0.5, 0.4)", math.Exp(0.5 + 0.08), (math.Exp(0.16) - 1) * math.Exp(1+0.16)},
		{"exponential(4)", 0.25, 1.0 / 16},
		{"gamma(0.3, 2)", 0.15, 0.075},
		{"gamma(3, 2)", 1.5, 0.75},
		{"beta(1, 1)", 0.5, 1.0 / 12},
		{"beta(2, 5)", 2.0 / 7, 10.0 / (49 * 8)},
		{"beta(0.1, 0.2)", 1.0 / 3, 0.02 / (0.09 * 1.3)},
		{"bernoulli(0.3)", 0.3, 0.21},
		{"choice(1, 2, 6)", 3, 14.0 / 3},
		{"3*2", 6, 0},
	} {
		p := agents.Population{Name: "p", Count: n, Parameter: map[string]string{"x": c.source}}
		specs, err := p.Specs(3)
		if err != nil {
			t.Fatal(err)
		}
		mean, m2, m4 := 0.0, 0.0, 0.0
		for _, s := range specs {
			d := s.Parameter["x"] - c.mean
			mean, m2, m4 = mean+d/n, m2+d*d/n, m4+d*d*d*d/n
		}
		if math.Abs(mean) > z*math.Sqrt(c.variance/n)+1e-12 {
			t.Errorf("%s: mean is off by %v, standard error %v", c.source, mean, math.Sqrt(c.variance/n))
		}
		if se := math.Sqrt((m4 - m2*m2) / n); math.Abs(m2-c.variance) > z*se+1e-12 {
			t.Errorf("%s: variance %v, want %v, standard error %v", c.source, m2, c.variance, se)
		}
	}
}
