package chargrid

import (
	"math"

	"achilles/infer/table"
	"achilles/sim/num"
	"achilles/sim/rng"
)

// conformance returns minus the rank correlation between the distinct values of a feature and the mean success at each
// value, with equal weights. It is 1 if success falls from every value to the next, −1 if it rises from every value to
// the next, and NaN if there are fewer than two values or the same success at all of them.
func conformance(q Totals) float64 {
	var value, mean []float64
	for k, n := range q.N {
		if n > 0 {
			value, mean = append(value, float64(k)), append(mean, q.Sum[k]/n)
		}
	}
	return rankFall(value, mean)
}

func rankFall(value, mean []float64) float64 {
	if len(value) < 2 {
		return math.NaN()
	}
	return -Spearman(value, mean, nil)
}

// A curveNoise separates what the mean success at each value of a feature owes to the sample of subjects from what it
// owes to the value.
//
// A resample of the subjects adds noise to a curve that has noise already, and noise lowers a rank correlation: with many
// values the percentiles of the resampled conformance can all lie below the conformance itself. So a replicate takes noise
// away before it adds any. Around its least-squares line over the ranks of the values, the curve has the residuals e, of
// variance τ² + v: v is the sampling variance, which the differences between subjects give, and τ² that of the true curve.
// With B = τ²/(τ² + v), the curve line* + B·e + √B·(e* − e), where the star marks the resample, has residuals of variance
// τ² (the constrained empirical Bayes estimate of Ghosh 1992, around a line). τ² is drawn anew in every replicate, because
// few values know it badly.
type curveNoise struct {
	level    []int     // indices of the feature's values that have a response
	residual []float64 // e, for each of them
	mean     float64   // Σe²/df, an estimate of τ² + v
	sampling float64   // v
	df       int       // 0: too few values
}

// fewest is the smallest number of values of a feature for which τ² is estimated; with fewer, conformance has few
// possible values, and the percentiles of the resamples cover.
const fewest = 5

// newCurveNoise estimates the variances for a set of subjects; q has the totals of the values.
func newCurveNoise(t *table.Table, m measured, set Set, q Totals) curveNoise {
	var c curveNoise
	for k, n := range q.N {
		if n > 0 {
			c.level = append(c.level, k)
		}
	}
	if len(c.level) < fewest {
		return c
	}
	c.df = len(c.level) - 2
	mean := c.means(q)
	_, c.residual = residuals(mean)
	c.mean = num.Dot(c.residual, c.residual) / float64(c.df)
	subjects, d := 0, make([]float64, len(c.level))
	bySubject(t, set, m.of, len(q.N), func(u Totals) {
		for i, k := range c.level {
			d[i] = (u.Sum[k] - float64(u.N[k]*mean[i])) / q.N[k]
		}
		_, e := residuals(d)
		c.sampling += num.Dot(e, e) / float64(c.df)
		subjects++
	})
	c.sampling *= float64(subjects) / float64(max(subjects-1, 1))
	return c
}

// replicate returns the conformance of the curve that a resample of the subjects with totals q stands for.
func (c *curveNoise) replicate(q Totals, r *rng.Rand) float64 {
	for _, k := range c.level {
		if c.df == 0 || q.N[k] == 0 {
			return conformance(q)
		}
	}
	// Σe²/χ² with df degrees of freedom is a draw of τ² + v
	chi := 2 * num.Exp(num.LogGammaQuantile(r.Float64(), float64(c.df)/2))
	tau := max(0, float64(c.mean*float64(c.df))/chi-c.sampling)
	line, e := residuals(c.means(q))
	if tau == 0 { // nothing but a line and noise: its sign is all that is left
		return -math.Copysign(1, line[len(line)-1]-line[0])
	}
	b := tau / (tau + c.sampling)
	value := make([]float64, len(line))
	for i, x := range c.residual {
		value[i] = float64(i)
		line[i] += float64(b*x) + float64(math.Sqrt(b)*(e[i]-x))
	}
	return rankFall(value, line)
}

func (c *curveNoise) means(q Totals) []float64 {
	mean := make([]float64, len(c.level))
	for i, k := range c.level {
		mean[i] = q.Sum[k] / q.N[k]
	}
	return mean
}

// residuals returns the least-squares line of y over 0, 1, …, and what is left of y.
func residuals(y []float64) (fit, e []float64) {
	mx, my, xx, xy := float64(len(y)-1)/2, 0.0, 0.0, 0.0
	for _, v := range y {
		my += v / float64(len(y))
	}
	for i, v := range y {
		d := float64(i) - mx
		xx += float64(d * d)
		xy += float64(d * (v - my))
	}
	for i, v := range y {
		f := my + float64(xy/xx*(float64(i)-mx))
		fit, e = append(fit, f), append(e, v-f)
	}
	return fit, e
}
