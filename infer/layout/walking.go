package layout

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"achilles/sim/conf"
	"achilles/sim/expr"
)

// Walking says how the parameters of a layout predict how a subject walks in a world (docs/theory/paths.md).
type Walking struct {
	// Place is the demand on the trait op for each wrong place where the reward could be; positive.
	Place float64 `json:"place"`
	// Chance is the probability that a subject in a lapse walks to the reward instead of staying, in [0, 1]; nil means the
	// subject's failure rate.
	Chance *float64 `json:"chance,omitempty"`
	// Drives has the traits that are given by an expression. Any other parameter drives the trait of its name.
	Drives []Drive `json:"drives,omitempty"`
	// Ignore has the parameters that drive no trait.
	Ignore []string `json:"ignore,omitempty"`

	at     conf.Place
	places map[string]conf.Place // of the keys of Drives
}

// A Drive says how a trait of who walks is computed from parameters and from features of the item.
type Drive struct {
	Trait      string            `json:"trait"`
	Expression string            `json:"expression"`        // of parameters and features alone: constants and performances are written out
	Columns    map[string]string `json:"columns,omitempty"` // feature in the expression → column of the items

	node *expr.Node
}

// Traits of who walks: levels in the unit of their demand, the share of lapses, shares of episodes in which an ability is there, and rates of learning. They are
// those of bodies that a layout can measure (docs/theory/embodied.md). A trait that no parameter drives has no limit.
var (
	walkingLevels = []string{"visual", "op", "memory", "effort", "flatNav", "rightLeft", "tracking", "inhibition", "number", "retreat", "visits", "unbaited", "ratio", "rationality", "restraint", "fading"}
	walkingShares = []string{"noise", "lava", "ramp", "platform", "tubes", "timing", "openings", "sizes", "when", "area", "cohesion", "reach", "gone", "decoys", "boards", "tools", "winRate", "lossRate", "ruleRate", "spanRate"}
)

// Traits returns the names of all traits that [walking] may give.
func Traits() []string { return slices.Concat(walkingLevels, walkingShares) }

// readWalking reads the section walking.
func (r *reader) readWalking(t *conf.Table) {
	w := &Walking{Place: t.Number("place", 1, "a number above 0", func(x float64) bool { return x > 0 }), at: t.Place(""), places: map[string]conf.Place{}}
	if t.Has("chance") {
		x := t.Number("chance", 0, "a fraction from 0 to 1", func(x float64) bool { return x >= 0 && x <= 1 })
		w.Chance = &x
	}
	if t.Has("ignore") {
		w.Ignore = t.Texts("ignore")
	}
	for _, trait := range Traits() {
		if !t.Has(trait) {
			t.Skip(trait)
			continue
		}
		if _, n := t.Expression(trait); n != nil {
			w.Drives = append(w.Drives, Drive{Trait: trait, node: n})
			w.places[trait] = t.Place(trait)
		}
	}
	r.Walking = w
}

// walking checks that every parameter of subjects drives a trait of who walks, and writes out the expressions.
func (c *checker) walking() error {
	w := c.Walking
	if w == nil {
		return nil
	}
	mentioned := map[string]bool{}
	for i := range w.Drives {
		d := &w.Drives[i]
		at := w.places[d.Trait]
		if err := c.types(at, d.node); err != nil {
			return err
		}
		b, _, err := c.evaluate(at, d.node)
		if err != nil {
			return err
		}
		if d.node, err = c.writtenOut(at, d, d.node); err != nil {
			return err
		}
		if err := checkShare(at, d.Trait, b); err != nil {
			return err
		}
		for _, name := range d.node.Names() {
			mentioned[name] = true
		}
		d.Expression = d.node.String()
	}
	for _, name := range w.Ignore {
		if !slices.ContainsFunc(c.Parameters, func(p Parameter) bool { return p.Name == name }) {
			return w.at.Errorf("ignore names %s, which is not a parameter", name)
		}
		mentioned[name] = true
	}
	for _, p := range c.Parameters {
		if mentioned[p.Name] {
			continue
		}
		if !slices.Contains(Traits(), p.Name) {
			return w.at.Errorf("no trait is driven by the parameter %s: give one, as in memory = %q, or ignore = [%q]; traits are %s", p.Name, p.Name, p.Name, strings.Join(Traits(), ", "))
		}
		if _, twice := w.places[p.Name]; twice {
			return w.at.Errorf("%s is given, and a parameter has that name: name the parameter in it, or ignore = [%q]", p.Name, p.Name)
		}
		if err := checkShare(p.at, p.Name, interval{p.Range[0], p.Range[1]}); err != nil {
			return err
		}
	}
	return nil
}

