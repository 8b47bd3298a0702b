package loglik

import (
	"math"

	"achilles/sim/expr"
	"achilles/sim/num"
)

// A chance is a probability p as log p and log(1 − p). Products, mixtures, powers and complements of chances are sums of positive terms,
// so that neither number loses digits, however far a margin is from 0.
type chance struct{ yes, no float64 }

// certain is the probability 1.
var certain = chance{0, math.Inf(-1)}

type chanceKind uint8

const (
	aValue      chanceKind = iota // a value of the slab
	aLogistic                     // of a margin
	aProbit                       // of a margin
	anExp                         // of a margin that is not positive
	aProduct                      // of two chances
	aMixture                      // (1 − first)·second + first·third
	aSum                          // of chances with weights that are at most 1 together
	aPower                        // of a chance; the exponent is a margin
	aComplement                   // of a chance
)

// A chanceNode is one chance of an expression. Its arguments come before it.
type chanceNode struct {
	kind    chanceKind
	args    []int
	margin  margin
	fixed   bool        // the value depends on neither parameters nor inputs
	weights [][]float64 // of a sum: log weight of each argument in each row
	rest    []float64   // of a sum: log of what the weights leave of 1 in each row
}

// A margin is a number of each row that chances are functions of: a value of the slab or, if it has an offset, an affine form.
type margin struct {
	of     []uint32 // row → element
	at     int      // offset of the values in the slab
	affine bool
	offset []float64   // of each element
	args   []int       // offsets of the scalars in the slab
	coef   [][]float64 // [scalar][element]
}

func (m *margin) value(w *Workspace, row uint32) float64 {
	e := m.of[row]
	if !m.affine {
		return w.v[m.at+int(e)]
	}
	x := m.offset[e]
	for k, a := range m.args {
		x += float64(w.v[a] * m.coef[k][e])
	}
	return x
}

// add adds a derivative by the margin to those of the values on which it depends.
func (m *margin) add(w *Workspace, row uint32, d float64) {
	e := m.of[row]
	if !m.affine {
		w.d[m.at+int(e)] += d
		return
	}
	for k, a := range m.args {
		w.d[a] += float64(d * m.coef[k][e])
	}
}

// chances evaluates a probability row by row, for rows in which rounding would tell: those with p or 1 − p below these limits.
type chances struct {
	nodes           []chanceNode
	least, leastNot float64
}

// Limits of p and of 1 − p in floating point. A product ends with the doubles. A difference from 1 has a relative error of at most 3e-10.
const (
	leastProduct    = 0x1p-900
	leastDifference = 0x1p-20
)

// A chanceMaker turns the nodes of a probability into chances.
type chanceMaker struct {
	*lowerer
	out   chances
	known map[Node]int
	rough map[Node]bool // nodes that are differences from 1 in floating point, or depend on some
	roots bool          // whether a power of such a node is taken, which may multiply its error
}

// chances returns the chances of a probability. They have no limits and no nodes if it is no combination of probabilities.
func (l *lowerer) chances(p Node) *chances {
	m := &chanceMaker{lowerer: l, known: map[Node]int{}, rough: map[Node]bool{}}
	c, ok := m.combine(p)
	if !ok {
		return &chances{least: math.Inf(-1), leastNot: math.Inf(-1)}
	}
	m.out.nodes = append(m.out.nodes, c)
	m.out.least, m.out.leastNot = leastProduct, leastDifference
	switch {
	case m.roots:
		m.out.least, m.out.leastNot = math.Inf(1), math.Inf(1)
	case m.rough[p]:
		m.out.least = leastDifference
	}
	l.plan.chances = max(l.plan.chances, len(m.out.nodes))
	return &m.out
}

// make returns the index of a node among the chances, and adds it if it is new.
func (m *chanceMaker) make(n Node) int {
	if i, ok := m.known[n]; ok {
		return i
	}
	c := m.define(n)
	m.known[n] = len(m.out.nodes)
	m.out.nodes = append(m.out.nodes, c)
	return m.known[n]
}

