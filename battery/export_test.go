package battery

import (
	"context"
	"slices"

	"achilles/sim/rng"
)

// Packed returns the world that is stored as packed.
func Packed(packed string) World { return World{packed: packed} }

// BalanceExactly does what Balance does, but weighs every exchange.
func BalanceExactly(r rng.Rand, factors []Factor, n int) [][]int {
	points := shuffled(&r, factors, n)
	newBalancer(points, factors).improveExactly(r)
	return points
}

func (b *balancer) improveExactly(r rng.Rand) {
	for range sweepsOfBalance {
		for f := range b.points[0] {
			b.listRivals(f)
			for p := range b.points {
				q := r.IntN(len(b.points))
				if b.change(f, p, q) < 0 && b.keepsRule(f, p, q) {
					b.exchange(f, p, q)
				}
			}
		}
	}
}

// keepsRule says whether points p and q have no faults after exchanging their levels of factor f.
func (b *balancer) keepsRule(f, p, q int) bool {
	if b.keeper == nil {
		return true
	}
	x, y := slices.Clone(b.points[p]), slices.Clone(b.points[q])
	x[f], y[f] = y[f], x[f]
	return b.keeper.faults(x) == 0 && b.keeper.faults(y) == 0
}

// BalanceWithinExactly does what BalanceWithin does, but weighs every exchange.
func BalanceWithinExactly(r rng.Rand, factors []Factor, n int, rule Rule) ([][]int, bool) {
	points := shuffled(&r, factors, n)
	if !rule.repair(context.Background(), &r, points, rule.alike(factors)) {
		return nil, false
	}
	b := newBalancer(points, factors)
	b.keeper = &keeper{faults: rule.Faults}
	b.improveExactly(r)
	return points, true
}
