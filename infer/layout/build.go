package layout

import (
	"fmt"
	"math"
	"slices"

	"achilles/infer/loglik"
	"achilles/sim/conf"
	"achilles/sim/expr"
)

// A builder turns expressions into plan nodes over the distinct rows of a battery.
type builder struct {
	*Layout
	plan    *loglik.Builder
	columns map[string]expr.Column // metafeatures and covariates on the distinct rows, and performances that depend only on items
	rows    int
	row     []string               // the first item or subject of each row, for errors
	unit    string                 // what these are
	nodes   map[string]loglik.Node // plan nodes of the names compiled so far

	truths map[string][]truth // metafeature with a judge → states of its true value
	trials []float64          // number of trials of the responses in each row, if responses say how many

	param func(index int) loglik.Node   // node of a parameter
	mean  func(name string) loglik.Node // node of mean(measure); nil if no expression may mention it
}

// node returns the plan node of an expression. If it depends only on items, package expr evaluates it at once: minima
// and maxima are then exact, and texts can be compared.
func (b *builder) node(at conf.Place, n *expr.Node) (loglik.Node, error) {
	if b.levelOf(n) <= data {
		v, err := b.values(at, n)
		if err != nil {
			return 0, err
		}
		return b.plan.Data(v), nil
	}
	if n.Op == expr.Name {
		return b.name(n.Text)
	}
	setting, args := b.Temperature, n.Args
	if n.Op == expr.Min && n.Value > 0 {
		setting = n.Value // softmin
	}
	if n.Op == expr.Gmean {
		k, err := b.values(at, n.Args[0])
		if err != nil {
			return 0, err
		}
		setting, args = k[0], args[1:]
	}
	var nodes []loglik.Node
	for _, a := range args {
		x, err := b.node(at, a)
		if err != nil {
			return 0, err
		}
		nodes = append(nodes, x)
	}
	return b.bounded(n, b.plan.Apply(n.Op, setting, nodes...)), nil
}

// bounded returns x, the plan node of an expression, after it has told the plan in which range the expression lies.
func (b *builder) bounded(n *expr.Node, x loglik.Node) loglik.Node {
	if v, err := (ranges{b.Layout}).of(n); err == nil {
		b.plan.Bound(x, v.lo, v.hi)
	}
	return x
}

// name returns the plan node of a name.
func (b *builder) name(name string) (loglik.Node, error) {
	if n, ok := b.nodes[name]; ok {
		return n, nil
	}
	var n loglik.Node
	var err error
	switch s := b.symbols[name]; s.kind {
	case aParameter:
		n = b.param(s.index)
	case aMean:
		n = b.mean(name)
	case aPerformance:
		p := b.Performances[s.index]
		n, err = b.node(p.at, p.node)
	}
	if err == nil {
		b.plan.Bound(n, b.symbols[name].bounds.lo, b.symbols[name].bounds.hi)
	}
	b.nodes[name] = n
	return n, err
}

// values returns the values, on the distinct rows, of an expression that depends only on items.
func (b *builder) values(at conf.Place, n *expr.Node) ([]float64, error) {
	for _, name := range n.Names() {
		if _, ok := b.columns[name]; ok {
			continue
		}
		s := b.symbols[name]
		col := expr.Column{}
		switch s.kind {
		case aConstant:
			col.Number = []float64{b.Constants[s.index].Value}
		case aPerformance:
			p := b.Performances[s.index]
			v, err := b.values(p.at, p.node)
			if err != nil {
				return nil, err
			}
			col.Number = v
		}
		b.columns[name] = col
	}
	p, err := expr.Compile(n, func(name string) (expr.Column, bool) { c, ok := b.columns[name]; return c, ok })
	if err != nil {
		return nil, at.In(err)
	}
	out := make([]float64, b.rows)
	exponent := b.levelOf(n) == constant // the exponent of gmean is the only number that may be infinite
	for r := range out {
		out[r] = p.Number(r)
		if out[r] != out[r] || math.IsInf(out[r], 0) && !exponent {
			return nil, at.In(firstColumn(n).Errorf("%s is %g for %s %s", n, out[r], b.unit, b.row[r]))
		}
	}
	return out, nil
}

// order lists the indices of the parameters so that each parameter comes after the parameters on which its prior depends.
func (l *Layout) order() []int {
	var out []int
	placed := make([]bool, len(l.Parameters))
	var place func(i int)
	place = func(i int) {
		if placed[i] {
			return
		}
		placed[i] = true
		for _, k := range mentioned(l, i) {
			place(k)
		}
		out = append(out, i)
	}
	for i := range l.Parameters {
		place(i)
	}
	return out
}

// mentioned returns the parameters that the prior of parameter i mentions.
func mentioned(l *Layout, i int) (out []int) {
	for _, name := range l.Parameters[i].names() {
		if s := l.symbols[name]; s.kind == aParameter && !slices.Contains(out, s.index) {
			out = append(out, s.index)
		}
	}
	return out
}

func planFamily(f Family) loglik.Family {
	switch f {
	case Bernoulli, Binomial:
		return loglik.Bernoulli
	case Normal:
		return loglik.Normal
	case Beta:
		return loglik.Beta
	case ZeroOneInflatedBeta:
		return loglik.ZeroOneInflatedBeta
	case Choice:
		return loglik.Choice
	}
	panic(fmt.Sprintf("layout: no family %s", f))
}