// define returns the chance of a node, after those of its arguments. What is no combination of probabilities is a value.
func (m *chanceMaker) define(n Node) chanceNode {
	if c, ok := m.combine(n); ok {
		return c
	}
	r := m.emit(n)
	return chanceNode{kind: aValue, margin: margin{of: r.pl.of, at: r.off}, fixed: m.syms[n].dep == onRows}
}

// combine returns the chance of a link, or of a combination of probabilities, and false for other nodes.
func (m *chanceMaker) combine(n Node) (c chanceNode, ok bool) {
	s := m.syms[n]
	if s.kind != isOp {
		return c, false
	}
	defer func() { m.judge(n, c.kind) }()
	switch {
	case s.op == expr.Logistic:
		return chanceNode{kind: aLogistic, margin: m.margin(s.args[0])}, true
	case s.op == expr.Probit:
		return chanceNode{kind: aProbit, margin: m.margin(s.args[0])}, true
	case s.op == expr.Exp && m.within(s.args[0], math.Inf(-1), 0):
		return chanceNode{kind: anExp, margin: m.margin(s.args[0])}, true
	case s.op == expr.Mul && m.probable(s.args...):
		return chanceNode{kind: aProduct, args: m.all(s.args)}, true
	case s.op == expr.Mix && m.probable(s.args...):
		return chanceNode{kind: aMixture, args: m.all(s.args)}, true
	case s.op == expr.Present && m.probable(s.args...):
		return chanceNode{kind: aMixture, args: m.all([]Node{s.args[1], m.Const(1), s.args[0]})}, true
	case s.op == expr.Pow && m.probable(s.args[0]) && m.within(s.args[1], 0, math.Inf(1)):
		return chanceNode{kind: aPower, args: m.all(s.args[:1]), margin: m.margin(s.args[1])}, true
	case s.op == expr.Sqrt && m.probable(s.args[0]):
		return chanceNode{kind: aPower, args: m.all(s.args[:1]), margin: m.margin(m.Const(0.5))}, true
	case s.op == expr.Sub && s.args[0] == m.Const(1) && m.probable(s.args[1]):
		return chanceNode{kind: aComplement, args: m.all(s.args[1:])}, true
	}
	terms, ok := m.terms(n)
	if !ok {
		return c, false
	}
	return m.sum(terms), true
}

// judge notes whether a node is rough, after its arguments.
func (m *chanceMaker) judge(n Node, kind chanceKind) {
	s := m.syms[n]
	for _, a := range s.args {
		m.rough[n] = m.rough[n] || m.rough[a]
	}
	computed := func(a Node) bool { return m.syms[a].kind == isOp }
	switch kind {
	case aMixture:
		m.rough[n] = m.rough[n] || computed(s.args[0])
	case aComplement:
		m.rough[n] = m.rough[n] || computed(s.args[1])
	case aPower:
		m.roots = m.roots || m.rough[n]
	}
}

func (m *chanceMaker) all(nodes []Node) (out []int) {
	for _, n := range nodes {
		out = append(out, m.make(n))
	}
	return out
}

// probable reports whether all nodes are probabilities.
func (m *chanceMaker) probable(nodes ...Node) bool {
	for _, n := range nodes {
		if !m.within(n, 0, 1) {
			return false
		}
	}
	return true
}

// slack is the tolerance for rounding in ranges and weights.
const slack = 1e-9

// within reports whether a node is known to lie in a closed range.
func (m *chanceMaker) within(n Node, lo, hi float64) bool {
	s := &m.syms[n]
	return s.lo >= lo-slack && s.hi <= hi+slack
}

