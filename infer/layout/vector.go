package layout

import (
	"strconv"

	"achilles/sim/conf"
	"achilles/sim/expr"
)

// A vector is one name for several parameters or metafeatures, its parts. Expressions use vectors within dot(a, b), sum(v),
// prod(v) and softmin(v, t), and the prior of a vector's part the same part of other vectors. expand replaces them by their parts, so that nothing else
// knows of vectors.

// mostParts is the largest size of a vector.
const mostParts = 1000

// partName returns the name of a part: ability[2] or q[Sex_female]. Brackets are no part of names in files.
func partName(vector, label string) string { return vector + "[" + label + "]" }

// partsOf reads the key size of a parameter: a number, or the name of another vector, whose labels the parts then have. It
// returns nil without the key.
func (r *reader) partsOf(t *conf.Table) (labels []string) {
	if !t.Has("size") {
		return nil
	}
	if other, ok := t.Value("size").(string); ok {
		name := t.Text("size")
		if r.vectors[name] == nil {
			t.Reportf("size", "%s is not a vector that is declared above: want a number of parts, or a metafeature with columns", other)
		}
		return r.vectors[name]
	}
	for i := range t.Whole("size", 1, 1, mostParts) {
		labels = append(labels, strconv.Itoa(i+1))
	}
	return labels
}

// declareVector adds a vector and its parts to the symbols. s is the symbol of the first part; the others have the next
// indices.
func (r *reader) declareVector(t *conf.Table, name string, labels []string, s symbol) {
	r.declare(t, name, symbol{kind: aVector})
	r.vectors[name] = labels
	for _, label := range labels {
		part := s
		part.at = t.Place(name)
		r.symbols[partName(name, label)] = &part
		s.index++
	}
}

// expand replaces the vectors in every expression by their parts.
func (r *reader) expand() error {
	for i := range r.Parameters {
		p := &r.Parameters[i]
		args := make([]*expr.Node, len(p.args))
		for k, a := range p.args {
			n, err := r.part(a, p.part, p.parts)
			if err != nil {
				return p.at.In(err)
			}
			args[k] = n
		}
		p.args = args
	}
	for i := range r.Performances {
		p := &r.Performances[i]
		n, err := r.part(p.node, 0, 0)
		if err != nil {
			return p.at.In(err)
		}
		p.node = n
	}
	for i := range r.Responses {
		of := &r.Responses[i]
		for k := range of.nodes {
			n, err := r.part(of.nodes[k], 0, 0)
			if err != nil {
				return of.places[k].In(err)
			}
			of.nodes[k] = n
		}
	}
	return nil
}

// vectorFunctions are the functions of vectors, with their numbers of arguments.
var vectorFunctions = map[string]int{"dot": 2, "sum": 1, "prod": 1, "softmin": 2}

func ofVectors(n *expr.Node) bool { return n.Op == expr.Call && vectorFunctions[n.Text] > 0 }

// maxWritten is the largest number of names and operations in a layout after functions of vectors were written out. A sum within a
// sum multiplies their number.
const maxWritten = 1 << 20

// part returns a copy of an expression in which every vector stands for one of its parts, and every function of vectors for
// what it does with all. size is the size of the vectors that the expression may mention; 0: none.
func (r *reader) part(n *expr.Node, k, size int) (*expr.Node, error) {
	if r.written++; r.written > maxWritten {
		return nil, n.Errorf("dot, sum, prod and softmin write out more than %d names and operations", maxWritten)
	}
	if ofVectors(n) {
		return r.overParts(n)
	}
	out := *n
	if labels, ok := r.vectors[n.Text]; ok && n.Op == expr.Name {
		switch {
		case size == 0:
			return nil, n.Errorf("%s is a vector of %d: use it in dot(%s, …), sum(%s), prod(%s) or softmin(%s, …)", n.Text, len(labels), n.Text, n.Text, n.Text, n.Text)
		case size != len(labels):
			return nil, n.Errorf("%s is a vector of %d, and %d parts are wanted here", n.Text, len(labels), size)
		}
		out.Text = partName(n.Text, labels[k])
		return &out, nil
	}
	out.Args = nil
	for _, a := range n.Args {
		x, err := r.part(a, k, size)
		if err != nil {
			return nil, err
		}
		out.Args = append(out.Args, x)
	}
	return &out, nil
}

// overParts writes out a function of vectors over all their parts: dot(a, b) as Σ a·b, sum(v) as Σ v, prod(v) as Π v, and softmin(v, t)
// as the smooth minimum at temperature t.
func (r *reader) overParts(n *expr.Node) (*expr.Node, error) {
	if want := vectorFunctions[n.Text]; len(n.Args) != want {
		return nil, n.Errorf("%s takes %d arguments, not %d", n.Text, want, len(n.Args))
	}
	vectors := n.Args
	out := &expr.Node{Op: expr.Min, Col: n.Col}
	if n.Text == "softmin" {
		var err error
		if out.Value, err = r.temperatureOf(n.Args[1]); err != nil {
			return nil, err
		}
		vectors = n.Args[:1]
	}
	size := 0
	for _, a := range vectors {
		size = max(size, r.sizeOf(a))
	}
	if size == 0 {
		return nil, n.Errorf("%s takes vectors, and %s has none: a parameter with size, or a metafeature with columns, is one", n.Text, n)
	}
	for k := range size {
		term, err := r.part(vectors[0], k, size)
		if err != nil {
			return nil, err
		}
		if n.Text == "dot" {
			other, err := r.part(vectors[1], k, size)
			if err != nil {
				return nil, err
			}
			term = &expr.Node{Op: expr.Mul, Col: n.Col, Args: []*expr.Node{term, other}}
		}
		out.Args = append(out.Args, term)
	}
	switch n.Text {
	case "softmin":
		return out, nil
	case "prod":
		return fold(expr.Mul, n.Col, out.Args), nil
	}
	return fold(expr.Add, n.Col, out.Args), nil
}

// fold returns the sum or product of terms, from the first to the last.
func fold(op expr.Op, col int, terms []*expr.Node) *expr.Node {
	out := terms[0]
	for _, term := range terms[1:] {
		out = &expr.Node{Op: op, Col: col, Args: []*expr.Node{out, term}}
	}
	return out
}

// temperatureOf returns the temperature of a softmin: a positive number or constant.
func (r *reader) temperatureOf(n *expr.Node) (float64, error) {
	x := n.Value
	if s := r.symbols[n.Text]; n.Op == expr.Name && s != nil && s.kind == aConstant {
		x, s.used = r.Constants[s.index].Value, true
	} else if n.Op != expr.Num {
		x = 0
	}
	if !(x > 0) {
		return 0, n.Errorf("the temperature of softmin is a number or constant above 0, not %s", n)
	}
	return x, nil
}

// sizeOf returns the largest size of a vector in an expression, without those within its own functions of vectors; 0: it has none.
func (r *reader) sizeOf(n *expr.Node) int {
	if ofVectors(n) {
		return 0
	}
	size := 0
	if n.Op == expr.Name {
		size = len(r.vectors[n.Text])
	}
	for _, a := range n.Args {
		size = max(size, r.sizeOf(a))
	}
	return size
}
