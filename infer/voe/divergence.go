package voe

import "achilles/sim/num"

// divergence returns how far p, beliefs about goals and manners, is from the beliefs q before, in nats: the least Kullback-Leibler
// divergence of p from beliefs that q becomes if, for each goal, probability moves to more efficient manners. So an actor surprises that
// has another goal, or is less efficient than it was, but not one that is more efficient: an expected walk would otherwise surprise as
// much as an unexpected one wherever walks were noisy before. Manners go from the most efficient to the least.
//
// The minimum is that of an isotonic regression: neighbouring manners whose ratios p/q fall are pooled until none do.
func divergence(p, q [][manners]float64) float64 {
	sum := 0.0
	for i := range p {
		var block [manners]struct{ p, q float64 }
		n := 0
		for k := range p[i] {
			block[n].p, block[n].q = p[i][k], q[i][k]
			for n++; n > 1 && block[n-2].p*block[n-1].q > block[n-1].p*block[n-2].q; n-- {
				block[n-2].p += block[n-1].p
				block[n-2].q += block[n-1].q
			}
		}
		for _, b := range block[:n] {
			if b.p > 0 && b.q > 0 {
				sum += float64(b.p * num.Log(b.p/b.q))
			}
		}
	}
	return max(0, sum)
}
