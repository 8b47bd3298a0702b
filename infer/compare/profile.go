package compare

import (
	"math"

	"achilles/sim/rng"
)

// stack returns profileDraws draws [draw][parameter] of the reporting layout's parameters, from each rival in proportion to
// its weight. A parameter that the rival does not report is drawn from the reporting layout's prior.
func (c *Case) stack(kept []*Fitted, readings []*Reading, rng *rng.Rand) [][]float64 {
	parameters := c.Report.Parameters()
	pool := make([][]float64, 0, profileDraws)
	total := 0.0
	for _, f := range kept {
		total += f.Weight
	}
	due := 0.0 // draws that the rivals so far should have given
	for i, f := range kept {
		due += float64(f.Weight / total * profileDraws)
		n := int(math.Round(due)) - len(pool)
		if n == 0 {
			continue
		}
		values := make([][]float64, len(parameters)) // [parameter][draw of the rival]; nil: from the prior
		for k, p := range parameters {
			x := make([]float64, len(f.Draws))
			if readings[i].Reported(p, rng, x) {
				values[k] = x
			}
		}
		for j := range n {
			theta := make([]float64, len(parameters))
			c.Report.DrawPrior(rng, theta)
			at := (2*j + 1) * len(f.Draws) / (2 * n)
			for k := range theta {
				if values[k] != nil {
					theta[k] = values[k][at]
				}
			}
			pool = append(pool, theta)
		}
	}
	return pool
}
