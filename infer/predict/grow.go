package predict

import (
	"cmp"
	"context"
	"slices"

	"achilles/infer/table"
)

// A splitter grows the nodes of a Tree.
type splitter struct {
	Tree
	t       *table.Table
	columns []column
	hist    [][]counts // scratch: counts by column and code, the code of missing values last
}

// A candidate is a possible split with its information gain and gain ratio.
type candidate struct {
	node
	gain, ratio float64
}

// grow builds the tree of the cases. asked says which nominal columns were split into single levels on the path to this
// node; they are not used again. nil means none.
func (g *splitter) grow(ctx context.Context, cases []share, asked []bool) *node {
	n := &node{column: -1}
	for _, c := range cases {
		n.add(counts{c.weight, c.weight * g.t.Value[c.row]})
	}
	if n.n < 2*g.MinCases || n.k == 0 || n.k == n.n || ctx.Err() != nil {
		return n
	}
	q, ok := g.best(cases, n.counts, asked)
	if !ok {
		return n
	}
	n.column, n.cut, n.branch = q.column, q.cut, q.branch
	if q.branch != nil && !g.Sets {
		asked = slices.Clone(asked)
		asked = append(asked, make([]bool, len(g.columns)-len(asked))...)
		asked[q.column] = true
	}
	for _, part := range g.divide(cases, n, len(q.children)) {
		n.children = append(n.children, g.grow(ctx, part, asked))
	}
	return n
}

// divide gives each child its cases. A case without a value goes to all children; its weight is divided in proportion
// to the weights of their other cases.
func (g *splitter) divide(cases []share, n *node, children int) [][]share {
	parts, weight := make([][]share, children), make([]float64, children)
	var lost []share
	sum := 0.0
	c := &g.columns[n.column]
	for _, s := range cases {
		k := n.child(c, c.at(g.t.Subject[s.row], g.t.Item[s.row]))
		if k < 0 {
			lost = append(lost, s)
			continue
		}
		parts[k] = append(parts[k], s)
		weight[k] += s.weight
		sum += s.weight
	}
	for k := range parts {
		for _, s := range lost {
			if w := s.weight * weight[k] / sum; w > 1e-6 {
				parts[k] = append(parts[k], share{s.row, w})
			}
		}
	}
	return parts
}

// best chooses among the best splits of the columns. Of those whose gain is at least the mean gain, it returns the one
// with the highest gain ratio. The second result is false if there is none.
func (g *splitter) best(cases []share, all counts, asked []bool) (candidate, bool) {
	for c, h := range g.hist {
		clear(h)
		col := &g.columns[c]
		for _, s := range cases {
			h[col.at(g.t.Subject[s.row], g.t.Item[s.row])].add(counts{s.weight, s.weight * g.t.Value[s.row]})
		}
	}
	var candidates []candidate
	mean := 0.0
	for c := range g.columns {
		if asked != nil && asked[c] {
			continue
		}
		if q, ok := g.bestSplit(c, all); ok {
			candidates = append(candidates, q)
			mean += q.gain
		}
	}
	mean /= float64(max(len(candidates), 1))
	var best candidate
	for _, q := range candidates {
		if q.gain >= mean-1e-9 && q.ratio > best.ratio {
			best = q
		}
	}
	return best, best.ratio > 0
}

// bestSplit returns the best split of column c. The second result is false if no split gains information.
func (g *splitter) bestSplit(c int, all counts) (candidate, bool) {
	h := g.hist[c]
	missing := h[len(h)-1].n
	var known counts
	var groups []group
	for code, v := range h[:len(h)-1] {
		if v.n > 0 {
			known.add(v)
			groups = append(groups, group{v, []int{code}})
		}
	}
	if len(groups) < 2 {
		return candidate{}, false
	}
	s := scale{known: known, missing: missing, all: all.n, min: g.MinCases}
	if g.columns[c].nominal {
		return g.splitNominal(c, groups, s)
	}
	return splitNumeric(c, groups, s)
}

// A group is a possible branch: some codes, and the counts of the rows that have them.
type group struct {
	counts
	codes []int
}

// A scale computes gain and gain ratio from the counts of branches. Rows without a value lower the gain and count as a
// branch of their own in the split information.
type scale struct {
	known        counts  // rows with a value
	missing, all float64 // weights of the rows without a value, and of all rows
	min          float64 // weight that at least two branches need
}

