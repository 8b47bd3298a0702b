// Package sbc tests the ranks of simulation-based calibration (Talts et al. 2018): if parameters are drawn from the prior, data
// given the parameters, and draws from the posterior, then the rank of a true parameter among its draws is uniform. So is the
// rank of any quantity of parameters and data (Modrák et al. 2023).
package sbc

import (
	"math"

	"achilles/sim/num"
)

// A Test tests whether n ranks on 0 … draws are uniform, by their empirical distribution function and its simultaneous band
// (Säilynoja, Bürkner and Vehtari 2022, Statistics and Computing 32). The number of ranks below i is binomial. The statistic is
// the smallest two-sided p-value of these numbers over all i.
type Test struct {
	n, draws int
	tail     [][]float64 // [i − 1][number of ranks below i] twice the smaller tail probability, at most 1
	logs     []float64   // log factorials
}

// NewTest returns the test of n ranks on 0 … draws.
func NewTest(n, draws int) *Test {
	t := &Test{n: n, draws: draws, logs: make([]float64, n+1)}
	for k := 1; k <= n; k++ {
		t.logs[k] = t.logs[k-1] + num.Log(float64(k))
	}
	for i := 1; i <= draws; i++ {
		z := float64(i) / float64(draws+1)
		row := make([]float64, n+1)
		below := 0.0
		for k := range row {
			p := t.binomial(n, k, z)
			row[k] = min(1, 2*min(below+p, 1-below))
			below += p
		}
		t.tail = append(t.tail, row)
	}
	return t
}

// binomial returns the probability of k successes in n trials, each of probability p in (0, 1).
func (t *Test) binomial(n, k int, p float64) float64 {
	return num.Exp(t.logs[n] - t.logs[k] - t.logs[n-k] + float64(float64(k)*num.Log(p)) + float64(float64(n-k)*num.Log1p(-p)))
}

// Statistic returns the statistic of ranks. It panics if the number of ranks is not the n of NewTest.
func (t *Test) Statistic(ranks []int) float64 {
	if len(ranks) != t.n {
		panic("sbc: not the number of ranks that the test is for")
	}
	count := make([]int, t.draws+1)
	for _, r := range ranks {
		count[r]++
	}
	least, below := 1.0, 0
	for i := range t.draws {
		below += count[i]
		least = min(least, t.tail[i][below])
	}
	return least
}

// P returns the exact probability that uniform ranks have this statistic or a smaller one. This is 1 minus the
// probability that, for every i, the number of ranks below i has a two-sided tail probability above the statistic. P
// computes it by recursion over i.
func (t *Test) P(statistic float64) float64 {
	now := make([]float64, t.n+1) // [number of ranks below i] probability that this and all earlier numbers are inside the band
	now[0] = 1
	next := make([]float64, t.n+1)
	for i := range t.draws {
		clear(next)
		step := 1 / float64(t.draws+1-i) // probability that a rank of i or more is i
		for k, p := range now {
			if p < 1e-300 {
				continue
			}
			for m := k; m <= t.n; m++ {
				if t.tail[i][m] > statistic {
					next[m] += float64(p * t.binomial(t.n-k, m-k, step))
				} else if m > k && float64(m)/float64(t.n) > float64(i+1)/float64(t.draws+1) {
					break // above the band
				}
			}
		}
		now, next = next, now
	}
	return max(0, 1-num.Sum(now))
}

// Critical returns the statistic such that uniform ranks have this or a smaller one with probability alpha.
func (t *Test) Critical(alpha float64) float64 {
	low, high := math.Log(alpha)-math.Log(float64(100*t.draws)), math.Log(alpha)
	for range 24 { // to a relative error of about a millionth
		mid := (low + high) / 2
		if t.P(num.Exp(mid)) > alpha {
			high = mid
		} else {
			low = mid
		}
	}
	return num.Exp(low)
}

// Band returns, for i from 1 to draws, a lower and an upper bound of the share of ranks below i. If a share lies outside
// its bounds, the statistic is at most critical.
func (t *Test) Band(critical float64) (lower, upper []float64) {
	for _, row := range t.tail {
		lo, hi := 0, t.n
		for lo < t.n && row[lo] <= critical {
			lo++
		}
		for hi > lo && row[hi] <= critical {
			hi--
		}
		lower, upper = append(lower, float64(lo)/float64(t.n)), append(upper, float64(hi)/float64(t.n))
	}
	return lower, upper
}
