package embodied

import (
	"context"
	"math"

	"achilles/gridworld"
	"achilles/gridworld/policy"
	"achilles/sim/rng"
)

// An Actor is an agent with a body: its parameters are drawn anew for each episode. Room and Disposition must be set
// before an episode and not change until its end.
type Actor struct {
	policy.Agent
	Disposition *Disposition

	draws   rng.Rand
	beliefs policy.Beliefs
}

var _ gridworld.Agent = (*Actor)(nil)

// Reset begins an episode: it draws the parameters of the body with random numbers that depend on the key of the
// observation. The same room, disposition and key give the same actions. The error is always nil.
func (a *Actor) Reset(ctx context.Context, first gridworld.Observation) error {
	a.draws = first.Key().Rand()
	a.Draws, a.Beliefs = &a.draws, &a.beliefs
	a.Parameters = a.Disposition.draw(a.Room, &a.draws, first.Key())
	return a.Agent.Reset(ctx, first)
}

// Eyes say how well a body sees in an episode. The zero Eyes are perfect.
type Eyes struct {
	HalfAngle int // half the field of view, in degrees to each side of the heading; 0: every direction
	Acuity    int // distance up to which a reward is seen, in hundredths of a cell per unit of its size; 0: any
	Smallest  int // size of the smallest reward that it can see, in hundredths; 0: any
}

// Sight returns how well the body sees in the present episode.
func (a *Actor) Sight() Eyes {
	eyes := a.Eyes()
	smallest := math.Ceil(float64(a.Room.Units().Largest-a.Visual) * 100)
	return Eyes{eyes.HalfAngle, eyes.Acuity, int(min(max(smallest, 0), 1<<20))}
}
