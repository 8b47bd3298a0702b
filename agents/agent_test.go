package agents_test

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"achilles/agents"
	"achilles/agents/agenttest"
	"achilles/sim/expr"
)

// table returns a small battery of n items with the features lava, size, colour and red. An item whose colour is none has
// no value of red.
func table(n int) agents.Items {
	lava, size, red := make([]float64, n), make([]float64, n), make([]float64, n)
	colour, missing := make([]string, n), make([]bool, n)
	var names []string
	for i := range n {
		names = append(names, fmt.Sprint("item", i))
		lava[i], size[i], colour[i], missing[i] = float64(i%2), float64(i%4), "none", true
		if i%3 == 0 {
			colour[i], red[i], missing[i] = "Beige", 236, false
		}
	}
	columns := map[string]expr.Column{
		"lava": {Number: lava}, "size": {Number: size}, "colour": {Text: colour}, "red": {Number: red, Missing: missing},
	}
	return agents.Items{Names: names, Known: []string{"lava", "size", "colour", "red"}, Column: func(name string) (expr.Column, bool) {
		c, ok := columns[name]
		return c, ok
	}}
}

func scale() map[string]float64 { return map[string]float64{"lava": 1, "memory": 4.8, "op": 52.8} }

func spec(name string, rules ...agents.Rule) agents.Spec { return agents.Spec{Name: name, Rule: rules} }

func TestFirstRuleThatHoldsCounts(t *testing.T) {
	s := spec("a", agents.Rule{If: "lava == 1 && size > 2", P: "0"}, agents.Rule{If: `colour == "Beige"`, P: "0.25 + 0.1*size"}, agents.Rule{P: "1"})
	a, err := agents.Compile(&s, table(8))
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{0.25, 1, 1, 0, 1, 1, 0.45, 0} {
		if math.Abs(a.P(i)-want) > 1e-12 {
			t.Errorf("item %d: %v, want %v", i, a.P(i), want)
		}
	}
}

// TestMissingValues checks that a missing value is an error if the result of a rule depends on it, and only then.
func TestMissingValues(t *testing.T) {
	for _, c := range []struct{ condition, fault string }{
		{"red > 200", "item item1: the item has no red"},
		{"!(red > 200)", "item item1: the item has no red"},
		{"red > 200 && lava == 1", "item item1: the item has no red"},
		{"lava == 1 || red > 200", "item item2: the item has no red"},
		{"lava == 0 && red > 200", "item item2: the item has no red"},
		{`colour != "none" && red > 200`, ""},
		{`colour == "none" || red > 200`, ""},
		{`!(colour == "none") && lava == 1 && red > 200`, ""},
	} {
		s := spec("a", agents.Rule{If: c.condition, P: "0"}, agents.Rule{P: "1"})
		_, err := agents.Compile(&s, table(9))
		if c.fault == "" && err != nil || c.fault != "" && (err == nil || !strings.Contains(err.Error(), c.fault)) {
			t.Errorf("%s: error %v, want %q", c.condition, err, c.fault)
		}
	}
	s := spec("a", agents.Rule{If: `colour == "Beige"`, P: "red/255"}, agents.Rule{P: "1"})
	if _, err := agents.Compile(&s, table(9)); err != nil {
		t.Errorf("p is evaluated on items of which its rule does not hold: %v", err)
	}
	s = spec("a", agents.Rule{P: "red/255"})
	if _, err := agents.Compile(&s, table(9)); err == nil || !strings.Contains(err.Error(), "agent a: rule 1: p: item item1: the item has no red") {
		t.Errorf("error %v does not name agent, rule, item and feature", err)
	}
}

