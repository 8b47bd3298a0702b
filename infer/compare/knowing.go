package compare

import (
	"math"
	"slices"

	"achilles/sim/rng"
)

// knowing sets the knowing share, from draws of all rivals in proportion to their weights, and the probability that it is
// above Bank.Least. A subject that passes all items equally rarely may know anything: its share is uniform. Where no component
// of a rival says what the share is, it has the posterior of the rival in which it is free, Bank.Knowing, beside the components
// (a slab).
func (v *Verdict) knowing(c *Case, kept []*Fitted, readings []*Reading, rng *rng.Rand) {
	total := weightOf(kept)
	var pool []float64
	var last *slab
	due := 0.0 // number of draws due so far, not rounded
	for i, f := range kept {
		due += float64(f.Weight / total * profileDraws)
		n := int(math.Round(due)) - len(pool)
		if n == 0 {
			continue
		}
		own := readings[i].Knows(rng)
		if own == nil && (last == nil || f.Weight >= leastSlab) {
			last = c.knowingSlab(f)
		}
		for j := range n {
			at := (2*j + 1) * len(f.Draws) / (2 * n)
			switch {
			case readings[i].alike[at] == Nonspecific || own == nil && last == nil:
				pool = append(pool, rng.Float64())
			case own != nil:
				pool = append(pool, own[at])
			default:
				pool = append(pool, last.quantile(rng.Float64()))
			}
		}
	}
	for _, u := range c.Unvisited { // a component that was not fitted may say anything of the share
		if e := &c.Bank.Entries[u.added]; e.knows != nil {
			for range int(math.Round(u.Weight * u.Matters * profileDraws)) {
				pool = append(pool, rng.Float64())
			}
		}
	}
	above := 0
	for _, k := range pool {
		if k > c.Bank.Least {
			above++
		}
	}
	share := interval(pool)
	v.HasOP, v.Knowing = float64(above)/float64(len(pool)), &share
}

// knowingSlab returns the posterior of the knowing share beside explanation f, or nil if the bank has no rival in which it is
// free, or the battery no place for it.
func (c *Case) knowingSlab(f *Fitted) *slab {
	i := slices.IndexFunc(c.Bank.Entries, func(e Entry) bool { return e.Design != nil && e.Layout.Name == c.Bank.Knowing })
	if i < 0 {
		return nil
	}
	e := &c.Bank.Entries[i]
	data, err := e.Design.NewData(nil)
	if err != nil {
		panic("compare: " + err.Error()) // a component uses no mean of the responses
	}
	t := e.Design.NewTarget(data)
	s := &slab{low: 0, step: 1.0 / slabGrid}
	shares := make([][]float64, slabGrid)
	for k := range shares {
		theta := []float64{1, 1}
		theta[e.share()] = s.step * (float64(k) + 0.5)
		shares[k] = make([]float64, e.Design.Rows())
		t.Predict(theta, shares[k])
	}
	s.fill(f, shares, e.Design.Row, c.Responses)
	return s
}
