package compare

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"achilles/infer/layout"
	"achilles/infer/trajectory"
	"achilles/sim/expr"
)

// strong is the name of the parameter that all components of an explanation share: the success probability on items without
// anything that the components are about.
const strong = "strong"

// component reports whether a rival is a component, which can be composed with others.
func (r *Rival) component() bool { return len(r.about) > 0 }

// composes reports whether the rivals can be composed: all are components, and no two are about the same thing.
func composes(parts []*Rival) bool {
	seen := map[string]bool{}
	for _, p := range parts {
		if !p.component() {
			return false
		}
		for _, a := range p.about {
			if seen[a] {
				return false
			}
			seen[a] = true
		}
	}
	return true
}

// sharedFloor is the name of the parameter that stands for the floors of all components of an explanation.
const sharedFloor = "floor"

// floors reports whether each of the rivals says which parameter is its floor, the share where all is lost.
func floors(parts []*Rival) bool {
	return len(parts) > 1 && !slices.ContainsFunc(parts, func(r *Rival) bool { return r.floor == "" })
}

// compose returns the explanation with these components, at least two. Its success probability is strong times the shares of
// all components or, if they share a floor, strong times floor + (1 − floor) times what their shares are without it: who guesses
// where there is lava and guesses where it has forgotten does not guess twice. All names except strong and floor get the number of
// their component as a suffix. See widestPrior for the prior of strong; that of floor is beta(1, 3).
func compose(parts []*Rival, floor bool) *Rival {
	name := explanationName(parts, floor)
	l, err := layout.Parse(name, composedText(name, parts, floor))
	if err != nil {
		panic("compare: components do not compose: " + err.Error()) // each was checked when it was read
	}
	return &Rival{Layout: l, File: name, Behaviour: composedBehaviour(parts)}
}

// composedName returns the names of the components, joined by trajectory.And.
func composedName(parts []*Rival) string {
	var names []string
	for _, p := range parts {
		names = append(names, p.Layout.Name)
	}
	return strings.Join(names, trajectory.And)
}

// explanationName returns the name of an explanation.
func explanationName(parts []*Rival, floor bool) string {
	if floor {
		return composedName(parts) + ", one floor"
	}
	return composedName(parts)
}

// composedBehaviour returns the behaviour of a subject that all components describe.
func composedBehaviour(parts []*Rival) trajectory.Behaviour {
	var list []trajectory.Behaviour
	for _, p := range parts {
		list = append(list, p.Behaviour)
	}
	return trajectory.Together(list...)
}

// composedText returns the text of a layout file for an explanation.
func composedText(name string, parts []*Rival, floor bool) string {
	var sections []string
	lines := map[string][]string{}
	add := func(section, key, value string) {
		if !slices.Contains(sections, section) {
			sections = append(sections, section)
		}
		lines[section] = append(lines[section], key+" = "+value)
	}
	add(string(layout.Capability), strong, fmt.Sprintf("{ prior = %q }", widestPrior(parts)))
	if floor {
		add(string(layout.Capability), sharedFloor, `{ prior = "beta(1, 3)" }`)
	}
	var product []string
	for i, p := range parts {
		number := strconv.Itoa(i + 1)
		zero := ""
		if floor {
			zero = p.floor
		}
		for _, c := range p.Layout.Constants {
			add("constant", c.Name+number, strconv.FormatFloat(c.Value, 'g', -1, 64))
		}
		for _, m := range p.Layout.Metafeatures {
			add("metafeature", m.Name+number, declaration(m))
		}
		for _, x := range p.Layout.Parameters {
			if x.Name != strong && !(floor && x.Name == p.floor) {
				add(string(x.Group), x.Name+number, fmt.Sprintf("{ prior = %q }", numbered(x.Prior, number, "")))
			}
		}
		for _, x := range p.Layout.Performances {
			add("performance", x.Name+number, strconv.Quote(numbered(x.Source, number, zero)))
		}
		product = append(product, "("+numbered(p.Layout.Responses[0].Args[0], number, zero)+")")
	}
	p := strong + "*" + strings.Join(product, "*")
	if floor {
		p = strong + "*mix(floor, " + strings.Join(product, "*") + ", 1)"
	}
	add("response."+parts[0].Layout.Responses[0].Measure, "p", strconv.Quote(p))
	text := fmt.Sprintf("name = %q\n", name)
	for _, s := range sections {
		text += "[" + s + "]\n" + strings.Join(lines[s], "\n") + "\n"
	}
	return text
}

