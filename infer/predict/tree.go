package predict

import (
	"context"

	"achilles/infer/table"
	"achilles/sim/num"
)

// A Tree is a single decision tree in the manner of C4.5 (Quinlan 1993, 1996): splits by gain ratio among those of at
// least average gain, a penalty on numeric thresholds for the number of candidates, nominal columns split into one branch
// a level or into sets of levels, rows with a missing value shared among the branches, pessimistic pruning by subtree
// replacement. The subject is a nominal column beside the features. A value between 0 and 1 counts as that part of a
// success.
type Tree struct {
	ID         string
	Features   []string
	Sets       bool    // nominal columns branch on sets of levels, found by merging
	Confidence float64 // of pruning: smaller prunes more; 1 does not prune
	MinCases   float64 // rows in at least two branches of a split
}

var _ Predictor = Tree{}

// DefaultTree has the settings that C4.5 and C5.0 are usually run with.
func DefaultTree(id string, features []string) Tree {
	return Tree{ID: id, Features: features, Sets: true, Confidence: 0.25, MinCases: 2}
}

// Name identifies the model.
func (o Tree) Name() string { return o.ID }

// Fit grows and prunes the tree.
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

// A share is a row, or the part of it that reaches a node.
type share struct {
	row    int32
	weight float64
}

// counts are the weight of rows and of their successes.
type counts struct{ n, k float64 }

func (c *counts) add(d counts) { c.n, c.k = c.n+d.n, c.k+d.k }

// errors is the weight of the rows outside the majority.
func (c counts) errors() float64 { return min(c.k, c.n-c.k) }

// bits is n times the entropy of success.
func (c counts) bits() float64 { return plog(c.n) - plog(c.k) - plog(c.n-c.k) }

// plog is x log₂ x, 0 at and below 0.
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
	column   int // −1: a leaf
	cut      uint16
	branch   []int16 // nominal: code → child, −1 for a code that did not occur
	children []*node
}

// child returns the branch of a code; −1: missing, or a level not seen here.
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

// Predict returns the success rate of the leaf, shrunk towards the rate of all with the weight of one row. Where a split
// has no branch for the value it averages over the branches by their weight.
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
