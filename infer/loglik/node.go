package loglik

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"achilles/sim/expr"
)

// A Node is an expression of a Builder.
type Node int32

// A Builder collects expressions over rows. Equal expressions become one node. The Builder computes the values of a node
// at once if it depends on neither parameters nor inputs.
type Builder struct {
	rows, params, inputs int
	syms                 []sym
	memo                 map[string]Node
	affines              map[Node]*affine // affine form of each node examined so far; nil: it has none
}

// A dependence says when the values of a node are known.
type dependence uint8

const (
	onRows       dependence = iota // when the plan is built
	onInputs                       // when a workspace is made
	onParameters                   // at every evaluation
)

type kind uint8

const (
	isConst kind = iota
	isData
	isInput
	isParam
	isVector
	isOp
)

// A sym is the definition of a node.
type sym struct {
	kind    kind
	dep     dependence
	scalar  bool     // one value for all rows
	units   bool     // depends on a vector of parameters
	index   int      // index of a parameter or input; of a vector, index of its first parameter
	of      []uint32 // only in a vector: row → element
	value   float64
	data    []float64 // one number for each row
	op      expr.Op
	setting float64
	args    []Node
	lo, hi  float64 // range in which the values are known to lie
}

// NewBuilder returns a Builder for these numbers of rows, parameters and inputs. Inputs are numbers that are fixed for a
// workspace, such as the mean of a subject's responses. It panics if rows is less than 1.
func NewBuilder(rows, params, inputs int) *Builder {
	if rows < 1 {
		panic("loglik: no rows")
	}
	return &Builder{rows: rows, params: params, inputs: inputs, memo: map[string]Node{}, affines: map[Node]*affine{}}
}

func (b *Builder) intern(key string, s sym) Node {
	if n, ok := b.memo[key]; ok {
		return n
	}
	n := Node(len(b.syms))
	b.syms = append(b.syms, s)
	b.memo[key] = n
	return n
}

// Const returns a node with the same number in every row.
func (b *Builder) Const(v float64) Node {
	return b.intern(fmt.Sprintf("c%x", math.Float64bits(v)), sym{kind: isConst, scalar: true, value: v, lo: v, hi: v})
}

// Data returns a node with one number for each row. The caller must not change the slice afterwards.
func (b *Builder) Data(v []float64) Node {
	if len(v) != b.rows {
		panic("loglik: data of another number of rows")
	}
	key, same := []byte{'d'}, true
	for _, x := range v {
		key = binary.LittleEndian.AppendUint64(key, math.Float64bits(x))
		same = same && x == v[0]
	}
	if same {
		return b.Const(v[0])
	}
	return b.intern(string(key), sym{kind: isData, data: v, lo: slices.Min(v), hi: slices.Max(v)})
}

// Param returns the node of parameter i.
func (b *Builder) Param(i int) Node {
	if i < 0 || i >= b.params {
		panic("loglik: no such parameter")
	}
	return b.intern(fmt.Sprint("p", i), sym{kind: isParam, dep: onParameters, scalar: true, index: i, lo: math.Inf(-1), hi: math.Inf(1)})
}

// Vector returns the node of parameters that belong to parts of the rows, such as to the subjects or items of a table of
// responses. Row r has the value of parameter first + of[r]. The elements of must be numbered in the order of their first
// rows: 0 is that of row 0. The caller must not change of afterwards. Vector panics for other numbers, and for parameters
// that the Builder does not have.
func (b *Builder) Vector(first int, of []uint32) Node {
	if len(of) != b.rows {
		panic("loglik: vector of another number of rows")
	}
	next := uint32(0)
	for _, e := range of {
		if e > next {
			panic("loglik: elements of a vector out of order")
		}
		next = max(next, e+1)
	}
	if first < 0 || first+int(next) > b.params {
		panic("loglik: no such parameters")
	}
	return b.intern(fmt.Sprint("v", first), sym{kind: isVector, dep: onParameters, units: true, index: first, of: of, lo: math.Inf(-1), hi: math.Inf(1)})
}

// Input returns the node of input i.
func (b *Builder) Input(i int) Node {
	if i < 0 || i >= b.inputs {
		panic("loglik: no such input")
	}
	return b.intern(fmt.Sprint("i", i), sym{kind: isInput, dep: onInputs, scalar: true, index: i, lo: math.Inf(-1), hi: math.Inf(1)})
}

// Apply returns the node of op applied to args. setting is the exponent of Gmean, or the temperature of Min and Max;
// other operations ignore it. The log of a logistic function is one operation. Min and Max are exact if their arguments do not depend on parameters.
func (b *Builder) Apply(op expr.Op, setting float64, args ...Node) Node {
	if op == expr.Log {
		if s := &b.syms[args[0]]; s.kind == isOp && s.op == expr.Logistic {
			op, args = expr.LogLogistic, s.args
		}
	}
	s := sym{kind: isOp, op: op, scalar: true, args: args}
	key := fmt.Appendf(nil, "o%d", op)
	for _, a := range args {
		s.dep = max(s.dep, b.syms[a].dep)
		s.scalar = s.scalar && b.syms[a].scalar
		s.units = s.units || b.syms[a].units
		key = fmt.Appendf(key, ",%d", a)
	}
	if op == expr.Gmean || (op == expr.Min || op == expr.Max) && s.dep == onParameters {
		s.setting = setting
	}
	if s.dep == onRows {
		return b.fold(s)
	}
	s.lo, s.hi = b.rangeOf(op, args)
	return b.intern(string(fmt.Appendf(key, ";%x", math.Float64bits(s.setting))), s)
}

// rangeOf returns the range of an operation, as far as it tells whether a node is a probability.
func (b *Builder) rangeOf(op expr.Op, args []Node) (lo, hi float64) {
	probable := func(nodes ...Node) bool {
		return !slices.ContainsFunc(nodes, func(n Node) bool { return b.syms[n].lo < 0 || b.syms[n].hi > 1 })
	}
	switch op {
	case expr.Logistic, expr.Probit:
		return 0, 1
	case expr.Exp:
		return 0, math.Inf(1)
	case expr.Mul, expr.Mix, expr.Present:
		if probable(args...) {
			return 0, 1
		}
	case expr.Sub:
		if args[0] == b.Const(1) && probable(args[1]) {
			return 0, 1
		}
	case expr.Sqrt:
		if probable(args[0]) {
			return 0, 1
		}
	case expr.Pow:
		if probable(args[0]) && b.syms[args[1]].lo >= 0 {
			return 0, 1
		}
	}
	return math.Inf(-1), math.Inf(1)
}

// Bound says that a node lies in a closed range, such as that of a parameter's prior. Nodes that depend on it are made afterwards.
func (b *Builder) Bound(n Node, lo, hi float64) {
	s := &b.syms[n]
	s.lo, s.hi = max(s.lo, lo), min(s.hi, hi)
}

// fold computes the values of an operation that depends on rows only, and returns their node.
func (b *Builder) fold(s sym) Node {
	x := make([]float64, len(s.args))
	out := make([]float64, b.rows)
	for r := range out {
		for i, a := range s.args {
			x[i] = b.syms[a].at(r)
		}
		out[r] = value(s.op, s.setting, x)
		if s.scalar {
			return b.Const(out[r])
		}
	}
	return b.Data(out)
}

// at returns the value in a row of a node that depends on rows only.
func (s *sym) at(row int) float64 {
	if s.kind == isConst {
		return s.value
	}
	return s.data[row]
}
