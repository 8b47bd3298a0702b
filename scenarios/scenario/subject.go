package scenario

import (
	"errors"
	"fmt"
	"go/token"
	"reflect"
	"slices"
	"strings"

	"achilles/agents"
	"achilles/gridworld/eye"
	"achilles/sim/conf"
	"achilles/sim/expr"
)

// maxCount is the largest number of subjects of a scenario.
const maxCount = 100_000

func readAgent(t *conf.Table, scale map[string]float64) agents.Spec {
	a := agents.Spec{Name: t.NeedText("name", "what the agent is called"), Doc: t.Text("doc"), Rule: readRules(t)}
	checkName(t, a.Name)
	for _, f := range readBodies(t) {
		b, err := f.Fill(nil)
		reportField(t, f.At, err)
		a.Body = append(a.Body, b)
	}
	if a.Model = readLanguageModel(t); a.Model == nil {
		a.Command, a.Timeout = readCommand(t)
		a.Pixels = t.Whole("first_person", 0, 1, eye.MaxSize)
		if t.Has("first_person") && a.Command == nil {
			t.Reportf("first_person", "is the size of the pictures that a command gets: there is no command")
		}
	}
	a.Solver = readSolver(t)
	a.Copies = t.Text("copies")
	oneKind(t, "rule", "body", "command", "solver", "kind", "copies")
	truth := t.Table("truth")
	a.Truth = readTruth(truth)
	capabilities := truth.Table("capability")
	for _, name := range capabilities.Keys() {
		if a.Truth.Capability == nil {
			a.Truth.Capability = map[string]float64{}
		}
		a.Truth.Capability[name] = capabilities.Number(name, 0, "the fraction of its maximum, 0 to 1", func(x float64) bool { return x >= 0 && x <= 1 })
	}
	reportTruth(truth, a.Truth, scale)
	reportInstead(t)
	return a
}

func readPopulation(t *conf.Table, scale map[string]float64) agents.Population {
	p := agents.Population{
		Name: t.NeedText("name", "what its subjects are called; a number is appended"), Doc: t.Text("doc"),
		Count: t.Whole("count", 1, 0, maxCount), Parameter: readParameters(t.Table("parameters")), Rule: readRules(t), Body: readBodies(t),
	}
	oneKind(t, "rule", "body")
	checkName(t, p.Name)
	if !t.Has("count") {
		t.Missing("count", "how many subjects to draw")
	}
	if t.IsList("truth") {
		for i, form := range t.Tables("truth") {
			p.Truth = append(p.Truth, readTruthForm(form, pathOf("truth", i), scale))
		}
	} else if t.Has("truth") {
		p.Truth = append(p.Truth, readTruthForm(t.Table("truth"), "truth", scale))
	}
	return p
}

// readTruthForm reads what is true of the members of a population. If a list has several forms, each has a condition
// that says for which members it is true. at is the path of the form from the population.
func readTruthForm(t *conf.Table, at string, scale map[string]float64) agents.TruthForm {
	f := agents.TruthForm{At: at, Capability: map[string]string{}}
	if strings.HasSuffix(at, "]") {
		f.If, _ = t.Expression("if")
	}
	f.Truth = readTruth(t)
	probe := f.Truth
	probe.Capability = map[string]float64{} // values are not known yet; with the legal value 0 reportTruth finds wrong names only
	capabilities := t.Table("capability")
	for _, name := range capabilities.Keys() {
		f.Capability[name], _ = capabilities.Expression(name)
		probe.Capability[name] = 0
	}
	reportTruth(t, probe, scale)
	return f
}

func readParameters(t *conf.Table) map[string]string {
	out := map[string]string{}
	for _, name := range t.Keys() {
		out[name], _ = t.Expression(name)
		if !token.IsIdentifier(name) {
			t.Reportf(name, "%q is not a name that an expression can mention: want letters and digits", name)
		}
	}
	return out
}

