package diag

import (
	"math"
	"slices"

	"achilles/sim/num"
)

// Clusters are ways in which data may be alike, and the posterior that took them for independent.
type Clusters struct {
	Ways   [][]int                       // way → datum → its cluster, numbered from 0; −1: none
	Fewest []int                         // way → clusters from which it counts, for a value
	Bears  func(i int) []int             // the values on which datum i bears
	Draws  [][]float64                   // [draw][value], on a scale without bounds
	LogLik func(draw int, out []float64) // the log likelihood of each datum
}

// Widen returns for each value the factor, at least 1, by which its posterior is too narrow, because data of one cluster are alike.
//
// The posterior mean moves by the covariance of the value and a datum's log likelihood when the datum counts a little more: the
// infinitesimal jackknife of Giordano and Broderick (2023, arXiv 2305.06466). The sum of squares of the moves of whole clusters, less that of
// single data, is the sampling variance beyond what independent data give; where ways cross, pairs in any cluster count once (Cameron, Gelbach and Miller 2011, Journal
// of Business & Economic Statistics 29). It comes on top of the posterior variance, which has that of independent data. Products of
// moves are of two halves of the draws, because squares would have the Monte Carlo error in them. The factor has the ratio of the 95 % quantiles of Student's t, with as many
// degrees of freedom as clusters but one, and of the normal distribution.
func (c *Clusters) Widen(data int) []float64 {
	values := len(c.Draws[0])
	out := slices.Repeat([]float64{1}, values)
	moves, variance := c.moves(data)
	extra, single, clusters := make([]float64, values), make([][]float64, len(c.Ways)), make([][]float64, len(c.Ways))
	for w, of := range c.Ways {
		single[w], clusters[w] = c.pairs(moves, of, values)
	}
	counts := func(w, k int) bool { return clusters[w][k] >= float64(max(c.Fewest[w], 2)) }
	for set := 1; set < 1<<len(c.Ways); set++ {
		var of []int
		sign := -1.0
		for w, way := range c.Ways {
			switch {
			case set&(1<<w) == 0:
				continue
			case of == nil:
				of = way
			default:
				of = both(of, way)
			}
			sign = -sign
		}
		pairs, _ := c.pairs(moves, of, values)
		for k, x := range pairs {
			all := true
			for w := range c.Ways {
				all = all && (set&(1<<w) == 0 || counts(w, k))
			}
			if all {
				extra[k] += float64(sign * x)
			}
		}
	}
	for k := range out {
		most, at := 0.0, -1
		for w := range c.Ways {
			if x := single[w][k]; counts(w, k) && x > most {
				most, at = x, w
			}
		}
		if x := max(extra[k], most); at >= 0 && variance[k] > 0 {
			df := clusters[at][k] - 1
			out[k] = math.Sqrt(1+x/variance[k]) * num.StudentTQuantile(0.95, df) / normal95
		}
	}
	return out
}

// normal95 is the 95 % quantile of the standard normal distribution.
const normal95 = 1.6448536269514722

// both returns the clusters of data that are in one cluster of a and in one of b.
func both(a, b []int) []int {
	out, number := make([]int, len(a)), num.Numbering[[2]int]{}
	for i := range a {
		if out[i] = -1; a[i] >= 0 && b[i] >= 0 {
			out[i] = number.Of([2]int{a[i], b[i]})
		}
	}
	return out
}

// moves returns the covariance of each datum's log likelihood and the values on which it bears, from either half of the draws, and the
// variance of each value.
func (c *Clusters) moves(data int) (moves [2][][]float64, variance []float64) {
	values, half := len(c.Draws[0]), len(c.Draws)/2
	variance = make([]float64, values)
	l := make([]float64, data)
	for h := range moves {
		draws := c.Draws[h*half : (h+1)*half]
		mean := make([]float64, values)
		for _, q := range draws {
			for k, x := range q {
				mean[k] += x / float64(half)
			}
		}
		for i := range data {
			moves[h] = append(moves[h], make([]float64, len(c.Bears(i))))
		}
		for d, q := range draws {
			c.LogLik(h*half+d, l)
			for k, x := range q {
				variance[k] += float64((x-mean[k])*(x-mean[k])) / float64(2*half)
			}
			for i, own := range moves[h] {
				x := max(l[i], -700) / float64(half) // −Inf, of a draw that makes a datum impossible, would make all NaN
				for b, k := range c.Bears(i) {
					own[b] += float64(x * (q[k] - mean[k]))
				}
			}
		}
	}
	return moves, variance
}

// pairs returns for each value the sum of products of moves over pairs of different data in one cluster, and the number of clusters with data that bear on
// it. Sums count n/(n − 1) times, for the mean that was fitted to all: n clusters, or data.
func (c *Clusters) pairs(moves [2][][]float64, of []int, values int) (sum, clusters []float64) {
	sum, clusters = make([]float64, values), make([]float64, values)
	single, data := make([]float64, values), make([]float64, values)
	members := make([][]int, slices.Max(of)+1)
	for i, n := range of {
		if n >= 0 {
			members[n] = append(members[n], i)
		}
	}
	here := [2][]float64{make([]float64, values), make([]float64, values)}
	seen := make([]bool, values)
	for _, all := range members {
		var touched []int
		for _, i := range all {
			for b, k := range c.Bears(i) {
				x, y := moves[0][i][b], moves[1][i][b]
				if !seen[k] {
					seen[k], touched = true, append(touched, k)
				}
				here[0][k] += x
				here[1][k] += y
				single[k] += float64(x * y)
				data[k]++
			}
		}
		for _, k := range touched {
			sum[k] += float64(here[0][k] * here[1][k])
			clusters[k]++
			here[0][k], here[1][k], seen[k] = 0, 0, false
		}
	}
	for k, n := range clusters {
		if n > 1 {
			sum[k] = float64(sum[k]*n)/(n-1) - float64(single[k]*data[k])/(data[k]-1)
			continue
		}
		sum[k] = 0
	}
	return sum, clusters
}