// checkShare returns an error if a trait is a share and can lie outside [0, 1].
func checkShare(at conf.Place, trait string, b interval) error {
	if slices.Contains(walkingShares, trait) && !(b.lo >= -slack && b.hi <= 1+slack) {
		return at.Errorf("the trait %s is a proportion, and may lie anywhere from %g to %g: it must stay in [0, 1]", trait, b.lo, b.hi)
	}
	return nil
}

// writtenOut returns an expression in which constants are numbers and performances their expressions. It adds the columns of features to
// the drive.
func (c *checker) writtenOut(at conf.Place, d *Drive, n *expr.Node) (*expr.Node, error) {
	if n.Op != expr.Name {
		out := *n
		out.Args = make([]*expr.Node, len(n.Args))
		for i, a := range n.Args {
			var err error
			if out.Args[i], err = c.writtenOut(at, d, a); err != nil {
				return nil, err
			}
		}
		return &out, nil
	}
	s := c.symbols[n.Text]
	switch {
	case s.kind == aConstant:
		return &expr.Node{Op: expr.Num, Col: n.Col, Value: c.Constants[s.index].Value}, nil
	case s.kind == aPerformance:
		return c.writtenOut(at, d, c.Performances[s.index].node)
	case s.kind == aMetafeature && !s.text:
		if d.Columns == nil {
			d.Columns = map[string]string{}
		}
		d.Columns[n.Text] = c.Metafeatures[s.index].Column
	case s.kind != aParameter:
		return nil, at.Errorf("%s: a trait is computed from parameters, constants and numbers of the item alone", n.Text)
	}
	return n, nil
}

// ByItem reports whether a trait depends on features of the item.
func (w *Walking) ByItem() bool {
	return slices.ContainsFunc(w.Drives, func(d Drive) bool { return len(d.Columns) > 0 })
}

// Traits returns the traits that draws of the parameters give, [draw][trait], with their names. value returns the number in a column of
// the item. The error is that of value, or says that the section was written for other parameters.
func (w *Walking) Traits(parameters []string, draws [][]float64, value func(column string) (float64, error)) (names []string, out [][]float64, err error) {
	cols := map[string]expr.Column{}
	for k, name := range parameters {
		col := make([]float64, len(draws))
		for i, d := range draws {
			col[i] = d[k]
		}
		cols[name] = expr.Column{Number: col}
	}
	var programs []*expr.Program
	mentioned := slices.Clone(w.Ignore)
	for _, d := range w.Drives {
		n, err := expr.Parse(d.Expression)
		if err != nil {
			return nil, nil, fmt.Errorf("walking: %s: %w", d.Trait, err)
		}
		own := maps.Clone(cols)
		for name, column := range d.Columns {
			x, err := value(column)
			if err != nil {
				return nil, nil, fmt.Errorf("walking: %s: %w", d.Trait, err)
			}
			own[name] = expr.Column{Number: []float64{x}}
		}
		p, err := expr.Compile(n, func(name string) (expr.Column, bool) { c, ok := own[name]; return c, ok })
		if err != nil {
			return nil, nil, fmt.Errorf("walking: %s: %w", d.Trait, err)
		}
		names, programs, mentioned = append(names, d.Trait), append(programs, p), append(mentioned, n.Names()...)
	}
	var same []int
	for k, name := range parameters {
		if !slices.Contains(mentioned, name) {
			names, same = append(names, name), append(same, k)
		}
	}
	out = make([][]float64, len(draws))
	for i, d := range draws {
		for _, p := range programs {
			out[i] = append(out[i], p.Number(i))
		}
		for _, k := range same {
			out[i] = append(out[i], d[k])
		}
	}
	return names, out, nil
}