func readRules(t *conf.Table) []agents.Rule {
	var rules []agents.Rule
	for _, r := range t.Tables("rule") {
		var rule agents.Rule
		rule.If, _ = r.Expression("if")
		rule.P, _ = r.Expression("p")
		if !r.Has("p") {
			r.Missing("p", "the probability of success where the rule applies")
		}
		rules = append(rules, rule)
	}
	return rules
}

func readTruth(t *conf.Table) agents.Truth {
	truth := agents.Truth{
		Family: agents.Family(t.Text("family")), HasOP: t.Text("has_op"), Weakness: t.Text("weakness"), Reason: t.Text("reason"), Groups: t.Texts("groups"),
	}
	for _, g := range truth.Groups {
		if g == "overall" || g == "" {
			t.Reportf("groups", "a group cannot be called %q: overall is the group of all", g)
		}
	}
	return truth
}

func reportTruth(t *conf.Table, truth agents.Truth, scale map[string]float64) {
	var te *agents.TruthError
	if err := truth.Check(scale); errors.As(err, &te) {
		t.Report(t.At(te.Key).Errorf("%s", te.Msg))
	}
}

// Subjects returns the agents, the drawn members of the populations, and the collectives. If a layout draws the
// responses, Subjects returns subjects that have nothing but a name. root is the root seed of the draws. The error is a
// *conf.Error.
func (s *Scenario) Subjects(root uint64) ([]agents.Spec, error) {
	specs := append([]agents.Spec(nil), s.Agents...)
	for i := range s.Battery.Subjects {
		specs = append(specs, agents.Spec{Name: fmt.Sprintf("subject-%03d", i+1)})
	}
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
				return nil, s.root.At(pathOf("population", i)+".name").Errorf("its member %s has the name of another subject", m.Name)
			}
			taken[m.Name] = true
		}
		specs = append(specs, members...)
	}
	for i, c := range s.Collectives {
		if taken[c.Name] {
			return nil, s.root.At(pathOf("collective", i)+".name").Errorf("%s is the name of another subject", c.Name)
		}
		specs = append(specs, c)
	}
	return specs, s.fillCopies(specs)
}

// fillCopies gives every subject that copies another what that has, and its truth if it has none of its own. The error is a *conf.Error.
func (s *Scenario) fillCopies(specs []agents.Spec) error {
	for i := range s.Agents {
		c := &specs[i]
		if c.Copies == "" {
			continue
		}
		at := s.root.At(pathOf("agent", i) + ".copies")
		k := slices.IndexFunc(specs, func(x agents.Spec) bool { return x.Name == c.Copies })
		switch {
		case k < 0:
			if p := slices.IndexFunc(s.Populations, func(p agents.Population) bool { return p.Name == c.Copies }); p >= 0 {
				return at.Errorf("%s is a population: copy one of its subjects, such as %s", c.Copies, s.Populations[p].Member(0))
			}
			var names []string
			for _, x := range specs {
				if x.Name != c.Name {
					names = append(names, x.Name)
				}
			}
			return at.Errorf("no subject is called %s%s", c.Copies, expr.Hint(c.Copies, names))
		case k == i:
			return at.Errorf("%s copies itself: name another subject", c.Name)
		case specs[k].Copies != "":
			return at.Errorf("%s copies %s itself: name that one", c.Copies, specs[k].Copies)
		case len(specs[k].Rule) == 0 && len(specs[k].Body) == 0:
			return at.Errorf("%s has no rule and no body, and what others do is not known beforehand: copy one that has", c.Copies)
		}
		of := &specs[k]
		c.Rule, c.Body, c.Parameter, c.Word = of.Rule, of.Body, of.Parameter, of.Word
		if reflect.DeepEqual(c.Truth, agents.Truth{}) {
			c.Truth = of.Truth
		}
	}
	return nil
}

func pathOf(array string, i int) string { return fmt.Sprintf("%s[%d]", array, i) }
