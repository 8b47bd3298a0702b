package layout

import (
	"slices"
	"strings"

	"achilles/sim/conf"
	"achilles/sim/expr"
)

// check checks names and types, and then finds the range of each name, after the ranges of the names on which this name
// depends.
func (l *Layout) check() error {
	c := &checker{Layout: l}
	for name := range l.symbols {
		if !strings.ContainsAny(name, "([") { // no mean(measure), and no part of a vector
			c.known = append(c.known, name)
		}
	}
	slices.Sort(c.known)
	if err := c.declareMeans(); err != nil {
		return err
	}
	for _, x := range c.expressions() {
		if err := c.types(x.at, x.node); err != nil {
			return err
		}
	}
	for i := range l.Parameters {
		if err := c.resolve(l.Parameters[i].Name); err != nil {
			return err
		}
	}
	for _, p := range l.Performances {
		if err := c.resolve(p.Name); err != nil {
			return err
		}
	}
	for i := range l.Responses {
		if err := c.response(&l.Responses[i]); err != nil {
			return err
		}
	}
	for _, whole := range []func() error{c.unused, c.walking, c.checkBinary, c.checkErrors, c.checkJudges} {
		if err := whole(); err != nil {
			return err
		}
	}
	return nil
}

type checker struct {
	*Layout
	known []string // names that expressions may use, sorted
	path  []string // names whose ranges are being found; the error about a cycle lists them
}

// An expression has the syntax tree of one expression of the layout, and the place of the expression in the file.
type expression struct {
	at   conf.Place
	node *expr.Node
}

func (c *checker) expressions() []expression {
	var out []expression
	for _, p := range c.Parameters {
		for _, a := range p.args {
			out = append(out, expression{p.at, a})
		}
	}
	for _, p := range c.Performances {
		out = append(out, expression{p.at, p.node})
	}
	for _, r := range c.Responses {
		for i, n := range r.nodes {
			out = append(out, expression{r.places[i], n})
		}
	}
	return out
}

// declareMeans replaces each call mean(measure) by a name. It changes the nodes in place; this is safe because no other
// layout shares them.
func (c *checker) declareMeans() error {
	for _, x := range c.expressions() {
		var fault error
		x.node.Walk(func(n *expr.Node) {
			if n.Op != expr.Call || n.Text != "mean" || fault != nil {
				return
			}
			if len(n.Args) != 1 || n.Args[0].Op != expr.Name {
				fault = x.at.In(n.Errorf("mean takes the name of a measure: mean(%s)", c.Responses[0].Measure))
				return
			}
			m := n.Args[0].Text
			i := slices.IndexFunc(c.Responses, func(r ResponseModel) bool { return r.Measure == m })
			if i < 0 {
				var known []string
				for _, r := range c.Responses {
					known = append(known, r.Measure)
				}
				fault = x.at.In(n.Args[0].Errorf("no response of the layout has the measure %s: want one of %s", m, strings.Join(known, ", ")))
				return
			}
			name := "mean(" + m + ")"
			c.symbols[name] = &symbol{kind: aMean, index: i, level: input, at: x.at, state: done, bounds: c.Responses[i].Family.values(), used: true}
			n.Op, n.Text, n.Args = expr.Name, name, nil
		})
		if fault != nil {
			return fault
		}
	}
	return nil
}

// types checks names, functions and types of an expression by compiling it on one made-up row.
func (c *checker) types(at conf.Place, n *expr.Node) error {
	p, err := expr.Compile(n, func(name string) (expr.Column, bool) {
		s := c.symbols[name]
		switch {
		case s == nil:
			return expr.Column{}, false
		case s.text:
			return expr.Column{Text: []string{""}}, true
		}
		return expr.Column{Number: []float64{0}}, true
	}, c.known...)
	if err != nil {
		return at.In(err)
	}
	if p.Type() == expr.TextType {
		return at.In(n.Errorf("the expression is a text: compare it with == or in(…)"))
	}
	return c.levels(at, n)
}

