package adaptive

import (
	"cmp"
	"math"
	"slices"

	"achilles/sim/num"
)

// familyWidth returns the half width, at a level in (0, 1), of an interval of an error of a family that is new, given the errors of families
// that were left out one by one (some may have none). It is the quantile of all absolute errors, each family with the same weight
// (Dunn, Wasserman and Ramdas 2023, "Distribution-free prediction sets for two-layer hierarchical models", pooled distributions),
// times a ratio of quantiles of Student's t and the normal distribution, as families are few: the degrees of freedom are those of the
// variance of an error as the sum of its parts between and within families (Satterthwaite 1946). It is 0 without errors.
func familyWidth(errors [][]float64, level float64) float64 {
	type weighed struct{ size, weight float64 }
	errors = slices.DeleteFunc(slices.Clone(errors), func(of []float64) bool { return len(of) == 0 })
	families, within, inverse, n := float64(len(errors)), 0.0, 0.0, 0.0
	var all []weighed
	var between float64 // mean square of a family's mean error: errors are around 0
	for _, of := range errors {
		mean, k := 0.0, float64(len(of))
		for _, e := range of {
			mean += e / k
			all = append(all, weighed{math.Abs(e), 1 / (families * k)})
		}
		for _, e := range of {
			within += float64((e - mean) * (e - mean))
		}
		between += float64(mean*mean) / families
		inverse += 1 / (families * k)
		n += k
	}
	if n == 0 {
		return 0
	}
	freedom := max(n-families, 1)
	within *= (1 - inverse) / freedom
	df := families
	if total := between + within; total > 0 {
		df = float64(total*total) / (float64(between*between)/families + float64(within*within)/freedom)
	}
	slices.SortFunc(all, func(a, b weighed) int { return cmp.Compare(a.size, b.size) })
	const rounding = 1e-12
	need, below, half := min(1, level*(n+1)/n)-rounding, 0.0, 0.0
	for _, e := range all {
		if half = e.size; below+e.weight >= need {
			break
		}
		below += e.weight
	}
	return half * num.StudentTQuantile(0.5+level/2, df) / num.NormalQuantile(0.5+level/2)
}