// gain returns the information gained, in bits per row. bits is the sum of counts.bits over the branches.
func (s scale) gain(bits float64) float64 { return (s.known.bits() - bits) / s.all }

// ratio returns a gain divided by the information of the split itself, or 0 if that information is 0. plogs is the sum
// of plog over the branches.
func (s scale) ratio(gain, plogs float64) float64 {
	info := (plog(s.all) - plogs - plog(s.missing)) / s.all
	if info < 1e-9 {
		return 0
	}
	return gain / info
}

// splitNumeric finds the threshold with the highest gain. It subtracts log₂(number of thresholds)/rows from the gain
// (Quinlan 1996). Each side needs a twentieth of the rows, but at least MinCases and at most 25.
func splitNumeric(c int, groups []group, s scale) (q candidate, ok bool) {
	least := min(max(s.min, s.known.n/20), 25)
	var left counts
	thresholds, best := 0.0, -1.0
	for i, g := range groups[:len(groups)-1] {
		left.add(g.counts)
		right := counts{s.known.n - left.n, s.known.k - left.k}
		if left.n < least || right.n < least {
			continue
		}
		thresholds++
		gain := s.gain(left.bits() + right.bits())
		if gain > best {
			best = gain
			q = candidate{node: node{column: c, cut: uint16(groups[i].codes[0]), children: make([]*node, 2)}, gain: gain}
			q.ratio = plog(left.n) + plog(right.n)
		}
	}
	if thresholds == 0 {
		return q, false
	}
	q.gain -= plog(thresholds) / thresholds / s.all
	q.ratio = s.ratio(q.gain, q.ratio)
	return q, q.gain > 1e-9 && q.ratio > 0
}

// splitNominal makes one branch for every level. If Sets is true, it then merges branches that are neighbours in the
// order of success rate, step by step down to two branches, and returns the best of all these splits.
func (g *splitter) splitNominal(c int, groups []group, s scale) (candidate, bool) {
	slices.SortStableFunc(groups, func(a, b group) int { return cmp.Compare(a.k/a.n, b.k/b.n) })
	best := nominalCandidate(c, groups, s, g.columns[c].codes)
	if !g.Sets {
		return best, best.gain > 1e-9 && best.ratio > 0
	}
	for len(groups) > 2 {
		groups = mergeBest(groups, s)
		if q := nominalCandidate(c, groups, s, g.columns[c].codes); q.ratio > best.ratio {
			best = q
		}
	}
	return best, best.gain > 1e-9 && best.ratio > 0
}

func nominalCandidate(c int, groups []group, s scale, codes int) candidate {
	bits, plogs, large := 0.0, 0.0, 0
	for _, g := range groups {
		bits, plogs = bits+g.bits(), plogs+plog(g.n)
		if g.n >= s.min {
			large++
		}
	}
	q := candidate{node: node{column: c, children: make([]*node, len(groups))}}
	if large < 2 {
		return q
	}
	q.gain = s.gain(bits)
	q.ratio = s.ratio(q.gain, plogs)
	q.branch = make([]int16, codes)
	for code := range q.branch {
		q.branch[code] = -1
	}
	for k, g := range groups {
		for _, code := range g.codes {
			q.branch[code] = int16(k)
		}
	}
	return q
}

// mergeBest merges the two neighbouring groups whose union gives the split with the highest gain ratio.
func mergeBest(groups []group, s scale) []group {
	bits, plogs := 0.0, 0.0
	for _, g := range groups {
		bits, plogs = bits+g.bits(), plogs+plog(g.n)
	}
	at, best := 0, -1.0
	for i := range groups[:len(groups)-1] {
		a, b := groups[i], groups[i+1]
		u := counts{a.n + b.n, a.k + b.k}
		gain := s.gain(bits - a.bits() - b.bits() + u.bits())
		ratio := s.ratio(gain, plogs-plog(a.n)-plog(b.n)+plog(u.n))
		if ratio > best {
			at, best = i, ratio
		}
	}
	out := slices.Clone(groups[:at+1])
	out[at].add(groups[at+1].counts)
	out[at].codes = slices.Concat(groups[at].codes, groups[at+1].codes)
	return append(out, groups[at+2:]...)
}
