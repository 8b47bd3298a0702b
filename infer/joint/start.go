package joint

import (
	"fmt"
	"math"

	"achilles/infer/layout"
	"achilles/sim/rng"
)

// startTries is the number of points among which start finds one with a finite density.
const startTries = 100

// Impossible is the error of a fit whose responses have probability 0 at all points drawn from the prior.
type Impossible struct {
	Layout   string
	Points   int
	Subjects []int // whose own responses have probability 0 at each of the points: without them, a fit of the others may begin
}

func (e *Impossible) Error() string {
	return fmt.Sprintf("layout %s: the responses are impossible at %d points drawn from the prior", e.Layout, e.Points)
}

// start returns a point with a finite density at which a chain can begin: half-way, in every coordinate, from the middle of
// the prior to a draw from it. If it finds none, the error is *Impossible.
func start(cells *layout.Cells, centred []bool, scale []float64, r *rng.Rand) ([]float64, error) {
	j := cells.Joint()
	t := newPlaced(cells.NewTarget(centred, 1), scales(scale), nil)
	q, grad, theta := make([]float64, j.Len()), make([]float64, j.Len()), make([]float64, j.Len())
	var explained []bool
	for range startTries {
		j.DrawNear(r, 0.5, q)
		copy(theta, q)
		t.target.Unconstrain(q, q)
		for i, s := range scale {
			q[i] /= s
		}
		if l := t.LogDensity(q, grad); !math.IsInf(l, 0) && !math.IsNaN(l) {
			return q, nil
		}
		explained = t.target.Explained(theta, explained)
	}
	e := &Impossible{Layout: j.Layout().Name, Points: startTries}
	for s, ok := range explained {
		if !ok {
			e.Subjects = append(e.Subjects, s)
		}
	}
	return nil, e
}
