package infertest

import (
	"math"
	"slices"

	"achilles/infer/diag"
	"achilles/sim/num"
)

// A Reference is an expectation that is known from another source, with its standard error (0 if exact).
type Reference struct {
	Name      string
	Value, SE float64
}

// ZBound returns a bound for |z| in a number of checks. If every z is standard normal, the probability that one or more
// of the |z| exceed the bound is at most alpha (Bonferroni).
func ZBound(checks int, alpha float64) float64 {
	return math.Sqrt2 * math.Erfcinv(alpha/float64(checks))
}

// z returns the difference between the mean of chains[chain][draw] and the reference, divided by its standard error. It
// returns 0 if the two are equal, also for constant chains.
func z(chains [][]float64, want Reference) float64 {
	difference := num.Mean(slices.Concat(chains...)) - want.Value
	if difference == 0 {
		return 0
	}
	e := diag.MCSEMean(chains)
	return difference / math.Sqrt(e*e+want.SE*want.SE)
}

// FamilyAlpha is the probability of a false alarm in any of the checks of one test.
const FamilyAlpha = 1e-6

// CheckMeans fails the test if the mean of a quantity, quantities[i][chain][draw], differs from its reference want[i] by
// more than ZBound standard errors, for FamilyAlpha. It also fails the test if R-hat is above 1.02 (with a few hundred
// effective draws it exceeds 1.01 by chance) or bulk ESS is below 100, because the standard error then means nothing. It
// panics if there are not as many references as quantities.
func CheckMeans(t TB, quantities [][][]float64, want []Reference) {
	t.Helper()
	if len(quantities) != len(want) {
		panic("infertest: as many references as quantities needed")
	}
	bound := ZBound(len(want), FamilyAlpha)
	for i, w := range want {
		chains := quantities[i]
		s := diag.SummariseEach(1, func(int) [][]float64 { return chains })[0]
		if !(s.RHat <= 1.02) {
			t.Errorf("%s: R-hat %.4f", w.Name, s.RHat)
		}
		if !(s.ESSBulk >= 100) {
			t.Errorf("%s: bulk ESS %.0f", w.Name, s.ESSBulk)
		}
		if d := z(chains, w); !(math.Abs(d) <= bound) {
			t.Errorf("%s: mean %.6g, reference %.6g ± %.2g: z = %.2f beyond %.2f", w.Name, num.Mean(slices.Concat(chains...)), w.Value, w.SE, d, bound)
		}
	}
}

// Quantity returns f of every draw, as chains[chain][draw], from draws[chain][draw][coordinate].
func Quantity(draws [][][]float64, f func(q []float64) float64) [][]float64 {
	out := make([][]float64, len(draws))
	for c, chain := range draws {
		out[c] = make([]float64, len(chain))
		for i, q := range chain {
			out[c][i] = f(q)
		}
	}
	return out
}
