// Package expr is the expression language of the project: Go's expression syntax over named columns.
//
// Response rules, derived features and measurement layouts share it. Values are numbers, truth values and texts.
// Operators are + − * /, the comparisons, && || and !; calls are limited to the table in function.go; Inf is the
// one constant. A truth value in arithmetic counts as 1 or 0. There are no variables, no assignment and no way
// to loop, so an expression always ends.
//
// Parse checks syntax only; Compile checks names, types and the number of arguments. Layouts use Parse and give names
// their own meaning.
package expr

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// An Op is the operation of a Node.
type Op uint8

// The operations of the language.
const (
	Num  Op = iota // a number: Value
	Str            // a text: Text
	Name           // a column, parameter or other name: Text
	Neg
	Not
	Add
	Sub
	Mul
	Div
	Eq
	Ne
	Lt
	Le
	Gt
	Ge
	And
	Or
	Call // a call of a function that is not in the table of function.go: Text(Args)
	Abs  // Abs to Sqrt are the functions of the table, in its order
	Exp
	Gmean
	In
	Log
	Logistic
	Max
	Min
	Mix
	Pow
	Present
	Probit
	Sqrt
	LogLogistic // log(logistic(x)), no function of the table: finite where logistic(x) rounds to 0
)

var symbols = [...]string{Neg: "-", Not: "!", Add: "+", Sub: "-", Mul: "*", Div: "/", Eq: "==", Ne: "!=", Lt: "<", Le: "<=", Gt: ">", Ge: ">=", And: "&&", Or: "||", Call: "call"}

// String returns the operator or function as it is written, or a word for an operand.
func (o Op) String() string {
	switch {
	case o.IsFunction():
		return functions[o-Abs].Name
	case o == Num:
		return "number"
	case o == Str:
		return "text"
	case o == Name:
		return "name"
	case int(o) < len(symbols):
		return symbols[o]
	}
	return "Op(" + strconv.Itoa(int(o)) + ")"
}

// precedence returns how strongly the operator binds, as in Go; operands and calls bind most strongly.
func (o Op) precedence() int {
	switch o {
	case Or:
		return 1
	case And:
		return 2
	case Eq, Ne, Lt, Le, Gt, Ge:
		return 3
	case Add, Sub:
		return 4
	case Mul, Div:
		return 5
	case Neg, Not:
		return 6
	}
	return 7
}

// A Node is one operation of a parsed expression. Nodes are never shared and must not be changed after Parse.
type Node struct {
	Op    Op
	Col   int     // 1-based column, in characters, of the operator, name or literal in the source
	Value float64 // value of a Num: finite or +Inf
	Text  string  // the name, the function or the text literal without its quotes
	Args  []*Node
}

// An Error is a fault in an expression, at a 1-based column counted in characters.
type Error struct {
	Col int
	Msg string
}

// Error returns the message with its column.
func (e *Error) Error() string { return fmt.Sprintf("column %d: %s", e.Col, e.Msg) }

// Errorf makes an Error at the node.
func (n *Node) Errorf(format string, args ...any) *Error {
	return &Error{n.Col, fmt.Sprintf(format, args...)}
}

// Names returns the distinct names that are not functions, sorted.
func (n *Node) Names() []string {
	var names []string
	n.Walk(func(m *Node) {
		if m.Op == Name {
			names = append(names, m.Text)
		}
	})
	slices.Sort(names)
	return slices.Compact(names)
}

// Walk calls visit for n and every node below it, operators before operands, from left to right.
func (n *Node) Walk(visit func(*Node)) {
	visit(n)
	for _, a := range n.Args {
		a.Walk(visit)
	}
}

// String returns the expression with as few parentheses as Go's syntax needs; parsing it gives an equal tree.
func (n *Node) String() string {
	var b strings.Builder
	n.write(&b, 0)
	return b.String()
}

func (n *Node) write(b *strings.Builder, outer int) {
	prec := n.Op.precedence()
	if prec < outer {
		b.WriteByte('(')
		defer b.WriteByte(')')
	}
	switch n.Op {
	case Num:
		b.WriteString(formatNumber(n.Value))
	case Str:
		b.WriteString(strconv.Quote(n.Text))
	case Name:
		b.WriteString(n.Text)
	case Neg, Not:
		b.WriteString(n.Op.String())
		// parentheses prevent two minus signs from reading as Go's --, which is not an operator
		n.Args[0].write(b, prec+1)
	case Call, Abs, Exp, Gmean, In, Log, Logistic, Max, Min, Mix, Pow, Present, Probit, Sqrt:
		b.WriteString(n.Text)
		b.WriteByte('(')
		for i, a := range n.Args {
			if i > 0 {
				b.WriteString(", ")
			}
			a.write(b, 0)
		}
		b.WriteByte(')')
	default:
		n.Args[0].write(b, prec)
		b.WriteString(" " + n.Op.String() + " ")
		n.Args[1].write(b, prec+1) // left-associative
	}
}

func formatNumber(v float64) string {
	if math.IsInf(v, 1) {
		return "Inf"
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}
