package voe

import "achilles/sim/num"

// divergence returns how far p, beliefs about goals and manners, is from the beliefs q before, in nats: the shift of the goals and that of
// the manners, whatever the goal.
//
// The first is the greatest log ratio of a goal's probability in p to that in q (the Rényi divergence of infinite order): by how much
// the best goal in hindsight explains the walk better than what was believed. Of two outcomes with the same walk, that surprises more
// in which the walk was less probable, however little it shows; a Kullback–Leibler divergence is then larger where beliefs were less certain.
//
// The second is the least Kullback–Leibler divergence of the manners in p from beliefs that those in q become if probability moves to more
// efficient ones. So an actor surprises that has another goal, or is less efficient than it was, but not one that is more efficient: an
// expected walk would otherwise surprise as much as an unexpected one wherever walks were noisy before. The minimum is that of an isotonic
// regression: neighbouring manners, from the most efficient to the least, whose ratios p/q fall are pooled until none do.
func divergence(p, q [][manners]float64) float64 {
	shift := 0.0
	var now, before [manners]float64
	for i := range p {
		a, b := 0.0, 0.0
		for k := range manners {
			a += p[i][k]
			b += q[i][k]
			now[k] += p[i][k]
			before[k] += q[i][k]
		}
		if a > 0 && b > 0 {
			shift = max(shift, num.Log(a/b))
		}
	}
	var block [manners]struct{ p, q float64 }
	n := 0
	for k := range now {
		block[n].p, block[n].q = now[k], before[k]
		for n++; n > 1 && block[n-2].p*block[n-1].q > block[n-1].p*block[n-2].q; n-- {
			block[n-2].p += block[n-1].p
			block[n-2].q += block[n-1].q
		}
	}
	sum := 0.0
	for _, b := range block[:n] {
		if b.p > 0 && b.q > 0 {
			sum += float64(b.p * num.Log(b.p/b.q))
		}
	}
	return shift + max(0, sum)
}
