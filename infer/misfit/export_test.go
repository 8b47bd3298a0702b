package misfit

import "slices"

// A Both has the statistic of a check from the residuals of all responses, and from their sums in pools.
type Both struct {
	Name          string
	Whole, Pooled float64
	Pools         bool // whether the check is one of pools
}

// WholeAndPooled returns the statistics of all checks, and the number of pools. residual has a residual for each response.
func WholeAndPooled(d *Data, residual []float64) (out []Both, pools int) {
	checks := newResiduals(d).checks(d)
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