// levels checks that an expression compares a text only with its declared levels.
func (c *checker) levels(at conf.Place, n *expr.Node) error {
	var fault error
	n.Walk(func(n *expr.Node) {
		i := slices.IndexFunc(n.Args, func(a *expr.Node) bool { return a.Op == expr.Name && c.symbols[a.Text].text })
		if i < 0 || fault != nil {
			return
		}
		known := c.columnOf(c.symbols[n.Args[i].Text]).Levels
		for _, a := range n.Args {
			if a.Op == expr.Str && !slices.Contains(known, a.Text) {
				fault = at.In(a.Errorf("%q is not among the levels of %s: %s", a.Text, n.Args[i], strings.Join(known, ", ")))
			}
		}
	})
	return fault
}

func (c *checker) response(r *ResponseModel) error {
	depends := constant
	for i, n := range r.nodes {
		b, v, err := c.evaluate(r.places[i], n)
		if err != nil {
			return err
		}
		depends = max(depends, v)
		if err := r.checkArgument(i, b, v); err != nil {
			return r.places[i].In(err)
		}
	}
	if depends < parameter && !r.ofErrors() {
		return r.places[0].Errorf("the response depends on no parameter")
	}
	return nil
}

func (r *ResponseModel) checkArgument(i int, b interval, v level) error {
	n, key := r.nodes[i], r.Family.keys()[min(i, len(r.Family.keys())-1)]
	fault := func(format string, args ...any) error { return firstColumn(n).Errorf(format, args...) }
	switch {
	case (key == "p" || key == "inflation" || key == "ones" || key == "mean" && r.Family != Normal) && !(b.lo >= -slack && b.hi <= 1+slack):
		return fault("%s may lie anywhere from %g to %g, and must stay in [0, 1]: build it from logistic, probit, mix, present and products", key, b.lo, b.hi)
	case (key == "sd" || key == "precision") && !(b.lo >= 0 && b.hi > 0):
		return fault("%s may lie anywhere from %g to %g, and must be positive", key, b.lo, b.hi)
	case key == trialsKey && v > data:
		return fault("the number of trials must not depend on parameters or responses")
	case key == trialsKey && !(b.lo >= 0):
		return fault("the number of trials may lie anywhere from %g to %g, and must not be negative", b.lo, b.hi)
	}
	return nil
}

// slack is the tolerance for rounding in range arithmetic.
const slack = 1e-9

// firstColumn returns the leftmost node of an expression. An error about the whole expression names the column of this
// node.
func firstColumn(n *expr.Node) *expr.Node {
	first := n
	n.Walk(func(m *expr.Node) {
		if m.Col < first.Col {
			first = m
		}
	})
	return first
}

// unused returns an error for a name that no response depends on.
func (c *checker) unused() error {
	for _, r := range c.Responses {
		for _, n := range r.nodes {
			c.use(n)
		}
	}
	report := func(name, what string) error {
		if s := c.symbols[name]; !s.used {
			return s.at.Errorf("no response depends on this %s: use it or remove it", what)
		}
		return nil
	}
	for _, p := range c.Parameters {
		if err := report(p.Name, "parameter"); err != nil {
			return err
		}
	}
	for _, p := range c.Performances {
		if err := report(p.Name, "performance"); err != nil {
			return err
		}
	}
	for _, m := range c.Metafeatures {
		if err := report(m.Name, "metafeature"); err != nil {
			return err
		}
	}
	for _, m := range c.Covariates {
		if err := report(m.Name, "covariate"); err != nil {
			return err
		}
	}
	for _, k := range c.Constants {
		if err := report(k.Name, "constant"); err != nil {
			return err
		}
	}
	return nil
}

func (c *checker) use(n *expr.Node) {
	for _, name := range n.Names() {
		s := c.symbols[name]
		if s.used {
			continue
		}
		s.used = true
		switch s.kind {
		case aParameter:
			for _, a := range c.Parameters[s.index].args {
				c.use(a)
			}
		case aPerformance:
			c.use(c.Performances[s.index].node)
		}
	}
}
