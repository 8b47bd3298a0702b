package compare

import (
	"fmt"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	"achilles/infer/layout"
	"achilles/infer/prior"
	"achilles/infer/trajectory"
	"achilles/sim/expr"
)

// A Rival is a layout with its section [verdict]: what its parameters say about the subject.
type Rival struct {
	Layout    *layout.Layout
	File      string
	Text      string
	Prior     float64              // relative to the other rivals of the bank
	Behaviour trajectory.Behaviour // of a subject that it describes, in trajectories
	families  []choice
	hasOP     []choice
	noise     *expr.Node // nil: not stated
	weak      []weaknessRule
	profile   []reportedParameter
	inner     map[string]*expr.Node // performances that depend on parameters alone
}

// A choice is a word with the condition under which it holds; nil: always.
type choice struct {
	If *expr.Node
	Is string
}

// A weaknessRule is a weakness with the condition under which it holds.
type weaknessRule struct {
	name string
	join bool
	cond *expr.Node
	say  []segment
}

// A segment is a part of a text: words, or an expression.
type segment struct {
	words string
	value *expr.Node
}

// A reportedParameter is a parameter of the reporting layout as the rival states it: an expression, or a distribution whose
// arguments are expressions.
type reportedParameter struct {
	name  string
	value *expr.Node // nil: family of args
	prior prior.Family
	args  []*expr.Node
}

// verdictFile is the section as it is written.
type verdictFile struct {
	Verdict *struct {
		Family    any
		HasOP     any
		Noise     string
		Behaviour string
		Weakness  []struct {
			Name, If, Say string
			Join          bool
		}
		Profile map[string]string
	}
}

var hasOPWords = []string{"yes", "no", "maybe", "unknown"}

func parseRival(t Text) (*Rival, error) {
	l, err := layout.Parse(t.File, t.Text)
	if err != nil {
		return nil, err
	}
	var f verdictFile
	meta, err := toml.Decode(t.Text, &f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", t.File, err)
	}
	for _, k := range meta.Undecoded() {
		if k[0] == "verdict" && !(len(k) > 1 && (strings.EqualFold(k[1], "family") || strings.EqualFold(k[1], "hasOP"))) {
			return nil, fmt.Errorf("%s: unknown key %s%s", t.File, k, expr.DidYouMean(k[len(k)-1], []string{"family", "hasOP", "noise", "behaviour", "weakness", "profile", "name", "if", "say", "join"}))
		}
	}
	if f.Verdict == nil {
		return nil, fmt.Errorf("%s: key verdict: missing: a rival needs [verdict] with a family", t.File)
	}
	r := &Rival{Layout: l, File: t.File, Text: t.Text}
	p := &reader{rival: r, file: t.File}
	r.inner = p.parameterOnly()
	v := f.Verdict
	r.families = p.choices("verdict.family", v.Family, families)
	r.hasOP = p.choices("verdict.hasOP", v.HasOP, hasOPWords)
	if v.Noise != "" {
		r.noise = p.expression("verdict.noise", v.Noise)
	}
	r.Behaviour = p.behaviour("verdict.behaviour", v.Behaviour)
	for i, w := range v.Weakness {
		key := fmt.Sprintf("verdict.weakness[%d]", i)
		if w.Name == "" {
			p.fail(key+".name", "missing: a weakness needs a name")
		}
		out := weaknessRule{name: w.Name, join: w.Join, say: p.segments(key+".say", w.Say)}
		if w.If != "" {
			out.cond = p.expression(key+".if", w.If)
		}
		r.weak = append(r.weak, out)
	}
	var names []string
	for name := range v.Profile {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		r.profile = append(r.profile, p.reported("verdict.profile."+name, name, v.Profile[name]))
	}
	return r, p.err
}

// A reader parses the expressions of a section. It keeps the first error.
type reader struct {
	rival *Rival
	file  string
	err   error
}

func (p *reader) fail(key, format string, args ...any) {
	if p.err == nil {
		p.err = fmt.Errorf("%s: key %s: %s", p.file, key, fmt.Sprintf(format, args...))
	}
}

