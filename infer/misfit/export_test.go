package misfit

import (
	"slices"

	"achilles/sim/rng"
)

// CheckWithin is Check with a limit to the numbers that are held for classes and draws.
func CheckWithin(d *Data, alarm float64, r *rng.Rand, most int) Result {
	return checkWithin(d, alarm, r, most)
}

// A Both has the statistic of a check from the residuals of all responses, and from their sums in pools.
type Both struct {
	Name          string
	Whole, Pooled float64
	Pools         bool // whether the check is one of pools
}

// WholeAndPooled returns the statistics of all checks, and the number of pools. residual has a residual for each response.
func WholeAndPooled(d *Data, residual []float64) (out []Both, pools int) {
	checks := newResiduals(d, mostNumbers).checks(d)
	p := newPooling(checks, len(residual))
	sums := slices.Repeat([]float64{1}, len(p.first))
	p.sums(sums, residual)
	for _, c := range checks {
		b := Both{Name: c.name, Whole: c.evaluate(residual).statistic}
		of := residual
		if c, b.Pools = p.pooled(c); b.Pools {
			of = sums
		}
		b.Pooled = c.evaluate(of).statistic
		out = append(out, b)
	}
	return out, len(p.first)
}

// Span returns the leading principal components of vectors. See span.
func Span(n, length, most int, write func(m int, to []float64)) [][]float64 {
	return span(n, length, most, write)
}

// Tails returns how probable numbers as large as each of some are. See tails.
func Tails(x []float64) []float64 { return tails(x) }

// Statistics returns all statistics of a table of which each subject is fitted for itself, and of which patterns are, and the number of these.
func Statistics(d *Whole, value []float64) (alone, byPattern []float64, n int) {
	random := rng.Stream(1, "statistics")
	w := newWhole(d, &random)
	together := w.patterns
	for _, p := range []*patterns{nil, together} {
		w.patterns = p
		w.fit(value)
		for _, f := range w.families() {
			part := make([]float64, f.n)
			f.sums(part)
			if p == nil {
				alone = append(alone, part...)
			} else {
				byPattern = append(byPattern, part...)
			}
		}
	}
	if together != nil {
		n = len(together.whose)
	}
	return alone, byPattern, n
}
