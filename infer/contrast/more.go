package contrast

import (
	"math"
	"sort"

	"achilles/sim/num"
)

// mostMore is the number of further clusters from which on a difference is as good as none.
const mostMore = 100_000

// plan sets which difference so many clusters find at a level with probability 0.8 and, where this one was not found, how many more would find
// it. Clusters vary as these do. Nothing is said of a difference above the greatest that there can be.
func (d *Difference) plan(level float64) {
	if !(d.variance > 0) {
		return
	}
	n := d.Clusters
	x := wanted(n, level) * math.Sqrt(d.variance/float64(n))
	if d.Exact {
		x += d.lost(n)
	}
	if n > 1 && x <= d.most && d.reach(n, level, 1) {
		d.Findable = x
	}
	if d.Found() != 0 || d.Mean == 0 {
		return
	}
	differ := (float64(d.Different) + 1) / (float64(n) + 2)
	more := 1 + sort.Search(mostMore, func(k int) bool {
		m := n + 1 + k
		seen := math.Abs(d.Mean)
		if float64(m)*differ < few {
			seen -= d.lost(m)
		}
		return wanted(m, level)*math.Sqrt(d.variance/float64(m)) <= seen && d.reach(m, level, differ)
	})
	if more <= mostMore {
		d.More = more
	}
}

// lost returns what the exact test of n clusters loses of a difference, as it finds steps alone: half of one, as in McNemar's test with continuity
// correction; of two groups of subjects nothing.
func (d *Difference) lost(n int) float64 { return d.step / float64(n) }

// wanted returns how many standard errors of n clusters are found by Student's t with probability 0.8.
func wanted(n int, level float64) float64 {
	return num.StudentTQuantile(1-level/2, float64(max(1, n-1))) + num.NormalQuantile(power)
}

// reach reports whether an exact test of n clusters can have a p-value as small as the level: with probability 0.8 where a cluster differs with a
// probability. Of k that differ it is 2/2^k, of subjects in two groups the reciprocal of the number of ways to deal them out.
func (d *Difference) reach(n int, level, differ float64) bool {
	if d.sizes != [2]int{} {
		a := float64(d.sizes[0]) * float64(n) / float64(d.Clusters)
		ways := num.LogGamma(float64(n)+1) - num.LogGamma(a+1) - num.LogGamma(float64(n)-a+1)
		return ways >= num.Log(2/level)
	}
	least := 0
	for p := 2.0; p > level; p /= 2 {
		least++
	}
	if differ == 1 {
		return n >= least
	}
	// P(at least so many of n) is a beta distribution's
	return n >= least && num.BetaCDF(differ, float64(least), float64(n-least+1)) >= power
}
