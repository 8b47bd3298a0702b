package table

import (
	"math"

	"achilles/sim/num"
	"achilles/sim/rng"
)

const (
	opposedShare = 0.2     // of all items that are reversed, from which means of the others say little of a subject
	mostOpposed  = 1 << 20 // responses up to which they are looked for
	itemFolds    = 10      // of items, in turn left out of what their own sign is judged by
	powers       = 30      // iterations for a first component
)

// opposed returns which items go against most of the others, or nil if these are not at least two and a share of opposedShare. Subjects are scored by the
// first principal component of the other items, those of the same fold left out, so that an item has no part in what it is correlated with: where items have nothing in common,
// its correlation is as often below 0 as above. Items go one way, or the other, if their correlation is beyond 0 (falling) and, by limit standard errors of Fisher's z, beyond
// that of an item with the usual correlation of the other way.
func (t *Table) opposed(m margins, limit float64) []bool {
	score := t.components(m)
	fisher, pairs := t.correlations(m, func(r int) (float64, bool) {
		return score[t.Item[r]%itemFolds][t.Subject[r]], m.subject[t.Subject[r]].n >= 3
	})
	var excess []float64 // of squares of correlations beyond chance
	for i, z := range fisher {
		if !math.IsNaN(z) {
			excess = append(excess, float64(z*z)-1/(pairs[i]-3))
		}
	}
	mean, variance := num.Moments(excess)
	usual := 0.0 // at the least: two standard errors below
	if least := mean - 2*math.Sqrt(variance/float64(len(excess))); least > 0 {
		usual = math.Sqrt(least)
	}
	var falls, rises []bool
	for i, z := range fisher {
		errors := math.Sqrt(pairs[i] - 3)
		beyond := math.Abs(z)*errors > falling && (math.Abs(z)+usual)*errors > limit
		falls, rises = append(falls, beyond && z < 0), append(rises, beyond && z > 0)
	}
	yes := func(x bool) bool { return x }
	down, up := count(falls, yes), count(rises, yes)
	if down > up || down == up && falls[0] {
		falls, down = rises, up
	}
	if down < 2 || float64(down) < opposedShare*float64(len(t.Items)) {
		return nil
	}
	return falls
}

// components returns, for each fold of items, the subjects' scores by the first principal component of all other items, all in the same direction. Responses
// are taken beyond an item's mean, in its standard deviations; those that are missing count for nothing.
func (t *Table) components(m margins) (score [itemFolds][]float64) {
	square := make([]float64, len(t.Items))
	for r, v := range t.Value {
		e := v - m.item[t.Item[r]].mean()
		square[t.Item[r]] += float64(e * e)
	}
	e := make([]float64, t.Rows())
	for r, v := range t.Value {
		if i := t.Item[r]; square[i] > 0 && !t.again(r) {
			e[r] = (v - m.item[i].mean()) / math.Sqrt(square[i]/m.item[i].n)
		}
	}
	random := rng.Stream(0, "opposed")
	start := make([]float64, len(t.Items))
	for i := range start {
		start[i] = random.Norm()
	}
	for f := range score {
		score[f] = make([]float64, len(t.Subjects))
		loading := append([]float64(nil), start...)
		for range powers {
			clear(score[f])
			for r, i := range t.Item {
				if int(i)%itemFolds != f {
					score[f][t.Subject[r]] += float64(loading[i] * e[r])
				}
			}
			length := math.Sqrt(num.Dot(score[f], score[f]))
			if length == 0 {
				break
			}
			clear(loading)
			for r, i := range t.Item {
				loading[i] += float64(score[f][t.Subject[r]] / length * e[r])
			}
		}
		if num.Dot(score[f], score[0]) < 0 {
			for s := range score[f] {
				score[f][s] *= -1
			}
		}
	}
	return score
}

// count returns how many of list hold.
func count[T any](list []T, holds func(T) bool) (n int) {
	for _, x := range list {
		if holds(x) {
			n++
		}
	}
	return n
}
