package layout

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"achilles/sim/expr"
)

// Show describes the layout in text: its names with their priors and expressions, and for each response a tree of the
// names that it depends on.
func (l *Layout) Show() string {
	var b strings.Builder
	b.WriteString(l.Name + "\n")
	if l.Doc != "" {
		b.WriteString(l.Doc + "\n")
	}
	for _, s := range l.sections() {
		if len(s.lines) > 0 {
			b.WriteString("\n" + s.title + "\n")
			writeTable(&b, s.lines)
		}
	}
	if (&checker{Layout: l}).smooth() {
		fmt.Fprintf(&b, "\nminima and maxima are smooth at temperature %g\n", l.Temperature)
	}
	b.WriteString("\ngraph\n")
	t := treeWriter{Layout: l, b: &b, shown: map[string]bool{}}
	for i, r := range l.Responses {
		b.WriteString("  " + r.Measure + "\n")
		t.children("  ", l.parents("response."+strconv.Itoa(i)))
	}
	return b.String()
}

type section struct {
	title string
	lines [][]string
}

func (l *Layout) sections() []section {
	columns := func(title string, declared []Metafeature) section {
		s := section{title: title}
		for _, m := range declared {
			s.lines = append(s.lines, []string{m.Name, "column " + m.Column, m.values(), join(m.Unit, m.Doc)})
		}
		return s
	}
	constants := section{title: "constants"}
	for _, c := range l.Constants {
		constants.lines = append(constants.lines, []string{c.Name, "= " + number(c.Value)})
	}
	out := []section{columns("metafeatures", l.Metafeatures), columns("covariates", l.Covariates), constants}
	for i, title := range []string{"capabilities", "biases", "robustness", "of items", "shared"} {
		s := section{title: title}
		for _, p := range l.Parameters {
			if p.Group == groups[i] {
				s.lines = append(s.lines, []string{p.Name, "~ " + p.Prior, join(p.Unit, p.Doc)})
				if p.Per != "" {
					s.lines[len(s.lines)-1][1] += " for " + p.unit()
				}
			}
		}
		out = append(out, s)
	}
	performances := section{title: "performances"}
	for _, p := range l.Performances {
		performances.lines = append(performances.lines, []string{p.Name, "= " + oneLine(p.Source)})
	}
	responses := section{title: "responses"}
	for _, r := range l.Responses {
		responses.lines = append(responses.lines, []string{r.Measure, "~ " + r.formula(), r.Doc})
	}
	return append(out, performances, responses, plating{l}.platesSection())
}

func (m *Metafeature) values() string {
	if m.Levels != nil {
		return strings.Join(m.Levels, " | ")
	}
	s := number(m.Range[0]) + " to " + number(m.Range[1])
	if m.Missing != nil {
		s += ", " + number(*m.Missing) + " where missing"
	}
	if m.Judge != nil {
		s += ", " + m.Judge.String()
	}
	return s
}

func (r *ResponseModel) formula() string {
	keys := r.Family.keys()
	var args []string
	for i, a := range r.Args {
		k := keys[min(i, len(keys)-1)]
		if r.Family == Choice {
			k += "[" + strconv.Itoa(i) + "]"
		}
		args = append(args, k+" = "+oneLine(a))
	}
	return string(r.Family) + "(" + strings.Join(args, ", ") + ")"
}

