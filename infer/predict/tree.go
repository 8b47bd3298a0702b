package predict

import (
	"context"

	"achilles/infer/table"
	"achilles/sim/num"
)

// A Tree is a single decision tree in the manner of C4.5 (Quinlan 1993, 1996). It takes the split with the highest gain
// ratio among those of at least average gain, and penalises numeric thresholds for the number of candidates. Nominal
// columns are split into single levels or into sets of levels. A row with a missing value is divided among the
// branches. Pruning is pessimistic, by subtree replacement. The subject is a nominal column beside the features. A
// value between 0 and 1 counts as that fraction of a success.
type Tree struct {
	ID
	Features   []string
	Sets       bool    // whether nominal columns branch by sets of levels, found by merging; otherwise by single levels
	Confidence float64 // confidence level of pruning, in (0, 1]; a smaller one prunes more, 1 does not prune
	MinCases   float64 // number of rows that at least two branches of a split must have
}

// DefaultTree returns a Tree with the usual settings of C4.5 and C5.0.
func DefaultTree(id string, features []string) Tree {
	return Tree{ID: ID(id), Features: features, Sets: true, Confidence: 0.25, MinCases: 2}
}

// Fit grows and prunes the tree. It fails for a feature that is not in the table, and when ctx is done.
func (o Tree) Fit(ctx context.Context, train *table.Table, _ uint64) (Model, error) {
	fs, missing := train.Select(o.Features)
	if missing != "" {
		return nil, unknownFeature(missing)
	}
	g := &splitter{Tree: o, t: train}
	for _, f := range fs {
		g.columns = append(g.columns, featureColumn(f))
	}
	g.columns = append(g.columns, subjectColumn(train))
	for _, c := range g.columns {
		g.hist = append(g.hist, make([]counts, c.codes+1))
	}
	cases := make([]share, train.Rows())
	for i := range cases {
		cases[i] = share{int32(i), 1}
	}
	root := g.grow(ctx, cases, nil)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if o.Confidence < 1 {
		root.prune(pruning{confidence: o.Confidence})
	}
	return &treeModel{g.columns, root, rate(train)}, nil
}

// A share is the part of a row that reaches a node: weight is 1 for a whole row.
type share struct {
	row    int32
	weight float64
}

// counts are the total weight of some rows, and that of their successes.
type counts struct{ n, k float64 }

func (c *counts) add(d counts) { c.n, c.k = c.n+d.n, c.k+d.k }

// errors returns the weight of the less frequent outcome.
func (c counts) errors() float64 { return min(c.k, c.n-c.k) }

// bits returns n times the entropy, in bits, of an outcome that is a success with probability k/n.
func (c counts) bits() float64 { return plog(c.n) - plog(c.k) - plog(c.n-c.k) }

// plog returns x log₂ x, or 0 if x ≤ 0.
func plog(x float64) float64 {
	if x <= 0 {
		return 0
	}
	return x * num.Log(x) * log2e
}

const log2e = 1.4426950408889634

// A node is a leaf or a split by a column.
type node struct {
	counts
	column   int     // −1: a leaf
	cut      uint16  // of a numeric column: the largest code in the first child
	branch   []int16 // of a nominal column: code → child, −1 for a code that did not occur
	children []*node
}

// child returns the index of the child for a code. It returns −1 for a missing value, and for a level that did not
// occur at the node in training.
func (n *node) child(c *column, code uint16) int {
	switch {
	case int(code) == c.codes:
		return -1
	case n.branch != nil:
		return int(n.branch[code])
	case code <= n.cut:
		return 0
	}
	return 1
}

type treeModel struct {
	columns []column
	root    *node
	prior   float64
}

// Predict sets p to success rates of leaves. The rate of a leaf is shrunk towards the rate of all rows with the weight
// of one row. At a split without a branch for the value, it takes the mean over the branches, weighted by their rows.
func (m *treeModel) Predict(subject, item []int32, p []float64) {
	for i := range p {
		p[i] = m.at(m.root, subject[i], item[i])
	}
}

func (m *treeModel) at(n *node, subject, item int32) float64 {
	for n.column >= 0 {
		c := &m.columns[n.column]
		k := n.child(c, c.at(subject, item))
		if k < 0 {
			sum, weight := 0.0, 0.0
			for _, child := range n.children {
				sum += float64(child.n * m.at(child, subject, item))
				weight += child.n
			}
			return sum / weight
		}
		n = n.children[k]
	}
	return (n.k + m.prior) / (n.n + 1)
}
