package layout

import (
	"fmt"
	"strconv"

	"achilles/infer/loglik"
	"achilles/sim/num"
	"achilles/sim/record"
)

// Nodes are cells of imaginary subjects, the nodes, for the outcomes that occur: an item, measure, value and number of trials.
type Nodes struct {
	*Cells
	Outcomes [][]int   // subject of the responses (of AtItems: item) → its outcomes
	First    []int     // outcome → index of its first node among those of all outcomes; one more element: the number of all
	Entry    []int     // response of Used → index of its outcome and node, as in First
	Of       []int     // outcome → the item that has it (of AtItems: the subject)
	Value    []float64 // outcome → value of the response
}

// AtNodes returns n nodes. The layout must be Summable. The error says so if there are more than `most` pairs of an outcome and a node.
func (c *Cells) AtNodes(n, most int) (*Nodes, error) {
	j, out := c.joint, &Nodes{}
	each, err := out.outcomes(c, n, most, false)
	if err != nil {
		return nil, err
	}
	subjects := make([]string, n)
	for g := range subjects {
		subjects[g] = strconv.Itoa(g)
	}
	k, err := j.layout.BindJoint(j.items, subjects, nil, j.measures)
	if err != nil {
		return nil, err
	}
	var all []record.Response
	for g := range n {
		for o, x := range each {
			x.Subject = int32(g)
			all, out.Entry = append(all, x), append(out.Entry, out.First[o]+g)
		}
	}
	out.Cells, err = k.NewCells(all, nil)
	return out, err
}

// outcomes sets the outcomes of every subject, or of every item, and returns a response with each outcome.
func (n *Nodes) outcomes(c *Cells, nodes, most int, ofItems bool) (each []record.Response, err error) {
	known, units := num.Numbering[record.Response]{}, len(c.joint.subjects)
	if ofItems {
		units = c.joint.items.Len()
	}
	n.First, n.Outcomes = []int{0}, make([][]int, units)
	for _, at := range c.used {
		r := c.given[at]
		x, unit, of := record.Response{Item: r.Item, Measure: r.Measure, Value: r.Value, Trials: r.Trials}, r.Subject, r.Item
		if ofItems {
			x.Subject, x.Item, unit, of = r.Subject, 0, r.Item, r.Subject
		}
		o := known.Of(x)
		if o == len(each) {
			each = append(each, x)
			n.Of, n.Value, n.First = append(n.Of, int(of)), append(n.Value, x.Value), append(n.First, len(each)*nodes)
		}
		n.Outcomes[unit] = append(n.Outcomes[unit], o)
	}
	if pairs := len(each) * nodes; pairs > most {
		return nil, fmt.Errorf("%d outcomes at %d nodes are %d pairs: at most %d", len(each), nodes, pairs, most)
	}
	return each, nil
}

// Recount lets every response count as often as counts say, in the order of Cells.Used, and the priors of each subject's parameters as
// often as times says; nil: once. A number need not be whole. The target keeps times. LogDensity then writes the gradient, but returns no log density.
func (t *JointTarget) Recount(counts, times []float64) {
	t.times = times
	first := t.recounted == nil
	if first {
		t.recounted = make([][][]loglik.Observation, len(t.blocks))
		for i := range t.recounted {
			t.recounted[i] = make([][]loglik.Observation, len(t.cells.blocks[i].responses))
		}
	}
	obs := t.recounted
	for i := range obs {
		for k, of := range obs[i] {
			obs[i][k] = of[:0]
		}
	}
	for k, x := range t.cells.at {
		if counts[k] > 0 {
			of := &obs[x.block][x.measure]
			*of = append(*of, loglik.Observation{Row: int(x.row), Value: x.value, Count: counts[k]})
		}
	}
	for i := range t.blocks {
		w, err := t.blocks[i].w, error(nil)
		if first { // the observations that it has are those of other targets too
			w, err = w.With(make([][]loglik.Observation, len(obs[i])))
			t.blocks[i].w = w
		}
		if err == nil {
			err = w.Recount(obs[i])
		}
		if err != nil {
			panic("layout: a response of the cells cannot be counted")
		}
	}
}

// countPrior lets the prior of parameter i count in each subject as often as t.times says, after forwardPrior, and returns the log prior
// density. What never counts may be impossible.
func (t *JointTarget) countPrior(i int) float64 {
	l := 0.0
	for s, n := range t.times {
		d := &t.points[t.joint.first[i]+s]
		if n == 0 {
			d.LogP, d.LogPQ, d.LogPA = 0, 0, [2]float64{}
			continue
		}
		d.LogP, d.LogPQ = float64(n*d.LogP), float64(n*d.LogPQ)
		d.LogPA = [2]float64{float64(n * d.LogPA[0]), float64(n * d.LogPA[1])}
		l += d.LogP
	}
	return l
}

// AddLogPriors adds the log prior density of the coordinate q of each unit of parameter i to out, at the point of the last call of
// Constrain.
func (t *JointTarget) AddLogPriors(i int, out []float64) {
	for u, d := range t.points[t.joint.first[i]:t.joint.first[i+1]] {
		out[u] += d.LogP
	}
}

// AtItems returns n imaginary items, the nodes, in place of those of the responses, which the same subjects meet: each outcome that a
// subject has somewhere occurs at every node. Outcomes has those of an item then. The layout must have SummableItems. The error says so if
// there are more than `most` pairs of an outcome and a node.
func (c *Cells) AtItems(n, most int) (*Nodes, error) {
	j, out := c.joint, &Nodes{}
	each, err := out.outcomes(c, n, most, true)
	if err != nil {
		return nil, err
	}
	nodes := &record.Items{Suite: make([]string, n), Paradigm: make([]string, n), Task: make([]string, n)}
	for g := range n {
		nodes.ID = append(nodes.ID, strconv.Itoa(g))
	}
	k, err := j.layout.BindJoint(nodes, j.subjects, j.covariates, j.measures)
	if err != nil {
		return nil, err
	}
	var all []record.Response
	for o, x := range each {
		for g := range n {
			x.Item = int32(g)
			all, out.Entry = append(all, x), append(out.Entry, out.First[o]+g)
		}
	}
	out.Cells, err = k.NewCells(all, c.means)
	return out, err
}
