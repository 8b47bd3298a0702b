package compare

import (
	"slices"
	"strings"

	"achilles/infer/layout"
	"achilles/infer/prior"
	"achilles/infer/trajectory"
	"achilles/sim/conf"
	"achilles/sim/expr"
)

// A Rival is a layout with a section [classification], which says what its parameters mean for the subject.
type Rival struct {
	Layout    *layout.Layout
	File      string
	Text      string
	Prior     float64              // prior probability, relative to those of the other rivals of the bank
	Behaviour trajectory.Behaviour // behaviour, in trajectories, of a subject that the rival describes
	about     []string             // words for what a component is about; components with a word in common do not compose; nil: no component
	families  []choice
	knows     *reportedParameter // the knowing share; nil: the rival leaves it open
	floor     string             // name of the parameter that is the share where all is lost; empty: there is none
	noise     *expr.Node         // nil: the rival does not say what the noise is
	weak      []weaknessRule
	profile   []reportedParameter
	inner     map[string]*expr.Node // performances (named expressions of the layout) that depend only on parameters and constants
}

// A choice is a word with the condition under which it holds.
type choice struct {
	If *expr.Node // nil: always
	Is string
}

// A weaknessRule is a weakness with the condition under which it holds.
type weaknessRule struct {
	name string
	join bool       // whether all rules with join make one weakness together
	cond *expr.Node // nil: always
	say  []segment  // the statement
}

// A segment is a part of a text: words, or an expression.
type segment struct {
	words string
	value *expr.Node
}

// A reportedParameter is what the rival states for a parameter of the reporting layout: an expression, or a distribution
// whose arguments are expressions.
type reportedParameter struct {
	name  string
	value *expr.Node // nil: the entry is the distribution prior with the arguments args
	prior prior.Family
	args  []*expr.Node
}

// parseRival reads a layout with its section [classification]. The error is a *conf.Error.
func parseRival(t Text) (*Rival, error) {
	root, err := conf.Parse(t.File, t.Text)
	if err != nil {
		return nil, err
	}
	l, err := layout.Read(root)
	if err != nil {
		return nil, err
	}
	for _, m := range l.Metafeatures {
		if m.Judge != nil {
			return nil, root.Table("metafeature").Place(m.Name).Errorf("has a judge: candidate models take demands for the truth, since two that are combined would each average over the true values of the same items")
		}
	}
	r := &Rival{Layout: l, File: t.File, Text: t.Text, inner: parameterOnly(l)}
	v := root.Table(root.Renamed(layout.Classification, layout.WasClassification))
	if !v.There() {
		return nil, v.Place("").Errorf("is missing: a candidate model needs [classification] with a family")
	}
	r.families = r.choices(v, "family", families)
	if v.Has("has_op") {
		v.Skip("has_op")
		v.Reportf("has_op", "is not a key any more: P(object permanence) follows from the knowing share; write knows = an expression for this share, or leave it out if the candidate model is not about it")
	}
	if v.Has("knows") {
		knows := r.reported(v, "knows")
		r.knows = &knows
	}
	if r.floor = v.Text("floor"); r.floor != "" && (r.floor == strong || !slices.ContainsFunc(r.Layout.Parameters, func(p layout.Parameter) bool { return p.Name == r.floor })) {
		v.Reportf("floor", "want a parameter of the layout other than strong: the share that is left where all is lost")
	}
	if v.Has("noise") {
		r.noise = r.expression(v, "noise")
	}
	r.Behaviour = behaviour(v)
	if r.about = v.Texts("about"); !r.component() && r.floor != "" {
		v.Reportf("floor", "only a candidate model that composes (key about) has one")
	} else if r.component() && !r.timesStrong() {
		v.Reportf("about", "a candidate model that composes passes with a probability of the form strong*share, where strong is a parameter")
	} else if r.component() && !r.plainStrong() {
		v.Reportf("about", "the prior of strong in a candidate model that composes has numbers as arguments, not %s", r.strong().Prior)
	}
	for _, w := range v.Tables("weakness") {
		rule := weaknessRule{name: w.NeedText("name", "what the weakness is called"), join: w.Flag("join", false), say: r.segments(w, "say")}
		if w.Has("if") {
			rule.cond = r.expression(w, "if")
		}
		r.weak = append(r.weak, rule)
	}
	profile := v.Table("profile")
	names := profile.Keys()
	slices.Sort(names)
	for _, name := range names {
		r.profile = append(r.profile, r.reported(profile, name))
	}
	return r, root.Err()
}

// Check returns an error if the section [classification] of a layout that has one is wrong, as a candidate set would that has the layout.
func Check(t Text) error {
	root, err := conf.Parse(t.File, t.Text)
	if err != nil || !root.Has(layout.Classification) && !root.Has(layout.WasClassification) {
		return err
	}
	_, err = parseRival(t)
	return err
}

