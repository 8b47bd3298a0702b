package infer

import (
	"math"
	"slices"

	"achilles/infer/diag"
	"achilles/infer/layout"
	"achilles/infer/posterior"
)

// stretched returns draws in which the distance of each value from its mean, on the scale without bounds, is multiplied by its factor.
func stretched(t *layout.JointTarget, draws [][][]float64, factors []float64) [][][]float64 {
	mean, q, n := make([]float64, len(factors)), make([]float64, len(factors)), 0.0
	for _, chain := range draws {
		for _, theta := range chain {
			t.Unconstrain(theta, q)
			n++
			for k, x := range q {
				mean[k] += (x - mean[k]) / n
			}
		}
	}
	out := make([][][]float64, len(draws))
	for i, chain := range draws {
		for _, theta := range chain {
			t.Unconstrain(theta, q)
			for k, f := range factors {
				if f != 1 && !math.IsInf(q[k], 0) && !math.IsInf(mean[k], 0) {
					q[k] = mean[k] + float64(f*(q[k]-mean[k]))
				}
			}
			wide := make([]float64, len(q))
			t.Constrain(q, wide)
			for k, f := range factors {
				if f == 1 {
					wide[k] = theta[k] // without the rounding of there and back
				}
			}
			out[i] = append(out[i], wide)
		}
	}
	return out
}

// stretch replaces the draws of a posterior by stretched ones.
func (c *clustered) stretch(post *posterior.Posterior, factors []float64) {
	post.Draws = stretched(c.target, post.Draws, factors)
	summaries := slices.Clone(post.Summaries)
	for k, f := range factors {
		if f == 1 {
			continue
		}
		s, was := diag.Describe(diag.Column(post.Draws, k)), summaries[k]
		s.ESSMean, s.ESSBulk, s.ESSTail, s.RHat, s.RHatBulk, s.RHatFolded = was.ESSMean, was.ESSBulk, was.ESSTail, was.RHat, was.RHatBulk, was.RHatFolded // ranks hardly change
		s.MCSEMean, s.MCSESD = was.MCSEMean*s.SD/was.SD, was.MCSESD*s.SD/was.SD
		summaries[k] = s
	}
	post.Summaries = summaries
}

// narrowed returns draws as they were before the posterior was widened, for what depends on single responses. name says which value is at a place.
func (w *Widening) narrowed(t *layout.JointTarget, draws [][]float64, name func(k int) Factor) [][]float64 {
	if w == nil || len(draws) == 0 {
		return draws
	}
	factors := slices.Repeat([]float64{1}, len(draws[0]))
	for k := range factors {
		f := name(k)
		if times := w.TimesOf(f.Parameter, f.Unit); times != nil {
			factors[k] = 1 / *times
		}
	}
	return stretched(t, [][][]float64{draws}, factors)[0]
}