// margin returns where a node's values are. It makes no step for an affine form.
func (m *chanceMaker) margin(n Node) margin {
	if s := m.syms[n]; !s.scalar && s.dep != onRows {
		if a, ok := m.affineOf(n); ok {
			return m.affineMargin(a)
		}
	}
	r := m.emit(n)
	return margin{of: r.pl.of, at: r.off}
}

func (m *chanceMaker) affineMargin(a affine) margin {
	vectors := [][]float64{a.offset}
	for _, t := range a.terms {
		vectors = append(vectors, t.coef)
	}
	pl := m.plates.byValue(vectors...)
	out := margin{of: pl.of, affine: true, offset: pl.pick(a.offset)}
	for _, t := range a.terms {
		out.args = append(out.args, m.emit(t.scalar).off)
		out.coef = append(out.coef, pl.pick(t.coef))
	}
	return out
}

// A weighted is a term of a sum.
type weighted struct {
	weight []float64
	node   Node
}

// terms returns a sum as probabilities with weights that are known and at most 1 together, or false if it is none. An average over
// the true values of items is such a sum.
func (m *chanceMaker) terms(n Node) (out []weighted, ok bool) {
	s := m.syms[n]
	if s.op != expr.Add && s.op != expr.Mul && s.op != expr.Div {
		return nil, false
	}
	if !m.collect(n, m.filled(1), &out) || out[0].node == n {
		return nil, false
	}
	total := make([]float64, m.rows)
	for _, t := range out {
		if !m.probable(t.node) {
			return nil, false
		}
		for r, x := range t.weight {
			total[r] += x
			if x < 0 || total[r] > 1+slack {
				return nil, false
			}
		}
	}
	return out, true
}

// collect adds the terms of weight·n to out. It reports whether there are few.
func (m *chanceMaker) collect(n Node, weight []float64, out *[]weighted) bool {
	s := m.syms[n]
	scaled := func(by Node, f func(x, y float64) float64) []float64 {
		v := make([]float64, m.rows)
		for r, x := range m.rowsOf(by) {
			v[r] = f(weight[r], x)
		}
		return v
	}
	switch {
	case len(*out) > maxFactors:
		return false
	case s.kind == isOp && s.op == expr.Add:
		return m.collect(s.args[0], weight, out) && m.collect(s.args[1], weight, out)
	case s.kind == isOp && s.op == expr.Mul && m.syms[s.args[0]].dep == onRows:
		return m.collect(s.args[1], scaled(s.args[0], func(x, y float64) float64 { return float64(x * y) }), out)
	case s.kind == isOp && s.op == expr.Mul && m.syms[s.args[1]].dep == onRows:
		return m.collect(s.args[0], scaled(s.args[1], func(x, y float64) float64 { return float64(x * y) }), out)
	case s.kind == isOp && s.op == expr.Div && m.syms[s.args[1]].dep == onRows:
		return m.collect(s.args[0], scaled(s.args[1], func(x, y float64) float64 { return x / y }), out)
	case s.dep == onRows:
		*out = append(*out, weighted{scaled(n, func(x, y float64) float64 { return float64(x * y) }), m.Const(1)})
		return true
	}
	*out = append(*out, weighted{weight, n})
	return true
}

func (m *chanceMaker) sum(terms []weighted) chanceNode {
	c := chanceNode{kind: aSum, rest: m.filled(1)}
	for _, t := range terms {
		logs := make([]float64, m.rows)
		for r, x := range t.weight {
			c.rest[r] -= x
			logs[r] = num.Log(x)
		}
		c.args, c.weights = append(c.args, m.make(t.node)), append(c.weights, logs)
	}
	for r, x := range c.rest {
		if c.rest[r] = math.Inf(-1); x > slack {
			c.rest[r] = num.Log(x)
		}
	}
	return c
}

// Limits of log(1 − p) below which p is close to 1: so that log p is better computed from it, and so close that 1 − p has no digits in
// 1 − p^r.
const (
	nearOne  = -1
	nextToIt = -30
)
