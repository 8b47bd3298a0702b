package agents

import (
	"fmt"
	"strconv"
	"strings"

	"achilles/sim/expr"
)

// A TruthForm is the truth of those subjects of a population that satisfy a condition. Its weakness and its reason may
// contain parameters in braces: "passes {strong}, and {weak} where there is {what}".
type TruthForm struct {
	At         string // place of its declaration in a scenario, for messages: truth, or truth[1]
	If         string // condition over the parameters; empty: always
	Truth      Truth  // its own Capability is unused
	Capability map[string]string
}

func (f *TruthForm) at(key string) string { return f.At + "." + key }

// A truthPlan is a TruthForm whose expressions are parsed.
type truthPlan struct {
	form         *TruthForm
	condition    *expr.Node // nil: always
	capabilities []quantity
}

func newTruthPlan(f *TruthForm, parameters map[string]string) (truthPlan, *PopulationError) {
	t := truthPlan{form: f}
	parse := func(key, source string) (*expr.Node, *PopulationError) {
		n, err := expr.Parse(source)
		if err == nil {
			err = knows(n, parameters)
		}
		if err != nil {
			return nil, &PopulationError{Key: f.at(key), Err: err}
		}
		return n, nil
	}
	var err *PopulationError
	if f.If != "" {
		if t.condition, err = parse("if", f.If); err != nil {
			return t, err
		}
	}
	for _, text := range []struct{ key, text string }{{"weakness", f.Truth.Weakness}, {"reason", f.Truth.Reason}} {
		if fault := unknownBrace(text.text, parameters); fault != nil {
			return t, &PopulationError{Key: f.at(text.key), Err: fault}
		}
	}
	for _, name := range sorted(f.Capability) {
		key := "capability." + name
		n, err := parse(key, f.Capability[name])
		if err != nil {
			return t, err
		}
		t.capabilities = append(t.capabilities, quantity{name: name, key: f.at(key), args: []*expr.Node{n}})
	}
	return t, nil
}

// holds reports whether the condition holds for a subject.
func (t *truthPlan) holds(s *Spec) (bool, error) {
	if t.condition == nil {
		return true, nil
	}
	program, err := compile(t.condition, s)
	if err != nil {
		return false, err
	}
	if program.Type() != expr.BoolType {
		return false, t.condition.Errorf("%s is not a condition: compare it with something", t.condition)
	}
	return program.Bool(0), nil
}

// fill sets the truth of a subject. After an error, key is the key at fault.
func (t *truthPlan) fill(s *Spec) (key string, err error) {
	s.Truth = t.form.Truth
	s.Truth.Weakness, s.Truth.Reason = fillBraces(s.Truth.Weakness, s), fillBraces(s.Truth.Reason, s)
	s.Truth.Capability = map[string]float64{}
	for _, q := range t.capabilities {
		x, err := q.number(s)
		if err == nil && !(x >= 0 && x <= 1) {
			err = fmt.Errorf("%s is not a fraction of the maximum, 0 to 1", strconv.FormatFloat(x, 'g', 6, 64))
		}
		if err != nil {
			return q.key, err
		}
		s.Truth.Capability[q.name] = x
	}
	return "", nil
}

// unknownBrace returns an error if the text has a name in braces that is not a parameter.
func unknownBrace(text string, parameters map[string]string) (fault error) {
	replaceBraces(text, func(name string) string {
		if _, known := parameters[name]; !known && fault == nil {
			fault = fmt.Errorf("{%s}: unknown parameter%s", name, expr.DidYouMean(name, sorted(parameters)))
		}
		return ""
	})
	return fault
}

// fillBraces replaces parameters in braces by their values for a subject, numbers to three digits.
func fillBraces(text string, s *Spec) string {
	return replaceBraces(text, func(name string) string {
		if word, ok := s.Word[name]; ok {
			return word
		}
		return strconv.FormatFloat(s.Parameter[name], 'g', 3, 64)
	})
}

// replaceBraces replaces every {name} by with(name). A brace without a partner stays.
func replaceBraces(text string, with func(name string) string) string {
	var b strings.Builder
	for {
		before, rest, open := strings.Cut(text, "{")
		name, after, closed := strings.Cut(rest, "}")
		if !open || !closed {
			return b.String() + text
		}
		b.WriteString(before + with(name))
		text = after
	}
}
