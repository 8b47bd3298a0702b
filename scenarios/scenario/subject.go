package scenario

import (
	"errors"
	"fmt"
	"go/token"
	"strings"

	"achilles/agents"
)

// maxCount bounds a population.
const maxCount = 100_000

func readAgent(t *table, scale map[string]float64) agents.Spec {
	a := agents.Spec{Name: t.needText("name", "what the agent is called"), Doc: t.text("doc"), Rule: readRules(t)}
	checkName(t.d, t.at("name"), a.Name)
	for _, f := range readBodies(t) {
		b, err := f.Fill(nil)
		t.reportField(f.At, err)
		a.Body = append(a.Body, b)
	}
	a.Command, a.Timeout = readCommand(t)
	t.oneKind("rule", "body", "command")
	truth := t.table("truth")
	a.Truth = readTruth(truth)
	capabilities := truth.table("capability")
	for _, name := range sortedKeys(capabilities.keys) {
		if a.Truth.Capability == nil {
			a.Truth.Capability = map[string]float64{}
		}
		a.Truth.Capability[name] = capabilities.number(name, 0, "the fraction of its maximum, 0 to 1", func(x float64) bool { return x >= 0 && x <= 1 })
	}
	truth.done()
	reportTruth(truth, a.Truth, scale)
	t.done()
	return a
}

func readPopulation(t *table, scale map[string]float64) agents.Population {
	p := agents.Population{
		Name: t.needText("name", "what its subjects are called, with a number behind"), Doc: t.text("doc"),
		Count: t.whole("count", 1, 0, maxCount), Parameter: readParameters(t.table("parameters")), Rule: readRules(t), Body: readBodies(t),
	}
	t.oneKind("rule", "body")
	checkName(t.d, t.at("name"), p.Name)
	if _, there := t.keys["count"]; !there {
		t.d.report(t.at("count"), "is missing: how many subjects to draw")
	}
	for _, form := range t.oneOrMore("truth") {
		p.Truth = append(p.Truth, readTruthForm(form, scale))
	}
	t.done()
	return p
}

// readTruthForm reads what is true of the members of a population; a table of several has a condition.
func readTruthForm(t *table, scale map[string]float64) agents.TruthForm {
	f := agents.TruthForm{At: t.path[strings.LastIndexByte(t.path, '.')+1:], Capability: map[string]string{}}
	if strings.HasSuffix(f.At, "]") {
		f.If = t.expression("if")
	}
	f.Truth = readTruth(t)
	probe := f.Truth
	probe.Capability = map[string]float64{} // any legal value: only the names can be wrong here
	capabilities := t.table("capability")
	for _, name := range sortedKeys(capabilities.keys) {
		f.Capability[name] = capabilities.expression(name)
		probe.Capability[name] = 0
	}
	t.done()
	reportTruth(t, probe, scale)
	return f
}

func readParameters(t *table) map[string]string {
	out := map[string]string{}
	for _, name := range sortedKeys(t.keys) {
		out[name] = t.expression(name)
		if !token.IsIdentifier(name) {
			t.d.report(t.at(name), "%q is not a name that an expression can mention: want letters and digits", name)
		}
	}
	return out
}

func readRules(t *table) []agents.Rule {
	var rules []agents.Rule
	for _, r := range t.tables("rule") {
		var rule agents.Rule
		if _, there := r.keys["if"]; there {
			rule.If = r.expression("if")
		}
		rule.P = r.expression("p")
		if _, there := r.keys["p"]; !there {
			r.d.report(r.at("p"), "is missing: the probability of success where the rule applies")
		}
		r.asked = append(r.asked, "if")
		r.done()
		rules = append(rules, rule)
	}
	return rules
}

func readTruth(t *table) agents.Truth {
	truth := agents.Truth{
		Family: t.text("family"), HasOP: t.text("hasOP"), Weakness: t.text("weakness"), Reason: t.text("reason"), Groups: t.texts("groups"),
	}
	for _, g := range truth.Groups {
		if g == "overall" || g == "" {
			t.d.report(t.at("groups"), "a group cannot be called %q: overall is the group of all", g)
		}
	}
	return truth
}

func reportTruth(t *table, truth agents.Truth, scale map[string]float64) {
	var te *agents.TruthError
	if err := truth.Check(scale); errors.As(err, &te) {
		t.d.report(t.path+"."+te.Key, "%s", te.Msg)
	}
}

// Subjects lists the agents and draws the members of the populations. The error is a *Problem.
func (s *Scenario) Subjects(root uint64) ([]agents.Spec, error) {
	specs := append([]agents.Spec(nil), s.Agents...)
	taken := map[string]bool{}
	for _, a := range specs {
		taken[a.Name] = true
	}
	for i, p := range s.Populations {
		members, err := p.Specs(root)
		if err != nil {
			return nil, s.Place(err)
		}
		for _, m := range members {
			if taken[m.Name] {
				return nil, s.doc.problem(pathOf("population", i)+".name", "its member %s has the name of another subject", m.Name)
			}
			taken[m.Name] = true
		}
		specs = append(specs, members...)
	}
	return specs, nil
}

func pathOf(array string, i int) string { return fmt.Sprintf("%s[%d]", array, i) }
