package expr

import (
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// maxSource is the largest length of an expression in bytes. It bounds the recursion of parser and evaluator; the
// longest expression of a shipped file has 200 bytes.
const maxSource = 1 << 14

// Parse reads one expression. Line breaks count as spaces. The error is an *Error.
func Parse(src string) (*Node, error) {
	if err := refuseSource(src); err != nil {
		return nil, err
	}
	// Go ends a statement at a line break, but an expression in a multi-line string may go on.
	flat := strings.NewReplacer("\n", " ", "\r", " ").Replace(src)
	p := &reader{src: flat, fset: token.NewFileSet()}
	if err := p.refuseComments(); err != nil {
		return nil, err
	}
	tree, err := parser.ParseExprFrom(p.fset, "", flat, parser.SkipObjectResolution)
	if err != nil {
		return nil, p.syntaxError(err)
	}
	n := p.node(tree)
	if p.err != nil {
		return nil, p.err
	}
	return n, nil
}

func refuseSource(src string) error {
	if strings.TrimSpace(src) == "" {
		return &Error{1, "empty expression"}
	}
	if len(src) > maxSource {
		return &Error{maxSource, "expression longer than " + strconv.Itoa(maxSource) + " bytes"}
	}
	for i, r := range src {
		if r == utf8.RuneError || r == 0 || r == '\ufeff' {
			return &Error{utf8.RuneCountInString(src[:i]) + 1, "not UTF-8 text"}
		}
	}
	return nil
}

// A reader turns a go/ast tree into Nodes and keeps the first error.
type reader struct {
	src  string
	fset *token.FileSet
	err  *Error
}

func (p *reader) column(pos token.Pos) int {
	off := p.fset.PositionFor(pos, false).Offset
	return utf8.RuneCountInString(p.src[:min(max(off, 0), len(p.src))]) + 1
}

func (p *reader) fail(pos token.Pos, msg string) *Node {
	if p.err == nil {
		p.err = &Error{p.column(pos), msg}
	}
	return nil
}

// refuseComments returns an error at the first comment. Go's parser would silently skip a comment; a comment after
// two slashes would hide all of the expression that follows, because the expression is one line.
func (p *reader) refuseComments() error {
	file := p.fset.AddFile("", -1, len(p.src))
	var s scanner.Scanner
	s.Init(file, []byte(p.src), func(token.Position, string) {}, scanner.ScanComments)
	for {
		switch pos, tok, _ := s.Scan(); tok {
		case token.EOF:
			return nil
		case token.COMMENT:
			off := file.Offset(pos)
			return &Error{utf8.RuneCountInString(p.src[:off]) + 1, "comments are not part of an expression"}
		}
	}
}

func (p *reader) syntaxError(err error) *Error {
	col, msg := 1, err.Error()
	if list, ok := err.(scanner.ErrorList); ok && len(list) > 0 {
		off := min(max(list[0].Pos.Offset, 0), len(p.src))
		col, msg = utf8.RuneCountInString(p.src[:off])+1, list[0].Msg
	}
	if _, found, ok := strings.Cut(msg, "found "); ok {
		if word := strings.Trim(found, "'"); token.IsKeyword(word) {
			msg = word + " is a keyword of Go and cannot be a name"
		}
	}
	if want, ended := strings.CutSuffix(msg, ", found 'EOF'"); ended {
		msg = want + ", but the expression ends here"
	}
	if strings.Contains(msg, "found '='") {
		msg = "= is not an operator: compare with =="
	}
	return &Error{col, msg}
}

var binaryOps = map[token.Token]Op{
	token.ADD: Add, token.SUB: Sub, token.MUL: Mul, token.QUO: Div,
	token.EQL: Eq, token.NEQ: Ne, token.LSS: Lt, token.LEQ: Le, token.GTR: Gt, token.GEQ: Ge,
	token.LAND: And, token.LOR: Or,
}

func (p *reader) node(e ast.Expr) *Node {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return p.node(e.X)
	case *ast.BasicLit:
		return p.literal(e)
	case *ast.Ident:
		return p.name(e)
	case *ast.UnaryExpr:
		return p.unary(e)
	case *ast.BinaryExpr:
		op, ok := binaryOps[e.Op]
		if !ok {
			return p.fail(e.OpPos, wrongOperator(e.Op))
		}
		x := p.node(e.X)
		y := p.node(e.Y)
		return &Node{Op: op, Col: p.column(e.OpPos), Args: []*Node{x, y}}
	case *ast.CallExpr:
		return p.call(e)
	case *ast.StarExpr:
		return p.fail(e.Star, "** is not an operator: write pow(a, b)")
	case *ast.SelectorExpr:
		return p.fail(e.Sel.Pos(), "a name has no dot")
	}
	return p.fail(e.Pos(), "not part of the language: use numbers, names, operators and calls")
}

