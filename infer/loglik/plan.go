// Package loglik evaluates likelihoods of expressions over rows, with their gradients, as a short list of array loops.
//
// Three things make it fast. First, rows with the same data share one value. Every array has a plate: the partition of
// the rows by the data on which the array depends. A link of one capability to a demand of five levels then has five
// values, whatever the number of rows. Second, a margin, which is affine in the parameters, and its link are one loop.
// Third, products are multiplied in the order that keeps plates small, and the last multiplication, the mixture with a
// guessing rate and the Bernoulli likelihood are one loop with few logarithms.
//
// All subjects share a Plan. Each subject has a Workspace with its observations.
package loglik

// A Plan is a compiled set of likelihoods. It is safe for concurrent use.
type Plan struct {
	rows, params, inputs int
	size                 int // length of the slab: the array of all values of a workspace
	arity                int // largest number of arguments of a function
	chances              int // largest number of chances of a likelihood
	constants            []constant
	fixed                []step // steps that depend on inputs but not on parameters
	steps                []step // steps that depend on parameters
	late                 []step // steps of which likelihoods seldom need the values
	terms                []likelihood
	values               []ref // the nodes of CompileValues
}

type constant struct {
	off    int
	values []float64
}

// A likelihood is the part of a plan that gives the probability of observations.
type likelihood interface {
	observe(obs []Observation) (observed, error)
	// output writes argument k of the family for each row.
	output(w *Workspace, k int, out []float64)
	// logProb returns the log probability of a value in a row.
	logProb(w *Workspace, row int, value float64) float64
}

// An observed is a likelihood with the observations of one subject.
type observed interface {
	logLik(w *Workspace) float64
	gradient(w *Workspace) float64 // returns logLik and adds its derivatives to w.d
	// recount takes other observations, of which gradient only adds the derivatives.
	recount(obs []Observation) error
}

// Compile makes the plan of likelihoods. The log likelihood of the plan is the sum over them.
func (b *Builder) Compile(ls []Likelihood) *Plan {
	l := b.newLowerer()
	for _, like := range ls {
		l.plan.terms = append(l.plan.terms, l.likelihood(like))
	}
	return l.plan
}

func (b *Builder) newLowerer() *lowerer {
	return &lowerer{Builder: b, plates: newPlateSet(b.rows), refs: map[Node]ref{}, counts: map[Node]int{},
		plan: &Plan{rows: b.rows, params: b.params, inputs: b.inputs, size: b.params + b.inputs}}
}

// Rows returns the number of rows.
func (p *Plan) Rows() int { return p.rows }

// A Workspace evaluates a plan for one set of inputs and observations. It is not safe for concurrent use. Its methods do not
// allocate memory.
type Workspace struct {
	plan  *Plan
	v, d  []float64 // values of the slab, and derivatives of the log likelihood by them
	x, dx []float64 // scratch for the arguments of one function call
	obs   []observed

	chances, slopes []chance // scratch of chances
}

// NewWorkspace returns a workspace. obs has the observations of each likelihood, in the order of Compile. It returns an
// error for a value that its family cannot have, and panics for a wrong number of inputs or likelihoods.
func (p *Plan) NewWorkspace(inputs []float64, obs [][]Observation) (*Workspace, error) {
	if len(inputs) != p.inputs || len(obs) != len(p.terms) {
		panic("loglik: wrong number of inputs or observations")
	}
	w := &Workspace{plan: p, v: make([]float64, p.size), d: make([]float64, p.size), x: make([]float64, p.arity), dx: make([]float64, p.arity),
		chances: make([]chance, p.chances), slopes: make([]chance, p.chances)}
	copy(w.v[p.params:], inputs)
	for _, c := range p.constants {
		copy(w.v[c.off:], c.values)
	}
	for i := range p.fixed {
		p.fixed[i].forward(w)
	}
	return w.With(obs)
}

// With returns a workspace for other observations that shares all arrays with w: only one of the two may be used at a time. It
// returns an error as NewWorkspace does.
func (w *Workspace) With(obs [][]Observation) (*Workspace, error) {
	other := *w
	other.obs = nil
	for i, t := range w.plan.terms {
		o, err := t.observe(obs[i])
		if err != nil {
			return nil, err
		}
		other.obs = append(other.obs, o)
	}
	return &other, nil
}

// Recount replaces the observations of w for gradients alone: Gradient then writes the derivatives, but what it returns is no log likelihood. It takes no
// memory of its own from the second time on. It returns an error as NewWorkspace does.
func (w *Workspace) Recount(obs [][]Observation) error {
	for i, o := range w.obs {
		if err := o.recount(obs[i]); err != nil {
			return err
		}
	}
	return nil
}

func (w *Workspace) forward(params []float64) {
	copy(w.v, params[:w.plan.params])
	for i := range w.plan.steps {
		w.plan.steps[i].forward(w)
	}
}

// LogLikelihood returns the log likelihood at params. It is −Inf or NaN if an observation is impossible or a function
// undefined.
func (w *Workspace) LogLikelihood(params []float64) float64 {
	w.forward(params)
	l := 0.0
	for _, o := range w.obs {
		l += o.logLik(w)
	}
	return l
}

// Gradient returns the log likelihood at params, and writes its derivative by each parameter to grad.
func (w *Workspace) Gradient(params, grad []float64) float64 {
	w.forward(params)
	clear(w.d)
	l := 0.0
	for _, o := range w.obs {
		l += o.gradient(w)
	}
	for i := len(w.plan.steps) - 1; i >= 0; i-- {
		w.plan.steps[i].reverse(w)
	}
	copy(grad[:w.plan.params], w.d)
	return l
}

// Evaluate computes all values at params, for calls of Output and LogProb.
func (w *Workspace) Evaluate(params []float64) {
	w.forward(params)
	for i := range w.plan.late {
		w.plan.late[i].forward(w)
	}
}

// Output writes argument k of likelihood i to out, for each row, at the params of the last call of Evaluate. For a Bernoulli this is
// the probability.
func (w *Workspace) Output(i, k int, out []float64) { w.plan.terms[i].output(w, k, out[:w.plan.rows]) }

// LogProb returns the log probability, or log density, of one value of likelihood i in a row, at the params of the last call of Evaluate.
func (w *Workspace) LogProb(i, row int, value float64) float64 {
	return w.plan.terms[i].logProb(w, row, value)
}
