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

// scaledBy returns a table of scaled residuals, [subject][item].
func scaledBy(scaled [][]float64) *whole {
	w := &whole{start: make([]float64, len(scaled[0]))}
	for i := range w.start {
		w.start[i] = float64(i + 1)
	}
	w.ability.of = make([]float64, len(scaled))
	for s, row := range scaled {
		for i, x := range row {
			w.subject, w.item, w.times, w.scaled = append(w.subject, int32(s)), append(w.item, int32(i)), append(w.times, 1), append(w.scaled, x)
		}
	}
	return w
}

// Dimension returns the largest eigenvalue of the products of items over subjects, [subject][item], of scaled residuals. See dimension.
func Dimension(scaled [][]float64) float64 {
	value := length(scaledBy(scaled).dimension())
	return value
}

// Neighbours returns the sum of the products of neighbouring items over subjects, [subject][item], of scaled residuals, of which the last subject's stand
// for twice. See neighbours.
func Neighbours(scaled [][]float64) float64 {
	w := scaledBy(scaled)
	w.Whole = &Whole{Items: make([]string, len(scaled[0]))}
	for i, s := range w.subject {
		if int(s) == len(scaled)-1 {
			w.times[i] = 2
		}
	}
	return w.neighbours()
}

// TwoKinds returns the log likelihood ratio of two kinds of subjects and their differences in items, of responses that are 0 or 1, by their residuals and
// variances, [subject][item]. See twoKinds.
func TwoKinds(residual, variance [][]float64) (ratio float64, d []float64) {
	w := &whole{binary: true, start: make([]float64, len(residual[0]))}
	for i := range w.start {
		w.start[i] = float64(i + 1)
	}
	w.ability.of = make([]float64, len(residual))
	for s, row := range residual {
		for i, x := range row {
			w.subject, w.item, w.times = append(w.subject, int32(s)), append(w.item, int32(i)), append(w.times, 1)
			w.residual, w.scaled, w.now = append(w.residual, x), append(w.scaled, x), append(w.now, variance[s][i])
		}
	}
	return twoKinds(w)
}

// MostReversed returns the item that is most probably reversed, of ratios, their means and variances. See mostReversed.
func MostReversed(all ...[3]float64) (size float64, at int) {
	var items []turned
	for _, x := range all {
		items = append(items, turned{x[0], x[1], x[2]})
	}
	return mostReversed(items)
}

// Against returns the log of how much more probable a response is with one linear predictor than with another, its mean and its variance. See against.
func Against(binary bool, y, a, b, shrink float64) (ratio, mean, variance float64) {
	return against(binary, y, a, b, shrink)
}

// Spreads returns the variance of the abilities of those who respond to one item, from abilities and variances by its other items in a
// standard normal population. See spreads.
func Spreads(ability, variance []float64) float64 {
	w := &whole{Whole: &Whole{Items: []string{"one"}}, item: make([]int32, len(ability)), times: slices.Repeat([]float64{1}, len(ability))}
	w.ability.variance = 1
	return spreads(w, ability, variance)[0]
}
