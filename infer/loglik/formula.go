package loglik

import "achilles/sim/expr"

// A Formula is an expression of parameters, such as a prior's bound, that can be evaluated with its derivatives.
type Formula struct {
	params int
	start  []float64 // value of each slot before evaluation; slots are the parameters, then constants and results of calls
	calls  []call
	result int // slot of the result
	arity  int // largest number of arguments of a call
}

type call struct {
	op      expr.Op
	setting float64
	args    []int // slots
	out     int
}

// Formula compiles a node that depends on neither rows nor inputs. It panics for other nodes.
func (b *Builder) Formula(n Node) *Formula {
	f := &Formula{params: b.params, start: make([]float64, b.params)}
	f.result = b.slot(f, n, map[Node]int{})
	return f
}

func (b *Builder) slot(f *Formula, n Node, known map[Node]int) int {
	if at, ok := known[n]; ok {
		return at
	}
	s := b.syms[n]
	switch {
	case s.kind == isParam:
		return s.index
	case s.kind != isConst && s.kind != isOp || !s.scalar:
		panic("loglik: a formula depends on parameters alone")
	}
	c := call{op: s.op, setting: s.setting}
	for _, a := range s.args {
		c.args = append(c.args, b.slot(f, a, known))
	}
	c.out = len(f.start)
	f.start = append(f.start, s.value)
	if s.kind == isOp {
		f.arity = max(f.arity, len(c.args))
		f.calls = append(f.calls, c)
	}
	known[n] = c.out
	return c.out
}

// Constant returns the value of the formula. ok is false if it depends on parameters.
func (f *Formula) Constant() (value float64, ok bool) {
	return f.start[f.result], len(f.calls) == 0 && f.result >= f.params
}

// Work returns the length of the scratch slice that Eval and Reverse need.
func (f *Formula) Work() int { return 2*len(f.start) + 2*f.arity }

func (f *Formula) split(work []float64) (v, d, x, dx []float64) {
	n := len(f.start)
	return work[:n], work[n : 2*n], work[2*n : 2*n+f.arity], work[2*n+f.arity : 2*n+2*f.arity]
}

// Eval returns the value of the formula at params.
func (f *Formula) Eval(params, work []float64) float64 {
	v, _, x, _ := f.split(work)
	copy(v, f.start)
	copy(v, params[:f.params])
	for _, c := range f.calls {
		for k, a := range c.args {
			x[k] = v[a]
		}
		v[c.out] = value(c.op, c.setting, x[:len(c.args)])
	}
	return v[f.result]
}

// Reverse adds weight times the derivatives of the formula by the parameters to grad. The parameters are those of the
// last Eval with the same work.
func (f *Formula) Reverse(weight float64, work, grad []float64) {
	v, d, x, dx := f.split(work)
	clear(d)
	d[f.result] = weight
	for i := len(f.calls) - 1; i >= 0; i-- {
		c := f.calls[i]
		for k, a := range c.args {
			x[k] = v[a]
		}
		c.op.Partials(c.setting, x[:len(c.args)], v[c.out], dx)
		for k, a := range c.args {
			d[a] += float64(d[c.out] * dx[k])
		}
	}
	for i := range f.params {
		grad[i] += d[i]
	}
}