// widestPrior returns the prior of strong in an explanation: the first one whose range contains the ranges of all others or, if
// there is none, a uniform distribution over them all.
func widestPrior(parts []*Rival) string {
	low, high := parts[0].strong().Range[0], parts[0].strong().Range[1]
	for _, p := range parts {
		low, high = min(low, p.strong().Range[0]), max(high, p.strong().Range[1])
	}
	for _, p := range parts {
		if x := p.strong(); x.Range[0] <= low && x.Range[1] >= high {
			return x.Prior
		}
	}
	return fmt.Sprintf("uniform(%g, %g)", low, high)
}

// strong returns the parameter strong of a component.
func (r *Rival) strong() layout.Parameter {
	i := slices.IndexFunc(r.Layout.Parameters, func(p layout.Parameter) bool { return p.Name == strong })
	return r.Layout.Parameters[i]
}

// plainStrong reports whether the prior of strong mentions no other parameter and no constant.
func (r *Rival) plainStrong() bool {
	n, err := expr.Parse(r.strong().Prior)
	return err == nil && len(n.Names()) == 0
}

// declaration returns a metafeature as a layout file declares it.
func declaration(m layout.Metafeature) string {
	if m.Levels != nil {
		var levels []string
		for _, l := range m.Levels {
			levels = append(levels, strconv.Quote(l))
		}
		return fmt.Sprintf("{ column = %q, levels = [%s] }", m.Column, strings.Join(levels, ", "))
	}
	missing := ""
	if m.Missing != nil {
		missing = fmt.Sprintf(", missing = %g", *m.Missing)
	}
	return fmt.Sprintf("{ column = %q, range = [%g, %g]%s }", m.Column, m.Range[0], m.Range[1], missing)
}

// numbered returns an expression with a number appended to every name. It replaces strong by 1, so that the success probability
// of a component becomes its share, and the name zero by 0.
func numbered(source, number, zero string) string {
	n, err := expr.Parse(source)
	if err != nil {
		panic("compare: " + err.Error()) // the layout was checked when it was read
	}
	n.Walk(func(m *expr.Node) {
		switch {
		case m.Op == expr.Name && m.Text == strong:
			m.Op, m.Value = expr.Num, 1
		case m.Op == expr.Name && m.Text == zero:
			m.Op, m.Value = expr.Num, 0
		case m.Op == expr.Name:
			m.Text += number
		}
	})
	return n.String()
}

// timesStrong reports whether the rival's only response is a success probability of the form strong*share, where strong is a
// parameter that nothing else mentions.
func (r *Rival) timesStrong() bool {
	l := r.Layout
	if len(l.Responses) != 1 || l.Responses[0].Family != layout.Bernoulli || !slices.ContainsFunc(l.Parameters, func(p layout.Parameter) bool { return p.Name == strong }) {
		return false
	}
	sources := []string{l.Responses[0].Args[0]}
	first := sources[0]
	for _, p := range l.Performances {
		sources = append(sources, p.Source)
		if p.Name == sources[0] {
			first = p.Source
		}
	}
	mentioned := 0
	for _, source := range sources {
		if n, err := expr.Parse(source); err == nil {
			n.Walk(func(m *expr.Node) {
				if m.Op == expr.Name && m.Text == strong {
					mentioned++
				}
			})
		}
	}
	n, err := expr.Parse(first)
	for err == nil && n.Op == expr.Mul {
		n = n.Args[0]
	}
	return err == nil && n.Op == expr.Name && n.Text == strong && mentioned == 1
}
