package agents

import (
	"errors"
	"fmt"
	"math"

	"achilles/agents/embodied"
	"achilles/sim/expr"
	"achilles/sim/rng"
)

// A Population declares subjects that differ in parameters drawn from distributions. Rules and truth may use the
// parameters, and so may Doc, in braces.
type Population struct {
	Name, Doc string
	Count     int

	// Parameter maps a name to a distribution, such as uniform(0, 4.8), or to an expression. Both may use other
	// parameters, in any order.
	Parameter map[string]string

	Rule  []Rule
	Body  []BodyForm  // instead of rules
	Truth []TruthForm // the first one whose condition holds is the truth of a subject; none: subjects have no truth
}

// A PopulationError is a fault in one key of a Population.
type PopulationError struct {
	Population, Key string // Key is as in a scenario: parameters.NAME, truth.capability.NAME, truth[1].if or body.TRAIT
	Err             error
}

// Error returns the population, the key and the fault.
func (e *PopulationError) Error() string {
	return "population " + e.Population + ": " + e.Key + ": " + e.Err.Error()
}

// Unwrap returns the fault, an *expr.Error if it is in an expression.
func (e *PopulationError) Unwrap() error { return e.Err }

// Specs draws the subjects. Each parameter of each subject has its own random stream, so that a larger population
// begins with the subjects of a smaller one, and a new parameter does not change the others. The error is a
// *PopulationError.
func (p *Population) Specs(root uint64) ([]Spec, error) {
	plan, err := p.plan()
	if err != nil {
		return nil, err
	}
	specs := make([]Spec, p.Count)
	for i := range specs {
		specs[i] = Spec{Name: p.Member(i), Rule: p.Rule}
		if err := plan.draw(root, &specs[i]); err != nil {
			return nil, err
		}
		if err := p.embody(&specs[i]); err != nil {
			return nil, err
		}
	}
	return specs, nil
}

// Member returns the name of subject i, counted from 0.
func (p *Population) Member(i int) string { return fmt.Sprintf("%s-%03d", p.Name, i+1) }

// embody gives a subject its bodies.
func (p *Population) embody(s *Spec) error {
	for _, f := range p.Body {
		b, err := f.Fill(s)
		if err != nil {
			key := f.At
			var fe *embodied.FieldError
			if errors.As(err, &fe) {
				key += "." + fe.Key
				err = errors.New(fe.Msg)
			}
			return &PopulationError{p.Name, key, fmt.Errorf("subject %s: %w", s.Name, err)}
		}
		s.Body = append(s.Body, b)
	}
	return nil
}

// A plan is a Population whose expressions are parsed. Each parameter comes after those that it uses.
type plan struct {
	population string
	doc        string
	parameters []quantity
	truths     []truthPlan
}

// A quantity is a parameter or a capability: a distribution with its arguments, or one expression.
type quantity struct {
	name, key string
	dist      *Distribution
	args      []*expr.Node
}

func (p *Population) plan() (*plan, error) {
	pl := &plan{population: p.Name, doc: p.Doc}
	if err := pl.order(p.Parameter); err != nil {
		return nil, err
	}
	if fault := unknownBrace(p.Doc, p.Parameter); fault != nil {
		return nil, &PopulationError{p.Name, "doc", fault}
	}
	for i := range p.Truth {
		t, err := newTruthPlan(&p.Truth[i], p.Parameter)
		if err != nil {
			err.Population = p.Name
			return nil, err
		}
		pl.truths = append(pl.truths, t)
	}
	return pl, nil
}

// order sorts the parameters by depth-first search, so that each comes after those that it uses. It returns an error if a
// parameter uses itself, directly or through others.
func (pl *plan) order(source map[string]string) error {
	const visiting, done = 1, 2
	state := map[string]int{}
	var visit func(name string) error
	visit = func(name string) error {
		key := "parameters." + name
		switch state[name] {
		case done:
			return nil
		case visiting:
			return &PopulationError{pl.population, key, fmt.Errorf("mentions itself, perhaps through others")}
		}
		state[name] = visiting
		n, err := expr.Parse(source[name])
		if err == nil {
			err = knows(n, source)
		}
		if err != nil {
			return &PopulationError{pl.population, key, err}
		}
		for _, m := range n.Names() {
			if err := visit(m); err != nil {
				return err
			}
		}
		q, err := newQuantity(name, key, n)
		if err != nil {
			return &PopulationError{pl.population, key, err}
		}
		pl.parameters = append(pl.parameters, q)
		state[name] = done
		return nil
	}
	for _, name := range sorted(source) {
		if err := visit(name); err != nil {
			return err
		}
	}
	return nil
}

