package predict

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"achilles/infer/table"
	"achilles/sim/num"
	"achilles/sim/rng"
)

// SplitGain returns the gain and the gain ratio of the best split of all rows of a table by a feature.
func SplitGain(o Tree, t *table.Table, feature string) (gain, ratio float64) {
	f, _ := t.Select([]string{feature})
	c := featureColumn(f[0])
	g := &splitter{Tree: o, t: t, columns: []column{c}, hist: [][]counts{make([]counts, c.codes+1)}}
	var all counts
	for i, v := range t.Value {
		g.hist[0][c.at(t.Subject[i], t.Item[i])].add(counts{1, v})
		all.add(counts{1, v})
	}
	q, _ := g.bestSplit(0, all)
	return q.gain, q.ratio
}

// Describe returns a tree as text: a leaf as successes/rows, a split as the column's name with its children in
// brackets.
func Describe(m Model) string {
	t := m.(*treeModel)
	var walk func(n *node) string
	walk = func(n *node) string {
		if n.column < 0 {
			return fmt.Sprintf("%g/%g", n.k, n.n)
		}
		parts := make([]string, len(n.children))
		for i, c := range n.children {
			parts[i] = walk(c)
		}
		return t.columns[n.column].name + "(" + strings.Join(parts, " ") + ")"
	}
	return walk(t.root)
}

// PessimisticErrors returns the upper confidence limit, used by pruning, of the number of errors if e of n rows are errors.
func PessimisticErrors(confidence, e, n float64) float64 { return pruning{confidence}.errors(e, n) }

// BestSplit returns the gain of the split that the first tree of a Boost makes at its root by a feature, and the codes of the
// values that go left. All rows start with the prediction ½.
func BestSplit(b Boost, t *table.Table, feature string) (gain float64, left []int) {
	f, _ := t.Select([]string{feature})
	c := featureColumn(f[0])
	g := newGrower(b, []column{c}, t)
	var rows []int32
	var all sums
	for i, v := range t.Value {
		g.grad[i], g.hess[i] = 0.5-v, 0.25
		rows = append(rows, int32(i))
		all.add(sums{g.grad[i], g.hess[i], 1})
	}
	h := make([]sums, c.codes+1)
	g.count(h, rows, []int{0})
	n, gain := g.split(0, h, all)
	for code := range c.codes + 1 {
		if gain > 0 && n.goesLeft(&c, uint16(code)) {
			left = append(left, code)
		}
	}
	return gain, left
}

// Objective returns the objective of a fitted regression as a function of the coefficients, and the fitted
// coefficients.
func Objective(o Logistic, t *table.Table, m Model) (f func(x []float64) float64, at []float64) {
	l := m.(*logitModel)
	fit := newLogit(t, l.d, o.Penalties[0], o.Slopes[0])
	return func(x []float64) float64 {
		fit.shared, fit.own = x[:len(l.shared)], x[len(l.shared):]
		return fit.objective()
	}, append(append([]float64(nil), l.shared...), l.own...)
}

// DrawPositive, DrawVariance and DrawGaussian draw from the distributions that Gibbs sampling needs.
func DrawPositive(mean float64, r *rng.Rand) float64         { return drawPositive(mean, r) }
func DrawVariance(shape, scale float64, r *rng.Rand) float64 { return drawVariance(shape, scale, r) }
func DrawGaussian(a, b []float64, r *rng.Rand)               { drawGaussian(a, b, r) }

// A Chain exposes the state of a Gibbs sampler to TestJointDistribution.
type Chain struct{ g *gibbs }

// NewChain returns a sampler for a table in which every item has parameters of its own.
func NewChain(t *table.Table, features []string, dimensions int) Chain {
	fs, _ := t.Select(features)
	class := make([]int32, len(t.Items))
	for i := range class {
		class[i] = int32(i)
	}
	return Chain{newGibbs(t, class, newDesign(len(t.Items), fs), dimensions)}
}

// Prior draws all parameters from the prior.
func (c Chain) Prior(r *rng.Rand) {
	g := c.g
	g.level = drawVariance(1, levelScale, r)
	for s := range g.subjects {
		for k := range g.width {
			g.subject[s*g.width+k] = r.Norm()
		}
		g.subject[s*g.width] *= math.Sqrt(g.level)
	}
	for k := range g.width {
		g.residual[k] = drawVariance(1, residualScale, r)
		for b := range g.d.blocks {
			g.scale[k*g.d.blocks+b] = interceptVar
			if b > 0 {
				g.scale[k*g.d.blocks+b] = drawVariance(1, effectScale, r)
			}
		}
		for p := range g.d.width {
			g.effect[k*g.d.width+p] = r.Norm() * math.Sqrt(g.scale[k*g.d.blocks+g.d.block[p]])
		}
		for j := range g.items {
			g.item[j*g.width+k] = g.expected(j, k) + r.Norm()*math.Sqrt(g.residual[k])
		}
	}
}

