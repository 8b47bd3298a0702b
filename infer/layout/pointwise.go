package layout

import (
	"math"
	"sort"
)

// Blocks returns the number of blocks of responses whose log likelihoods a target computes at once (PointwiseLogLik).
func (c *Cells) Blocks() int { return len(c.blocks) }

// InBlock returns the range of the responses of Used that are in a block.
func (c *Cells) InBlock(block int) (from, to int) {
	first := func(block int) int {
		return sort.Search(len(c.at), func(i int) bool { return int(c.at[i].block) >= block })
	}
	return first(block), first(block + 1)
}

// PointwiseLogLik writes the log likelihood at theta of each response of a block to out, in the order of Cells.InBlock. Blocks
// whose numbers agree modulo the target's number of goroutines share arrays: it may not be called for them at the same time.
func (t *JointTarget) PointwiseLogLik(block int, theta, out []float64) {
	b, c := &t.blocks[block], &t.cells.blocks[block]
	c.frame.load(theta, b.params)
	b.w.Evaluate(b.params)
	from, to := t.cells.InBlock(block)
	for i, x := range t.cells.at[from:to] {
		out[i] = b.w.LogProb(int(x.measure), int(x.row), x.value)
	}
}

// Impossible returns the indices in Responses of those that have a probability of 0 at theta, in ascending order.
func (t *JointTarget) Impossible(theta []float64) (out []int) {
	for block := range t.cells.blocks {
		from, to := t.cells.InBlock(block)
		each := make([]float64, to-from)
		t.PointwiseLogLik(block, theta, each)
		for i, l := range each {
			if math.IsInf(l, -1) || math.IsNaN(l) {
				out = append(out, t.cells.used[from+i])
			}
		}
	}
	return out
}