// knows returns an error if the expression n has a name that is not a parameter.
func knows[V any](n *expr.Node, parameters map[string]V) error {
	for _, name := range n.Names() {
		if _, ok := parameters[name]; !ok {
			return n.Errorf("unknown parameter %s%s", name, expr.DidYouMean(name, sorted(parameters)))
		}
	}
	return nil
}

func newQuantity(name, key string, n *expr.Node) (quantity, error) {
	if n.Op == expr.Call {
		if d, ok := distributionNamed(n.Text); ok {
			return quantity{name, key, &d, n.Args}, d.checkArguments(n)
		}
		return quantity{}, n.Errorf("unknown distribution %s%s: there are %s", n.Text, expr.DidYouMean(n.Text, distributionNames()), distributionUsages())
	}
	return quantity{name: name, key: key, args: []*expr.Node{n}}, nil
}

func distributionNames() []string {
	var names []string
	for _, d := range Distributions() {
		names = append(names, d.Name)
	}
	return names
}

// draw sets the parameters of a subject, its description, and the truth that follows from the parameters.
func (pl *plan) draw(root uint64, s *Spec) error {
	s.Parameter, s.Word = map[string]float64{}, map[string]string{}
	fail := func(key string, err error) error {
		return &PopulationError{pl.population, key, fmt.Errorf("subject %s: %w", s.Name, err)}
	}
	for _, q := range pl.parameters {
		r := rng.Stream(root, "population", s.Name, q.name)
		if err := q.draw(&r, s); err != nil {
			return fail(q.key, err)
		}
	}
	s.Doc = fillBraces(pl.doc, s)
	if len(pl.truths) == 0 {
		return nil
	}
	for i := range pl.truths {
		t := &pl.truths[i]
		holds, err := t.holds(s)
		if err != nil {
			return fail(t.form.at("if"), err)
		}
		if holds {
			key, err := t.fill(s)
			if err != nil {
				return fail(key, err)
			}
			return nil
		}
	}
	return fail("truth", fmt.Errorf("no truth applies: end with a truth that has no if"))
}

// draw sets one parameter of a subject.
func (q quantity) draw(r *rng.Rand, s *Spec) error {
	x := make([]float64, len(q.args))
	var words []string
	for i, n := range q.args {
		program, err := compile(n, s)
		if err != nil {
			return err
		}
		if program.Type() == expr.TextType {
			words = append(words, program.Text(0))
			continue
		}
		if x[i], err = numberOf(n, program); err != nil {
			return err
		}
	}
	switch {
	case words != nil && len(words) < len(x):
		return q.args[0].Errorf("want texts only or numbers only")
	case words != nil && q.dist == nil:
		s.Word[q.name] = words[0]
	case words != nil && q.dist.Name != choiceName:
		return q.args[0].Errorf("%s draws numbers: a text can be drawn by choice", q.dist.Usage)
	case words != nil:
		s.Word[q.name] = words[r.IntN(len(words))]
	case q.dist == nil:
		s.Parameter[q.name] = x[0]
	default:
		if fault := q.dist.fault(x); fault != "" {
			return fmt.Errorf("%s: %s", q.dist.Usage, fault)
		}
		s.Parameter[q.name] = q.dist.draw(r, x)
	}
	return nil
}

// number evaluates a quantity that is one expression.
func (q quantity) number(s *Spec) (float64, error) {
	n := q.args[0]
	program, err := compile(n, s)
	if err != nil {
		return 0, err
	}
	if program.Type() == expr.TextType {
		return 0, n.Errorf("want a number, not a text")
	}
	return numberOf(n, program)
}

// compile binds an expression to the parameters that a subject has already.
func compile(n *expr.Node, s *Spec) (*expr.Program, error) {
	return expr.Compile(n, func(name string) (expr.Column, bool) { return column(s, name) })
}

func numberOf(n *expr.Node, p *expr.Program) (float64, error) {
	x := p.Number(0)
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return 0, n.Errorf("%s is %v", n, x)
	}
	return x, nil
}

// parameters returns the names of all parameters of a Spec.
func (s *Spec) parameters() map[string]bool {
	out := map[string]bool{}
	for n := range s.Parameter {
		out[n] = true
	}
	for n := range s.Word {
		out[n] = true
	}
	return out
}
