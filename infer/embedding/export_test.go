package embedding

import (
	"strconv"

	"achilles/infer/predict"
	"achilles/infer/table"
	"achilles/sim/rng"
)

// A Problem is the loss of a model, with all its priors, as a function of the parameters. TestGradients differentiates it.
type Problem struct{ r *trainer }

// NewProblem returns the problem of a predictor. The parameters are random starting values plus noise. A network gets hidden
// layers of 7 and 5 units.
func NewProblem(o Predictor, t *table.Table, root uint64) (*Problem, error) {
	mask, err := o.mask(t)
	if err != nil {
		return nil, err
	}
	p := o.plan(t, mask, Candidate{Dimensions: 3, Slope: 2})
	if n, ok := p.link.(network); ok {
		n.hidden = [2]int{7, 5}
		p.link = n
	}
	size := counts{len(t.Subjects), len(t.Items)}
	r := &trainer{Training: p.Training, fit: newFit(p.link, size), t: t, size: size, onSubject: p.onSubject, onItem: p.onItem, root: root}
	r.start(size, root)
	noise := rng.Stream(root, "noise")
	for i := range r.all {
		r.all[i] += 0.3 * noise.Norm()
	}
	r.link.project(r.w)
	r.grad = make([]float64, len(r.all))
	r.gu, r.gv, r.gw = r.cut(r.grad, size)
	return &Problem{r}, nil
}

// Parameters returns the parameters themselves, not a copy: the test changes them.
func (p *Problem) Parameters() []float64 { return p.r.all }

func (p *Problem) rows() []int {
	rows := make([]int, p.r.t.Rows())
	for i := range rows {
		rows[i] = i
	}
	return rows
}

// Gradient returns the gradient of Value(k). Equal k drop the same hidden units.
func (p *Problem) Gradient(k int) []float64 {
	p.r.random = rng.Stream(1, "dropout", strconv.Itoa(k))
	p.r.evaluator = p.r.link.at(p.r.w, &p.r.random)
	p.r.gradient(p.rows())
	return p.r.grad
}

// Value returns the mean loss plus −log prior divided by the number of rows. k is the seed of dropout: it says which hidden
// units are dropped.
func (p *Problem) Value(k int) float64 {
	r := p.r
	r.random = rng.Stream(1, "dropout", strconv.Itoa(k))
	e := r.link.at(r.w, &r.random)
	n, sum := float64(r.t.Rows()), 0.0
	for i, y := range r.t.Value {
		s, j := r.t.Subject[i], r.t.Item[i]
		sum += r.Loss.of(e.forward(r.subject(s), r.item(j), int(j)), y) / n
	}
	for _, side := range []struct {
		x     []float64
		prior []normal
	}{{r.u, r.onSubject}, {r.v, r.onItem}} {
		for i, x := range side.x {
			if len(side.prior) == 0 {
				break
			}
			k := i % len(side.prior)
			q := side.prior[k]
			mean := q.mean
			if q.free {
				mean = 0
				for m := k; m < len(side.x); m += len(side.prior) {
					mean += side.x[m] / float64(len(side.x)/len(side.prior))
				}
			}
			sum += q.precision * (x - mean) * (x - mean) / 2 / n
		}
	}
	return sum
}

// Whole returns what Gradient and Value return without dropout, as whole computes it in so many parts of the rows, weighted by their
// numbers of rows; nil if the link is not a dot.
func (p *Problem) Whole(parts int) (gradient []float64, value float64) {
	l, ok := p.r.link.(dot)
	if !ok {
		return nil, 0
	}
	gradient = make([]float64, len(p.r.all))
	p.r.Parts, p.r.order = parts, p.r.random.Perm(p.r.t.Rows())
	for _, w := range p.r.divided(l) {
		share := float64(w.t.Rows()) / float64(p.r.t.Rows())
		value += share * w.gradient()
		for i, g := range p.r.grad {
			gradient[i] += share * g
		}
	}
	return gradient, value
}

// Expected returns, for each of several weights of the items, every subject's expected success rate with an interval of the given level.
func (m *Model) Expected(weights [][]float64, level float64) [][]predict.Ability {
	return m.expected(weights, level)
}

// A Fitted is the first fit of a model.
type Fitted struct {
	Parameters []float64 // themselves, not a copy: by subject, then by item
	Subject    []float64 // precisions of the priors of a subject's parameters
	Item       []float64 // and of an item's
}

// First returns the first fit.
func (m *Model) First() Fitted {
	out := Fitted{Parameters: m.fits[0].all}
	for _, q := range m.plan.onSubject {
		out.Subject = append(out.Subject, q.precision)
	}
	for _, q := range m.plan.onItem {
		out.Item = append(out.Item, q.precision)
	}
	return out
}
