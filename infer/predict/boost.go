package predict

import (
	"context"
	"math"
	"slices"
	"strconv"

	"achilles/infer/table"
	"achilles/sim/num"
	"achilles/sim/rng"
)

// A Boost is gradient boosting of regression trees under log loss (Friedman 2001) with second-order leaves and gains
// (Chen and Guestrin 2016) on histograms of coded values, or under absolute loss, where leaves are medians. At each split, missing values go to the side that gives the
// higher gain. The levels of a nominal column are ordered by the sum of their gradients divided by the sum of
// their second derivatives, and divided into two sets by a cut in this order (Fisher 1958).
type Boost struct {
	ID
	Absolute bool      // whether the loss is the absolute error, not the log loss, and scores are predictions, not log odds
	Features []string  // features of the items
	Start    []float64 // by item: the score at which trees begin, and there may be none; nil: the log odds of the success rate, or the median
	Bags     int       // number of ensembles, grown with different random numbers; their log odds are averaged
	Rounds   int       // largest number of trees in an ensemble
	Folds    int       // folds of the cross-validation within the training rows that picks the number of trees; 0 or 1: Rounds
	Rate     float64   // shrinkage of every tree, in (0, 1]
	Depth    int       // largest number of splits on a path
	MinLeaf  float64   // smallest number of rows in a leaf
	Ridge    float64   // L2 penalty of a leaf's value
	Smooth   float64   // added to the sum of a level's second derivatives for this order: moves the ratios of rare levels to 0
	Rows     float64   // fraction of the rows that a tree sees
	Columns  float64   // fraction of the columns that a tree sees
	MaxTune  int       // largest number of rows in the cross-validation; more are sampled at random
	MaxWork  int       // largest number of rows × trees: large tables get fewer bags, but at least one
}

// DefaultBoost returns a Boost with small trees and strong shrinkage.
func DefaultBoost(id string, features []string) Boost {
	return Boost{ID: ID(id), Features: features, Bags: 4, Rounds: 400, Folds: 3, Rate: 0.05, Depth: 5, MinLeaf: 5, Ridge: 2, Smooth: 5, Rows: 0.7, Columns: 0.7, MaxTune: 100_000, MaxWork: 40e6}
}

// Fit picks the number of trees and grows them. It fails for a feature that is not in the table, and when ctx is done.
func (b Boost) Fit(ctx context.Context, train *table.Table, root uint64) (Model, error) {
	rounds := b.Rounds
	if b.Folds > 1 {
		var err error
		if rounds, err = b.tune(ctx, train, root); err != nil {
			return nil, err
		}
	}
	m, g, err := b.start(train)
	if err != nil {
		return nil, err
	}
	m.bags = min(b.Bags, max(1, b.MaxWork/max(1, train.Rows()*rounds)))
	for bag := range m.bags {
		r := rng.Stream(root, "boost", strconv.Itoa(bag))
		g.restart(m)
		for range rounds {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			m.trees = append(m.trees, g.grow(&r))
		}
	}
	return m, nil
}

// start returns an ensemble without trees and a grower for it. The columns are the features, the subject as a label, and the
// subject's success rate in the training rows.
func (b Boost) start(train *table.Table) (*boosted, *grower, error) {
	fs, missing := train.Select(b.Features)
	if missing != "" {
		return nil, nil, unknownFeature(missing)
	}
	m := &boosted{absolute: b.Absolute, start: b.Start, base: logit(rate(train))}
	if b.Absolute {
		m.base = 0.5
		if sorted := slices.Sorted(slices.Values(train.Value)); len(sorted) > 0 {
			m.base = num.SortedQuantile(sorted, 0.5)
		}
	}
	for _, f := range fs {
		m.columns = append(m.columns, featureColumn(f))
	}
	rates, none := subjectRates(train)
	m.columns = append(m.columns, subjectColumn(train), numberColumn("rate", rates, none))
	return m, newGrower(b, m.columns, train), nil
}

// tuneStep is the distance between the numbers of trees that tune compares. It stops after patience of them without a lower loss.
const (
	tuneStep = 10
	patience = 5
)

