package scenario

import (
	"errors"
	"fmt"
	"strings"

	"achilles/agents"
	"achilles/agents/embodied"
)

// readBodies reads the bodies of a subject: [agent.body] for one, or body = [{ if = … }, …] for one a condition.
func readBodies(t *table) []agents.BodyForm {
	v, there := t.keys["body"]
	if !there {
		return nil
	}
	if _, one := v.(map[string]any); one {
		f := readBody(t.table("body"))
		f.At = "body"
		return []agents.BodyForm{f}
	}
	var forms []agents.BodyForm
	for i, b := range t.tables("body") {
		f := readBody(b)
		f.At = pathOf("body", i)
		forms = append(forms, f)
	}
	return forms
}

func readBody(t *table) agents.BodyForm {
	f := agents.BodyForm{Trait: map[string]string{}}
	if _, there := t.keys["goal"]; there {
		f.Goal = t.word("goal", words(embodied.Goals())...)
	}
	if _, there := t.keys["lost"]; there {
		f.Lost = t.word("lost", words(embodied.LostWays())...)
	}
	if _, there := t.keys["if"]; there {
		f.If = t.expression("if")
	}
	t.asked = append(t.asked, "if", "goal", "lost")
	for _, trait := range embodied.Traits() {
		if _, there := t.keys[trait.Name]; there {
			f.Trait[trait.Name] = t.expression(trait.Name)
		}
		t.asked = append(t.asked, trait.Name)
	}
	t.done()
	return f
}

func words[W ~string](list []W) []string {
	var out []string
	for _, w := range list {
		out = append(out, string(w))
	}
	return out
}

// reportField reports a fault of a body that is declared at a key of the table.
func (t *table) reportField(at string, err error) {
	var fe *embodied.FieldError
	if errors.As(err, &fe) {
		t.d.report(t.path+"."+at+"."+fe.Key, "%s", fe.Msg)
	}
}

// maxTimeout bounds what a program may take over an answer, in seconds.
const maxTimeout = 3600

// readCommand reads the program that acts for an agent: its name or path, and its arguments.
func readCommand(t *table) (command []string, timeout float64) {
	command = t.texts("command")
	if _, there := t.keys["command"]; there && (len(command) == 0 || command[0] == "") {
		t.d.report(t.at("command"), `want a program with its arguments, such as ["python3", "agent.py"]`)
	}
	timeout = t.number("timeout", 0, fmt.Sprintf("seconds above 0, at most %d", maxTimeout), func(x float64) bool { return x > 0 && x <= maxTimeout })
	if _, there := t.keys["timeout"]; there && command == nil {
		t.d.report(t.at("timeout"), "is how long a command may take over an answer: there is no command")
	}
	return command, timeout
}

// oneKind reports a subject of which nothing says how it responds, or two things do.
func (t *table) oneKind(keys ...string) {
	var has []string
	for _, k := range keys {
		if v, there := t.keys[k]; there && (k != "rule" || !isEmpty(v)) {
			has = append(has, k)
		}
	}
	switch {
	case len(has) == 0:
		t.d.report(t.path, "has no %s: add for instance rule = [{ p = 0.5 }]", strings.Join(keys, ", "))
	case len(has) > 1:
		t.d.report(t.at(has[1]), "the subject has a %s already: it responds by one of %s", has[0], strings.Join(keys, ", "))
	}
}

// isEmpty says whether a value is a list without elements.
func isEmpty(v any) bool {
	list, ok := v.([]any)
	return ok && len(list) == 0
}
