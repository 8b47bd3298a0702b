package layout

import (
	"slices"
	"strings"

	"achilles/infer/loglik"
	"achilles/sim/conf"
	"achilles/sim/expr"
)

// mostStates is the largest number of combinations of true values over which an expression is averaged.
const mostStates = 256

// judgedIn returns the metafeatures with a judge on which an expression depends, in the order of the layout.
func (l *Layout) judgedIn(nodes ...*expr.Node) (out []string) {
	seen := make([]bool, len(l.Metafeatures))
	l.mentions(func(s *symbol) {
		if s.kind == aMetafeature {
			seen[s.index] = true
		}
	}, nodes...)
	for i, m := range l.Metafeatures {
		if m.Judge != nil && seen[i] {
			out = append(out, m.Name)
		}
	}
	return out
}

// averaged returns the plan node of the expectation of an expression over the true values of items, given their labels. The true values
// of different metafeatures are independent given the labels, so that sums, and products of what depends on different ones, are averaged part
// by part; only what mixes several otherwise is averaged over their combinations.
func (b *builder) averaged(at conf.Place, n *expr.Node) (loglik.Node, error) {
	if len(b.truths) == 0 {
		return b.node(at, n)
	}
	judged := b.judgedIn(n)
	if len(judged) == 0 {
		return b.node(at, n)
	}
	if n.Op == expr.Name && b.symbols[n.Text].kind == aPerformance {
		p := b.Performances[b.symbols[n.Text].index]
		return b.averaged(p.at, p.node)
	}
	if !b.averagesByPart(n) {
		return b.overStates(at, n, judged)
	}
	var args []loglik.Node
	for _, a := range n.Args {
		x, err := b.averaged(at, a)
		if err != nil {
			return 0, err
		}
		args = append(args, x)
	}
	return b.bounded(n, b.plan.Apply(n.Op, 0, args...)), nil
}

// averagesByPart reports whether the expectation of an expression is the same expression of the expectations of its arguments.
func (b *builder) averagesByPart(n *expr.Node) bool {
	apart := func(a, c *expr.Node) bool {
		return len(b.judgedIn(a))+len(b.judgedIn(c)) == len(b.judgedIn(a, c))
	}
	switch n.Op {
	case expr.Neg, expr.Add, expr.Sub:
		return true
	case expr.Mul, expr.Present:
		return apart(n.Args[0], n.Args[1])
	case expr.Div:
		return len(b.judgedIn(n.Args[1])) == 0
	case expr.Mix:
		return apart(n.Args[0], n.Args[1]) && apart(n.Args[0], n.Args[2])
	}
	return false
}

// overStates returns the plan node of the expectation of an expression over all combinations of states of these metafeatures.
func (b *builder) overStates(at conf.Place, n *expr.Node, judged []string) (loglik.Node, error) {
	states := 1
	for _, name := range judged {
		if states *= len(b.truths[name]); states > mostStates {
			return 0, at.In(firstColumn(n).Errorf("%s depends on %s, whose true values have more than %d combinations: give fewer of them a judge, or fewer values, or multiply what depends on each", n, strings.Join(judged, ", "), mostStates))
		}
	}
	var terms []loglik.Node
	for s := range states {
		state := *b
		state.nodes, state.columns = map[string]loglik.Node{}, map[string]expr.Column{}
		for _, m := range b.Metafeatures { // what is computed from them is computed anew
			state.columns[m.Name] = b.columns[m.Name]
		}
		weight := slices.Repeat([]float64{1}, b.rows)
		for _, name := range judged {
			of := b.truths[name]
			state.columns[name] = expr.Column{Number: of[s%len(of)].value}
			for r, w := range of[s%len(of)].weight {
				weight[r] = float64(weight[r] * w)
			}
			s /= len(of)
		}
		if slices.Max(weight) == 0 {
			continue
		}
		x, err := state.node(at, n)
		if err != nil {
			return 0, err
		}
		terms = append(terms, b.plan.Apply(expr.Mul, 0, b.plan.Data(weight), x))
	}
	sum := terms[0]
	for _, x := range terms[1:] {
		sum = b.plan.Apply(expr.Add, 0, sum, x)
	}
	return b.bounded(n, sum), nil
}