// A tuning is an ensemble that grows on the rows outside a fold, and its scores of the rows inside.
type tuning struct {
	m     *boosted
	g     *grower
	held  *table.Table
	score []float64
	r     rng.Rand
}

// tune returns the number of trees with the least log loss over the folds. All folds grow together, so that it stops soon after.
func (b Boost) tune(ctx context.Context, train *table.Table, root uint64) (int, error) {
	train, fold := folds(train, b.Folds, b.MaxTune, root)
	of := make([]tuning, b.Folds)
	for k := range of {
		rows, rest := foldRows(fold, k)
		m, g, err := b.start(train.Subset(rows))
		if err != nil {
			return 0, err
		}
		held := train.Subset(rest)
		g.restart(m)
		of[k] = tuning{m, g, held, m.starts(held), rng.Stream(root, "boost", "tune", strconv.Itoa(k))}
	}
	best, least := 0, math.Inf(1)
	for round := 0; ; round++ {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		if round%tuneStep == 0 || round == b.Rounds {
			loss := 0.0
			for k := range of {
				loss += b.loss(of[k].score, of[k].held.Value)
			}
			if loss < least {
				best, least = round, loss
			}
			if round == b.Rounds || round-best >= patience*tuneStep {
				if b.Start == nil {
					best = max(best, 1)
				}
				return best, nil
			}
		}
		for k := range of {
			of[k].grow()
		}
	}
}

// grow adds a tree.
func (t *tuning) grow() {
	tree := t.g.grow(&t.r)
	for i := range t.score {
		t.score[i] += tree.leaf(t.m.columns, t.held.Subject[i], t.held.Item[i])
	}
}

// loss returns the sum of the losses of the scores for the outcomes value.
func (b Boost) loss(score, value []float64) (sum float64) {
	for i, z := range score {
		if b.Absolute {
			sum += math.Abs(z - value[i])
			continue
		}
		sum += num.Softplus(z) - float64(value[i]*z)
	}
	return sum
}

type boosted struct {
	columns  []column
	absolute bool
	start    []float64 // by item; nil: base
	base     float64
	bags     int
	trees    []boostTree // trees of all bags
}

// starts returns the scores of the rows of t before the first tree.
func (m *boosted) starts(t *table.Table) []float64 {
	out := slices.Repeat([]float64{m.base}, t.Rows())
	if m.start != nil {
		for i, j := range t.Item {
			out[i] = m.start[j]
		}
	}
	return out
}

// Predict adds the values of the leaves of all trees, averaged over the bags, to the score at which they begin.
func (m *boosted) Predict(subject, item []int32, p []float64) {
	for i := range p {
		z := 0.0
		for _, t := range m.trees {
			z += t.leaf(m.columns, subject[i], item[i])
		}
		base := m.base
		if m.start != nil {
			base = m.start[item[i]]
		}
		if z = base + z/float64(m.bags); m.absolute {
			p[i] = min(max(z, 0), 1)
		} else {
			p[i] = num.Logistic(z)
		}
	}
}

// A boostTree is the list of a tree's nodes, the root first.
type boostTree []boostNode

type boostNode struct {
	column      int     // −1: a leaf
	left        int     // index of the left child; the right child follows it
	cut         uint16  // of a numeric column: the largest code that goes left
	set         []bool  // of a nominal column: whether a code goes left
	missingLeft bool    // whether a missing value goes left
	value       float64 // of a leaf: its contribution to the log odds
}

func (n *boostNode) goesLeft(c *column, code uint16) bool {
	switch {
	case int(code) == c.codes:
		return n.missingLeft
	case n.set != nil:
		return n.set[code]
	}
	return code <= n.cut
}

func (t boostTree) leaf(columns []column, subject, item int32) float64 {
	n := &t[0]
	for n.column >= 0 {
		c := &columns[n.column]
		k := n.left
		if !n.goesLeft(c, c.at(subject, item)) {
			k++
		}
		n = &t[k]
	}
	return n.value
}