// known returns the names that expressions may use.
func (p *reader) known() (out []string) {
	l := p.rival.Layout
	for _, x := range l.Parameters {
		out = append(out, x.Name)
	}
	for _, x := range l.Constants {
		out = append(out, x.Name)
	}
	for _, x := range l.Performances {
		if _, ok := p.rival.inner[x.Name]; ok {
			out = append(out, x.Name)
		}
	}
	return out
}

func (p *reader) expression(key, source string) *expr.Node {
	n, err := expr.Parse(source)
	if err != nil {
		p.fail(key, "%v", err)
		return &expr.Node{}
	}
	known := p.known()
	for _, name := range n.Names() {
		if !slices.Contains(known, name) {
			p.fail(key, "unknown name %s%s: there are %s", name, expr.DidYouMean(name, known), strings.Join(known, ", "))
		}
	}
	return n
}

// parameterOnly are the performances that depend on parameters and constants alone.
func (p *reader) parameterOnly() map[string]*expr.Node {
	l := p.rival.Layout
	inner, free := map[string]*expr.Node{}, map[string]bool{}
	for _, x := range l.Parameters {
		free[x.Name] = true
	}
	for _, x := range l.Constants {
		free[x.Name] = true
	}
	for range l.Performances { // each pass settles at least one more
		for _, x := range l.Performances {
			n, err := expr.Parse(x.Source)
			if err == nil && !free[x.Name] && !slices.ContainsFunc(n.Names(), func(name string) bool { return !free[name] }) {
				inner[x.Name], free[x.Name] = n, true
			}
		}
	}
	return inner
}

// choices reads a word, or a list of { if, is }.
func (p *reader) choices(key string, v any, words []string) []choice {
	word := func(key string, v any) string {
		s, _ := v.(string)
		if !slices.Contains(words, s) {
			p.fail(key, "%q; it must be one of %s", fmt.Sprint(v), strings.Join(words, ", "))
		}
		return s
	}
	list, ok := v.([]any)
	if tables, is := v.([]map[string]any); is {
		ok = true
		for _, t := range tables {
			list = append(list, t)
		}
	}
	if !ok {
		return []choice{{Is: word(key, v)}}
	}
	var out []choice
	for i, x := range list {
		at := fmt.Sprintf("%s[%d]", key, i)
		t, _ := x.(map[string]any)
		c := choice{Is: word(at+".is", t["is"])}
		if s, ok := t["if"].(string); ok {
			c.If = p.expression(at+".if", s)
		} else if i < len(list)-1 {
			p.fail(at+".if", "missing: only the last may be without a condition")
		}
		out = append(out, c)
	}
	if len(out) == 0 || out[len(out)-1].If != nil {
		p.fail(key, "the last must be without a condition, so that one always holds")
	}
	return out
}

// behaviour reads the name of a behaviour. The default is trajectory.Seeker: it goes for the reward and may fail in any way.
func (p *reader) behaviour(key, name string) trajectory.Behaviour {
	if name == "" {
		return trajectory.Seeker
	}
	var known []string
	for _, b := range trajectory.Behaviours() {
		if string(b) == name {
			return b
		}
		known = append(known, string(b))
	}
	hint := expr.DidYouMean(name, known)
	if hint == "" {
		hint = "; it must be one of " + strings.Join(known, ", ")
	}
	p.fail(key, "%q%s", name, hint)
	return ""
}

// segments cuts a text at its {expressions}.
func (p *reader) segments(key, text string) (out []segment) {
	for {
		before, rest, open := strings.Cut(text, "{")
		inside, after, closed := strings.Cut(rest, "}")
		if !open || !closed {
			return append(out, segment{words: text})
		}
		out = append(out, segment{words: before}, segment{value: p.expression(key, inside)})
		text = after
	}
}

func (p *reader) reported(key, name, source string) reportedParameter {
	n, err := expr.Parse(source)
	if err == nil && n.Op == expr.Call {
		if f, ok := prior.Named(n.Text); ok {
			if len(n.Args) != len(f.Args()) {
				p.fail(key, "%s takes %d arguments, not %d", f, len(f.Args()), len(n.Args))
				return reportedParameter{}
			}
			out := reportedParameter{name: name, prior: f}
			for _, a := range n.Args {
				out.args = append(out.args, p.expression(key, a.String()))
			}
			return out
		}
	}
	return reportedParameter{name: name, value: p.expression(key, source)}
}
