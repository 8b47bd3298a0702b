package joint

import (
	"context"

	"achilles/infer/layout"
)

// Climb climbs once from a point drawn from the prior, with scales at the middle of their priors, and returns the log density and
// the number of gradients.
func Climb(cells *layout.Cells) (density float64, gradients int, err error) {
	c := Default()
	c.Chains = 1
	m, err := newMarginal(context.Background(), cells, c)
	if err != nil {
		return 0, 0, err
	}
	tops, err := m.tops(1, "climb")
	if err != nil {
		return 0, 0, err
	}
	return tops[0].density, m.gradients, nil
}
