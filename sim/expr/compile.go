package expr

import (
	"fmt"
	"math"
)

// A Column has the values of one name: either Number or Text, one value per row. A column of length 1 has the same
// value in every row. A missing number reads as NaN, a missing text as "".
type Column struct {
	Number  []float64
	Text    []string
	Missing []bool // nil: no value is missing
}

// A Type is the type of an expression's values.
type Type uint8

// The types of the language.
const (
	NumberType Type = iota
	BoolType
	TextType
)

// String returns the word for the type in messages.
func (t Type) String() string { return [...]string{"number", "condition", "text"}[t] }

// A Program is a compiled expression over columns. It is safe for concurrent use.
type Program struct{ root *step }

// Compile binds the names in n to columns and checks types. It calls lookup once for each distinct name. known lists
// the names that an error for an unknown name may suggest. The error is an *Error.
func Compile(n *Node, lookup func(name string) (Column, bool), known ...string) (*Program, error) {
	c := &compiler{lookup: lookup, known: known, columns: map[string]Column{}}
	s, err := c.compile(n)
	if err != nil {
		return nil, err
	}
	return &Program{s}, nil
}

// Type returns the type of the program's values.
func (p *Program) Type() Type { return p.root.typ }

// Number returns the value in a row, counted from 0; a condition gives 1 or 0. It panics if the expression is a text.
func (p *Program) Number(row int) float64 {
	if p.root.typ == TextType {
		panic("expr: Number of a text")
	}
	return p.root.number(row)
}

// Text returns the text in a row, counted from 0. It panics if the expression is not a text.
func (p *Program) Text(row int) string {
	if p.root.typ != TextType {
		panic("expr: Text of a number")
	}
	return p.root.string(row)
}

// Bool returns whether the condition holds in a row, counted from 0. It panics if the expression is not a condition.
func (p *Program) Bool(row int) bool {
	if p.root.typ != BoolType {
		panic("expr: Bool of a number")
	}
	return p.root.number(row) != 0
}

// A step is a compiled node. Truth values are stored as 1 and 0.
type step struct {
	op   Op
	typ  Type
	args []*step
	num  []float64
	text []string
	wide bool // one value per row; otherwise one value for all rows
}

type compiler struct {
	lookup  func(string) (Column, bool)
	known   []string
	columns map[string]Column
}

func (c *compiler) compile(n *Node) (*step, error) {
	s := &step{op: n.Op}
	switch n.Op {
	case Num:
		s.num = []float64{n.Value}
		return s, nil
	case Str:
		s.typ, s.text = TextType, []string{n.Text}
		return s, nil
	case Name:
		return s, c.name(n, s)
	}
	if n.Op == Call || n.Op.IsFunction() {
		if err := checkCall(n); err != nil {
			return nil, err
		}
	}
	for _, a := range n.Args {
		t, err := c.compile(a)
		if err != nil {
			return nil, err
		}
		s.args = append(s.args, t)
	}
	var err error
	s.typ, err = c.check(n, s.args)
	return s, err
}

func (c *compiler) name(n *Node, s *step) error {
	col, ok := c.columns[n.Text]
	if !ok {
		if col, ok = c.lookup(n.Text); !ok {
			return n.Errorf("unknown name %s%s", n.Text, DidYouMean(n.Text, c.known))
		}
		col = withMissing(col)
		c.columns[n.Text] = col
	}
	s.num, s.text, s.wide = col.Number, col.Text, len(col.Number)+len(col.Text) > 1
	if col.Text != nil {
		s.typ = TextType
	}
	return nil
}

// withMissing returns the column with missing numbers replaced by NaN, so that evaluations need not check for them.
func withMissing(col Column) Column {
	if col.Missing == nil || col.Number == nil {
		return col
	}
	num := append([]float64(nil), col.Number...)
	for i, m := range col.Missing {
		if m {
			num[i] = math.NaN()
		}
	}
	col.Number = num
	return col
}

// check returns the type of n from the types of its operands.
func (c *compiler) check(n *Node, args []*step) (Type, error) {
	switch n.Op {
	case And, Or, Not:
		for i, a := range args {
			if a.typ != BoolType {
				return 0, n.Args[i].Errorf("%s needs conditions, and %s is a %s: compare it first", n.Op, n.Args[i], a.typ)
			}
		}
		return BoolType, nil
	case Eq, Ne, Lt, Le, Gt, Ge:
		return BoolType, compareTypes(n, args)
	case In:
		return BoolType, oneType(n, args)
	}
	return NumberType, needNumbers(n, args, n.Op.String())
}

func compareTypes(n *Node, args []*step) error {
	a, b := args[0].typ, args[1].typ
	switch {
	case a == BoolType || b == BoolType:
		return n.Errorf("%s compares numbers or texts, not conditions: join comparisons with && or ||", n.Op)
	case a != b:
		return n.Errorf("%s compares a %s (%s) with a %s (%s)", n.Op, a, n.Args[0], b, n.Args[1])
	}
	return nil
}

// oneType returns an error if an argument is a condition or differs in type from the first.
func oneType(n *Node, args []*step) error {
	for i, a := range args {
		if a.typ != args[0].typ || a.typ == BoolType {
			return n.Args[i].Errorf("in compares values of one type: %s is a %s, %s a %s", n.Args[0], args[0].typ, n.Args[i], a.typ)
		}
	}
	return nil
}

func needNumbers(n *Node, args []*step, who string) error {
	for i, a := range args {
		if a.typ == TextType {
			return n.Args[i].Errorf("%s needs numbers, and %s is a text: compare it with == or in(…)", who, n.Args[i])
		}
	}
	return nil
}

func (s *step) number(row int) float64 {
	switch s.op {
	case Num:
		return s.num[0]
	case Name:
		if s.wide {
			return s.num[row]
		}
		return s.num[0]
	case In:
		return truth(s.member(row))
	case And:
		return truth(s.args[0].number(row) != 0 && s.args[1].number(row) != 0)
	case Or:
		return truth(s.args[0].number(row) != 0 || s.args[1].number(row) != 0)
	case Not:
		return truth(s.args[0].number(row) == 0)
	}
	if s.op < Eq || s.op > Ge {
		return s.apply(row)
	}
	if s.args[0].typ == TextType {
		return truth(compare(s.op, s.args[0].string(row), s.args[1].string(row)))
	}
	return truth(compare(s.op, s.args[0].number(row), s.args[1].number(row)))
}

// compare returns whether a op b holds. It follows IEEE 754: with NaN only != is true.
func compare[T float64 | string](op Op, a, b T) bool {
	switch op {
	case Eq:
		return a == b
	case Ne:
		return a != b
	case Lt:
		return a < b
	case Le:
		return a <= b
	case Gt:
		return a > b
	case Ge:
		return a >= b
	}
	panic(fmt.Sprintf("expr: %v does not compare", op))
}

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

func (s *step) string(row int) string {
	if s.wide {
		return s.text[row]
	}
	return s.text[0]
}

// apply returns the value of an arithmetic operator or a function. Minima and maxima are exact, not smoothed.
func (s *step) apply(row int) float64 {
	var few [8]float64 // on the stack: evaluation must not allocate
	x := few[:0]
	for _, a := range s.args {
		x = append(x, a.number(row))
	}
	if s.op == Gmean {
		return s.op.Value(x[0], x[1:])
	}
	return s.op.Value(0, x)
}

func (s *step) member(row int) bool {
	x := s.args[0]
	for _, a := range s.args[1:] {
		if x.typ == TextType && x.string(row) == a.string(row) || x.typ != TextType && x.number(row) == a.number(row) {
			return true
		}
	}
	return false
}