// Respond draws all responses given the parameters.
func (c Chain) Respond(r *rng.Rand) {
	g := c.g
	for i := range g.t.Value {
		g.t.Value[i] = 0
		if linear(g.subjectRow(int(g.t.Subject[i])), g.itemRow(int(g.rowItem[i])))+r.Norm() > 0 {
			g.t.Value[i] = 1
		}
	}
}

// Sweep draws all parameters given the responses.
func (c Chain) Sweep(r *rng.Rand) { c.g.sweep(r) }

// State returns bounded functions of the parameters, whose means the test compares.
func (c Chain) State() []float64 {
	g := c.g
	squash := func(x float64) float64 { return x / (1 + math.Abs(x)) }
	var out []float64
	add := func(x float64) { out = append(out, squash(x), squash(x*x)) }
	add(g.subject[0])
	add(g.subject[1])
	add(g.item[0])
	add(g.item[1])
	add(g.effect[0])
	add(g.effect[1])
	add(g.effect[len(g.effect)-1])
	add(g.level)
	add(g.residual[0])
	add(g.residual[1])
	add(g.scale[1])
	add(linear(g.subjectRow(1), g.itemRow(1)))
	add(g.subject[1] * g.item[1])
	return out
}

// NewGrade grades predictions p of the rows of a table.
func NewGrade(test *table.Table, p []float64) Grade { return newGrade(test, p) }

// Demand returns the result of relativeDemand.
func Demand(t *table.Table, features []string) ([]float64, []bool, error) {
	return relativeDemand(t, features)
}

// LogLink returns the probability by score that newLogLink makes of scores z with outcomes y.
func LogLink(z, y []float64) func(float64) float64 { return newLogLink(z, y).probability }

// FactorSteps runs EM and returns by how much, at most, the variances ψ of its last step M differ from sums row by row over the
// factors of the step E before, relatively, and by how much the product of an item's posterior precision of factors and its covariance
// differs from the identity.
func FactorSteps(t *table.Table, factors, steps int) (variance, identity float64) {
	m := newLoadings(t, factors, 1)
	w := factors + 1
	covariance := func(j int32, a, b int) float64 {
		return m.moment[j].Row(max(a, b))[min(a, b)] - m.factor[j][a]*m.factor[j][b]
	}
	for range steps {
		m.updateItems()
		for j := range t.Items {
			for a := range factors {
				for b := range factors {
					off := 0.0
					if a == b {
						off = -1
					}
					for c := range factors {
						precision := 0.0
						if a == c {
							precision = 1
						}
						for _, i := range m.byItem[j] {
							s := t.Subject[i]
							precision += m.subject[s][a+1] * m.subject[s][c+1] / m.psi[s]
						}
						off += precision * covariance(int32(j), c+1, b+1)
					}
					identity = max(identity, math.Abs(off))
				}
			}
		}
		m.updateSubjects()
		for s, x := range m.subject {
			sum, n := variancePrior, 1.0
			for i := m.bounds[s]; i < m.bounds[s+1]; i++ {
				j := t.Item[i]
				e := m.z[i] - num.Dot(x, m.factor[j])
				sum += e * e
				n++
				for a := range w {
					for b := range w {
						sum += x[a] * x[b] * covariance(j, a, b)
					}
				}
			}
			variance = max(variance, math.Abs(m.psi[s]*n/sum-1))
		}
	}
	return variance, identity
}

// Precision returns the product of EASE's P and the matrix that it should be the inverse of, for the rows of x with so many columns.
func Precision(x []float64, columns int, ridge float64) [][]float64 {
	p, gram := precision(x, columns, ridge), make([][]float64, columns)
	for a := range columns {
		gram[a] = make([]float64, columns)
		for row := range slices.Chunk(x, columns) {
			for b := range columns {
				gram[a][b] += row[a] * row[b]
			}
		}
	}
	trace := 0.0
	for a := range columns {
		trace += gram[a][a]
	}
	out := make([][]float64, columns)
	for a := range columns {
		gram[a][a] += ridge * trace / float64(columns)
	}
	for a := range columns {
		out[a] = make([]float64, columns)
		for b := range columns {
			for k := range columns {
				out[a][b] += p[a][k] * gram[k][b]
			}
		}
	}
	return out
}
