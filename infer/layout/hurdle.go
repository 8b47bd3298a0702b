package layout

import (
	"fmt"
	"slices"
	"strings"

	"achilles/infer/loglik"
	"achilles/sim/conf"
	"achilles/sim/expr"
)

// A Hurdle is one factor of a probability of success: something that a subject must do to succeed, with the probability that it does.
type Hurdle struct {
	Name       string // of its performance without a final P, or else of its parameters
	Parameters []int  // indices among the layout's parameters, ascending; none: it depends on the item alone
	Demands    []int  // indices among the layout's metafeatures, ascending
	Asked      []bool // by row of the design: whether the item asks for it (present)
	at         conf.Place
	node       *expr.Node
}

// Hurdles has the factors of a probability of success p = Floor + (Ceiling − Floor) × Π hurdles. With a lapse, mix(lapse, product,
// chance), Floor is lapse × chance, and Ceiling is 1 − lapse × (1 − chance).
type Hurdles struct {
	List     []Hurdle
	plan     *loglik.Plan
	rows     int
	chance   []*expr.Node // weight and chance of a lapse, or what failure and success give; nil: neither
	lapses   bool         // whether chance is that of a lapse
	chanceAt conf.Place
}

// A NotProduct says that a layout's probability of success is not a product of hurdles.
type NotProduct struct{ Layout, Why string }

func (e *NotProduct) Error() string {
	return fmt.Sprintf("layout %s: the probability of success is not a product: %s", e.Layout, e.Why)
}

// Hurdles returns the factors of the probability of a binary measure. The error is a *NotProduct if it is not a product.
func (d *Design) Hurdles(measure string) (*Hurdles, error) {
	l := d.layout
	k := slices.IndexFunc(l.Responses, func(r ResponseModel) bool { return r.Measure == measure })
	if k < 0 || l.Responses[k].Family != Bernoulli {
		return nil, &NotProduct{l.Name, "it has no probability of " + measure}
	}
	r := &l.Responses[k]
	if judged := l.judgedIn(r.nodes...); len(judged) > 0 {
		return nil, &NotProduct{l.Name, "it is a mean over the true values of " + strings.Join(judged, ", ")}
	}
	h := &Hurdles{rows: d.rows}
	if err := h.split(d, r.places[0], r.nodes[0]); err != nil {
		return nil, err
	}
	return h, h.compile(d)
}

// split finds the factors of an expression, and the chance of who lapses.
func (h *Hurdles) split(d *Design, at conf.Place, n *expr.Node) error {
	l := d.layout
	name := ""
	for n.Op == expr.Name && l.symbols[n.Text].kind == aPerformance {
		p := &l.Performances[l.symbols[n.Text].index]
		name, at, n = p.Name, p.at, p.node
	}
	if n.Op == expr.Mix {
		h.chance, h.chanceAt = n.Args, at
		n, h.lapses = h.chance[1], true
		if l.levelOf(n) <= data { // a failure gives what the item alone says
			n, h.lapses = h.chance[0], false
		}
		name = ""
	}
	switch n.Op {
	case expr.Add, expr.Sub, expr.Gmean, expr.Min, expr.Max, expr.Mix, expr.Pow, expr.Div:
		return &NotProduct{l.Name, fmt.Sprintf("p has %s", n)}
	}
	return h.factor(l, at, name, n)
}

// factor adds the factors of an expression, which the performance of this name has.
func (h *Hurdles) factor(l *Layout, at conf.Place, name string, n *expr.Node) error {
	if n.Op == expr.Name && l.symbols[n.Text].kind == aPerformance {
		p := &l.Performances[l.symbols[n.Text].index]
		return h.factor(l, p.at, p.Name, p.node)
	}
	if n.Op == expr.Mul {
		for _, a := range n.Args {
			if err := h.factor(l, at, "", a); err != nil {
				return err
			}
		}
		return nil
	}
	of := Hurdle{at: at, node: n, Name: strings.TrimSuffix(name, "P")}
	l.mentions(func(s *symbol) {
		switch s.kind {
		case aParameter:
			of.Parameters = append(of.Parameters, s.index)
		case aMetafeature:
			of.Demands = append(of.Demands, s.index)
		}
	}, n)
	slices.Sort(of.Parameters)
	slices.Sort(of.Demands)
	if of.Name == "" {
		var names []string
		for _, i := range of.Parameters {
			names = append(names, l.Parameters[i].Name)
		}
		of.Name = strings.Join(names, ", ")
	}
	if of.Name == "" {
		of.Name = n.String()
	}
	h.List = append(h.List, of)
	return nil
}

