package infertest

import (
	"math"

	"gonum.org/v1/gonum/mathext"
)

// Ranks collects the ranks of simulation-based calibration (Talts, Betancourt, Simpson, Vehtari and Gelman 2018,
// arXiv 1804.06788). In every replication, parameters are drawn from the prior, data given these parameters, and then draws
// from the posterior given the data. If the posterior is right, the rank of each true value among the draws is uniform.
type Ranks struct {
	names  []string
	levels int     // number of possible ranks
	count  [][]int // [parameter][rank]
	tie    uint64  // number of ranks added so far
}

// NewRanks returns an empty collection for the named parameters and this number of draws in each replication; ranks are 0 to
// draws.
func NewRanks(names []string, draws int) *Ranks {
	r := &Ranks{names: names, levels: draws + 1, count: make([][]int, len(names))}
	for i := range r.count {
		r.count[i] = make([]int, r.levels)
	}
	return r
}

// Add adds one replication: the true value of every parameter, and draws[draw][parameter], which must be nearly independent
// (thin them) and of the number given to NewRanks. It panics for other numbers of draws or parameters.
func (r *Ranks) Add(truth []float64, draws [][]float64) {
	if len(draws)+1 != r.levels || len(truth) != len(r.names) {
		panic("infertest: not the number of draws or parameters announced")
	}
	for i, x := range truth {
		below, equal := 0, 0
		for _, d := range draws {
			if d[i] < x {
				below++
			} else if d[i] == x {
				equal++
			}
		}
		r.tie++ // the rank of a tied value goes round all possible ones; rounding can make ties at a bound
		r.count[i][below+int(r.tie%uint64(equal+1))]++
	}
}

// PValues returns for every parameter twice the smaller of two p-values (at most 1): that of a chi-square test that the
// ranks are uniform over the given number of equal bins, which detects posteriors with a bias or a wrong shape, and that of
// an exact binomial test of the number of ranks in the two outer bins, which detects posteriors that are too narrow or too
// wide. It panics unless bins is at least 3 and divides draws + 1.
func (r *Ranks) PValues(bins int) []float64 {
	if bins < 3 || r.levels%bins != 0 {
		panic("infertest: bins must be at least 3 and divide draws + 1")
	}
	p := make([]float64, len(r.names))
	for i, count := range r.count {
		binned := make([]float64, bins)
		n := 0.0
		for rank, c := range count {
			binned[rank*bins/r.levels] += float64(c)
			n += float64(c)
		}
		chi := 0.0
		for _, b := range binned {
			e := n / float64(bins)
			chi += (b - e) * (b - e) / e
		}
		shape := mathext.GammaIncRegComp(float64(bins-1)/2, chi/2)
		ends := binomialP(n, binned[0]+binned[bins-1], 2/float64(bins))
		p[i] = min(1, 2*min(shape, ends))
	}
	return p
}

// Check fails the test if the p-value of a parameter is below alpha divided by the number of parameters; alpha bounds the
// probability of a false alarm of the whole check.
func (r *Ranks) Check(t TB, bins int, alpha float64) {
	t.Helper()
	for i, p := range r.PValues(bins) {
		if !(p >= alpha/float64(len(r.names))) {
			t.Errorf("%s: ranks %v are not uniform, p = %.2g", r.names[i], r.binned(i, bins), p)
		}
	}
}

func (r *Ranks) binned(parameter, bins int) []int {
	out := make([]int, bins)
	for rank, c := range r.count[parameter] {
		out[rank*bins/r.levels] += c
	}
	return out
}

// binomialP is the exact two-sided p-value of k successes in n trials of probability p: twice the smaller tail, at most 1.
func binomialP(n, k, p float64) float64 {
	upTo := 1.0 // P(K ≤ k)
	if k < n {
		upTo = mathext.RegIncBeta(n-k, k+1, 1-p)
	}
	from := 1.0 // P(K ≥ k)
	if k > 0 {
		from = mathext.RegIncBeta(k, n-k+1, p)
	}
	return math.Min(1, 2*math.Min(upTo, from))
}