// share returns the index of the parameter that is the knowing share, or −1 if the rival leaves the share open or computes it.
func (r *Rival) share() int {
	if r.knows == nil || r.knows.value == nil || r.knows.value.Op != expr.Name {
		return -1
	}
	return slices.IndexFunc(r.Layout.Parameters, func(p layout.Parameter) bool { return p.Name == r.knows.value.Text })
}

// known returns the names that expressions in the section [classification] may use: parameters, constants and inner performances.
func (r *Rival) known() (out []string) {
	for _, x := range r.Layout.Parameters {
		out = append(out, x.Name)
	}
	for _, x := range r.Layout.Constants {
		out = append(out, x.Name)
	}
	for _, x := range r.Layout.Performances {
		if _, ok := r.inner[x.Name]; ok {
			out = append(out, x.Name)
		}
	}
	return out
}

// expression reads an expression whose names must be known. It adds mistakes to the errors of the file and never returns nil.
func (r *Rival) expression(t *conf.Table, key string) *expr.Node {
	if _, n := t.Expression(key); n != nil {
		return r.named(t, key, n)
	}
	return &expr.Node{}
}

// most is a name that expressions in [classification.profile] may use: the largest value of the parameter in the reporting layout.
const most = "most"

// named returns n. For every name in n that is neither known nor in more, it adds an error to those of the file.
func (r *Rival) named(t *conf.Table, key string, n *expr.Node, more ...string) *expr.Node {
	known := append(r.known(), more...)
	for _, name := range n.Names() {
		if !slices.Contains(known, name) {
			t.Reportf(key, "unknown name %s%s", name, expr.Hint(name, known))
		}
	}
	return n
}

// parameterOnly returns the performances that depend on parameters and constants only, directly or through one another.
func parameterOnly(l *layout.Layout) map[string]*expr.Node {
	inner, free := map[string]*expr.Node{}, map[string]bool{}
	for _, x := range l.Parameters {
		free[x.Name] = true
	}
	for _, x := range l.Constants {
		free[x.Name] = true
	}
	for range l.Performances { // performances may depend on one another: each pass finds at least one more, if any are left
		for _, x := range l.Performances {
			n, err := expr.Parse(x.Source)
			if err == nil && !free[x.Name] && !slices.ContainsFunc(n.Names(), func(name string) bool { return !free[name] }) {
				inner[x.Name], free[x.Name] = n, true
			}
		}
	}
	return inner
}

// choices reads the value of a key: a single word, or a list of tables { if, is }, of which the last has no condition.
func (r *Rival) choices(t *conf.Table, key string, words []string) []choice {
	if !t.IsList(key) {
		if !t.Has(key) {
			t.Missing(key, "one of "+strings.Join(words, ", "))
		}
		return []choice{{Is: t.Word(key, words...)}}
	}
	var out []choice
	list := t.Tables(key)
	for i, c := range list {
		if !c.Has("is") {
			c.Missing("is", "one of "+strings.Join(words, ", "))
		}
		one := choice{Is: c.Word("is", words...)}
		if c.Has("if") {
			one.If = r.expression(c, "if")
		} else if i < len(list)-1 {
			c.Missing("if", "only the last may be without a condition")
		}
		out = append(out, one)
	}
	if len(out) == 0 || out[len(out)-1].If != nil {
		t.Reportf(key, "the last must be without a condition, so that one always holds")
	}
	return out
}

// behaviour reads the name of a behaviour. The default is trajectory.Seeker, which goes for the reward and may fail in any way.
func behaviour(t *conf.Table) trajectory.Behaviour {
	known := []string{string(trajectory.Seeker)}
	for _, b := range trajectory.Behaviours() {
		if b != trajectory.Seeker {
			known = append(known, string(b))
		}
	}
	return trajectory.Behaviour(t.Word("behaviour", known...))
}

// segments divides a text into words and expressions. Expressions stand in braces.
func (r *Rival) segments(t *conf.Table, key string) (out []segment) {
	text := t.Text(key)
	for {
		before, rest, open := strings.Cut(text, "{")
		inside, after, closed := strings.Cut(rest, "}")
		if !open || !closed {
			return append(out, segment{words: text})
		}
		n, err := expr.Parse(inside)
		if err != nil {
			t.Reportf(key, "{%s}: %v", inside, err)
			return out
		}
		out = append(out, segment{words: before}, segment{value: r.named(t, key, n)})
		text = after
	}
}

// reported reads an entry of [classification.profile]: an expression, or a distribution whose arguments are expressions.
func (r *Rival) reported(t *conf.Table, name string) reportedParameter {
	_, n := t.Expression(name)
	if n == nil {
		return reportedParameter{}
	}
	f, ok := prior.Named(n.Text)
	if n.Op != expr.Call || !ok {
		return reportedParameter{name: name, value: r.named(t, name, n, most)}
	}
	if len(n.Args) != len(f.Args()) {
		t.Reportf(name, "%s takes %d arguments, not %d", f, len(f.Args()), len(n.Args))
		return reportedParameter{}
	}
	out := reportedParameter{name: name, prior: f}
	for _, a := range n.Args {
		out.args = append(out.args, r.named(t, name, a, most))
	}
	return out
}