func number(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

func join(unit, doc string) string {
	if unit == "" || doc == "" {
		return unit + doc
	}
	return unit + "; " + doc
}

// writeTable writes lines as a table, with all columns but the last padded to equal width.
func writeTable(b *strings.Builder, lines [][]string) {
	var width []int
	for _, line := range lines {
		for i, cell := range line {
			if i == len(width) {
				width = append(width, 0)
			}
			width[i] = max(width[i], len([]rune(cell)))
		}
	}
	for _, line := range lines {
		s := ""
		for i, cell := range line {
			s += "  " + cell + strings.Repeat(" ", width[i]-len([]rune(cell)))
		}
		b.WriteString(strings.TrimRight(s, " ") + "\n")
	}
}

// smooth reports whether the layout has a minimum or maximum that depends on parameters, at the layout's own temperature.
func (c *checker) smooth() bool {
	found := false
	for _, x := range c.expressions() {
		x.node.Walk(func(n *expr.Node) {
			found = found || (n.Op == expr.Min && n.Value == 0 || n.Op == expr.Max) && c.levelOf(n) == parameter
		})
	}
	return found
}

// parents returns the names on which a name depends directly, in the order of first mention. For a parameter these are
// the names in its prior. The name "response.0" stands for the first response.
func (l *Layout) parents(name string) []string {
	var nodes []*expr.Node
	if i, ok := strings.CutPrefix(name, "response."); ok {
		k, _ := strconv.Atoi(i)
		nodes = l.Responses[k].nodes
	} else if s := l.symbols[name]; s != nil {
		switch s.kind {
		case aParameter:
			nodes = l.Parameters[s.index].args
		case aPerformance:
			nodes = []*expr.Node{l.Performances[s.index].node}
		}
	}
	var out []string
	for _, n := range nodes {
		n.Walk(func(m *expr.Node) {
			if m.Op == expr.Name && !slices.Contains(out, m.Text) {
				out = append(out, m.Text)
			}
		})
	}
	return out
}

type treeWriter struct {
	*Layout
	b     *strings.Builder
	shown map[string]bool
}

func (t *treeWriter) children(indent string, names []string) {
	for i, name := range names {
		branch, below := "├─ ", "│  "
		if i == len(names)-1 {
			branch, below = "└─ ", "   "
		}
		parents := t.parents(name)
		again := ""
		if len(parents) > 0 && t.shown[name] {
			parents, again = nil, " (above)"
		}
		t.b.WriteString(indent + branch + t.label(name) + again + "\n")
		t.shown[name] = true
		t.children(indent+below, parents)
	}
}

func (t *treeWriter) label(name string) string {
	switch s := t.symbols[name]; s.kind {
	case aParameter:
		return name + " ~ " + t.Parameters[s.index].Prior
	case aConstant:
		return name + " = " + number(t.Constants[s.index].Value)
	case aMetafeature, aCovariate:
		if j := t.columnOf(s).Judge; j != nil {
			return "[" + name + ", " + j.String() + "]"
		}
		return "[" + name + "]"
	}
	return name
}

// DOT returns the layout as a graph in the language of Graphviz. Parameters are ellipses, metafeatures and covariates boxes, performances
// rounded boxes, responses double circles. A dashed line shows that a prior depends on a name, a dotted line that an
// expression uses the mean of a measure. Clusters are plates: what is repeated over subjects, items, or groups of them.
func (l *Layout) DOT() string {
	var b strings.Builder
	fmt.Fprintf(&b, "digraph %s {\n\trankdir=LR;\n\tnode [fontname=\"sans-serif\"];\n", strconv.Quote(l.Name))
	node := func(name, label, style string) {
		fmt.Fprintf(&b, "\t%s [label=%s, %s];\n", strconv.Quote(name), strconv.Quote(label), style)
	}
	for _, m := range slices.Concat(l.Metafeatures, l.Covariates) {
		label := m.Name
		if m.Judge != nil {
			label += "\n" + m.Judge.String()
		}
		node(m.Name, label, "shape=box, style=filled, fillcolor=\"#e8e8e8\"")
	}
	for _, p := range l.Parameters {
		node(p.Name, p.Name+"\n"+p.Prior, "shape=ellipse, style=filled, fillcolor="+map[Group]string{Capability: "\"#cfe2f3\"", Bias: "\"#fce5cd\"", Robustness: "\"#d9ead3\"", Item: "\"#fff2cc\"", Shared: "\"#ead1dc\""}[p.Group])
	}
	for _, p := range l.Performances {
		node(p.Name, p.Name, "shape=box, style=rounded")
	}
	for i, r := range l.Responses {
		node("response."+strconv.Itoa(i), r.Measure+"\n"+string(r.Family), "shape=doublecircle")
	}
	plating{l}.writePlates(&b)
	edge := func(to string, style string) {
		for _, from := range l.parents(to) {
			s := l.symbols[from]
			switch s.kind {
			case aConstant:
				continue
			case aMean:
				from, style = "response."+strconv.Itoa(s.index), " [style=dotted, label=\"mean\"]"
			}
			fmt.Fprintf(&b, "\t%s -> %s%s;\n", strconv.Quote(from), strconv.Quote(to), style)
		}
	}
	for _, p := range l.Parameters {
		edge(p.Name, " [style=dashed]")
	}
	for _, p := range l.Performances {
		edge(p.Name, "")
	}
	for i := range l.Responses {
		edge("response."+strconv.Itoa(i), "")
	}
	b.WriteString("}\n")
	return b.String()
}