// mentions calls use once for each name on which expressions depend, performances followed.
func (l *Layout) mentions(use func(*symbol), nodes ...*expr.Node) {
	seen := map[string]bool{}
	var visit func(n *expr.Node)
	visit = func(n *expr.Node) {
		for _, name := range n.Names() {
			s := l.symbols[name]
			if s == nil || seen[name] {
				continue
			}
			if seen[name] = true; s.kind == aPerformance {
				visit(l.Performances[s.index].node)
			} else {
				use(s)
			}
		}
	}
	for _, n := range nodes {
		visit(n)
	}
}

// compile compiles the factors, and after them the two numbers of the chance.
func (h *Hurdles) compile(d *Design) error {
	b := d.builder()
	var nodes []loglik.Node
	for i := range h.List {
		of := &h.List[i]
		x, err := b.node(of.at, of.node)
		if err != nil {
			return err
		}
		nodes = append(nodes, x)
		of.Asked = slices.Repeat([]bool{true}, d.rows)
		if of.node.Op == expr.Present && d.layout.levelOf(of.node.Args[1]) <= data {
			asked, err := b.values(of.at, of.node.Args[1])
			if err != nil {
				return err
			}
			for r, x := range asked {
				of.Asked[r] = x != 0
			}
		}
	}
	lapse, chance := b.plan.Const(0), b.plan.Const(1)
	if h.chance != nil {
		var err error
		first := 1
		if h.lapses {
			first = 0
		}
		if lapse, err = b.node(h.chanceAt, h.chance[first]); err != nil {
			return err
		}
		if chance, err = b.node(h.chanceAt, h.chance[2]); err != nil {
			return err
		}
	}
	h.plan = b.plan.CompileValues(append(nodes, lapse, chance))
	return nil
}

// Lapses reports whether the chance is that of a lapse, whatever the hurdles, and not what a failure at one of them gives.
func (h *Hurdles) Lapses() bool { return h.lapses }

// A Clearing computes the hurdles of one subject. It is not safe for concurrent use.
type Clearing struct {
	*Hurdles
	w   *loglik.Workspace
	out [][]float64
}

// Clearing returns the hurdles of the subject with these data, which must be of the design, or of one made without responses
// (WithoutResponses).
func (h *Hurdles) Clearing(data *Data) (*Clearing, error) {
	w, err := h.plan.NewWorkspace(data.inputs, nil)
	if err != nil {
		return nil, err
	}
	c := &Clearing{Hurdles: h, w: w}
	for range len(h.List) + 2 {
		c.out = append(c.out, make([]float64, h.rows))
	}
	return c, nil
}

// Chances returns the probability of clearing each hurdle in each row at a parameter vector. The next call overwrites them.
func (c *Clearing) Chances(theta []float64) (hurdles [][]float64) {
	c.w.Values(theta, c.out)
	return c.out[:len(c.List)]
}

// Chance returns Floor and Ceiling in a row at the parameter vector of the last call of Chances.
func (c *Clearing) Chance(row int) (floor, ceiling float64) {
	a, b := c.out[len(c.List)][row], c.out[len(c.List)+1][row]
	if c.lapses {
		return float64(a * b), 1 - float64(a*(1-b))
	}
	return a, b
}

// P returns the probability of success in a row at the parameter vector of the last call of Chances.
func (c *Clearing) P(row int) float64 {
	floor, ceiling := c.Chance(row)
	p := ceiling - floor
	for _, x := range c.out[:len(c.List)] {
		p *= x[row]
	}
	return floor + p
}
