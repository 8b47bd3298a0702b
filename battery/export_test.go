package battery

import "achilles/sim/rng"

// Packed returns the text that is stored as packed.
func Packed(packed string) Text { return Text{packed: packed} }

// BalanceExactly does what Balance does, but weighs every exchange.
func BalanceExactly(r rng.Rand, factors []Factor, n int) [][]int {
	points := shuffled(&r, factors, n)
	b := newBalancer(points, factors)
	for range sweepsOfBalance {
		for f := range factors {
			b.listRivals(f)
			for p := range n {
				b.exchange(f, p, r.IntN(n))
			}
		}
	}
	return points
}