func TestCompileRefuses(t *testing.T) {
	rest := agents.Rule{P: "1"}
	for _, c := range []struct {
		why  string
		rule []agents.Rule
		says string
	}{
		{"probability above 1", []agents.Rule{{P: "0.5*size"}}, "agent a: rule 1: p: item item3: 1.5 is not a probability"},
		{"probability below 0", []agents.Rule{{If: "lava == 1", P: "0.5 - size"}, rest}, "agent a: rule 1: p: item item1: -0.5 is not a probability"},
		{"not a number", []agents.Rule{{P: "log(size - 1)"}}, "agent a: rule 1: p: item item0: NaN is not a probability"},
		{"unknown feature", []agents.Rule{{If: "lavva == 1", P: "1"}, rest}, "agent a: rule 1: if: column 1: unknown feature lavva: did you mean lava?"},
		{"second rule", []agents.Rule{{If: "lava == 1", P: "1"}, {P: "1 +"}}, "agent a: rule 2: p: column"},
		{"a number as condition", []agents.Rule{{If: "size", P: "1"}, rest}, "compare it"},
		{"a condition as probability", []agents.Rule{{P: "size > 1"}}, "p is a probability"},
		{"text against number", []agents.Rule{{If: "colour == 1", P: "1"}, rest}, "compares a text"},
		{"no rule for an item", []agents.Rule{{If: "lava == 1", P: "1"}}, "agent a: item item0: no rule applies"},
		{"no rule", nil, "no rule applies"},
		{"empty probability", []agents.Rule{{If: "lava == 1"}}, "empty expression"},
	} {
		s := spec("a", c.rule...)
		_, err := agents.Compile(&s, table(8))
		var re *agents.RuleError
		if !errors.As(err, &re) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: error %v does not say %q", c.why, err, c.says)
		}
	}
	s := spec("a", rest)
	s.Rule = []agents.Rule{{P: "size/4"}}
	s.Parameter = map[string]float64{"size": 1}
	if _, err := agents.Compile(&s, table(8)); err == nil || !strings.Contains(err.Error(), "size is a parameter and a feature") {
		t.Errorf("error %v does not say that the parameter hides a feature", err)
	}
}

func TestAgentsConform(t *testing.T) {
	withParameter := spec("parameter", agents.Rule{P: "logistic(m - size)"})
	withParameter.Parameter = map[string]float64{"m": 1.5}
	heel := spec("heel", agents.Rule{If: "lava == 1", P: "0.2"}, agents.Rule{P: "0.8"})
	heel.Truth = agents.Truth{Family: "achilles-heel", HasOP: "yes", Capability: map[string]float64{"lava": 0.25}}
	for _, s := range []agents.Spec{
		spec("perfect", agents.Rule{P: "1"}), spec("never", agents.Rule{P: "0"}), spec("coin", agents.Rule{P: "0.5"}), withParameter, heel,
	} {
		agenttest.Conform(t, s, table(200), scale())
	}
	agenttest.Honours(t, heel, table(200), "lava", "lava")
}

// TestResponsesHaveTheirOwnStreams checks that random responses are independent of each other if they belong to two
// agents with the same rule, to two repetitions, or to two root seeds.
func TestResponsesHaveTheirOwnStreams(t *testing.T) {
	items := table(400)
	one, two := spec("one", agents.Rule{P: "0.5"}), spec("two", agents.Rule{P: "0.5"})
	a, _ := agents.Compile(&one, items)
	b, _ := agents.Compile(&two, items)
	agents, repetitions, roots := 0, 0, 0
	for i := range items.Names {
		x := a.Succeeds(1, i, 0)
		if x == b.Succeeds(1, i, 0) {
			agents++
		}
		if x == a.Succeeds(1, i, 1) {
			repetitions++
		}
		if x == a.Succeeds(2, i, 0) {
			roots++
		}
	}
	// Of 400 independent pairs 200 ± 10 agree; the bounds are 5 standard deviations from 200.
	for what, n := range map[string]int{"agents": agents, "repetitions": repetitions, "roots": roots} {
		if n < 150 || n > 250 {
			t.Errorf("%d of 400 responses of two %s agree", n, what)
		}
	}
}

func TestTruthCheck(t *testing.T) {
	for _, c := range []struct {
		why   string
		truth agents.Truth
		says  string
	}{
		{"empty", agents.Truth{}, ""},
		{"whole", agents.Truth{Family: "fraudster", HasOP: "no", Capability: map[string]float64{"op": 0, "memory": 1}}, ""},
		{"family", agents.Truth{Family: "achiles-heel"}, `family: "achiles-heel" is not one of capable`},
		{"has-OP", agents.Truth{HasOP: "yess"}, "did you mean yes"},
		{"capability without a maximum", agents.Truth{Capability: map[string]float64{"memry": 1}}, "capability.memry: no maximum in scale: did you mean memory?"},
		{"above the maximum", agents.Truth{Capability: map[string]float64{"op": 1.01}}, "capability.op: 1.01 is not a fraction"},
		{"NaN", agents.Truth{Capability: map[string]float64{"op": math.NaN()}}, "not a fraction"},
	} {
		err := c.truth.Check(scale())
		if c.says == "" && err != nil || c.says != "" && (err == nil || !strings.Contains(err.Error(), c.says)) {
			t.Errorf("%s: error %v, want %q", c.why, err, c.says)
		}
	}
}
