package scenario

import (
	"errors"
	"slices"
	"strings"
	"time"

	"achilles/agents"
	"achilles/agents/embodied"
	"achilles/gridworld/policy"
	"achilles/sim/conf"
)

// readBodies reads the bodies of a subject. The table [agent.body] is the only body; the list body = [{ if = … }, …]
// has one body for each condition.
func readBodies(t *conf.Table) []agents.BodyForm {
	if t.IsTable("body") {
		f := readBody(t.Table("body"))
		f.At = "body"
		return []agents.BodyForm{f}
	}
	var forms []agents.BodyForm
	for i, b := range t.Tables("body") {
		f := readBody(b)
		f.At = pathOf("body", i)
		forms = append(forms, f)
	}
	return forms
}

func readBody(t *conf.Table) agents.BodyForm {
	f := agents.BodyForm{Trait: map[string]string{}}
	f.Goal, f.Fallback = t.Text("goal"), t.Text("lost") // embodied checks the words
	if says := instead(f.Goal); says != "" && !slices.Contains(embodied.Goals(), policy.Goal(f.Goal)) {
		t.Reportf("goal", "%q is not a goal: %s", f.Goal, says)
		f.Goal = ""
	}
	f.If, _ = t.Expression("if")
	for _, trait := range embodied.Traits() {
		if t.Has(trait.Name) {
			f.Trait[trait.Name], _ = t.Expression(trait.Name)
		}
	}
	readLearning(t, &f)
	reportInstead(t)
	return f
}

// readLearning reads which traits of a body change from trial to trial, and how: one, by the keys learns, asymptote and rate, or several, by a
// table for each trait in learns.
func readLearning(t *conf.Table, f *agents.BodyForm) {
	if t.IsTable("learns") {
		several := t.Table("learns")
		for _, trait := range several.Keys() {
			f.Learns = append(f.Learns, readLearningOf(several.Table(trait), trait))
		}
		for _, key := range []string{"asymptote", "rate"} {
			if t.Has(key) {
				t.Reportf(key, "several traits change, each with its own: learns = { memory = { asymptote = 4, rate = 0.01 } }")
			}
		}
		return
	}
	if t.IsList("learns") {
		t.Reportf("learns", "several traits change, each with its own asymptote and rate: learns = { memory = { asymptote = 4, rate = 0.01 } }")
		t.Skip("asymptote", "rate")
		return
	}
	if trait := t.Text("learns"); trait != "" {
		f.Learns = append(f.Learns, readLearningOf(t, trait))
		return
	}
	for _, key := range []string{"asymptote", "rate"} {
		if t.Has(key) {
			t.Reportf(key, "is how a trait changes from trial to trial: say which one, such as learns = \"memory\"")
		}
	}
}

func readLearningOf(t *conf.Table, trait string) agents.LearningForm {
	l := agents.LearningForm{Trait: trait}
	for _, x := range []struct {
		key  string
		into *string
	}{{"asymptote", &l.Asymptote}, {"rate", &l.Rate}} {
		if *x.into, _ = t.Expression(x.key); !t.Has(x.key) {
			t.Missing(x.key, "the trait "+trait+" changes from trial to trial, from its own value towards the asymptote, at a rate")
			*x.into = "0" // so that nothing else is wrong
		}
	}
	return l
}

func words[W ~string](list []W) []string {
	var out []string
	for _, w := range list {
		out = append(out, string(w))
	}
	return out
}

// reportField reports a fault of a body. at is the path of the body from t.
func reportField(t *conf.Table, at string, err error) {
	var fe *embodied.FieldError
	if errors.As(err, &fe) {
		t.Report(t.At(at+"."+fe.Key).Errorf("%s", fe.Msg))
	}
}

// MaxTimeout is the longest time that a scenario can give a program for one answer.
const MaxTimeout = time.Hour

const timeoutWanted = "seconds above 0, at most 3600"

// readTimeout reads the longest time that a program may take over an answer, in seconds. It returns 0 if the table has
// none.
func readTimeout(t *conf.Table) float64 {
	return t.Number("timeout", 0, timeoutWanted, func(x float64) bool { return x > 0 && x <= MaxTimeout.Seconds() })
}

// readCommand reads the program that acts for an agent (its name or path, and its arguments) and its timeout in
// seconds.
func readCommand(t *conf.Table) (command []string, timeout float64) {
	command = t.Texts("command")
	if t.Has("command") && (len(command) == 0 || command[0] == "") {
		t.Reportf("command", `want a program with its arguments, such as ["python3", "agent.py"]`)
	}
	timeout = readTimeout(t)
	if t.Has("timeout") && command == nil {
		t.Reportf("timeout", "is how long a command may take over an answer: there is no command")
	}
	return command, timeout
}

// oneKind reports a subject that has none of the keys, or more than one: each key is a way to respond.
func oneKind(t *conf.Table, keys ...string) {
	var has []string
	for _, k := range keys {
		if t.Has(k) && (k != "rule" || !isEmpty(t.Value(k))) {
			has = append(has, k)
		}
	}
	switch {
	case len(has) == 0:
		t.Reportf("", "has no %s: add for instance rule = [{ p = 0.5 }]", strings.Join(keys, ", "))
	case len(has) > 1:
		t.Reportf(has[1], "the subject has a %s already: it responds by one of %s", has[0], strings.Join(keys, ", "))
	}
}

// isEmpty says whether a value is a list without elements.
func isEmpty(v any) bool {
	list, ok := v.([]any)
	return ok && len(list) == 0
}
