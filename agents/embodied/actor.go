package embodied

import (
	"context"
	"math"

	"achilles/gridworld"
	"achilles/gridworld/policy"
	"achilles/sim/rng"
)

// An Actor is a body in episodes: an agent whose parameters are drawn anew for each. Its Room and its Disposition are set
// before an episode and stay until the end.
type Actor struct {
	policy.Agent
	Disposition *Disposition

	draws   rng.Rand
	beliefs policy.Beliefs
}

var _ gridworld.Agent = (*Actor)(nil)

// Reset begins an episode with its hidden draws, which come from the key of the observation: the same room, disposition
// and key give the same actions. There is no error.
func (a *Actor) Reset(ctx context.Context, first gridworld.Observation) error {
	a.draws = first.Key().Rand()
	a.Draws, a.Beliefs = &a.draws, &a.beliefs
	a.Parameters = a.Disposition.draw(a.Room, &a.draws, first.Key())
	return a.Agent.Reset(ctx, first)
}

// Eyes are how well a body sees in an episode. The zero Eyes are perfect.
type Eyes struct {
	HalfAngle int // of the field of view, in degrees to each side of the heading; 0: all round
	Acuity    int // a reward is seen up to its size times so many cells away, in hundredths; 0: any distance
	Smallest  int // size of the smallest reward that it can make out, in hundredths; 0: any
}

// Sight returns how well the body sees, since Reset.
func (a *Actor) Sight() Eyes {
	eyes := a.Eyes()
	smallest := math.Ceil(float64(a.Room.Units().Largest-a.Visual) * 100)
	return Eyes{eyes.HalfAngle, eyes.Acuity, int(min(max(smallest, 0), 1<<20))}
}
