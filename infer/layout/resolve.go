package layout

import (
	"slices"
	"strings"

	"achilles/sim/conf"
	"achilles/sim/expr"
)

type symbolKind uint8

const (
	aConstant symbolKind = iota
	aMetafeature
	aCovariate
	aParameter
	aPerformance
	aMean   // mean(measure)
	aVector // a name for several parameters or metafeatures; no expression has it after Layout.expand
)

// A level says what an expression depends on. An expression of one level may also depend on everything of lower
// levels.
type level uint8

const (
	constant  level = iota // only numbers
	data                   // metafeatures of the items and covariates of the subjects
	input                  // responses to which the layout is fitted: mean(measure)
	parameter              // parameters
	unknownLevel
)

// A symbol has the meaning of a name in a layout.
type symbol struct {
	kind  symbolKind
	index int // index in the Layout's slice of this kind
	level level
	text  bool
	at    conf.Place

	state  visit
	bounds interval
	used   bool
}

type visit uint8

const (
	unseen visit = iota
	open
	done
)

// resolve finds the level and range of a name, after it has resolved the names on which this name depends. It returns an
// error for a cycle.
func (c *checker) resolve(name string) error {
	s := c.symbols[name]
	switch s.state {
	case done:
		return nil
	case open:
		at := slices.Index(c.path, name)
		return s.at.Errorf("depends on itself: %s", strings.Join(append(slices.Clone(c.path[at:]), name), " → "))
	}
	s.state = open
	c.path = append(c.path, name)
	defer func() { c.path = c.path[:len(c.path)-1] }()
	var err error
	switch s.kind {
	case aConstant:
		v := c.Constants[s.index].Value
		s.bounds = interval{v, v}
	case aMetafeature, aCovariate:
		r := c.columnOf(s).Range
		s.bounds = interval{r[0], r[1]}
	case aParameter:
		s.bounds, err = c.support(&c.Parameters[s.index])
	case aPerformance:
		p := c.Performances[s.index]
		s.bounds, s.level, err = c.evaluate(p.at, p.node)
	}
	s.state = done
	return err
}

// support returns the range of a parameter under its prior.
func (c *checker) support(p *Parameter) (interval, error) {
	var lo, hi []float64
	for _, a := range p.args {
		for _, name := range a.Names() {
			if err := c.scope(p, a, name); err != nil {
				return interval{}, err
			}
		}
		b, _, err := c.evaluate(p.at, a)
		if err != nil {
			return interval{}, err
		}
		lo, hi = append(lo, b.lo), append(hi, b.hi)
	}
	if p.walks && !(lo[1] >= 0 && hi[1] > 0) {
		return interval{}, p.at.In(firstColumn(p.args[1]).Errorf("the step of a walk must be positive, and can be %g", lo[1]))
	}
	if err := p.family.Check(lo, hi); err != nil {
		return interval{}, p.at.In(&expr.Error{Col: p.args[0].Col, Msg: err.Error()})
	}
	from, to := p.family.Support(lo, hi)
	p.Range = [2]float64{from, to}
	return interval{from, to}, nil
}

// columnOf returns what a symbol of a metafeature or covariate stands for.
func (l *Layout) columnOf(s *symbol) *Metafeature {
	if s.kind == aCovariate {
		return &l.Covariates[s.index]
	}
	return &l.Metafeatures[s.index]
}

func find(n *expr.Node, name string) (at *expr.Node) {
	n.Walk(func(m *expr.Node) {
		if at == nil && m.Op == expr.Name && m.Text == name {
			at = m
		}
	})
	return at
}

// evaluate resolves the names of an expression and returns its range and level.
func (c *checker) evaluate(at conf.Place, n *expr.Node) (interval, level, error) {
	for _, name := range n.Names() {
		if err := c.resolve(name); err != nil {
			return interval{}, 0, err
		}
	}
	b, err := ranges{c.Layout}.of(n)
	if err != nil {
		return interval{}, 0, at.In(err)
	}
	return b, c.levelOf(n), nil
}

func (l *Layout) levelOf(n *expr.Node) level {
	v := constant
	for _, name := range n.Names() {
		v = max(v, l.symbols[name].level)
	}
	return v
}
