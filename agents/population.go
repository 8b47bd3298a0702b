package agents

import (
	"errors"
	"fmt"
	"math"
	"strconv"

	"achilles/agents/embodied"
	"achilles/sim/expr"
	"achilles/sim/seed"
)

// A Population declares subjects that differ in parameters drawn from distributions. Rules and truth may mention the
// parameters.
type Population struct {
	Name, Doc string
	Count     int

	// Parameter maps a name to a distribution, such as uniform(0, 4.8), or to an expression. Either may mention other
	// parameters, in whatever order they stand.
	Parameter map[string]string

	Rule  []Rule
	Body  []BodyForm // instead of rules
	Truth Truth      // Capability is unused

	// Capability maps a capability to an expression over the parameters: the fraction of its maximum.
	Capability map[string]string
}

// A PopulationError is a fault in one key of a Population.
type PopulationError struct {
	Population, Key string // Key as in a scenario: parameters.NAME, truth.capability.NAME or body.TRAIT
	Err             error
}

// Error names population and key.
func (e *PopulationError) Error() string {
	return "population " + e.Population + ": " + e.Key + ": " + e.Err.Error()
}

// Unwrap is the fault itself, an *expr.Error where an expression is at fault.
func (e *PopulationError) Unwrap() error { return e.Err }

// Specs draws the subjects. Each parameter of each subject has a stream of its own, so a larger population begins
// with the subjects of a smaller one, and a further parameter leaves the others as they were. The error is a
// *PopulationError.
func (p *Population) Specs(root uint64) ([]Spec, error) {
	plan, err := p.plan()
	if err != nil {
		return nil, err
	}
	specs := make([]Spec, p.Count)
	for i := range specs {
		specs[i] = Spec{Name: fmt.Sprintf("%s-%03d", p.Name, i+1), Doc: p.Doc, Rule: p.Rule, Truth: p.Truth}
		if err := plan.draw(root, &specs[i]); err != nil {
			return nil, err
		}
		if err := p.embody(&specs[i]); err != nil {
			return nil, err
		}
	}
	return specs, nil
}

// embody gives a subject its bodies.
func (p *Population) embody(s *Spec) error {
	for _, f := range p.Body {
		b, err := f.Fill(s.Parameter)
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

// A plan has the parameters in an order in which each comes after those it mentions, then the capabilities.
type plan struct {
	population   string
	parameters   []quantity
	capabilities []quantity
}

// A quantity is a parameter or a capability: a distribution of arguments, or one expression.
type quantity struct {
	name, key string
	dist      *Distribution
	args      []*expr.Node
}

func (p *Population) plan() (*plan, error) {
	pl := &plan{population: p.Name}
	if err := pl.order(p.Parameter); err != nil {
		return nil, err
	}
	for _, name := range sorted(p.Capability) {
		key := "truth.capability." + name
		n, err := expr.Parse(p.Capability[name])
		if err == nil {
			err = knows(n, p.Parameter)
		}
		if err != nil {
			return nil, &PopulationError{p.Name, key, err}
		}
		pl.capabilities = append(pl.capabilities, quantity{name: name, key: key, args: []*expr.Node{n}})
	}
	return pl, nil
}

// order sorts the parameters by what they mention, by depth-first search.
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

// knows reports a name that is not a parameter.
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
		if _, ok := expr.FunctionNamed(n.Text); !ok {
			return quantity{}, n.Errorf("unknown distribution %s%s: there are %s", n.Text, expr.DidYouMean(n.Text, distributionNames()), distributionUsages())
		}
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

// draw gives a subject its parameters and the truth that follows from them.
func (pl *plan) draw(root uint64, s *Spec) error {
	s.Parameter = map[string]float64{}
	for _, q := range pl.parameters {
		r := seed.Stream(root, "population", s.Name, q.name)
		x, err := q.value(&r, s.Parameter)
		if err != nil {
			return &PopulationError{pl.population, q.key, fmt.Errorf("subject %s: %w", s.Name, err)}
		}
		s.Parameter[q.name] = x
	}
	s.Truth.Capability = map[string]float64{}
	for _, q := range pl.capabilities {
		x, err := q.value(nil, s.Parameter)
		if err == nil && !(x >= 0 && x <= 1) {
			err = fmt.Errorf("%s is not a fraction of the maximum, 0 to 1", strconv.FormatFloat(x, 'g', 6, 64))
		}
		if err != nil {
			return &PopulationError{pl.population, q.key, fmt.Errorf("subject %s: %w", s.Name, err)}
		}
		s.Truth.Capability[q.name] = x
	}
	return nil
}

func (q quantity) value(r *seed.Rand, parameters map[string]float64) (float64, error) {
	x := make([]float64, len(q.args))
	for i, n := range q.args {
		program, err := expr.Compile(n, func(name string) (expr.Column, bool) {
			v, ok := parameters[name]
			return expr.Column{Number: []float64{v}}, ok
		})
		if err != nil {
			return 0, err
		}
		if x[i] = program.Number(0); math.IsNaN(x[i]) || math.IsInf(x[i], 0) {
			return 0, n.Errorf("%s is %v", n, x[i])
		}
	}
	if q.dist == nil {
		return x[0], nil
	}
	if fault := q.dist.fault(x); fault != "" {
		return 0, fmt.Errorf("%s: %s", q.dist.Usage, fault)
	}
	return q.dist.draw(r, x), nil
}