func wrongOperator(op token.Token) string {
	switch op {
	case token.XOR:
		return "^ is not an operator: write pow(a, b)"
	case token.AND, token.OR:
		return op.String() + " is not an operator: write " + op.String() + op.String()
	}
	return op.String() + " is not an operator of the language"
}

func (p *reader) literal(e *ast.BasicLit) *Node {
	n := &Node{Col: p.column(e.ValuePos)}
	switch e.Kind {
	case token.STRING:
		text, err := strconv.Unquote(e.Value)
		if err != nil {
			return p.fail(e.ValuePos, "malformed text "+e.Value)
		}
		n.Op, n.Text = Str, text
		return n
	case token.INT, token.FLOAT:
		plain := strings.Trim(e.Value, "0123456789.eE+-") == ""
		octal := len(e.Value) > 1 && e.Value[0] == '0' && strings.Trim(e.Value, "0123456789") == ""
		if !plain || octal {
			return p.fail(e.ValuePos, "write the number "+e.Value+" in plain decimal form")
		}
		v, err := strconv.ParseFloat(e.Value, 64)
		if err != nil {
			return p.fail(e.ValuePos, "number "+e.Value+" is out of range")
		}
		n.Op, n.Value = Num, v
		return n
	}
	return p.fail(e.ValuePos, "write a text in double quotes and a number in plain decimal form")
}

func (p *reader) name(e *ast.Ident) *Node {
	switch e.Name {
	case "_":
		return p.fail(e.NamePos, "_ is not a name")
	case "true", "false":
		return p.fail(e.NamePos, e.Name+" is not part of the language: a condition that always holds is left empty; elsewhere write 1 or 0")
	case "Inf":
		return &Node{Op: Num, Col: p.column(e.NamePos), Value: math.Inf(1)}
	}
	return &Node{Op: Name, Col: p.column(e.NamePos), Text: e.Name}
}

func (p *reader) unary(e *ast.UnaryExpr) *Node {
	switch e.Op {
	case token.ADD:
		return p.node(e.X)
	case token.SUB:
		x := p.node(e.X)
		return &Node{Op: Neg, Col: p.column(e.OpPos), Args: []*Node{x}}
	case token.NOT:
		x := p.node(e.X)
		return &Node{Op: Not, Col: p.column(e.OpPos), Args: []*Node{x}}
	}
	return p.fail(e.OpPos, e.Op.String()+" is not an operator of the language")
}

func (p *reader) call(e *ast.CallExpr) *Node {
	fun, ok := e.Fun.(*ast.Ident)
	if !ok {
		return p.fail(e.Fun.Pos(), "only a named function can be called")
	}
	if e.Ellipsis != token.NoPos {
		return p.fail(e.Ellipsis, "... is not part of the language")
	}
	op, _ := FunctionNamed(fun.Name)
	n := &Node{Op: op, Col: p.column(fun.NamePos), Text: fun.Name}
	for _, a := range e.Args {
		n.Args = append(n.Args, p.node(a))
	}
	return n
}
